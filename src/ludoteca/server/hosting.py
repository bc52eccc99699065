"""The door and the host's acts over HTTP: for the page and other programs, and over a socket in the data
folder for whoever may write there."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import structlog
from aiohttp import web
from msgspec import Meta

from ludoteca.core import Refused
from ludoteca.hall import acts
from ludoteca.hall.acts import Role
from ludoteca.server.answers import ADDRESS, refusal
from ludoteca.server.hostdesk import Desk
from ludoteca.server.hosts import page_url
from ludoteca.server.house import House

log = structlog.get_logger()

# Where a key may stand in a request: a program says it in a header, a browser keeps it where no page can
# read it.
KEY_HEADER = "X-Ludoteca-Key"
KEY_COOKIE = "ludoteca_key"
BODY_BYTES_MAX = 65_536
SOCKET_NAME = "admin.sock"
# What a path of a socket may be long, on the systems that there are.
SOCKET_PATH_MAX = 100
CONSOLE = "console"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_Body = TypeVar("_Body")
_act = msgspec.json.Decoder(acts.Act)


class Doorway(msgspec.Struct, frozen=True):
    """How this house is entered, and what you are here. `name` is whose house it is."""

    door: acts.DoorKind
    guests: acts.Guests
    role: Role
    name: str
    drained: bool


class Knock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Come in by the password or by an invitation; `name` is how hosts will know the key."""

    password: Annotated[str, Meta(max_length=200)] = ""
    invitation: Annotated[str, Meta(max_length=64)] = ""
    name: Annotated[str, Meta(max_length=64)] = ""


class Opened(msgspec.Struct, frozen=True):
    """You are in. `key` is for programs; a browser has got it as a cookie."""

    role: Role
    key: str


