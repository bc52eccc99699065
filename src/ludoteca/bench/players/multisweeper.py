"""Plays Multisweeper over the line protocol of its seed, on safe cells as long as there are any.

Random clicks would end a match after a few; where the mines are, the load looks up in the house's journal.
"""

import asyncio
import random
from pathlib import Path
from typing import Any

from ludoteca.bench.bouts import Table
from ludoteca.bench.journal import JournalReader
from ludoteca.bench.links import Link, connect
from ludoteca.core import Seat
from ludoteca.journal import Match

TRIES_MAX = 200
# A table plays so many clicks of a bout: most boards have as many safe ones.
MOVES = 12


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
        state: Any = self.match.state
        options, width = state.questions[self.seat].choices, state.options.width
        for _ in range(TRIES_MAX):
            click = self._dice.choice(options)
            if not state.mines >> (click.row * width + click.column) & 1:
                break
        self.match.game.apply(state, self.seat, click)
        self.link.send(b"click %d %d" % (click.column, click.row))


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
