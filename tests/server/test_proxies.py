"""Behind a reverse proxy: who is there is told by those whom the operator trusts, and by nobody else."""

import asyncio
import socket
import ssl
import struct
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig

from ludoteca.server.proxies import Networks, counted, forwarded
from ludoteca.server.serve import Server
from ludoteca.server.settings import SettingsError, load

PROXY = {"trusted_proxies": ["127.0.0.1"]}
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


def version_2(source: str, *, command: int = 0x21, more: bytes = b"") -> bytes:
    """What a proxy says before anything else."""
    address = ip_address(source)
    other = ip_address("192.0.2.80" if address.version == 4 else "2001:db8::80")
    body = address.packed + other.packed + struct.pack("!HH", 40000, 8001) + more
    return SIGNATURE + struct.pack("!BBH", command, 0x11 if address.version == 4 else 0x21, len(body)) + body


def version_1(source: str) -> bytes:
    """The same in words."""
    return f"PROXY TCP{ip_address(source).version} {source} {source} 40000 8001\r\n".encode()


def addresses(server: Server) -> set[str]:
    """Where everybody in the house comes from."""
    return {guest.address for guest in server.house.hall.guests}


def refused(server: Server, reason: str) -> float:
    return server.house.metrics.registry.get_sample_value("ludoteca_refused_total", {"reason": reason}) or 0.0


async def hello(server: Server, header: bytes, name: str = "Anna") -> rig.Client:
    """Somebody who comes with these bytes before the first line."""
    client = await rig.connect(server, "house")
    await client.send(header + f'{{"type":"hello","name":"{name}"}}\n'.encode())
    return client


async def is_ended(client: rig.Client) -> bool:
    try:
        while await asyncio.wait_for(client.reader.read(65536), rig.PATIENCE_S):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


# Addresses.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("192.0.2.7:40312", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::99", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::99]:40312", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::99", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_d20_addresses_are_counted_by_network_where_one_is_cheap(text: str, expected: str) -> None:
    assert counted(text) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6, 203.0.113.7"], "203.0.113.7"),
        (["6.6.6.6", "203.0.113.7"], "203.0.113.7"),
        (["203.0.113.7, 10.1.2.3, 127.0.0.1"], "203.0.113.7"),
        (["10.1.2.3"], ""),
        (["6.6.6.6, unknown"], ""),
        (["6.6.6.6, 203.0.113.7, nonsense"], ""),
        (["[2001:db8::1]:443"], "2001:db8::1"),
        ([""], ""),
        ([], ""),
        (["6.6.6.6," * 10_000 + "203.0.113.7"], "203.0.113.7"),
    ],
)
def test_the_last_hop_that_is_not_trusted_is_the_sender(lines: list[str], expected: str) -> None:
    assert forwarded(lines, Networks(["127.0.0.1", "10.0.0.0/8"]), is_standard=False) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["for=203.0.113.7"], "203.0.113.7"),
        (['For="[2001:db8::1]:4711";proto=https;by=10.0.0.1'], "2001:db8::1"),
        (["for=6.6.6.6, for=203.0.113.7;by=10.0.0.1, for=10.0.0.2"], "203.0.113.7"),
        (["for=6.6.6.6", "for=203.0.113.7"], "203.0.113.7"),
        (["for=_hidden"], ""),
        (["proto=https;by=10.0.0.1"], ""),
        # A quote that is never closed does not swallow what the proxy has added.
        (['for="6.6.6.6, for=203.0.113.7'], "203.0.113.7"),
        # Nor does a quoted word become a hop of its own.
        (['for=203.0.113.7;by="x,for=6.6.6.6"'], "203.0.113.7"),
    ],
)
def test_the_standard_header_says_the_same(lines: list[str], expected: str) -> None:
    assert forwarded(lines, Networks(["10.0.0.0/8"]), is_standard=True) == expected


def test_settings_about_proxies_that_make_no_sense_are_named() -> None:
    for given, words in (
        ({"trusted_proxies": "everybody"}, "trusted_proxies"),
        ({"proxy_protocol": "true"}, "proxy_protocol needs trusted_proxies"),
        ({"forwarded_header": "x-real-ip"}, "forwarded_header"),
    ):
        with pytest.raises(SettingsError, match=words):
            load(None, {}, given)
    chosen = load(None, {"LUDOTECA_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8"}, {"proxy_protocol": "true"})
    assert chosen.trusted_proxies == ["127.0.0.1", "10.0.0.0/8"]


