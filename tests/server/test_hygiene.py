"""HTTP from people who do not speak it well, or mean ill: one form of refusal, no traceback, no
name but our own."""

import asyncio
import json
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
from structlog.testing import capture_logs
from tests import needs, rig

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.server import settings as settings_of
from ludoteca.server.doors import ports, usual_port
from ludoteca.server.hosts import Hosts
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings, SettingsError

HOST = b"Host: localhost\r\n"
UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


class Answer(NamedTuple):
    """What came back, as it came."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def error(self) -> str:
        """The one word; everything about the form is checked on the way."""
        assert self.headers["content-type"] == "application/json", self
        said = json.loads(self.body)
        assert set(said) == {"error", "reason"}, self
        assert said["reason"], self
        assert "\n" not in said["reason"]
        return str(said["error"])


async def ask(server: Server | rig.Process, request: bytes, listener: str = "http") -> Answer:
    """Bytes to a listener; the answer's head and body."""
    client = await rig.connect(server, listener)
    try:
        await client.send(request)
        async with asyncio.timeout(rig.PATIENCE_S):
            head = await client.reader.readuntil(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            headers = {
                key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)
            }
            size = 0 if request.startswith(b"HEAD") else int(headers.get("content-length", 0))
            return Answer(int(lines[0].split()[1]), headers, await client.reader.readexactly(size))
    finally:
        client.cut()


def get(path: str, *headers: bytes, host: bytes = HOST) -> bytes:
    return b"GET %b HTTP/1.1\r\n%b%b\r\n" % (path.encode("latin-1"), host, b"".join(headers))


def post(*headers: bytes, body: bytes = b"") -> bytes:
    return b"POST /api/games HTTP/1.1\r\n%b%b\r\n%b" % (HOST, b"".join(headers), body)


