"""Requests over HTTP that only the hall can answer: a gate passes them on whole, and the answer back."""

import asyncio
import contextlib
import io
from http.client import HTTPException, HTTPResponse
from typing import Any, cast

import msgspec
from aiohttp import web
from multidict import CIMultiDict

from ludoteca.core import Refused
from ludoteca.core.notices import TableInfo
from ludoteca.hall.acts import Role
from ludoteca.server import files
from ludoteca.server.answers import ADDRESS, READING, in_letters
from ludoteca.server.cluster.lodge import Lodge
from ludoteca.server.doorman import Doorman
from ludoteca.server.front import Front
from ludoteca.server.gate import TimedHandler
from ludoteca.server.hosting import key_of_request
from ludoteca.server.http import Site
from ludoteca.server.rest import previewed

# What concerns one connection, and not what is asked or answered.
_OF_A_CONNECTION = frozenset(
    ("connection", "content-length", "date", "keep-alive", "server", "te", "transfer-encoding", "upgrade")
)
_SECURE = "X-Forwarded-Proto"
# A page does not wait longer for what a link to it is shown as.
PREVIEW_S = 1.0


class Forward:
    """What a gate answers of REST: nothing by itself."""

    def __init__(self, lodge: Lodge) -> None:
        self._lodge = lodge

    def routes(self, prefix: str) -> list[web.RouteDef]:
        """All that is not known here."""
        path = f"{prefix}/{{path:.*}}"
        others = (web.route(method, path, self._pass_on) for method in ("POST", "PUT", "PATCH", "DELETE"))
        return [web.get(path, self._pass_on), *others]

    def check(self, request: web.Request, address: str) -> None:
        """The hall looks who may see what."""

    def role(self, request: web.Request) -> Role:
        """What somebody is by the key that came along."""
        return self._lodge.role("http", key_of_request(request))

    async def _pass_on(self, request: web.Request) -> web.Response:
        answer = await self._ask(request, request.method, request.path_qs, await request.read())
        kept = CIMultiDict(
            (name, value) for name, value in answer.getheaders() if name.lower() not in _OF_A_CONNECTION
        )
        return web.Response(status=answer.status, headers=kept, body=answer.read())

    async def _ask(self, request: web.Request, method: str, path: str, body: bytes) -> HTTPResponse:
        """Raises Refused."""
        lines = [f"{method} {path} HTTP/1.1"]
        lines += [
            f"{name}: {value}"
            for name, value in request.headers.items()
            if name.lower() not in _OF_A_CONNECTION and not (request.secure and name == _SECURE)
        ]
        if request.secure:
            lines.append(f"{_SECURE}: https")
        lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
        asked = "\r\n".join(lines).encode("utf-8", "surrogateescape") + body
        data = await self._lodge.ask(request[ADDRESS], asked, reads=method in READING)
        answer = HTTPResponse(cast(Any, _Read(data)), method=method)
        try:
            answer.begin()
        except (HTTPException, OSError):
            raise Refused("the hall has not answered", "busy") from None
        return answer

    async def preview(self, request: web.Request, path: str, plain: files.Preview) -> files.Preview:
        """What a link to a table says; without the hall nothing about it."""
        kind, _, name = path.partition("/")
        if kind == "table" and name.isalnum():
            with contextlib.suppress(Refused, TimeoutError, msgspec.DecodeError):
                async with asyncio.timeout(PREVIEW_S):
                    answer = await self._ask(request, "GET", f"/api/v1/tables/{name}", b"")
                if answer.status == 200:
                    return previewed(msgspec.json.decode(answer.read(), type=TableInfo), path, plain)
        return plain


class _Read:
    """An answer as http.client reads it."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._data)


class Interior:
    """Where the hall answers what gates pass on: a site like that of any door, without sockets."""

    def __init__(self, front: Front, doorman: Doorman, site: Site) -> None:
        self._front = front
        self._doorman = doorman
        self._runner = web.AppRunner(site.public(), handle_signals=False, shutdown_timeout=1.0)

    async def open(self) -> None:
        """Be ready for questions."""
        await self._runner.setup()
        manager = self._runner.server
        assert manager is not None
        manager.request_factory = in_letters(manager.request_factory)

    async def close(self) -> None:
        """No more of them."""
        await self._runner.cleanup()

    async def answer(self, address: str, data: bytes) -> bytes:
        """The whole answer to a whole request, none where the house is full."""
        manager = self._runner.server
        try:
            ticket = self._doorman.behind(address)
        except Refused:
            return b""
        if manager is None:
            return b""
        handler, transport = TimedHandler(self._front, ticket, manager), _Inside()
        handler.connection_made(transport)
        handler.data_received(data)
        await transport.closed
        handler.connection_lost(None)
        return b"".join(transport.written)


class _Inside(asyncio.Transport):
    """A connection that leads nowhere: what is written is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.closed.done()

    def close(self) -> None:
        if not self.closed.done():
            self.closed.set_result(None)

    abort = close

    def get_write_buffer_size(self) -> int:
        return 0

    def is_reading(self) -> bool:
        return True

    def pause_reading(self) -> None:
        """There is nothing to read."""

    def resume_reading(self) -> None:
        """There is nothing to read."""
