"""Plays any game over Ludoteca's own protocol: picks one of the options that a question offers."""

import asyncio
import random
from typing import Any

import msgspec

from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect

OPTIONS_MAX = 1000


class _Question(msgspec.Struct):
    number: int
    count: int = 0
    options: list[msgspec.Raw] = []


class _Seated(msgspec.Struct):
    table: dict[str, Any]


_question = msgspec.json.Decoder(_Question)
_seated = msgspec.json.Decoder(_Seated)
_encode = msgspec.json.Encoder().encode


class HousePlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, dice: random.Random, opening: bytes) -> None:
        self._table = table
        self._dice = dice
        self._question: _Question = _Question(0)
        self._opening = opening
        self.seated: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def hear(self, line: bytes) -> None:
        """A message; those that are frequent are told apart by how they begin."""
        if line.startswith(b'{"type":"events"'):
            self._table.results += 1
        elif line.startswith(b'{"type":"question"'):
            self._question = _question.decode(line)
            self._table.on_turn(self)
        elif line.startswith(b'{"type":"options"'):
            self._act(_question.decode(line).options[0])
        elif line.startswith(b'{"type":"seated"'):
            self.seated.set_result(_seated.decode(line).table["id"])
        elif line.startswith(b'{"type":"welcome"'):
            self.link.send(self._opening)
        elif line.startswith(b'{"type":"over"'):
            self._table.over = True
        elif line.startswith(b'{"type":"declined"') and not self.seated.done():
            self.seated.set_exception(RuntimeError(line.decode()))

    def move(self) -> None:
        """Pick an option; of a list that was too long to be sent, ask for one."""
        question = self._question
        if question.options:
            self._act(self._dice.choice(question.options))
        else:
            start = self._dice.randrange(question.count)
            self.link.send(b'{"type":"options","start":%d,"count":1}' % start)

    def _act(self, option: msgspec.Raw | bytes) -> None:
        self.link.send(b'{"type":"act","at":%d,"action":%b}' % (self._question.number, bytes(option)))


class HouseDriver:
    """Tables of one game."""

    player = HousePlayer

    def __init__(self, game: str, path: str = "", name: str = "player") -> None:
        self._game = game
        self._name = name
        self._path = path
        self._dice = random.Random(1)
        self._count = 0
        # The id of the table that was seated last.
        self.last_table = ""

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        opening: dict[str, Any] = {"type": "open", "game": self._game, "seats": 2}
        for _ in range(2):
            player = self.player(table, self._dice, _encode(opening))
            table.players.append(player)
            self._count += 1
            await connect(address, self._path, player)
            hello = {"type": "hello", "name": f"{self._name} {self._count}", "options_max": OPTIONS_MAX}
            player.link.send(_encode(hello))
            self.last_table = await asyncio.wait_for(player.seated, 20.0)
            opening = {"type": "sit", "table": self.last_table}
        return table
