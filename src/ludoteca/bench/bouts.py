"""Bouts: a number of tables that all play at once, each so many moves, while the server's time is taken."""

import asyncio
import time
from typing import NamedTuple, Protocol

from ludoteca.bench.links import Link
from ludoteca.bench.processes import BenchError, Child

READY_S_MAX = 30.0
BOUT_S_MAX = 60.0
# The server may still have something to put away after the last result went out.
QUIET_S = 0.03


class Player(Protocol):
    """One seat of a table."""

    link: Link

    def move(self) -> None:
        """Make a move; it is your turn."""


class Table:
    """A table as the load sees it: who is on turn, how much was played, and who has heard of it.

    Players of most protocols count results: each must hear of each move. Where they cannot (not `counted`), a
    table has played when the next question has come, which the house sends behind the results.
    """

    __slots__ = (
        "_counted",
        "_moved_s",
        "_moves_max",
        "_running",
        "moves",
        "over",
        "players",
        "results",
        "took_s",
        "waiting",
    )

    def __init__(self, *, counted: bool = True) -> None:
        self._counted = counted
        self.players: list[Player] = []
        self.waiting: list[Player] = []
        self.moves = 0
        self.results = 0
        self.over = False
        self._running = False
        self._moves_max = 0
        # When the last move was made, and how long it took from each until somebody was asked again.
        self._moved_s = 0.0
        self.took_s: list[float] = []

    def on_turn(self, player: Player) -> None:
        """A player is asked: it moves at once, unless the bout has not begun or the
        table has played enough."""
        now_s = time.perf_counter()
        if self._moved_s:
            self.took_s.append(now_s - self._moved_s)
            self._moved_s = 0.0
        if self._running and self.moves < self._moves_max:
            self.moves += 1
            self._moved_s = now_s
            player.move()
        else:
            self.waiting.append(player)

    def begin(self, moves_max: int) -> None:
        """Play."""
        self._running, self._moves_max = True, moves_max
        waiting, self.waiting = self.waiting, []
        for player in waiting:
            self.on_turn(player)

    @property
    def done(self) -> bool:
        """Whether all is played and every player has heard of every move."""
        if not self._counted:
            return self.over or (self.moves >= self._moves_max and bool(self.waiting))
        played = self.over or self.moves >= self._moves_max
        return played and self.results >= self.moves * len(self.players)

    def close(self) -> None:
        """Everybody hangs up."""
        for player in self.players:
            player.link.close()


class Spent(NamedTuple):
    """What a bout took of the server's time."""

    moves: int
    cpu_s: float
    wall_s: float
    # From each move until the next player was asked: wall time.
    took_s: tuple[float, ...] = ()

    @property
    def move_us(self) -> float:
        """Microseconds of processor time for one move."""
        return self.cpu_s / self.moves * 1e6


async def ready(tables: list[Table]) -> None:
    """Wait until somebody is on turn everywhere."""
    end = time.monotonic() + READY_S_MAX
    while not all(table.waiting for table in tables):
        if time.monotonic() > end:
            raise BenchError("not every table has begun")
        await asyncio.sleep(0.005)


async def play(server: Child, tables: list[Table], moves_max: int) -> Spent:
    """One bout. Every move counts that was made and heard by all; that some were not heard is an error."""
    await ready(tables)
    await asyncio.sleep(QUIET_S)
    began, before = time.monotonic(), server.cpu_s()
    for table in tables:
        table.begin(moves_max)
    while not all(table.done for table in tables):
        if time.monotonic() > began + BOUT_S_MAX:
            lost = sum(table.moves * len(table.players) - table.results for table in tables)
            raise BenchError(f"a bout came to a standstill, {lost} results were not heard")
        await asyncio.sleep(0.005)
    wall_s = time.monotonic() - began
    await asyncio.sleep(QUIET_S)
    took_s = tuple(one for table in tables for one in table.took_s)
    return Spent(sum(table.moves for table in tables), server.cpu_s() - before, wall_s, took_s)