# Requests that were not thought of when the routes were written, and how they are answered.
STRANGE: dict[str, tuple[bytes, int]] = {
    "long path": (get("/" + "a" * 300), 200),
    "long file": (get("/assets/" + "a" * 300 + ".js"), 404),
    "long game": (get("/ws/" + "a" * 300, UPGRADE), 404),
    "too long a path": (get("/" + "a" * 9000), 400),
    "too long a header": (get("/", b"X: %b\r\n" % (b"a" * 9000)), 400),
    "too many headers": (get("/", b"X: a\r\n" * 500), 400),
    "null byte": (get("/assets/a%00b.js"), 404),
    "null byte as it is": (get("/a\0b"), 400),
    "null byte for a match": (get("/api/matches/%00"), 404),
    "broken escapes": (get("/%zz%f.js"), 404),
    "bytes that are no text": (get("/%ff%fe.js"), 404),
    "no text for a match": (get("/api/matches/%ff%fe/record"), 404),
    "half a surrogate for a match": (get("/api/matches/%ed%a0%80"), 404),
    "half a surrogate for a table": (get("/api/tables/%ed%a0%80/story"), 404),
    "no text for a game": (get("/ws/%ff", UPGRADE), 404),
    "no text in the query": (get("/api/matches?game=%ff%ed%a0%80"), 200),
    "bytes in the query": (get("/api/matches?game=\xff"), 400),
    "out of the folder": (get("/../../../etc/passwd.txt"), 404),
    "out of the folder, hidden": (get("/%2e%2e/%2e%2e/etc%2fpasswd.txt"), 404),
    "out of the package": (get("/ws/..%2f..%2fos", UPGRADE), 404),
    "a count that is none": (get("/api/matches?count=abc"), 400),
    "a negative count": (get("/api/matches?count=-1"), 400),
    "a count of other digits": (get("/api/matches?count=%D9%A3"), 400),
    "a huge count": (get("/api/matches?count=" + "9" * 5000), 200),
    "a huge time": (get("/api/matches?before=" + "9" * 5000), 200),
    "a time that is none": (get("/api/matches?before=NaN"), 400),
    "odd origin": (get("/ws", UPGRADE, b"Origin: http://[\r\n"), 403),
    "odd port of an origin": (get("/ws", UPGRADE, b"Origin: http://localhost:x\r\n"), 403),
    "origin in bytes": (get("/ws", UPGRADE, b"Origin: \xff\r\n"), 403),
    "origin null": (get("/ws", UPGRADE, b"Origin: null\r\n"), 403),
    "token in bytes": (get("/api/tables/x/story", b"Authorization: Bearer \xff\r\n"), 404),
    "metrics token in bytes": (get("/metrics", b"Authorization: Bearer \xff\r\n"), 401),
    "no upgrade": (get("/ws"), 400),
    "upgrade to something else": (get("/ws", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"), 400),
    "another websocket": (get("/ws", UPGRADE.replace(b"13", b"99")), 400),
    "a bad key": (get("/ws", UPGRADE.replace(b"==", b"!!")), 400),
    "a key in bytes": (get("/ws", UPGRADE.replace(b"AA==", b"A\xff==")), 400),
    "no key": (get("/ws", UPGRADE.partition(b"Sec-WebSocket-Key")[0]), 400),
    "unknown subprotocol": (get("/ws", UPGRADE, b"Sec-WebSocket-Protocol: \xff, x\r\n"), 101),
    "odd extension": (get("/ws", UPGRADE, b"Sec-WebSocket-Extensions: permessage-deflate; x=\xff\r\n"), 101),
    "a refused upgrade with more behind": (get("/ws", UPGRADE, b"Origin: http://x\r\n") + b"\xff" * 99, 403),
    "post": (post(b"Content-Length: 3\r\n", body=b"abc"), 405),
    "put": (get("/").replace(b"GET", b"PUT"), 405),
    "options": (get("/").replace(b"GET", b"OPTIONS"), 405),
    "options of what can be read": (get("/api/none").replace(b"GET", b"OPTIONS"), 204),
    "a tag in bytes": (get("/api/games", b"If-None-Match: \xff\r\n"), 200),
    "a tag without end": (get("/api/games", b'If-None-Match: "%b\r\n' % (b"a" * 5000)), 200),
    "options of all": (get("*").replace(b"GET", b"OPTIONS"), 404),
    "trace": (get("/").replace(b"GET", b"TRACE"), 405),
    "connect": (get("elsewhere.example:443").replace(b"GET", b"CONNECT"), 421),
    "head": (get("/").replace(b"GET", b"HEAD"), 200),
    "head of nothing": (get("/api/none").replace(b"GET", b"HEAD"), 404),
    "unknown method": (get("/").replace(b"GET", b"FOO"), 400),
    "another protocol": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "tls without tls": (b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + bytes(range(256)), 400),
    "a line of ours": (b'{"type":"hello","name":"Ada"}\r\n\r\n', 400),
    "version of the future": (b"GET / HTTP/9.9\r\n" + HOST + b"\r\n", 400),
    "bare line ends": (b"GET / HTTP/1.1\n" + HOST + b"\n", 400),
    "folded header": (get("/", b"X: a\r\n b\r\n"), 400),
    "header without colon": (get("/", b"foo\r\n"), 400),
    "two lengths": (post(b"Content-Length: 3\r\nContent-Length: 4\r\n", body=b"abcd"), 400),
    "length and chunks": (
        post(b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", body=b"0\r\n\r\n"),
        400,
    ),
    "negative length": (post(b"Content-Length: -3\r\n"), 400),
    "huge length": (post(b"Content-Length: %b\r\n" % (b"9" * 30)), 400),
    "odd encoding": (post(b"Transfer-Encoding: xchunked\r\n"), 400),
    "chunk of no size": (post(b"Transfer-Encoding: chunked\r\n", body=b"zz\r\n"), 400),
    "packed nonsense": (
        get("/api/games", b"Content-Encoding: gzip\r\nContent-Length: 5\r\n") + b"abcde",
        200,
    ),
    "two hosts": (get("/", HOST), 400),
    "no host": (get("/", host=b""), 400),
    "empty host": (get("/", host=b"Host:\r\n"), 400),
    "half a host": (get("/", host=b"Host: [\r\n"), 400),
    "host in bytes": (get("/", host=b"Host: \xff\r\n"), 400),
    "half a host in the line": (get("http://[/"), 400),
    "odd port in the line": (get("http://localhost:99999999/"), 400),
    "unknown expectation": (get("/", b"Expect: 200-ok\r\n"), 417),
    "expectation in bytes": (get("/", b"Expect: \xff\r\n"), 417),
    "upgrade in bytes": (get("/ws", b"Connection: Upgrade\r\nUpgrade: \xff\r\n"), 400),
    "odd cookie": (get("/", b'Cookie: \xff=;;;="\r\n'), 200),
    "odd range": (get("/", b"Range: bytes=9-1,\xff\r\n"), 200),
    "odd dates": (get("/", b"If-Modified-Since: \xff\r\n"), 200),
    "odd encodings": (get("/api/games", b"Accept-Encoding: \xff, gzip;q=x\r\n"), 200),
}


@asynccontextmanager
async def site(folder: Path, *listeners: str, **more: Any) -> AsyncIterator[Server]:
    async with rig.house(folder, "http", *listeners, **more) as server:
        yield server


def failures(server: Server) -> float:
    return server.house.metrics.registry.get_sample_value("ludoteca_failures_total", {"what": "http"}) or 0.0


@pytest.mark.slow
async def test_d16_no_request_breaks_anything_and_all_are_refused_in_one_form(tmp_path: Path) -> None:
    async with site(tmp_path) as server:
        for name, (request, status) in STRANGE.items():
            answer = await ask(server, request)
            assert (name, answer.status) == (name, status)
            if status >= 400 and not request.startswith(b"HEAD"):
                assert answer.error, name
            assert not answer.headers.get("server"), name
            assert "default-src 'self'" in answer.headers["content-security-policy"], name
            assert answer.headers["x-content-type-options"] == "nosniff", name
        assert failures(server) == 0


@pytest.mark.slow
async def test_d19_strangers_do_not_decide_what_the_log_says(tmp_path: Path) -> None:
    log = tmp_path / "log"
    house = rig.Process(tmp_path / "house", "http")
    with log.open("wb") as file:
        await house.start(stderr=file)
        try:
            for request, _ in STRANGE.values():
                await ask(house, request)
            for _ in range(20):
                # Gone in the middle of a request, of its body, of the answer.
                for part in (
                    b"GET / HT",
                    post(b"Content-Length: 99\r\n", body=b"abc"),
                    get("/api/games") * 9,
                ):
                    client = await rig.connect(house, "http")
                    await client.send(part)
                    client.cut()
            assert (await ask(house, get("/healthz"))).status == 200
        finally:
            await house.stop()
    assert log.read_text() == ""


async def test_d19_a_malformed_request_is_one_line_at_debug(tmp_path: Path) -> None:
    async with site(tmp_path) as server:
        with capture_logs() as lines:
            await ask(server, b"nonsense\r\n\r\n")
        assert [(line["event"], line["log_level"]) for line in lines] == [("malformed request", "debug")]
        assert "exc_info" not in lines[0]


@pytest.mark.slow
def test_d19_what_libraries_log_is_one_line_and_without_a_traceback_where_strangers_cause_it() -> None:
    """In a process of its own: logging is set up for the whole of it."""
    program = """
import logging
from ludoteca.server import logs
logs.configure("json", "info")
try:
    raise ValueError("what a stranger sent")
except ValueError:
    logging.getLogger("aiohttp.server").exception("Error handling request")
    logging.getLogger("asyncio").exception("a mistake of ours")
"""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stderr.splitlines()
    assert len(told) == 1
    assert json.loads(told[0])["event"] == "a mistake of ours"
    assert json.loads(told[0])["exception"]


async def test_a_mistake_of_ours_is_counted_and_logged_once_and_told_in_the_same_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(tmp_path) as server:

        def broken(*_: object, **__: object) -> None:
            raise KeyError("ours")

        monkeypatch.setattr(server.house.archive, "matches", broken)
        with capture_logs() as lines:
            answer = await ask(server, get("/api/matches"))
        assert (answer.status, answer.error) == (500, "crash")
        assert b"KeyError" not in answer.body
        assert not answer.headers.get("server")
        assert failures(server) == 1
        (line,) = [line for line in lines if line["log_level"] == "error"]
        assert isinstance(line["exc_info"], KeyError)
        assert (await ask(server, get("/healthz"))).status == 200


async def test_a_websocket_that_breaks_is_hung_up_and_hears_no_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with site(tmp_path) as server:

        def broken(*_: object) -> None:
            raise KeyError("ours")

        monkeypatch.setattr("ludoteca.server.websocket.Session", broken)
        client = await rig.connect(server, "http")
        await client.send(get("/ws", UPGRADE))
        assert b"101" in await client.reader.readuntil(b"\r\n\r\n")
        assert await client.reader.read() == b""
        assert failures(server) == 1


@pytest.mark.slow
async def test_a_seat_that_is_none_is_said_so(tmp_path: Path) -> None:
    async with site(tmp_path, "house") as server:
        ada, bruno = await rig.enter(server, "Ada"), await rig.enter(server, "Bruno")
        await ada.send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await ada.until("seated"))["table"]["id"]
        await bruno.send({"type": "sit", "table": table})
        await bruno.until("view")
        await ada.send({"type": "leave"})
        await bruno.until("over")
        await bruno.send({"type": "leave"})
        replay = f"/api/matches/{table}/replay"
        async with asyncio.timeout(rig.PATIENCE_S):
            while (await ask(server, get(replay))).status == 404:
                await asyncio.sleep(0.02)
        for seat in ("", "0", "1", "all"):
            assert (await ask(server, get(f"{replay}?seat={seat}"))).status == 200
        for seat in ("2", "7", "x", "-1", "00000", "%00", "1e0", "%D9%A3", "9" * 5000):
            answer = await ask(server, get(f"{replay}?seat={seat}"))
            assert (seat, answer.status, answer.error) == (seat, 400, "seat")


# Names.


@pytest.mark.slow
@pytest.mark.parametrize(
    "path_and_headers",
    [
        ("/", ()),
        ("/api/tables", ()),
        ("/healthz", ()),
        ("/ws", (UPGRADE, b"Origin: http://evil.example\r\n")),
    ],
)
async def test_a_page_that_has_its_own_name_point_at_the_house_gets_nothing(
    tmp_path: Path, path_and_headers: tuple[str, tuple[bytes, ...]]
) -> None:
    """DNS rebinding: to the browser the house is then a part of that page's site, so
    Origin and Host agree."""
    path, headers = path_and_headers
    async with site(tmp_path) as server:
        port = server.addresses["http"][1]
        for name in (
            b"evil.example",
            b"evil.example:%d" % port,
            b"localhost.evil.example",
            b"127.0.0.1.evil.example",
        ):
            answer = await ask(server, get(path, *headers, host=b"Host: %b\r\n" % name))
            assert (answer.status, answer.error) == (421, "host")
            assert b"add it to hosts" in answer.body
        # A whole URL in the line counts, whatever the header says.
        assert (await ask(server, get(f"http://evil.example{path}", *headers))).error == "host"


@pytest.mark.slow
async def test_those_who_call_the_house_by_its_name_come_in(tmp_path: Path) -> None:
    async with site(tmp_path, hosts=["Games.Example"]) as server:
        for name in (
            "localhost",
            "LOCALHOST.",
            "ludo.localhost:8000",
            "127.0.0.1",
            "192.0.2.7:80",
            "[::1]:8000",
        ):
            assert (await ask(server, get("/api/tables", host=b"Host: %b\r\n" % name.encode()))).status == 200
        for name in ("games.example", "GAMES.example.:443"):
            answer = await ask(server, get("/ws", UPGRADE, host=b"Host: %b\r\n" % name.encode()))
            assert answer.status == 101
        assert (await ask(server, get("http://[::1]:8000/healthz"))).status == 200
        # HTTP/1.0 knew no host; no browser speaks it.
        assert (await ask(server, b"GET /healthz HTTP/1.0\r\n\r\n")).status == 200


def known(authority: str, **more: Any) -> bool:
    try:
        Hosts(Settings(**more)).check(authority)
    except Refused:
        return False
    return True


def test_the_bound_name_is_known_and_everywhere_is_the_machines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Club.lan")
    assert known("club.lan:8000", host="club.lan")
    for host in ("0.0.0.0", "::"):
        assert all(known(name, host=host) for name in ("club.lan", "CLUB.local", "club.lan.:80"))
        assert not known("other.local", host=host)
    assert known("xn--bcher-kva.example", hosts=["bücher.example"])
    # Who listens on loopback only is nobody's neighbour.
    assert not known("club.lan")
    assert not known("club.local")


@pytest.mark.parametrize(
    "name", ["evil.example", "a b", "", "[", "[]", "[::1", "::1]", "[evil]", "a@localhost", "x:y"]
)
def test_what_is_no_name_of_ours_is_not_known_unless_all_names_are(name: str) -> None:
    assert not known(name)
    assert known("evil.example", hosts=["*"])


@pytest.mark.parametrize("name", ["https://games.example", "games.example:443", "a b", ""])
def test_hosts_are_names_without_anything_around_them(name: str) -> None:
    with pytest.raises(SettingsError, match="hosts"):
        settings_of.load(None, {}, {"hosts": [name]})


def test_hosts_can_be_said_in_every_way() -> None:
    for environment, given in (
        ({"LUDOTECA_HOSTS": "a.example,b.example"}, {}),
        ({}, {"hosts": "a.example, b.example"}),
    ):
        assert settings_of.load(None, environment, given).hosts == ["a.example", "b.example"]


# Headers.


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    file = tmp_path / "house.pem"
    command = [
        needs.openssl(),
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=house",
    ]
    subprocess.run(
        [*command, "-keyout", file, "-out", file.with_suffix(".crt")], check=True, capture_output=True
    )
    file.write_text(file.read_text() + file.with_suffix(".crt").read_text())
    return file


async def over_tls(server: Server, path: str) -> Any:
    _, port = server.addresses["http"]
    async with (
        aiohttp.ClientSession() as web,
        web.get(f"https://127.0.0.1:{port}{path}", ssl=False) as answer,
    ):
        return answer.headers


@pytest.mark.slow
async def test_who_came_by_tls_once_is_told_to_come_so_again(tmp_path: Path, certificate: Path) -> None:
    async with site(tmp_path, tls_cert=str(certificate)) as server:
        for path in ("/", "/api/tables", "/api/none"):
            assert (await over_tls(server, path))["Strict-Transport-Security"] == "max-age=31536000"
    async with site(tmp_path, tls_cert=str(certificate), hsts_s=0) as server:
        assert "Strict-Transport-Security" not in await over_tls(server, "/")
    async with site(tmp_path) as server:
        assert "strict-transport-security" not in (await ask(server, get("/"))).headers


@pytest.mark.slow
async def test_nonsense_in_place_of_a_handshake_is_not_logged(tmp_path: Path, certificate: Path) -> None:
    log = tmp_path / "log"
    house = rig.Process(tmp_path / "house", "http", "house", "shelfie-rpc", tls_cert=str(certificate))
    with log.open("wb") as file:
        await house.start(stderr=file)
        try:
            for listener in house.addresses:
                for nonsense in (
                    get("/"),
                    b"\0" * 5000,
                    b"\x16\x03\x01\2\0\1" + bytes(600),
                    b"\x15\x03\x01\0\2\2\x28",
                ):
                    client = await rig.connect(house, listener)
                    await client.send(nonsense)
                    async with asyncio.timeout(rig.PATIENCE_S):
                        await client.reader.read()
                    client.cut()
        finally:
            await house.stop()
    assert log.read_text() == ""


@pytest.mark.slow
async def test_who_is_turned_away_at_the_door_gets_the_same_form(tmp_path: Path) -> None:
    async with site(tmp_path, connections_per_address_max=1) as server:
        client = await rig.connect(server, "http")
        await client.send(get("/healthz"))
        await client.reader.readuntil(b"\r\n\r\n")
        answer = await ask(server, get("/healthz"))
        assert (answer.status, answer.error) == (429, "limit")
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert "server" not in answer.headers


async def test_trouble_is_told_with_its_reason(tmp_path: Path) -> None:
    async with site(tmp_path) as server:
        server.house.trouble = "disk I/O error"
        answer = await ask(server, get("/healthz"))
        assert answer.status == 503
        assert json.loads(answer.body) == {
            "status": "trouble",
            "error": "trouble",
            "reason": "disk I/O error",
        }
        server.house.trouble = ""


@pytest.mark.slow
async def test_only_what_never_changes_is_kept_by_browsers_without_asking_again(tmp_path: Path) -> None:
    async with site(tmp_path) as server:
        for path in ("/api/none", "/api/tables/none", "/healthz"):
            assert (await ask(server, get(path))).headers["cache-control"] == "no-store", path
        for path in ("/", "/api/tables", "/api/games", "/api/matches"):
            assert (await ask(server, get(path))).headers["cache-control"] == "no-cache", path


# The operator's.


async def metrics(server: Server, listener: str, *headers: bytes) -> tuple[int, bool]:
    answer = await ask(server, get("/metrics", *headers), listener)
    if answer.status != 200:
        assert answer.error == "token"
        assert answer.headers["www-authenticate"] == "Bearer"
    return answer.status, b"ludoteca_connections" in answer.body


@pytest.mark.slow
async def test_metrics_are_the_operators(tmp_path: Path) -> None:
    async with site(tmp_path, "metrics") as server:
        assert await metrics(server, "http") == (401, False)
        assert await metrics(server, "http", b"Authorization: Bearer \r\n") == (401, False)
        assert await metrics(server, "metrics") == (200, True)
        assert (await ask(server, get("/healthz"), "metrics")).status == 200
        for path in ("/", "/api/tables", "/ws"):
            assert (await ask(server, get(path, UPGRADE), "metrics")).error == "gone"
        # Nor may pages of other sites read them.
        assert (await ask(server, get("/metrics", host=b"Host: evil.example\r\n"), "metrics")).error == "host"


@pytest.mark.slow
async def test_with_a_token_metrics_are_for_those_who_know_it(tmp_path: Path) -> None:
    async with site(tmp_path, "metrics", metrics_token="s3cret") as server:
        for listener in ("http", "metrics"):
            assert await metrics(server, listener, b"Authorization: Bearer s3cret\r\n") == (200, True)
            for wrong in (b"", b"Authorization: Bearer s3cre\r\n", b"Authorization: Bearer \xff\r\n"):
                assert await metrics(server, listener, wrong) == (401, False)


@pytest.mark.slow
async def test_the_operators_listener_is_there_when_asked_for_and_stays_inside(tmp_path: Path) -> None:
    assert "metrics" not in ports(Settings())
    assert "http" in ports(Settings(port={"metrics": 0}))
    assert "metrics" in ports(Settings(port={"metrics": 0}))
    assert list(ports(Settings(only=["metrics"]))) == ["metrics"]
    assert usual_port("metrics") == 8002
    async with rig.process(tmp_path, "http", "metrics", host="0.0.0.0") as server:
        assert server.addresses["metrics"][0] == "127.0.0.1"


async def test_games_name_the_port_they_are_played_on(tmp_path: Path) -> None:
    async with site(tmp_path, "eriantys", "santorini") as server:
        told = {
            game["name"]: game["port"] for game in json.loads((await ask(server, get("/api/games"))).body)
        }
        assert set(told) == set(games.names())
        for name, port in told.items():
            assert port == server.addresses.get(name, (None, None))[1]
