"""What a durable move costs the server, as a multiple of a bare echo that is measured
between the same bouts."""

import asyncio
import contextlib
import math
import statistics
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol

from ludoteca.bench import bouts
from ludoteca.bench.bouts import Spent, Table
from ludoteca.bench.figures import NOISE
from ludoteca.bench.journal import record_count
from ludoteca.bench.players.echo import EchoDriver, PairDriver
from ludoteca.bench.processes import Child, echo, house

TABLES = 50
ECHO_MOVES = 40


class Driver(Protocol):
    """Knows how to sit people down in one protocol."""

    async def seat(self, address: tuple[str, int]) -> Table:
        """A new table, complete."""


class Case(NamedTuple):
    """One row: which listener, how the game is played over it, and how many moves a table plays.

    With `recorded`, moves are counted as records of the journal instead of by the players. A `slow`
    one has fewer rounds. `settings` are the protocol's, where the usual ones would not wait for our load.
    """

    name: str
    listener: str
    driver: Callable[[Path], Driver]
    moves: int
    aim: float | None = None
    recorded: bool = False
    slow: bool = False
    settings: Mapping[str, str] = MappingProxyType({})


class Yardstick:
    """A bare server with as many connections as fifty tables have."""

    def __init__(self, server: Child, driver: Driver, tables: int) -> None:
        self._server = server
        self._driver = driver
        self._count = tables
        self._tables: list[Table] = []

    async def measure(self) -> Spent:
        """One bout."""
        if not self._tables:
            address = self._server.addresses["echo"]
            self._tables = [await self._driver.seat(address) for _ in range(self._count)]
        for table in self._tables:
            table.moves = table.results = 0
        return await bouts.play(self._server, self._tables, ECHO_MOVES)


@contextlib.asynccontextmanager
async def yardstick(kind: str, path: str = "") -> AsyncIterator[Yardstick]:
    """A bare server to measure against."""
    async with echo(kind) as server:
        if kind == "durable":
            yield Yardstick(server, PairDriver(), TABLES)
        else:
            yield Yardstick(server, EchoDriver(path), 2 * TABLES)


async def measure(case: Case, yardsticks: list[Yardstick], rounds: int) -> list[list[Spent]]:
    """Bouts of the game and of each yardstick in turns, so that all see the same weather."""
    results: list[list[Spent]] = [[] for _ in range(1 + len(yardsticks))]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        async with house(data, case.listener, **case.settings) as server:
            driver = case.driver(data)
            # The first bout warms up and is not counted.
            for number in range(rounds + 1):
                spent = [await bout(server, driver, case, data)]
                spent += [await one.measure() for one in yardsticks]
                if number:
                    for row, one in zip(results, spent, strict=True):
                        row.append(one)
    return results


async def together(yardsticks: list[Yardstick], rounds: int) -> list[list[Spent]]:
    """Bouts of bare servers in turns; the first warms up."""
    spent = [[await one.measure() for one in yardsticks] for _ in range(rounds + 1)]
    return [list(row) for row in zip(*spent[1:], strict=True)]


async def bout(server: Child, driver: Driver, case: Case, data: Path) -> Spent:
    """Fifty new tables, so many moves each."""
    address = server.addresses[case.listener]
    tables = [await driver.seat(address) for _ in range(TABLES)]
    try:
        before = record_count(data)
        spent = await bouts.play(server, tables, case.moves)
        return spent._replace(moves=record_count(data) - before) if case.recorded else spent
    finally:
        for table in tables:
            table.close()
        await asyncio.sleep(0.1)


def typical_us(spent: list[Spent]) -> float:
    """The median cost of a move."""
    return statistics.median(one.move_us for one in spent)


def doubt(spent: list[Spent], unit: list[Spent]) -> float:
    """How far the ratio of two medians may be off, as a part of it: twice the error of the mean."""
    ratios = [one.move_us / other.move_us for one, other in zip(spent, unit, strict=True)]
    if len(ratios) < 2:
        return NOISE
    return 2 * statistics.stdev(ratios) / statistics.mean(ratios) / math.sqrt(len(ratios))