# HTTP and WebSocket.


async def socket_from(web: aiohttp.ClientSession, **headers: str) -> aiohttp.ClientWebSocketResponse:
    return await web.ws_connect("/ws", headers={key.replace("_", "-"): text for key, text in headers.items()})


def site(server: Server) -> aiohttp.ClientSession:
    host, port = server.addresses["http"]
    return aiohttp.ClientSession(f"http://{host}:{port}")


@pytest.mark.slow
async def test_d20_people_behind_a_trusted_proxy_are_counted_each_by_their_own_address(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "http", connections_per_address_max=2, **PROXY) as server:
        async with site(server) as web:
            sockets = []
            for address in ("203.0.113.1", "203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8::2"):
                sockets.append(await socket_from(web, X_Forwarded_For=f"6.6.6.6, {address}"))
            assert addresses(server) == {"203.0.113.1", "203.0.113.2", "2001:db8::/64"}
            for address in ("203.0.113.1", "2001:db8::3"):
                with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
                    await socket_from(web, X_Forwarded_For=address)
                async with web.get("/api/tables", headers={"X-Forwarded-For": address}) as answer:
                    assert (answer.status, (await answer.json())["error"]) == (429, "limit")
            assert refused(server, "address") == 4
            await sockets[0].close()
            sockets.append(await socket_from(web, X_Forwarded_For="203.0.113.1"))
            for one in sockets:
                await one.close()
        assert not server._doorman._by_address


@pytest.mark.slow
async def test_who_is_not_trusted_may_say_what_it_likes(tmp_path: Path) -> None:
    for more in ({}, {"trusted_proxies": ["192.0.2.1"]}):
        async with rig.house(tmp_path, "http", "house", **more) as server, site(server) as web:
            one = await socket_from(web, X_Forwarded_For="203.0.113.1", Forwarded="for=203.0.113.1")
            assert addresses(server) == {"127.0.0.1"}
            await one.close()


@pytest.mark.slow
async def test_a_proxy_that_names_nobody_is_one_address_itself(tmp_path: Path) -> None:
    limit: dict[str, Any] = {"connections_per_address_max": 2}
    async with rig.house(tmp_path, "http", **limit, **PROXY) as server, site(server) as web:
        sockets = [await socket_from(web) for _ in range(2)]
        # The other header is none that this proxy writes: it may come from anybody.
        with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
            await socket_from(web, Forwarded="for=203.0.113.1")
        for one in sockets:
            await one.close()


async def test_the_operator_chooses_the_header(tmp_path: Path) -> None:
    header: dict[str, Any] = {"forwarded_header": "forwarded"}
    async with rig.house(tmp_path, "http", **header, **PROXY) as server, site(server) as web:
        one = await socket_from(web, Forwarded='for="[2001:db8:5::7]"', X_Forwarded_For="6.6.6.6")
        assert addresses(server) == {"2001:db8:5::/64"}
        await one.close()


async def test_requests_through_a_proxy_are_charged_to_those_who_made_them(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"requests_per_s": 0.1, "requests_burst": 3}
    async with rig.house(tmp_path, "http", **limits, **PROXY) as server, site(server) as web:

        async def get(address: str) -> int:
            async with web.get("/api/tables", headers={"X-Forwarded-For": address}) as answer:
                return answer.status

        assert [await get("203.0.113.1") for _ in range(4)] == [200, 200, 200, 429]
        assert await get("203.0.113.2") == 200


# Lines.


@pytest.mark.parametrize(
    ("header", "address"),
    [
        (version_2("203.0.113.1"), "203.0.113.1"),
        (version_2("2001:db8:1::1", more=b"\x04\0\x03abc"), "2001:db8:1::/64"),
        (version_2("203.0.113.1", command=0x20), "127.0.0.1"),
        (SIGNATURE + b"\x20\0\0\0", "127.0.0.1"),
        (version_1("203.0.113.1"), "203.0.113.1"),
        (version_1("2001:db8:1::1"), "2001:db8:1::/64"),
        (b"PROXY UNKNOWN\r\n", "127.0.0.1"),
    ],
)
async def test_d20_a_proxy_header_says_who_is_there(tmp_path: Path, header: bytes, address: str) -> None:
    async with rig.house(tmp_path, "house", proxy_protocol=True, **PROXY) as server:
        client = await hello(server, header)
        await client.until("welcome")
        assert addresses(server) == {address}


