"""Lists for all who ask over HTTP: put together once for everybody, until something of them changes."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.core.requests import LISTED, Show
from ludoteca.hall.lobby import SHOWN
from ludoteca.hall.lookers import Gaze
from ludoteca.server.house import House
from ludoteca.wire.house import listing

# So many matches are listed where nothing else is wanted.
MATCHES = 50
_PLACE = re.compile(r"([0-9a-f]{1,14})-([0-9A-Za-z_-]{1,64})", re.ASCII)
_encode = msgspec.json.Encoder().encode


class _Table(msgspec.Struct):
    id: str


class _Match(msgspec.Struct):
    """Where a match stands in the list of those that are over."""

    table: _Table
    closed_ms: int


class Shown(NamedTuple):
    """An answer and its tag; `more` is the place where a list goes on."""

    body: bytes
    tag: str
    more: str = ""


class _Kept(NamedTuple):
    """An answer that holds while the lobby is in this state; it is there when all of it is durable."""

    state: int
    shown: asyncio.Task[Shown]


class Listing:
    """What is kept of each list: its beginning, of each game and of all."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lobby = house.hall.lobby
        # Other lists have other tags, also after a restart.
        self._mark = f"{int(house.now() * 1000):x}"
        self._kept: dict[tuple[str, ...], _Kept] = {}

    async def tables(self, game: str, show: Show, after: str, count: int) -> Shown:
        """Tables of a game that there is, or of all (""). Raises Refused for a place that is none, and while
        nothing can be stored."""
        self._lobby.settle()
        state = self._lobby.state(game, SHOWN[show])
        if after or count != LISTED:
            # Whoever wants something of their own waits for what is theirs.
            return await self._settled(self._page(game, show, after, count, state))
        return await self._keep(
            ("tables", game, show), state, lambda: self._settled(self._page(game, show, after, count, state))
        )

    async def whole(self, game: str, show: Show) -> Shown:
        """What those see who look at the lobby. Raises Refused while nothing can be stored."""
        self._lobby.settle()
        state = self._lobby.state(game) + self._lobby.ended(game)
        return await self._keep(
            ("lobby", game, show), state, lambda: self._settled(self._lobby_now(game, show, state))
        )

    async def matches(self, game: str, before_ms: int, after: str, count: int) -> Shown:
        """Matches that are over, newest first, from a time or a place on. Raises Refused."""
        self._lobby.settle()
        state, (before_ms, before) = self._lobby.ended(game), _place(after, before_ms)
        usual = not after and count == MATCHES and before_ms == 1 << 62 and game in ("", *games.names())
        if not usual:
            return await self._read(game, before_ms, before, count)
        return await self._keep(("matches", game), state, lambda: self._read(game, before_ms, before, count))

    def _page(self, game: str, show: Show, after: str, count: int, state: int) -> Shown:
        page = self._lobby.page(game, SHOWN[show], after, count)
        return Shown(_encode([one.data for one in page.tables]), f"{self._mark}-{state}", page.more)

    def _lobby_now(self, game: str, show: Show, state: int) -> Shown:
        body = _encode(listing(self._house.hall.lookers.whole(Gaze(game, show))))
        return Shown(body, f"{self._mark}-{state}")

    async def _settled(self, shown: Shown) -> Shown:
        await self._house.settled()
        return shown

    async def _read(self, game: str, before_ms: int, before: str, count: int) -> Shown:
        """What is stored: a match that has just ended is among it, unless nothing can be stored now."""
        try:
            await self._house.settled()
        except Refused:
            self._kept.pop(("matches", game), None)
        read = self._house.archive.matches
        # One more than is shown tells whether there are more.
        found = await asyncio.to_thread(read, game, before_ms, count + 1, before=before)
        more = ""
        if len(found) > count > 0:
            last = msgspec.json.decode(found[count - 1], type=_Match)
            more = f"{last.closed_ms:x}-{last.table.id}"
        return Shown(b"[" + b",".join(found[:count]) + b"]", "", more)

    async def _keep(self, name: tuple[str, ...], state: int, make: Callable[[], Awaitable[Shown]]) -> Shown:
        """What is kept and still true, or made now; what could not be had then is tried again."""
        kept = self._kept.get(name)
        if kept is None or kept.state != state or _failed(kept.shown):
            shown = asyncio.ensure_future(make())
            kept = self._kept[name] = _Kept(state, shown)
        # Whoever hangs up does not take it from the others who wait for the same.
        return await asyncio.shield(kept.shown)


def _failed(task: asyncio.Task[Shown]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _place(after: str, before_ms: int) -> tuple[int, str]:
    """Where the list of matches goes on. Raises Refused."""
    if not after:
        return before_ms, ""
    found = _PLACE.fullmatch(after)
    if found is None:
        raise Refused("there is no such place in the list: take one that a list came with", "message")
    return int(found[1], 16), found[2]


def show_of(query: Mapping[str, str]) -> Show:
    """Which tables somebody wants to see. Raises Refused."""
    text = query.get("show", "all")
    if text not in SHOWN:
        raise Refused(f"show is one of {', '.join(SHOWN)}", "message")
    return text


def leading_on(more: str, **wanted: object) -> dict[str, str]:
    """The header that leads to where a list goes on, from wherever the house is."""
    query = urlencode({key: value for key, value in wanted.items() if value not in ("", "all")})
    return {"Link": f'<?{query}&after={more}>; rel="next"'} if more else {}
