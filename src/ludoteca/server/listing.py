"""The list of tables for all who ask over HTTP: the longer it takes to make, the longer everybody is shown
the same one."""

import asyncio
from typing import NamedTuple

import msgspec

from ludoteca.server.answers import tag_of
from ludoteca.server.house import House

# A list is shown so many times as long as it took to make: no larger part of the time goes into listing.
REST = 20


class _List(NamedTuple):
    """Tables as they are shown: until when, and when all of it is durable."""

    body: bytes
    tag: str
    until: float
    settled: asyncio.Task[None]


class Listing:
    """The public tables of each game, and of all."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._clock = house.world.monotonic
        self._kept: dict[str, _List] = {}

    async def show(self, game: str) -> tuple[bytes, str]:
        """The tables of a game that there is, or of all (""), as JSON, and its tag. Raises Refused while
        nothing can be stored."""
        kept = self._kept.get(game)
        if kept is None or self._clock() >= kept.until:
            kept = self._kept[game] = self._make(game)
        # Whoever hangs up does not take it from the others who wait for the same.
        await asyncio.shield(kept.settled)
        return kept.body, kept.tag

    def _make(self, game: str) -> _List:
        began = self._clock()
        body = msgspec.json.encode([table.info() for table in self._house.hall.tables.public(game)])
        tag = tag_of(body)
        now = self._clock()
        settled = asyncio.get_running_loop().create_task(self._house.settled())
        return _List(body, tag, now + REST * (now - began), settled)
