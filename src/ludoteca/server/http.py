"""HTTP: the page, the REST interface, health, metrics, and the same conversations over WebSocket."""

import asyncio
import contextlib
import gzip
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from hmac import compare_digest
from typing import Any

import msgspec
import structlog
from aiohttp import web

from ludoteca import games
from ludoteca.core import Conversation, Refused, Seat
from ludoteca.core.requests import LISTED, LISTED_MAX
from ludoteca.hall.budget import Budget
from ludoteca.hall.chair import key_of
from ludoteca.server import files, openapi, stories
from ludoteca.server.answers import ADDRESS, REQUEST_ID, headers, preflight, request_id, status_of, tagged
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.gate import TimedHandler
from ludoteca.server.hosting import BODY_BYTES_MAX, Hosting
from ludoteca.server.hosts import Hosts
from ludoteca.server.house import House
from ludoteca.server.listing import MATCHES, Listing, leading_on, show_of
from ludoteca.server.proxies import forwarded
from ludoteca.server.storyteller import Wish
from ludoteca.server.teller import Teller
from ludoteca.server.traces import Facts, parent_of
from ludoteca.server.websocket import SocketLink, Sockets
from ludoteca.wire import upgrade

log = structlog.get_logger()

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

TICKET = web.RequestKey("ticket", Ticket)


