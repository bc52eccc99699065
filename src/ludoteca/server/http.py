"""HTTP: the page, the REST interface, health, metrics, and the same conversations over WebSocket."""

import contextlib
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from hmac import compare_digest
from typing import Protocol

import msgspec
import structlog
from aiohttp import web

from ludoteca import games
from ludoteca.core import Conversation, Refused
from ludoteca.hall.acts import Role
from ludoteca.hall.budget import Budget
from ludoteca.server import files, openapi
from ludoteca.server.answers import (
    ADDRESS,
    REQUEST_ID,
    bearer,
    headers,
    json_answer,
    preflight,
    request_id,
    status_of,
    tagged,
)
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.front import Front
from ludoteca.server.gate import TimedHandler
from ludoteca.server.hosting import BODY_BYTES_MAX
from ludoteca.server.hosts import Hosts
from ludoteca.server.proxies import forwarded
from ludoteca.server.traces import Facts, parent_of
from ludoteca.server.websocket import SocketLink, Sockets
from ludoteca.wire import upgrade

log = structlog.get_logger()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

TICKET = web.RequestKey("ticket", Ticket)


class Api(Protocol):
    """What is asked of the house itself over HTTP."""

    def routes(self, prefix: str) -> list[web.RouteDef]:
        """Where."""

    def check(self, request: web.Request, address: str) -> None:
        """Refused where somebody may not see what is told to those who are in."""

    def role(self, request: web.Request) -> Role:
        """What somebody is by the key that came along."""

    async def preview(self, request: web.Request, path: str, plain: files.Preview) -> files.Preview:
        """What a link to this page is shown as; `plain` where there is nothing to say about it."""


