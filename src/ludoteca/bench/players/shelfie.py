"""Plays My Shelfie over the protocol of its seed, in lines and in Java objects: one or two tiles a turn, into
the emptiest column.

A move is a whole turn: from the selection of tiles to the EndTurnNotify that everybody hears.
"""

import asyncio
import random
from pathlib import Path
from typing import Any, cast

import msgspec

from ludoteca import games
from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect, connect_objects
from ludoteca.wire.java import Reader, Writer

# No bookshelf is full after so many turns of a table of two.
MOVES = 20
JAVA_SETTINGS: dict[str, str] = {}
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
        self.heard(_decode(line))

    def heard(self, message: _Message) -> None:
        """A message, however it was written."""
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

    def login(self) -> None:
        """Come in."""
        self._say("LoginRequest", nickname=self._name)

    def _say(self, kind: str, **fields: Any) -> None:
        self.link.send(_encode({"type": kind, **fields}))


class ObjectPlayer(ShelfiePlayer):
    """One seat that speaks as the original program does: each object behind a reset."""

    def __init__(self, table: Table, name: str, dice: random.Random) -> None:
        super().__init__(table, name, dice)
        wire = games.load("shelfie").protocol()
        assert wire.java is not None
        classes = cast(Any, wire.java(wire.settings())).tongue.table
        self._types = classes.types
        self._writer = Writer(classes)
        self._reader = Reader(classes, message_bytes_max=65_536)

    def receive(self, data: bytes) -> None:
        """Bytes, cut anywhere."""
        at = 0
        while at < len(data) and (end := self._reader.feed(data, at)):
            at = end
            self.heard(self._read(self._reader.item))

    def _read(self, item: Any) -> _Message:
        message = _Message(
            type(item).__name__,
            player=getattr(item, "player", ""),
            nextPlayer=getattr(item, "nextPlayer", ""),
            valid=getattr(item, "valid", False),
            pickedTiles=getattr(item, "pickedTiles", []),
        )
        # Whoever is not on turn does not look at the board.
        if message.nextPlayer == self._name:
            cells = [_Cell(at.row, at.column, tile.name) for at, tile in item.board.board.items()]
            message.board = _Board(cells)
        return message

    def _say(self, kind: str, **fields: Any) -> None:
        if "position" in fields:
            fields["position"] = self._types.Position(**fields["position"])
        self.link.send(self._writer.message(getattr(self._types, kind)(**fields), reset=True))


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
            player = await self._connect(address, table, name)
            player.login()
            await asyncio.wait_for(player.seated, 20.0)
            players.append(player)
        table.players.extend(players)
        for player in players:
            await asyncio.wait_for(player.begun, 20.0)
        return table

    async def _connect(self, address: tuple[str, int], table: Table, name: str) -> ShelfiePlayer:
        player = ShelfiePlayer(table, name, self._dice)
        await connect(address, self._path, player)
        return player


class JavaDriver(Driver):
    """The same in Java objects."""

    async def _connect(self, address: tuple[str, int], table: Table, name: str) -> ShelfiePlayer:
        player = ObjectPlayer(table, name, self._dice)
        await connect_objects(address, player)
        return player