async def test_a_proxy_header_may_come_in_pieces(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", proxy_protocol=True, **PROXY) as server:
        client = await rig.connect(server, "house")
        for byte in version_2("203.0.113.1") + b'{"type":"hello","name":"Anna"}\n':
            await client.send(bytes([byte]))
            await asyncio.sleep(0)
        await client.until("welcome")
        assert addresses(server) == {"203.0.113.1"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "header",
    [
        b"",
        b'{"type":"ping"}\n',
        version_2("203.0.113.1", command=0x31),
        SIGNATURE + b"\x21\x11\xff\xff" + b"\0" * 70_000,
        SIGNATURE + b"\x21\x11\0\x04\x01\x02\x03\x04",
        SIGNATURE + b"\x21\x31\0\x00",
        b"PROXY TCP4 nobody nobody 1 2\r\n",
        b"PROXY " + b"x" * 200,
        b"PROXY \r\n",
    ],
)
async def test_a_trusted_proxy_that_says_nothing_sensible_brings_nobody_in(
    tmp_path: Path, header: bytes
) -> None:
    async with rig.house(tmp_path, "house", proxy_protocol=True, header_s=0.5, **PROXY) as server:
        client = await hello(server, header) if header else await rig.connect(server, "house")
        assert await is_ended(client)
        assert not server.house.hall.guests
        assert not server._doorman._by_address
        again = await hello(server, version_1("203.0.113.1"))
        await again.until("welcome")


@pytest.mark.slow
async def test_half_a_proxy_header_is_ended_in_time(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", proxy_protocol=True, header_s=0.4, **PROXY) as server:
        for part in (SIGNATURE[:5], version_2("203.0.113.1")[:20], version_1("203.0.113.1")[:9]):
            client = await rig.connect(server, "house")
            await client.send(part)
            assert await is_ended(client)


@pytest.mark.slow
async def test_a_stranger_who_forges_a_proxy_header_only_garbles_a_line(tmp_path: Path) -> None:
    more: dict[str, Any] = {"proxy_protocol": True, "trusted_proxies": ["192.0.2.1"]}
    async with rig.house(tmp_path, "house", **more) as server:
        client = await hello(server, version_1("203.0.113.1"))
        assert (await client.until("declined"))["code"] == "message"
        await client.until("welcome")
        assert addresses(server) == {"127.0.0.1"}


@pytest.mark.slow
async def test_people_behind_a_line_proxy_are_limited_each_by_their_own_address(tmp_path: Path) -> None:
    limits: dict[str, Any] = {"proxy_protocol": True, "connections_per_address_max": 2}
    async with rig.house(tmp_path, "house", **limits, **PROXY) as server:
        inside = []
        for number, address in enumerate(("203.0.113.1", "203.0.113.1", "203.0.113.2")):
            inside.append(await hello(server, version_2(address), f"Anna{number}"))
            await inside[-1].until("welcome")
        assert await is_ended(await hello(server, version_2("203.0.113.1"), "Dora"))
        assert refused(server, "address") == 1
        inside.append(await hello(server, version_2("203.0.113.2"), "Emma"))
        await inside[-1].until("welcome")


@pytest.mark.slow
async def test_a_proxy_header_comes_before_the_tls_handshake(tmp_path: Path) -> None:
    certificate = rig.certificate(tmp_path)
    more: dict[str, Any] = {"tls_cert": str(certificate), "proxy_protocol": True, **PROXY}
    async with rig.house(tmp_path, "house", **more) as server:

        def through_a_proxy() -> bytes:
            context = ssl.create_default_context(cafile=str(certificate))
            with socket.create_connection(server.addresses["house"], timeout=10) as raw:
                raw.sendall(version_2("203.0.113.1"))
                with context.wrap_socket(raw, server_hostname="localhost") as wrapped:
                    wrapped.sendall(b'{"type":"hello","name":"Anna"}\n')
                    assert b"welcome" in wrapped.recv(1000)
                    return ",".join(addresses(server)).encode()

        assert await asyncio.to_thread(through_a_proxy) == b"203.0.113.1"
