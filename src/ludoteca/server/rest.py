"""REST: what is only read of the house, and what a link to a table says. The host's part is `hosting`."""

import asyncio
import gzip
from typing import Any

import msgspec
from aiohttp import web

from ludoteca import games
from ludoteca.core import Refused, Seat
from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import LISTED, LISTED_MAX
from ludoteca.hall.acts import Role
from ludoteca.hall.chair import key_of
from ludoteca.server import files, stories
from ludoteca.server.answers import ADDRESS, bearer, json_answer, tagged
from ludoteca.server.hosting import Hosting
from ludoteca.server.house import House
from ludoteca.server.listing import MATCHES, Listing, leading_on, show_of
from ludoteca.server.storyteller import Wish
from ludoteca.server.teller import Teller


class Rest:
    """What can be asked of the house that is in this process."""

    def __init__(self, house: House, teller: Teller, hosting: Hosting) -> None:
        self._house = house
        self._teller = teller
        self._hosting = hosting
        self._listing = Listing(house)
        self._folder = str(house.settings.data_folder())

    def routes(self, prefix: str) -> list[web.RouteDef]:
        """What is only read, and the host's. Whatever is added here must be in the OpenAPI document."""
        return [
            *self._hosting.routes(prefix),
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

    def check(self, request: web.Request, address: str) -> None:
        """Refused where somebody may not see what is told to those who are in."""
        self._hosting.check(request, address)

    def role(self, request: web.Request) -> Role:
        """What somebody is by the key that came along."""
        return self._hosting.role(request)

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
        return json_answer(info)

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
        token = bearer(request)
        key = key_of(token)
        seat = next((Seat(number) for number, chair in table.taken() if token and chair.key == key), None)
        # Of a match in another hall only what is stored is known here; it is another one every second.
        away = bool(table.elsewhere)
        outcome = None if away else table.match.outcome
        wish = self._story_of(msgspec.to_builtins(table.info()), seat, seat, outcome)
        number = int(self._house.now()) if away else table.ledger.number
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

    async def preview(self, request: web.Request, path: str, plain: files.Preview) -> files.Preview:
        """What a link to this page is shown as; whoever has one to a private table was invited."""
        kind, _, name = path.partition("/")
        table = self._house.hall.tables.get(name) if kind == "table" else None
        if table is None or not self._hosting.may_look(request):
            return plain
        info = table.info()
        await self._house.settled()
        return previewed(info, path, plain)


def previewed(info: TableInfo, path: str, plain: files.Preview) -> files.Preview:
    """What a link to a table says."""
    game = games.load(info.game).title
    free = sum(chair is None for chair in info.chairs)
    people = " and ".join(chair.name for chair in info.chairs if chair is not None)
    about = f"{people} would like to play {game} with you." if free else f"{people} at the table."
    return files.Preview(plain.origin, plain.base, f"/{path}", f"{game} · {files.TITLE}", about)


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