class Site:
    """All HTTP routes of one house. `converse` finds the conversation for a protocol's name, `addresses` says
    where each listener listens."""

    def __init__(
        self,
        house: Front,
        doorman: Doorman,
        api: Api,
        converse: Callable[[str], Callable[[], Conversation]],
        addresses: Mapping[str, tuple[str, int]],
    ) -> None:
        self._house = house
        self._doorman = doorman
        self._converse = converse
        self._addresses = addresses
        self._hosts = Hosts(house.settings)
        self._api = api
        self.sockets = Sockets()
        self._requests = Budget(house.settings.requests_per_s, house.settings.requests_burst)

    def reload(self) -> None:
        """The settings of the house have changed."""
        self._hosts = Hosts(self._house.settings)

    def public(self) -> web.Application:
        """What everybody may ask for."""
        return self._application(
            web.get("/healthz", self._health),
            web.get("/metrics", self._public_metrics),
            web.get("/ws", self._house_socket, allow_head=False),
            web.get("/ws/{game}", self._game_socket, allow_head=False),
            *self._rest(openapi.PREFIX),
            *self._rest(openapi.OLD_PREFIX),
            web.options("/api/{path:.*}", self._preflight),
            web.get("/", self._page),
            web.get("/{path:.+}", self._page),
        )

    def _rest(self, prefix: str) -> list[web.RouteDef]:
        """What every process of a house knows, and the rest."""
        return [
            web.get(f"{prefix}/openapi.json", self._openapi),
            web.get(f"{prefix}/games", self._games),
            web.get(f"{prefix}/games/{{game}}/cards", self._cards),
            *self._api.routes(prefix),
        ]

    def operators(self) -> web.Application:
        """What the operator's own listener has."""
        return self._application(web.get("/healthz", self._health), web.get("/metrics", self._metrics))

    def _application(self, *routes: web.RouteDef) -> web.Application:
        app = web.Application(middlewares=[self._guard], client_max_size=BODY_BYTES_MAX)
        app.on_response_prepare.append(self._dress)
        app.add_routes(routes)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The patience and the budget of a request, which calls the house by its name."""
        connection = request.protocol
        assert isinstance(connection, TimedHandler)
        connection.begin()
        request[REQUEST_ID] = request_id(request.headers, trusted=connection.ticket.is_proxy)
        began = self._house.now()
        status = 500
        try:
            with (
                structlog.contextvars.bound_contextvars(request=request[REQUEST_ID]),
                self._who(request, connection.ticket) as request[TICKET],
            ):
                request[ADDRESS] = request[TICKET].address
                self._spend(self._requests, "requests", request[ADDRESS])
                # The name in the line, where there is a whole URL, and the one in the header. A program that
                # speaks HTTP/1.0 need not say any, then aiohttp gives our address; browsers always do.
                self._hosts.check(request.host)
                self._hosts.check(request.headers.get("Host", request.host))
                self._api.check(request, request[ADDRESS])
                answer = await handler(request)
                status = answer.status
                return answer
        except (Refused, web.HTTPException) as error:
            status = status_of(error)
            raise
        finally:
            self._note(request, began, status, connection.ticket)
            connection.end()

    def _note(self, request: web.Request, began: float, status: int, ticket: Ticket) -> None:
        """Count and trace a request by its route: addresses of tables are invitations."""
        resource = request.match_info.route.resource
        route = resource.canonical if resource is not None else "none"
        now = self._house.now()
        # What a WebSocket lasts is no answer's time.
        if status != 101:
            self._house.metrics.requests.labels(route, status).observe(now - began)
        facts: Facts = {
            "http.request.method": request.method,
            "http.route": route,
            "http.response.status_code": status,
        }
        if self._house.traces is not None:
            parent = parent_of(request.headers, trusted=ticket.is_proxy)
            name = f"{request.method} {route}"
            self._house.traces.span(name, began, now, facts, parent=parent, failed=status >= 500, served=True)
        log.debug(
            "request",
            request=request[REQUEST_ID],
            method=request.method,
            route=route,
            status=status,
            took_ms=round(1000 * (now - began), 1),
        )

    async def _dress(self, request: web.Request, response: web.StreamResponse) -> None:
        """The headers of every response, and no word about what the house is made of."""
        response.headers.update(headers(self._house.settings, request))
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.popall("Server", None)

    @contextlib.contextmanager
    def _who(self, request: web.Request, ticket: Ticket) -> Iterator[Ticket]:
        """Who makes a request, as it is counted.

        What a trusted proxy brings counts as a connection while it lasts.
        """
        if not ticket.is_proxy:
            yield ticket
            return
        header = self._house.settings.forwarded_header
        hops = request.headers.getall(header, ())
        told = forwarded(hops, self._doorman.proxies, is_standard=header == "forwarded")
        behind = self._doorman.behind(told or ticket.address)
        try:
            yield behind
        finally:
            behind.leave()

    def _spend(self, budget: Budget, name: str, address: str) -> None:
        """Raises Spent when this address has used it up."""
        wait_s = budget.spend(address, self._house.now())
        if wait_s:
            reason = f"too many {name} from this address, try again in {math.ceil(wait_s)} s"
            raise self._house.refusals.spent(name, address, reason, "rate", wait_s)

    # Health and metrics.

    async def _health(self, _request: web.Request) -> web.Response:
        if self._house.closing or self._house.leaving():
            # Whoever sends people to several machines should choose another.
            return json_answer(
                openapi.Health("leaving", "this machine is about to stop", "leaving"), status=503
            )
        trouble = self._house.trouble
        if trouble:
            return json_answer(openapi.Health("trouble", trouble, "trouble"), status=503)
        return json_answer(openapi.Health("ok", ""))

    async def _public_metrics(self, request: web.Request) -> web.Response:
        """To the operator alone.

        From where a request comes proves nothing: behind a proxy all are neighbours.
        """
        if not self._house.settings.metrics_token:
            raise Refused("metrics need a metrics_token here, or are on the listener metrics", "token")
        return await self._metrics(request)

    async def _metrics(self, request: web.Request) -> web.Response:
        wanted = self._house.settings.metrics_token
        if wanted and not compare_digest(bearer(request).encode(), wanted.encode()):
            raise Refused("this is not the metrics_token", "token")
        self._house.measure()
        settings = self._house.settings
        page = self._house.metrics.page(settings.node_name() if settings.cluster else "")
        return web.Response(body=page, content_type="text/plain", charset="utf-8")

    # WebSockets.

    async def _house_socket(self, request: web.Request) -> web.StreamResponse:
        return await self._socket(request, "house")

    async def _game_socket(self, request: web.Request) -> web.StreamResponse:
        return await self._socket(request, games.load(request.match_info["game"]).name)

    async def _socket(self, request: web.Request, protocol: str) -> web.StreamResponse:
        if not self._origin_allowed(request):
            raise Refused("pages of this origin may not connect", "origin")
        # All that may be refused comes first: after the hand-over nobody would answer.
        converse, role = self._converse(protocol), self._api.role(request)
        settings = self._house.settings
        agreed = upgrade.agree(request.headers, may_pack=settings.pack_bytes_min > 0)
        connection = request.protocol
        assert isinstance(connection, TimedHandler)
        ticket = connection.ticket
        packs = "Sec-WebSocket-Extensions" in agreed
        link = SocketLink(self._house, ticket, self.sockets, packs=packs)
        transport, early = connection.hand_over(link, upgrade.head(agreed | headers(settings, request)))
        if request[TICKET] is not ticket:
            ticket.become(request[TICKET])
        link.open(transport, protocol, converse, early, role)
        return web.Response(status=101)

    def _origin_allowed(self, request: web.Request) -> bool:
        """Pages of other sites must not play in a visitor's name; programs send no origin."""
        origin = request.headers.get("Origin")
        allowed = self._house.settings.origin
        if origin is None or "*" in allowed or origin in allowed:
            return True
        # Browsers write an origin in one way only, so there is nothing to parse: "http://[" is
        # simply another one.
        return origin.lower() in (f"{scheme}://{request.host.lower()}" for scheme in ("http", "https"))

    # REST.

    async def _preflight(self, _request: web.Request) -> web.Response:
        return preflight()

    async def _openapi(self, request: web.Request) -> web.Response:
        return tagged(request, _openapi(self._house.settings.base))

    async def _games(self, request: web.Request) -> web.Response:
        shown = [openapi.describe(game, self._port(game.name)) for game in games.load_all()]
        return tagged(request, msgspec.json.encode(shown))

    def _port(self, listener: str) -> int | None:
        return self._addresses[listener][1] if listener in self._addresses else None

    async def _cards(self, request: web.Request) -> web.Response:
        """What is printed on a game's cards and pieces."""
        return tagged(request, msgspec.json.encode(games.load(request.match_info["game"]).cards))

    # The page.

    async def _page(self, request: web.Request) -> web.Response:
        """The web client's files, and the page itself with a preview of what the address leads to."""
        path = "/".join(part for part in request.match_info.get("path", "").split("/") if part)
        found = files.find(path)
        if found == files.DOCS + files.INDEX and request.path == f"/{files.DOCS}".rstrip("/"):
            # What is beside a page is found from where that is.
            raise web.HTTPFound(files.DOCS)
        preview = files.Preview("", "")
        if found == files.INDEX:
            told = request.headers.get("X-Forwarded-Proto", "")
            origin = f"{'https' if request.secure or told == 'https' else 'http'}://{request.host}"
            preview = await self._api.preview(request, path, files.Preview(origin, self._house.settings.base))
        return files.serve(request, found, preview)


@cache
def _openapi(base: str) -> bytes:
    return msgspec.json.encode(openapi.openapi(base))
