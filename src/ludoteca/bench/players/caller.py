"""Plays any game over the protocol of its seed with the game's own client, picking answers at random.

An answer is not always a durable move (some protocols pick tiles one by one), so moves are
counted in the journal.
"""

import asyncio
import random
import re
import time

from ludoteca import games
from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect
from ludoteca.bench.processes import BenchError

BEGIN_S_MAX = 20.0
# Answers that only lead to the next part of a question before anything is said.
PARTS_MAX = 64
_OPEN = [re.compile(r"\b2\b")]
_JOIN = [re.compile(r"^join\b"), re.compile(r"^look again$"), re.compile(r"\b2\b")]


class CallerPlayer:
    """One seat. Before there is a board, questions are about the table to open, and are answered at once."""

    link: Link

    def __init__(self, table: Table, game: str, name: str, dice: random.Random, opens: bool) -> None:
        self._opens = opens
        self._table = table
        self._dice = dice
        self._caller = games.load_client(game)(name)
        self._timer: asyncio.TimerHandle | None = None

    @property
    def begun(self) -> bool:
        """Whether there is a board."""
        return bool(self._caller.picture)

    def open(self) -> None:
        """The connection stands."""
        self._say(self._caller.open(time.time()))
        self._set_timer()

    def _set_timer(self) -> None:
        """Some protocols want a sign of life now and then."""
        alarm = self._caller.alarm
        if alarm is not None and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, alarm - time.time()), self._tick)

    def _tick(self) -> None:
        self._timer = None
        if self.link.open:
            self._say(self._caller.tick(time.time()))
            self._set_timer()

    def hear(self, line: bytes) -> None:
        """A line."""
        caller = self._caller
        self._say(caller.receive(line + b"\n", time.time()))
        caller.news.clear()
        self._set_timer()
        if caller.over:
            self._table.over = True
        elif caller.answers and self not in self._table.waiting:
            if self.begun:
                self._table.on_turn(self)
            else:
                self.move()

    def move(self) -> None:
        """Answer whatever is asked, up to the point where something is said."""
        caller = self._caller
        for _ in range(PARTS_MAX):
            if not caller.answers:
                return
            data = caller.answer(self._dice.choice(caller.answers if self.begun else self._sensible()))
            if data:
                self._say(data)
                return
        raise BenchError(f"{caller.sentence!r} has no answer")

    def _sensible(self) -> list[str]:
        """Answers that lead to a table of two: the second joins what the first has opened."""
        answers = list(self._caller.answers)
        wanted = _OPEN if self._opens else _JOIN
        return next((fit for word in wanted if (fit := [a for a in answers if word.search(a)])), answers)

    def _say(self, data: bytes) -> None:
        for line in data.splitlines():
            self.link.send(line)


class CallerDriver:
    """Tables of two."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._dice = random.Random(1)
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players; the first to come opens it."""
        table = Table(counted=False)
        players = []
        for opens in (True, False):
            self._count += 1
            player = CallerPlayer(table, self._game, f"player{self._count}", self._dice, opens)
            players.append(player)
            await connect(address, "", player)
            player.open()
            await asyncio.sleep(0.01)
        table.players.extend(players)
        async with asyncio.timeout(BEGIN_S_MAX):
            while not all(player.begun for player in players):
                await asyncio.sleep(0.002)
        return table
