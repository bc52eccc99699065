"""Plays Multisweeper over the line protocol of its seed and over Ludoteca's own, on safe cells if it can.

Random clicks would end a match after a few; where the mines are, the load looks up in the house's journal.
"""

import asyncio
import random
from pathlib import Path
from typing import Any

from ludoteca.bench.bouts import Table
from ludoteca.bench.journal import JournalReader
from ludoteca.bench.links import Link, connect
from ludoteca.bench.players.house import HouseDriver, HousePlayer
from ludoteca.core import Seat
from ludoteca.journal import Match

TRIES_MAX = 200
# A table plays so many clicks of a bout: most boards have as many safe ones.
MOVES = 12


def _safe_click(match: Match, seat: Seat, dice: random.Random) -> tuple[int, int]:
    """The column and row of a cell that a seat clicks; what comes of it is noted in the load's own copy."""
    state: Any = match.state
    options, width = state.questions[seat].choices, state.options.width
    for _ in range(TRIES_MAX):
        click = dice.choice(options)
        if not state.mines >> (click.row * width + click.column) & 1:
            break
    match.game.apply(state, seat, click)
    return click.column, click.row


class MultisweeperPlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, name: str, dice: random.Random) -> None:
        self._table = table
        self._dice = dice
        self.name = name
        self.match: Match | None = None
        self.seat = Seat(0)
        self.begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def hear(self, line: bytes) -> None:
        """A line."""
        if line.startswith(b"board_update"):
            self._table.results += 1
        elif line == b"turn_start":
            self._table.on_turn(self)
        elif line == b"multisweeper v1":
            self.link.send(b"multisweeper client v1")
            self.link.send(b"name " + self.name.encode())
        elif line.startswith(b"start"):
            self.begun.set_result(None)
        elif line.startswith(b"end_condition") or line == b"sudden_exit":
            self._table.over = True

    def move(self) -> None:
        """Click a closed cell, one without a mine if there is any."""
        assert self.match is not None
        self.link.send(b"click %d %d" % _safe_click(self.match, self.seat, self._dice))


class Driver:
    """Tables of two."""

    def __init__(self, data: Path, path: str = "") -> None:
        self._path = path
        self._journal = JournalReader(data)
        self._dice = random.Random(1)
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        players = []
        for _ in range(2):
            self._count += 1
            player = MultisweeperPlayer(table, f"p{self._count}", self._dice)
            await connect(address, self._path, player)
            players.append(player)
        table.players.extend(players)
        for player in players:
            await asyncio.wait_for(player.begun, 20.0)
        matches = self._journal.read()
        for player in players:
            player.match, player.seat = matches[player.name]
        return table


class HouseClicker(HousePlayer):
    """One seat over Ludoteca's own protocol."""

    match: Match
    seat = Seat(0)

    def move(self) -> None:
        """The same clicks."""
        where = _safe_click(self.match, self.seat, self._dice)
        self._act(b'{"type":"Click","column":%d,"row":%d}' % where)


class OverHouse(HouseDriver):
    """Tables of two over Ludoteca's own protocol: any option, as the other games are played there, would end
    the match too soon, and what is measured would be ends."""

    player = HouseClicker

    def __init__(self, data: Path) -> None:
        super().__init__("multisweeper")
        self._journal = JournalReader(data)

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = await super().seat(address)
        matches = self._journal.read()
        for number, player in enumerate(table.players):
            assert isinstance(player, HouseClicker)
            player.match, player.seat = matches[f"player {self._count - 1 + number}"]
        return table