class Hosting:
    """Who comes with a key, and what hosts do."""

    def __init__(self, house: House, desk: Desk, addresses: Mapping[str, tuple[str, int]]) -> None:
        self._house = house
        self._addresses = addresses
        self._desk = desk
        self._runner: web.AppRunner | None = None

    def routes(self, prefix: str) -> list[web.RouteDef]:
        """What is there for the world."""
        return [
            web.get(f"{prefix}/door", self._door),
            web.post(f"{prefix}/door", self._knock),
            web.delete(f"{prefix}/door", self._forget),
            web.get(f"{prefix}/host", self._view),
            web.get(f"{prefix}/host/storage", self._storage),
            web.get(f"{prefix}/host/day", self._day),
            web.post(f"{prefix}/host/acts", self._do),
        ]

    # Who asks.

    def role(self, request: web.Request) -> Role:
        """What somebody is by the key that came along."""
        return self._house.role("http", key_of_request(request))

    def check(self, request: web.Request, address: str) -> None:
        """Refused where somebody may not see what is told to those who are in."""
        path = request.path
        if not path.startswith("/api/"):
            return
        if not path.endswith("/door"):
            self._house.hall.porter.arrive(address, self._house.now())
        if path.endswith(("/door", "/openapi.json")) or self.may_look(request):
            return
        raise Refused("this house is not open to all: come in with its password or an invitation", "door")

    def may_look(self, request: web.Request) -> bool:
        """Whether whoever asks is in, or may look on all the same."""
        keeping = self._house.hall.keeping
        return keeping.door == "open" or keeping.guests == "watch" or self.role(request) != "guest"

    def _host(self, request: web.Request, *, writes: bool) -> str:
        """The name of the host who asks. Raises Refused for everybody else."""
        found = self._desk.key(key_of_request(request))
        if found is None or found.role != "host":
            raise Refused("this is for hosts: open the link that `ludoteca admin link` prints", "token")
        if writes and KEY_HEADER not in request.headers:
            _check_origin(request, is_cookie=True)
        return found.label or "Host"

    # The door.

    async def _door(self, request: web.Request) -> web.Response:
        keeping, name = self._house.hall.keeping, self._house.settings.house_name
        return _json(Doorway(keeping.door, keeping.guests, self.role(request), name, bool(keeping.drained)))

    async def _knock(self, request: web.Request) -> web.Response:
        _check_origin(request)
        knock = await _body(request, msgspec.json.Decoder(Knock), self._house.settings.header_s)
        token = await self._desk.enter(
            request[ADDRESS], password=knock.password, invitation=knock.invitation, name=knock.name
        )
        key = self._desk.key(token)
        assert key is not None
        answer = _json(Opened(key.role, token))
        answer.set_cookie(
            KEY_COOKIE,
            token,
            max_age=acts.DAY_S * 365,
            path="/",
            httponly=True,
            samesite="Strict",
            secure=_is_secure(request),
        )
        return answer

    async def _forget(self, request: web.Request) -> web.Response:
        """This browser has no key any more."""
        _check_origin(request)
        answer = web.Response(status=204)
        answer.del_cookie(KEY_COOKIE, path="/", httponly=True, samesite="Strict", secure=_is_secure(request))
        return answer

    # Hosts.

    async def _view(self, request: web.Request) -> web.Response:
        self._host(request, writes=False)
        return await self._show()

    async def _storage(self, request: web.Request) -> web.Response:
        self._host(request, writes=False)
        return _json(await self._desk.upkeep.storage())

    async def _day(self, request: web.Request) -> web.Response:
        self._host(request, writes=False)
        return _json(self._desk.daybook.day())

    async def _do(self, request: web.Request) -> web.Response:
        by = self._host(request, writes=True)
        return await self._carry_out(request, by, request[ADDRESS])

    async def _show(self) -> web.Response:
        shown = self._desk.view()
        await self._house.settled()
        return _json(shown)

    async def _carry_out(self, request: web.Request, by: str, address: str) -> web.Response:
        act = await _body(request, _act, self._house.settings.header_s)
        return _json(await self._desk.do(by, act, address))

    # The socket.

    async def listen(self, folder: Path) -> None:
        """Hear whoever may write into the data folder: they can do anything with the house already."""
        path = folder / SOCKET_NAME
        if os.name != "posix":
            return
        if len(os.fsencode(path)) > SOCKET_PATH_MAX:
            log.warning("too long a path for a socket: no ludoteca admin in this folder", path=str(path))
            return
        app = web.Application(client_max_size=BODY_BYTES_MAX, middlewares=[_answer])
        app.add_routes(
            [
                web.get("/page", self._page),
                web.get("/host", self._local_view),
                web.get("/host/storage", self._local_storage),
                web.post("/host/acts", self._local_do),
            ]
        )
        runner = web.AppRunner(app, handle_signals=False, access_log=None, shutdown_timeout=0.5)
        self._runner = runner
        await runner.setup()
        # Whoever holds the folder's lock is the only house here: what lies there is of one that was killed.
        with suppress(FileNotFoundError):
            path.unlink()
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # Nobody else may reach it, not even before its rights are set: the folder may be open to more.
        before = os.umask(0o177)
        try:
            listening.bind(str(path))
        finally:
            os.umask(before)
        await web.SockSite(runner, listening).start()

    async def _page(self, _request: web.Request) -> web.Response:
        """Where the page is."""
        here = self._addresses.get("http")
        return _json(page_url(self._house.settings, *here) if here is not None else "")

    async def _local_view(self, _request: web.Request) -> web.Response:
        return await self._show()

    async def _local_storage(self, _request: web.Request) -> web.Response:
        return _json(await self._desk.upkeep.storage())

    async def _local_do(self, request: web.Request) -> web.Response:
        return await self._carry_out(request, CONSOLE, "")

    async def close(self, folder: Path) -> None:
        """Nobody is heard any more."""
        if self._runner is not None:
            await self._runner.cleanup()
            with suppress(FileNotFoundError):
                (folder / SOCKET_NAME).unlink()


@web.middleware
async def _answer(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Say no on the socket as everywhere."""
    try:
        return await handler(request)
    except Refused as error:
        return refusal(error)


async def _body(request: web.Request, decoder: msgspec.json.Decoder[_Body], patience_s: float) -> _Body:
    """What came along, as it should be. Raises Refused, also when it does not come."""
    if request.content_type != "application/json":
        raise Refused("send JSON, as application/json", "message")
    try:
        async with asyncio.timeout(patience_s):
            return decoder.decode(await request.read())
    except TimeoutError:
        raise Refused("the request did not come", "message") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(f"this cannot be read: {error}", "message") from None


def _check_origin(request: web.Request, *, is_cookie: bool = False) -> None:
    """Refused for pages of other sites, whatever a browser sends along for them.

    Programs say no origin; where a cookie speaks, it is a browser, and browsers do.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        if is_cookie and request.headers.get("Sec-Fetch-Site") != "same-origin":
            raise Refused("say where this comes from, or send the key as a header", "origin")
    elif origin.lower() not in (f"{scheme}://{request.host.lower()}" for scheme in ("http", "https")):
        raise Refused("pages of this origin may not do this", "origin")


def key_of_request(request: web.Request) -> str:
    return request.headers.get(KEY_HEADER) or request.cookies.get(KEY_COOKIE, "")


def _is_secure(request: web.Request) -> bool:
    return request.secure or request.headers.get("X-Forwarded-Proto", "") == "https"


def _json(value: object) -> web.Response:
    body = msgspec.json.encode(value)
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-store"})
