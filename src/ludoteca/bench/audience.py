"""What a move and a word cost when very many look on."""

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from ludoteca.bench.bouts import QUIET_S, Table
from ludoteca.bench.figures import Figure
from ludoteca.bench.links import Link, connect
from ludoteca.bench.players.house import HouseDriver
from ludoteca.bench.processes import BenchError, Child, house

SECTION = "One table with an audience: server CPU of a move (Santorini) and of a word to all (chat)"
GAME = "santorini"
MOVES = 12
ALONE = 4
WORDS = 12
HEARD_S_MAX = 60.0
# A move before so many who follow views.
AIM_MS = {1000: 8.0}


class Spectator:
    """Looks on, and counts what is told."""

    link: Link

    def __init__(self, table: bytes) -> None:
        self._table = table
        self.seated: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.events = self.words = 0

    def hear(self, line: bytes) -> None:
        """A message."""
        kind = line[9:14]
        if kind == b"event":
            self.events += 1
        elif kind == b'said"':
            self.words += 1
        elif kind == b"welco":
            self.link.send(b'{"type":"watch","table":"%b"}' % self._table)
        elif kind == b"seate":
            self.seated.set_result(None)


class Audience:
    """A table, and those who look on."""

    def __init__(self, server: Child, table: Table, name: str, follow: str) -> None:
        self._server = server
        self._table = table
        self._name = name.encode()
        self._follow = follow.encode()
        self.spectators: list[Spectator] = []

    async def grow(self, count: int) -> None:
        """Have so many."""
        address = self._server.addresses["house"]
        while len(self.spectators) < count:
            one = Spectator(self._name)
            await connect(address, "", one)
            one.link.send(b'{"type":"hello","follow":"%b"}' % self._follow)
            await asyncio.wait_for(one.seated, HEARD_S_MAX)
            self.spectators.append(one)

    async def move_s(self, moves: int) -> float:
        """What the house needs for a move, until all have heard of it."""
        before = sum(one.events for one in self.spectators)
        played, cpu_s = self._table.moves, self._server.cpu_s()
        self._table.begin(played + moves)
        await _until(lambda: self._table.done)
        made = self._table.moves - played
        wanted = before + made * len(self.spectators)
        await _until(lambda: sum(one.events for one in self.spectators) >= wanted)
        await asyncio.sleep(QUIET_S)
        if not made:
            raise BenchError("the match was over too soon")
        return (self._server.cpu_s() - cpu_s) / made

    async def word_s(self, words: int) -> float:
        """What it needs for something that one says to all."""
        wanted = sum(one.words for one in self.spectators)
        cpu_s = self._server.cpu_s()
        for number in range(words):
            self._table.players[0].link.send(b'{"type":"say","text":"word %d"}' % number)
            wanted += len(self.spectators)
            await _until(lambda: sum(one.words for one in self.spectators) >= wanted)  # noqa: B023
        await asyncio.sleep(QUIET_S)
        return (self._server.cpu_s() - cpu_s) / words

    def close(self) -> None:
        """Everybody goes."""
        self._table.close()
        for one in self.spectators:
            one.link.close()


async def _until(done: Callable[[], bool]) -> None:
    end_s = time.monotonic() + HEARD_S_MAX
    while not done():
        if time.monotonic() > end_s:
            raise BenchError("not everybody has heard of it")
        await asyncio.sleep(0.005)


async def figures(sizes: tuple[int, ...]) -> AsyncGenerator[Figure, None]:
    """More and more who look on: following events, then following views."""
    for follow in ("events", "views"):
        with tempfile.TemporaryDirectory() as folder:
            async with house(Path(folder), "house") as server:
                driver = HouseDriver(GAME)
                table = await driver.seat(server.addresses["house"])
                audience = Audience(server, table, driver.last_table, follow)
                await audience.move_s(MOVES)
                for count in sizes:
                    await audience.grow(count)
                    move_ms = await audience.move_s(MOVES) * 1e3
                    aim = AIM_MS.get(count) if follow == "views" else None
                    name = f"a move, {count:,} follow {follow}"
                    yield Figure(SECTION, name, move_ms, "ms CPU", aim, note="as fast as they play")
                    if count == sizes[-1] and follow == "views":
                        # The next one is made when everybody has heard of the last.
                        alone_ms = sum([await audience.move_s(1) for _ in range(ALONE)]) / ALONE * 1e3
                        yield Figure(SECTION, f"{name}, one at a time", alone_ms, "ms CPU")
                    if count and follow == "events":
                        word_ms = await audience.word_s(WORDS) * 1e3
                        yield Figure(SECTION, f"a word to {count:,}", word_ms, "ms CPU")
                audience.close()
