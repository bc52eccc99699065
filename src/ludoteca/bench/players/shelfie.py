"""Plays My Shelfie over the line protocol of its seed: one or two tiles a turn, into the emptiest column.

A move is a whole turn: from the selection of tiles to the EndTurnNotify that everybody hears.
"""

import asyncio
import random
from pathlib import Path

import msgspec

from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect

# No bookshelf is full after so many turns of a table of two.
MOVES = 20
COLUMNS, ROWS = 5, 6
Place = tuple[int, int]


class Plan:
    """What a player does in a turn, whichever way it is said."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._heights = [0] * COLUMNS

    def pick(self, tiles: set[Place]) -> list[Place]:
        """A tile with a free side, and one beside it if there is any. The rules allow both."""
        free = {place for place in tiles if not tiles.issuperset(_around(place))}
        first = self._dice.choice(sorted(free))
        return [first, *[place for place in _around(first) if place in free][:1]]

    def column(self, count: int) -> int:
        """Where most space is left."""
        column = self._heights.index(min(self._heights))
        self._heights[column] += count
        return column


def _around(place: Place) -> list[Place]:
    row, column = place
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


class _Cell(msgspec.Struct):
    row: int
    column: int
    tile: str


class _Board(msgspec.Struct, frozen=True):
    cells: list[_Cell] = []


class _Message(msgspec.Struct):
    """The fields of all messages that matter here."""

    type: str
    board: _Board = _Board()
    player: str = ""
    nextPlayer: str = ""
    valid: bool = False
    pickedTiles: list[str] = []


_decode = msgspec.json.Decoder(_Message).decode
_encode = msgspec.json.Encoder().encode


class ShelfiePlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, name: str, dice: random.Random) -> None:
        self._table = table
        self._name = name
        self._plan = Plan(dice)
        self._tiles: set[Place] = set()
        self._places: list[Place] = []
        self._picked: list[str] = []
        self._moving = False
        loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()

    def hear(self, line: bytes) -> None:
        """A line."""
        message = _decode(line)
        match message.type:
            case "EndTurnNotify":
                self._table.results += 1
                self._turn(message)
            case "PickTileResponse":
                self._picked = message.pickedTiles
                if self._places:
                    self._pick()
                else:
                    self._say("ConfirmPickRequest")
            case "ConfirmPickResponse" if self._moving:
                self._say("ConfirmColumnRequest", columnNumber=self._plan.column(len(self._picked)))
            case "ConfirmColumnResponse" if self._moving and message.valid:
                self._moving = False
                self._say("ConfirmOrderNotify", pickedTiles=self._picked)
            case "GameStartNotify":
                self.begun.set_result(None)
                self._turn(message)
            case "NumPlayersRequest":
                self._say("NumPlayersResponse", numPlayers=2)
            case "LobbyInfoMessage" if not self.seated.done():
                self.seated.set_result(None)
            case "PingMessage":
                self._say("PongMessage")
            case "GameResultNotify":
                self._table.over = True

    def _turn(self, message: _Message) -> None:
        """Somebody's turn begins. The last of all names its player again."""
        if message.nextPlayer == self._name != message.player:
            self._tiles = {(cell.row, cell.column) for cell in message.board.cells if cell.tile != "EMPTY"}
            self._table.on_turn(self)

    def move(self) -> None:
        """Begin a turn; each answer leads to its next part."""
        self._moving = True
        self._places = self._plan.pick(self._tiles)
        self._pick()

    def _pick(self) -> None:
        row, column = self._places.pop(0)
        self._say("PickTileRequest", position={"row": row, "column": column})

    def _say(self, kind: str, **fields: object) -> None:
        self.link.send(_encode({"type": kind, **fields}))


class Driver:
    """Tables of two."""

    def __init__(self, _data: Path, path: str = "") -> None:
        self._path = path
        self._dice = random.Random(1)
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        players = []
        for _ in range(2):
            self._count += 1
            name = f"player{self._count}"
            player = ShelfiePlayer(table, name, self._dice)
            await connect(address, self._path, player)
            player.link.send(_encode({"type": "LoginRequest", "nickname": name}))
            await asyncio.wait_for(player.seated, 20.0)
            players.append(player)
        table.players.extend(players)
        for player in players:
            await asyncio.wait_for(player.begun, 20.0)
        return table
