"""The lobby for all who ask over HTTP: put together once for everybody until something of it changes."""

import asyncio
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from ludoteca.core import Refused
from ludoteca.core.requests import LISTED, Show
from ludoteca.hall.lobby import SHOWN
from ludoteca.hall.lookers import Gaze
from ludoteca.server.house import House
from ludoteca.wire.house import listing

_encode = msgspec.json.Encoder().encode


class Shown(NamedTuple):
    """An answer and its tag; `more` is the place where a list goes on."""

    body: bytes
    tag: str
    more: str = ""


class _Kept(NamedTuple):
    """An answer that holds while the lobby is in this state, and when all of it is durable."""

    state: int
    shown: Shown
    settled: asyncio.Task[None]


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
            shown = self._page(game, show, after, count, state)
            await self._house.settled()
            return shown
        name = "tables", game, show
        kept = self._find(name, state)
        if kept is None:
            kept = self._keep(name, state, self._page(game, show, after, count, state))
        return await _settled(kept)

    async def whole(self, game: str, show: Show) -> Shown:
        """What those see who look at the lobby. Raises Refused while nothing can be stored."""
        self._lobby.settle()
        state = self._lobby.state(game) + self._lobby.ended(game)
        name = "lobby", game, show
        kept = self._find(name, state)
        if kept is None:
            body = _encode(listing(self._house.hall.lookers.whole(Gaze(game, show))))
            kept = self._keep(name, state, Shown(body, f"{self._mark}-{state}"))
        return await _settled(kept)

    def _page(self, game: str, show: Show, after: str, count: int, state: int) -> Shown:
        page = self._lobby.page(game, SHOWN[show], after, count)
        return Shown(_encode([one.data for one in page.tables]), f"{self._mark}-{state}", page.more)

    def _find(self, name: tuple[str, ...], state: int) -> _Kept | None:
        """What is kept and still true; what could not be stored then is looked at again."""
        kept = self._kept.get(name)
        if kept is None or kept.state != state:
            return None
        settled = kept.settled
        failed = settled.done() and (settled.cancelled() or settled.exception() is not None)
        return None if failed else kept

    def _keep(self, name: tuple[str, ...], state: int, shown: Shown) -> _Kept:
        settled = asyncio.get_running_loop().create_task(self._house.settled())
        kept = self._kept[name] = _Kept(state, shown, settled)
        return kept


def show_of(query: Mapping[str, str]) -> Show:
    """Which tables somebody wants to see. Raises Refused."""
    text = query.get("show", "all")
    if text not in SHOWN:
        raise Refused(f"show is one of {', '.join(SHOWN)}", "message")
    return text


def leading_on(game: str, show: Show, count: int, more: str) -> dict[str, str]:
    """The header that leads to where a list goes on, from wherever the house is."""
    wanted = {"game": game, "show": "" if show == "all" else show, "count": count, "after": more}
    query = urlencode({key: value for key, value in wanted.items() if value})
    return {"Link": f'<?{query}>; rel="next"'} if more else {}


async def _settled(kept: _Kept) -> Shown:
    # Whoever hangs up does not take it from the others who wait for the same.
    await asyncio.shield(kept.settled)
    return kept.shown