class Site:
    """All HTTP routes of one house. `converse` finds the conversation for a protocol's name, `addresses` says
    where each listener listens."""

    def __init__(
        self,
        house: House,
        doorman: Doorman,
        teller: Teller,
        hosting: Hosting,
        converse: Callable[[str], Callable[[], Conversation]],
        addresses: Mapping[str, tuple[str, int]],
    ) -> None:
        self._house = house
        self._doorman = doorman
        self._converse = converse
        self._addresses = addresses
        self._hosts = Hosts(house.settings)
        self._teller = teller
        self._hosting = hosting
        self._folder = str(house.settings.data_folder())
        self._listing = Listing(house)
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
        """What is only read, and the host's. Whatever is added here must be in the OpenAPI document."""
        return [
            *self._hosting.routes(prefix),
            web.get(f"{prefix}/openapi.json", self._openapi),
            web.get(f"{prefix}/games", self._games),
            web.get(f"{prefix}/games/{{game}}/cards", self._cards),
            web.get(f"{prefix}/lobby", self._lobby),
            web.get(f"{prefix}/tables", self._tables),
            web.get(f"{prefix}/tables/{{id}}", self._table),
            web.get(f"{prefix}/tables/{{id}}/story", self._story),
            web.get(f"{prefix}/matches", self._matches),
            web.get(f"{prefix}/matches/{{id}}", self._match),
            web.get(f"{prefix}/matches/{{id}}/record", self._record),
            web.get(f"{prefix}/matches/{{id}}/replay", self._replay),
            web.get(f"{prefix}/matches/{{id}}/decisive", self._decisive),
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
                self._hosting.check(request, request[ADDRESS])
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
        trouble = self._house.trouble
        if trouble:
            return _json(openapi.Health("trouble", trouble, "trouble"), status=503)
        return _json(openapi.Health("ok", ""))

    async def _public_metrics(self, request: web.Request) -> web.Response:
        """To the operator alone.

        From where a request comes proves nothing: behind a proxy all are neighbours.
        """
        if not self._house.settings.metrics_token:
            raise Refused("metrics need a metrics_token here, or are on the listener metrics", "token")
        return await self._metrics(request)

    async def _metrics(self, request: web.Request) -> web.Response:
        wanted = self._house.settings.metrics_token
        if wanted and not compare_digest(_bearer(request).encode(), wanted.encode()):
            raise Refused("this is not the metrics_token", "token")
        self._house.measure()
        return web.Response(body=self._house.metrics.page(), content_type="text/plain", charset="utf-8")

    # WebSockets.

    async def _house_socket(self, request: web.Request) -> web.StreamResponse:
        return await self._socket(request, "house")

    async def _game_socket(self, request: web.Request) -> web.StreamResponse:
        return await self._socket(request, games.load(request.match_info["game"]).name)

    async def _socket(self, request: web.Request, protocol: str) -> web.StreamResponse:
        if not self._origin_allowed(request):
            raise Refused("pages of this origin may not connect", "origin")
        # All that may be refused comes first: after the hand-over nobody would answer.
        converse, role = self._converse(protocol), self._hosting.role(request)
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

    async def _tables(self, request: web.Request) -> web.Response:
        """A part of the list of tables; where it goes on is in the headers."""
        game, show = request.query.get("game", ""), show_of(request.query)
        if game and game not in games.names():
            return tagged(request, b"[]")
        count = max(1, _number(request, "count", LISTED, LISTED_MAX))
        shown = await self._listing.tables(game, show, request.query.get("after", ""), count)
        more = leading_on(shown.more, game=game, show=show, count=count)
        return tagged(request, shown.body, more, shown.tag)

    async def _lobby(self, request: web.Request) -> web.Response:
        """What those see who look at the lobby."""
        game = request.query.get("game", "")
        shown = await self._listing.whole(game and games.load(game).name, show_of(request.query))
        return tagged(request, shown.body, tag=shown.tag)

    async def _table(self, request: web.Request) -> web.Response:
        """One table; whoever knows the id of a private one was invited."""
        try:
            info = self._house.hall.tables.find(request.match_info["id"]).info()
        finally:
            # That it is there, or gone, may not be durable yet.
            await self._house.settled()
        return _json(info)

    async def _matches(self, request: web.Request) -> web.Response:
        count, game = _number(request, "count", MATCHES, 200), request.query.get("game", "")
        before_ms = _number(request, "before", 1 << 62, 1 << 62)
        shown = await self._listing.matches(game, before_ms, request.query.get("after", ""), count)
        return tagged(request, shown.body, leading_on(shown.more, game=game, count=count))

    async def _match(self, request: web.Request) -> web.Response:
        return tagged(request, await self._finished(request))

    async def _finished(self, request: web.Request) -> bytes:
        """The summary of a match that is over: what is still secret is not for everybody.

        Who knows the id of a private one sat there or was invited; no list shows it.
        """
        found = await asyncio.to_thread(self._house.archive.summary, request.match_info["id"])
        if found is None:
            self._house.hall.tables.aside.ask_table(request.match_info["id"])
            raise Refused("there is no finished match of that name", "gone")
        return found

    async def _record(self, request: web.Request) -> web.Response:
        await self._finished(request)
        return await self._told(request, Wish(self._folder, request.match_info["id"], "record"))

    async def _decisive(self, request: web.Request) -> web.Response:
        await self._finished(request)
        return await self._told(request, Wish(self._folder, request.match_info["id"], "decisive"))

    async def _replay(self, request: web.Request) -> web.Response:
        """A finished match step by step with the eyes of one seat, of a spectator, or with
        all cards face up."""
        summary = msgspec.json.decode(await self._finished(request))
        table = summary["table"]
        wanted = request.query.get("seat", "")
        seat = _seat(wanted, len(table["chairs"]))
        eyes: stories.Eyes = "all" if wanted == "all" else seat
        return await self._told(request, self._story_of(table, seat, eyes, summary["outcome"]))

    async def _story(self, request: web.Request) -> web.Response:
        """A table that is being played, so far, for the owner of a seat token or for a spectator."""
        table = self._house.hall.tables.find(request.match_info["id"])
        if table.match.state is None:
            raise Refused("there is no match at a table of that name", "gone")
        token = _bearer(request)
        key = key_of(token)
        seat = next((Seat(number) for number, chair in table.taken() if token and chair.key == key), None)
        wish = self._story_of(msgspec.to_builtins(table.info()), seat, seat, table.match.outcome)
        number = table.ledger.number
        await self._house.settled()
        return await self._told(request, wish, number)

    def _story_of(self, table: dict[str, Any], seat: Seat | None, eyes: stories.Eyes, outcome: Any) -> Wish:
        """A table's story with these eyes; what is known about the table stands before its steps."""
        head = msgspec.json.encode({"table": table, "seat": seat, "outcome": outcome})
        return Wish(self._folder, table["id"], "story", eyes, head[:-1] + b',"steps":', b"}")

    async def _told(self, request: web.Request, wish: Wish, number: int = 0) -> web.Response:
        """What another process tells, packed as it comes from there if the client can unpack it.

        `number` is how many records a match has that still goes on: it is another one with every move, and
        may be told with a seat's eyes, so nobody keeps it.
        """
        body = await self._teller.tell(request[ADDRESS], wish, number)
        about = {"Vary": "Accept-Encoding"}
        if "gzip" in request.headers.get("Accept-Encoding", "").lower():
            about["Content-Encoding"] = "gzip"
        else:
            body = await asyncio.to_thread(gzip.decompress, body)
        if number:
            return web.Response(body=body, content_type="application/json", headers=about)
        return tagged(request, body, about)

    # The page.

    async def _page(self, request: web.Request) -> web.Response:
        """The web client's files, and the page itself with a preview of what the address leads to."""
        path = "/".join(part for part in request.match_info.get("path", "").split("/") if part)
        found = files.find(path)
        if found == files.DOCS + files.INDEX and request.path == f"/{files.DOCS}".rstrip("/"):
            # What is beside a page is found from where that is.
            raise web.HTTPFound(files.DOCS)
        preview = await self._preview(request, path) if found == files.INDEX else files.Preview("", "")
        return files.serve(request, found, preview)

    async def _preview(self, request: web.Request, path: str) -> files.Preview:
        """What a link to this page is shown as; whoever has one to a private table was invited."""
        told = request.headers.get("X-Forwarded-Proto", "")
        origin = f"{'https' if request.secure or told == 'https' else 'http'}://{request.host}"
        base = self._house.settings.base
        kind, _, name = path.partition("/")
        table = self._house.hall.tables.get(name) if kind == "table" else None
        if table is None or not self._hosting.may_look(request):
            return files.Preview(origin, base)
        info = table.info()
        await self._house.settled()
        title = f"{table.game.title} · {files.TITLE}"
        free = sum(chair is None for chair in info.chairs)
        people = " and ".join(chair.name for chair in info.chairs if chair is not None)
        about = (
            f"{people} would like to play {table.game.title} with you." if free else f"{people} at the table."
        )
        return files.Preview(origin, base, f"/{path}", title, about)


@cache
def _openapi(base: str) -> bytes:
    return msgspec.json.encode(openapi.openapi(base))


def _json(value: object, status: int = 200) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), status=status, content_type="application/json")


def _bearer(request: web.Request) -> str:
    """The token that came along, "" for none."""
    return request.headers.get("Authorization", "").removeprefix("Bearer ")


def _seat(text: str, seats: int) -> Seat | None:
    """The seat asked for; "" and "all" are nobody's. Raises Refused."""
    if text in ("", "all"):
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 2 or int(text) >= seats:
        raise Refused(f"there is no such seat; there are 0 to {seats - 1}, and all", "seat")
    return Seat(int(text))


def _number(request: web.Request, key: str, default: int, limit: int) -> int:
    """A number of the query, cut to its limit. Raises Refused."""
    text = request.query.get(key, "")
    if not text:
        return default
    if not (text.isascii() and text.isdecimal()):
        raise Refused(f"{key} is a number", "message")
    return min(int(text[:20]), limit)
