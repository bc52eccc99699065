"""The house behind the reverse proxies of docs/proxy: page, WebSocket, remote calls and lines through each,
and whoever comes is counted and logged by where he comes from."""

import asyncio
import contextlib
import re
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import grpc
import pytest
from tests import rig
from tests.games.shelfie.remote import Remote
from tests.needs import caddy, nginx

from ludoteca.clients import address
from ludoteca.games.shelfie.rpc import MyShelfieStub, pb
from ludoteca.server.serve import Server

EXAMPLES = Path(__file__).parents[2] / "docs/proxy"
# Whoever comes to the proxies from here must be known by it, and not by the address of the proxy.
GUEST, CALLER, PROXY = "127.0.0.2", "127.0.0.1", "127.0.0.3"

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def example(name: str, **changes: str) -> str:
    """One of the examples, with what is another one on every machine exchanged."""
    text = (EXAMPLES / name).read_text()
    for old, new in changes.items():
        assert old in text, f"{name} has no {old}"
        text = text.replace(old, new)
    return text


def at(server: Server, listener: str) -> str:
    host, port = server.addresses[listener]
    return f"{host}:{port}"


@contextlib.asynccontextmanager
async def running(*command: str, port: int) -> AsyncIterator[None]:
    """A proxy, until the end of the block."""
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        async with asyncio.timeout(rig.PATIENCE_S):
            while True:
                with contextlib.suppress(ConnectionError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    break
                assert process.returncode is None, (await process.communicate())[1].decode()
                await asyncio.sleep(0.05)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


@contextlib.asynccontextmanager
async def nginx_before(
    server: Server, folder: Path, certificate: Path, *, path: bool = False
) -> AsyncIterator[int]:
    port = free_port()
    program = nginx()
    site = example(
        "nginx.conf",
        **{
            "listen 443": f"listen 127.0.0.1:{port}",
            "/etc/ssl/games.example/fullchain.pem": str(certificate),
            "/etc/ssl/games.example/key.pem": str(certificate),
            "127.0.0.1:8000": at(server, "http"),
            "127.0.0.1:11501": at(server, "shelfie-rpc"),
        },
    )
    if path:
        # The site has something of its own where the house would be.
        head, _, _ = site.partition("    # Page, REST")
        below = example("nginx-path.conf", **{"127.0.0.1:8000": at(server, "http")})
        site = f'{head}location / {{ return 200 "The club"; }}\n{below}\n}}'
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off; pid {folder}/nginx.pid; error_log stderr;\nevents {{}}\n"
        f"http {{ access_log off; proxy_bind {PROXY}; grpc_bind {PROXY};\n{temporary}\n{site}\n}}\n"
    )
    async with running(program, "-c", str(conf), "-e", "stderr", "-p", str(folder), port=port):
        yield port


@contextlib.asynccontextmanager
async def caddy_before(
    server: Server, folder: Path, certificate: Path, *, path: bool = False
) -> AsyncIterator[int]:
    port = free_port()
    program = caddy()
    name = "club.example {" if path else "games.example {"
    changes = {
        name: f"https://games.example:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {certificate}",
        "127.0.0.1:8000": at(server, "http"),
    }
    if not path:
        changes["127.0.0.1:11501"] = at(server, "shelfie-rpc")
    site = example("Caddyfile-path" if path else "Caddyfile", **changes)
    conf = folder / "Caddyfile"
    conf.write_text(
        f"{{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system {folder}\n}}\n{site}"
    )
    async with running(program, "run", "--adapter", "caddyfile", "--config", str(conf), port=port):
        yield port


FRONTS = {"nginx": nginx_before, "caddy": caddy_before}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return rig.certificate(tmp_path_factory.mktemp("certificate"), "games.example")


