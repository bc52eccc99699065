"""Guests who ask over HTTP: paths, queries, headers, methods and whole requests that are not
as they should be."""

import asyncio
import contextlib
import random

from tests import people
from tests.fuzz.guests import Town
from tests.fuzz.mutate import STRINGS
from tests.fuzz.watch import Person

PATHS = (
    *("/", "/healthz", "/metrics", "/ws", "/ws/santorini", "/api/games", "/api/tables", "/api/matches"),
    *("/api/tables/{id}", "/api/tables/{id}/story", "/api/matches/{id}", "/api/matches/{id}/record"),
    *("/api/matches/{id}/replay", "/index.html", "/assets/x.js", "/t/{id}", "/api/none"),
    *("/api/v1/openapi.json", "/api/v1/games", "/api/v1/tables", "/api/v1/matches/{id}/replay", "/api/v1"),
)
METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PATCH",
    "get",
    "G\0T",
    "",
    "é",
)
QUERIES = ("seat", "count", "before", "game", "since", "level", "token", "")
ODD = (
    *(
        "%00",
        "%ff",
        "%",
        "%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2f",
        "//",
        "\\..\\",
        "a" * 300,
        "a" * 7000,
        "ä",
        "%ed%a0%80",
    ),
    *(
        "..",
        ".",
        "%0d%0aX: y",
        "*",
        "'",
        "{id}",
        "0" * 32,
        "-1",
        "1e9",
        "99999999999999999999",
        "²",
        "٣",
        "all",
        "?",
        "#",
    ),
)
HEADERS = (
    *(
        "Host",
        "Origin",
        "If-None-Match",
        "Access-Control-Request-Method",
        "Authorization",
        "Upgrade",
        "Connection",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Version",
    ),
    *(
        "Sec-WebSocket-Extensions",
        "Sec-WebSocket-Protocol",
        "Content-Length",
        "Transfer-Encoding",
        "Content-Type",
    ),
    *(
        "Cookie",
        "Range",
        "Accept-Encoding",
        "Expect",
        "X-Forwarded-For",
        "Forwarded",
        "If-None-Match",
        "X" * 200,
    ),
)
VALUES: tuple[bytes, ...] = (
    *(
        b"",
        b"http://[",
        b"http://evil.example",
        b"null",
        b"http://:x",
        b"Bearer \xff",
        b"Bearer \xc3\xa9",
        b"Bearer ",
    ),
    *(
        b"websocket",
        b"Upgrade",
        b"13",
        b"-1",
        b"5",
        b"99999999999999999999",
        b"chunked",
        b"chunked, gzip",
        b"identity",
    ),
    *(
        b"bytes=0-5,1-2",
        b"100-continue",
        b"gzip;q=x",
        b"a" * 7000,
        b"\xff\xfe",
        b"\x01",
        b"a\0b",
        b"[::1",
        b"localhost:99999",
    ),
    *(b"permessage-deflate; server_max_window_bits=99", b"127.0.0.1, x", b'for="[::1', b"127.0.0.1:1"),
)
BODIES = (b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", b"zz\r\n", b"\0" * 1000)


class WebVisitor:
    """Asks again and again. No answer may be a failure of the house."""

    def __init__(self, town: Town, number: int) -> None:
        self._town = town
        self._dice = town.dice("web", number)
        self._person = Person("web", "http")

    async def live(self) -> None:
        """For ever."""
        self._town.watch.people.append(self._person)
        while True:
            local = f"127.1.{self._dice.randrange(256)}.{self._dice.randrange(1, 255)}"
            with contextlib.suppress(OSError, TimeoutError):
                line = await people.line(self._town.addresses["http"], local)
                try:
                    for _ in range(self._dice.choice((1, 1, 5))):
                        await self._ask(line)
                finally:
                    line.cut()
            await asyncio.sleep(0.01)

    async def _ask(self, line: people.Line) -> None:
        request = self.request(self._dice, self._id(), line.key[0])
        self._person.say(request)
        self._town.watch.counts["odd: http"] += 1
        await line.raw(request)
        async with asyncio.timeout(1):
            answer = await line.read()
        status = answer.split(b" ", 2)[1:2]
        if (status and status[0].startswith(b"5")) or b"Traceback" in answer:
            self._town.watch.fail(f"HTTP: {request!r} is answered by {answer[:300]!r}")

    def _id(self) -> str:
        return self._dice.choice([table for _, table in self._town.tables] or ["0" * 12])

    def request(self, dice: random.Random, table: str, _local: str) -> bytes:
        """A request that was valid once."""
        host, port = self._town.addresses["http"]
        path = dice.choice(PATHS)
        if dice.random() < 0.3:
            path += dice.choice(("/", "", "%2f")) + self._odd(dice)
        if dice.random() < 0.4:
            path += "?" + "&".join(
                f"{dice.choice(QUERIES)}={self._odd(dice)}" for _ in range(dice.randrange(4))
            )
        path = path.replace("{id}", self._odd(dice) if dice.random() < 0.3 else table)
        headers: list[tuple[bytes, bytes]] = [(b"Host", f"{host}:{port}".encode())]
        if path.startswith("/ws"):
            headers += [
                (b"Upgrade", b"websocket"),
                (b"Connection", b"Upgrade"),
                (b"Sec-WebSocket-Version", b"13"),
            ]
            headers += [(b"Sec-WebSocket-Key", b"MDEyMzQ1Njc4OWFiY2RlZg==")]
        for _ in range(dice.choice((0, 1, 1, 2, 5, 100 if dice.random() < 0.05 else 1))):
            headers.append((dice.choice(HEADERS).encode(), dice.choice(VALUES)))
        if dice.random() < 0.1:
            del headers[0]
        method = "GET" if dice.random() < 0.8 else dice.choice(METHODS)
        version = (
            "HTTP/1.1"
            if dice.random() < 0.95
            else dice.choice(("HTTP/1.0", "HTTP/9.9", "HTTP/x", "", "HTTP/2"))
        )
        lines = [f"{method} {path} {version}".encode(), *(name + b": " + value for name, value in headers)]
        end = b"\r\n" if dice.random() < 0.97 else dice.choice((b"\n", b"\r", b"\r\n "))
        data = end.join(lines) + end + end + (dice.choice(BODIES) if dice.random() < 0.2 else b"")
        return data[: dice.randrange(len(data))] if dice.random() < 0.03 else data

    @staticmethod
    def _odd(dice: random.Random) -> str:
        odd = dice.choice(ODD) if dice.random() < 0.7 else str(dice.choice(STRINGS))[:500]
        return (
            odd.replace("\r", "%0d").replace("\n", "%0a").replace(" ", "%20" if dice.random() < 0.9 else " ")
        )