@pytest.mark.parametrize("front", FRONTS)
async def test_page_socket_and_calls_come_through_and_are_counted_by_their_own_address(
    front: str, tmp_path: Path, certificate: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    # Nobody but the guest is so near to his limit: were he counted as the proxy, all would be.
    trusted = [PROXY] if front == "nginx" else ["127.0.0.1"]  # Caddy 2.6 cannot choose where it comes from.
    more = {"trusted_proxies": trusted, "hosts": ["games.example"], "connections_per_address_max": 4}
    async with (
        rig.house(tmp_path / "data", "http", "shelfie-rpc", **more) as server,
        FRONTS[front](server, tmp_path, certificate) as port,
    ):
        trusting = ssl.create_default_context(cafile=str(certificate))
        connector = aiohttp.TCPConnector(local_addr=(GUEST, 0), ssl=trusting, resolver=_Here())
        page = f"https://games.example:{port}"
        async with aiohttp.ClientSession(page, connector=connector) as web:
            async with web.get("/") as answer:
                assert answer.status == 200
                assert "<html" in await answer.text()
            async with web.get("/api/v1/games") as answer:
                assert len(await answer.json()) >= 5
            async with web.ws_connect("/ws", headers={"Origin": page}) as socket_:
                await socket_.send_json({"type": "hello", "name": "Ann"})
                assert (await socket_.receive_json())["type"] == "welcome"
                assert _addresses(server) == {GUEST}
                await socket_.send_json({"type": "ping"})
                assert (await socket_.receive_json())["type"] == "pong"
                # A page of another site does not get in through the proxy either.
                with pytest.raises(aiohttp.WSServerHandshakeError) as stopped:
                    await web.ws_connect("/ws", headers={"Origin": "https://elsewhere.example"})
                assert stopped.value.status == 403
                remote = _remote(port, certificate)
                await remote.connect()
                await remote.call("Login", pb.LoginRequest(nickname="Bob"))
                assert _addresses(server) == {GUEST, CALLER}
                await remote.close()
                # The guest's fifth connection is refused, and it is the guest who is named.
                sockets: list[aiohttp.ClientWebSocketResponse] = []
                with pytest.raises(aiohttp.WSServerHandshakeError) as stopped:
                    await _fill(web, page, sockets)
                assert stopped.value.status == 429
                assert len(sockets) <= 3
                for one in sockets:
                    await one.close()
    said = capfd.readouterr()
    assert f"address={GUEST} reason=address" in said.out + said.err


@pytest.mark.parametrize("front", FRONTS)
async def test_a_house_shares_its_name_with_a_site_that_has_other_things(
    front: str, tmp_path: Path, certificate: Path
) -> None:
    trusted = [PROXY] if front == "nginx" else ["127.0.0.1"]
    more = {"trusted_proxies": trusted, "hosts": ["games.example"], "base_path": "/games"}
    async with (
        rig.house(tmp_path / "data", "http", "shelfie-rpc", **more) as server,
        FRONTS[front](server, tmp_path, certificate, path=True) as port,
    ):
        trusting = ssl.create_default_context(cafile=str(certificate))
        connector = aiohttp.TCPConnector(local_addr=(GUEST, 0), ssl=trusting, resolver=_Here())
        page = f"https://games.example:{port}"
        async with aiohttp.ClientSession(page, connector=connector) as web:
            async with web.get("/") as answer:
                assert await answer.text() == "The club"
            async with web.get("/games") as answer:
                assert str(answer.url) == f"{page}/games/"
                told = await answer.text()
            assert f'content="{page}/games/preview.png"' in told
            # Everything that the page names is there, and none of it is the site's own.
            parts = re.findall(r'(?:src|href)="(/games/[^"]*)"', told)
            assert len(parts) > 5
            for one in (*parts, "/games/sw.js", "/games/preview.png", "/games/api/v1/games"):
                async with web.get(one) as answer:
                    assert (answer.status, await answer.text(errors="replace") == "The club") == (200, False)
            async with web.ws_connect("/games/ws", headers={"Origin": page}) as socket_:
                await socket_.send_json({"type": "hello", "name": "Ann"})
                assert (await socket_.receive_json())["type"] == "welcome"
                assert _addresses(server) == {GUEST}
        # A terminal is told the same address.
        ca = str(certificate)
        assert address.parse(f"{page}/games/table/x", ca).socket_url == f"wss://games.example:{port}/games/ws"


async def test_lines_come_through_nginx_with_tls_and_their_own_address(
    tmp_path: Path, certificate: Path
) -> None:
    program = nginx()
    module = Path(program).parents[1] / "lib/nginx/modules/ngx_stream_module.so"
    more: dict[str, Any] = {"trusted_proxies": ["127.0.0.1"], "proxy_protocol": True}
    async with rig.house(tmp_path / "data", "house", **more) as server:
        port = free_port()
        site = example(
            "nginx-stream.conf",
            **{
                "listen 8001": f"listen 127.0.0.1:{port}",
                "/etc/ssl/games.example/fullchain.pem": str(certificate),
                "/etc/ssl/games.example/key.pem": str(certificate),
                "127.0.0.1:18001": at(server, "house"),
            },
        )
        conf = tmp_path / "stream.conf"
        conf.write_text(
            f"load_module {module};\ndaemon off; pid {tmp_path}/nginx.pid; error_log stderr;\n"
            f"events {{}}\nstream {{\n{site}\n}}\n"
        )
        async with running(program, "-c", str(conf), "-e", "stderr", "-p", str(tmp_path), port=port):
            trusting = ssl.create_default_context(cafile=str(certificate))
            ann = rig.Client(
                *await asyncio.open_connection(
                    "127.0.0.1",
                    port,
                    ssl=trusting,
                    server_hostname="games.example",
                    local_addr=(GUEST, 0),
                )
            )
            await ann.send({"type": "hello", "name": "Ann"})
            await ann.until("welcome")
            assert _addresses(server) == {GUEST}
            await ann.close()


class _Here(aiohttp.abc.AbstractResolver):
    """games.example is this machine."""

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> Any:
        return [
            {"hostname": host, "host": "127.0.0.1", "port": port, "family": socket.AF_INET, "proto": 0,
             "flags": 0}
        ]  # fmt: skip

    async def close(self) -> None:
        return None


async def _fill(
    web: aiohttp.ClientSession, page: str, sockets: list[aiohttp.ClientWebSocketResponse]
) -> None:
    for _ in range(5):
        sockets.append(await web.ws_connect("/ws", headers={"Origin": page}))


def _remote(port: int, certificate: Path) -> Remote:
    remote = Remote(SimpleNamespace(addresses={"shelfie-rpc": ("127.0.0.1", port)}))
    credentials = grpc.ssl_channel_credentials(certificate.read_bytes())
    options = [("grpc.ssl_target_name_override", "games.example")]
    remote.channel = grpc.aio.secure_channel(f"127.0.0.1:{port}", credentials, options=options)
    remote.stub = MyShelfieStub(remote.channel)
    return remote


def _addresses(server: Server) -> set[str]:
    return {guest.address for guest in server.house.hall.guests}
