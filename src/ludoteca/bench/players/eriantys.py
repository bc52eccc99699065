"""Plays Eriantys over the protocol of its seed, in lines and in Java objects, in the same way.

A move is one answer: an assistant, a student to the first island, a step of mother nature, a cloud, an end.
"""

import asyncio
from pathlib import Path
from typing import Any, cast

import msgspec

from ludoteca import games
from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect, connect_objects
from ludoteca.wire.java import Reader, Writer

MOVES = 30
# To read a board takes the load so long that it may be silent for a while, and heartbeats are no moves.
JAVA_SETTINGS = {"eriantys__silence_s_max": "0", "eriantys__heartbeat_interval_s": "0"}
SEAT_S_MAX = 20.0
HEARTBEAT = b'{"type":"Heartbeat"}'
# What cannot be decided without a look at the board.
READ_FOR = ("MOVE_STUDENT_TO_ISLAND", "CHOOSE_CLOUD")


class _School(msgspec.Struct):
    nickname: str
    entrance: dict[str, int]


class _Cloud(msgspec.Struct):
    id: int
    students: dict[str, int]


class _Board(msgspec.Struct, frozen=True):
    players: list[_School] = []
    clouds: list[_Cloud] = []


class _Message(msgspec.Struct):
    """The fields of all messages that matter here."""

    type: str
    playerID: str = ""
    possibleColors: list[str] = []
    possibleCards: list[dict[str, int]] = []
    possibleActions: list[str] = []
    game: _Board = _Board()
    gameInfo: _Board = _Board()


_decode = msgspec.json.Decoder(_Message).decode
_encode = msgspec.json.Encoder().encode


class EriantysPlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, name: str, game: str, opens: bool) -> None:
        self._table = table
        self._name = name
        self._game = game
        self._opens = opens
        self._id = ""
        self._board = _Board()
        self._unread = b""
        self._question = _Message("")
        loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()

    def hear(self, line: bytes) -> None:
        """A line. Boards are long, and most need not be read: only the last one before a decision."""
        if line.startswith(b'{"type":"UpdateGameBoard"'):
            self._unread = line
            self._table.results += 1
        elif line == HEARTBEAT:
            self.link.send(line)
        else:
            self.heard(_decode(line))

    def heard(self, message: _Message) -> None:
        """A message, however it was written."""
        match message.type:
            case "UpdateGameBoard":
                self._board = message.gameInfo
                self._table.results += 1
            case "AskAction" | "AskAssistantCard":
                self._question = message
                self._table.on_turn(self)
            case "Heartbeat":
                self.beat()
            case "GameStart":
                self._board = message.game
                self.begun.set_result(None)
            case "NotifyPlayerIdMessage":
                self._id = message.playerID
                self._enter()
            case "AskNickname":
                self._say("SetNickname", playerID=self._id, nickname=self._name)
            case "AskTowerColor":
                self._say("SetTowerColor", playerID=self._id, color=message.possibleColors[0])
            case "AckTowerColor":
                self.seated.set_result(None)
            case "ShowEndGame":
                self._table.over = True

    def _enter(self) -> None:
        if self._opens:
            game = {"gameName": self._game, "gameMode": "Expert", "numPlayers": 2}
            self._say("NewGameMessage", playerID=self._id, gameInfo=game)
        else:
            self._say("SelectGameMessage", playerID=self._id, gameName=self._game)

    def beat(self) -> None:
        """Say that one is there."""
        self._say("Heartbeat")

    def move(self) -> None:
        """Answer; characters are left alone."""
        if cards := self._question.possibleCards:
            self._say("SetAssistantCard", nickname=self._name, assistantCard=cards[0])
            return
        action: dict[str, Any] = {"actionType": self._question.possibleActions[0]}
        if self._unread and action["actionType"] in READ_FOR:
            self._board, self._unread = _decode(self._unread).gameInfo, b""
        match action["actionType"]:
            case "MOVE_STUDENT_TO_ISLAND":
                school = next(school for school in self._board.players if school.nickname == self._name)
                colour = next(colour for colour, count in school.entrance.items() if count)
                action |= {"color": colour, "island": 0}
            case "MOVE_MOTHER_NATURE":
                action["steps"] = 1
            case "CHOOSE_CLOUD":
                full = (cloud.id for cloud in self._board.clouds if any(cloud.students.values()))
                action["cloud"] = next(full)
        self._say("SetAction", nickname=self._name, action=action)

    def _say(self, kind: str, **fields: Any) -> None:
        self.link.send(_encode({"type": kind, **fields}))


class ObjectPlayer(EriantysPlayer):
    """One seat that speaks as the original program does: each object by itself, between resets."""

    def __init__(self, table: Table, name: str, game: str, opens: bool) -> None:
        super().__init__(table, name, game, opens)
        wire = games.load("eriantys").protocol()
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
        message = _Message(type(item).__name__)
        match message.type:
            case "HeartbeatMessage":
                message.type = "Heartbeat"
            case "NotifyPlayerIdMessage":
                message.playerID = item.playerId
            case "AskTowerColor":
                message.possibleColors = [tower.name for tower in item.possibleColors]
            case "AskAction":
                message.possibleActions = [each.actionType.name for each in item.roundActions.actionList]
            case "AskAssistantCard":
                cards = item.possibleCards
                message.possibleCards = [{"value": card.cardValue, "steps": card.movements} for card in cards]
            case "GameStart" | "UpdateGameBoard":
                message.game = message.gameInfo = self._read_board(item.game)
        return message

    @staticmethod
    def _read_board(game: Any) -> _Board:
        schools = [
            _School(player.nickname, {piece.name: 1 for piece in player.playerBoard.studentsEntrance})
            for player in game.playerHandler.players
        ]
        clouds = [
            _Cloud(cloud.cloudID, {piece.name: 1 for piece in cloud.studentsClouds}) for cloud in game.clouds
        ]
        return _Board(schools, clouds)

    def _say(self, kind: str, **fields: Any) -> None:
        message = self._object(kind, fields)
        message.messageType = self._types.MessageType["VC"]
        self.link.send(self._writer.message(message, reset=True))

    def _object(self, kind: str, fields: dict[str, Any]) -> Any:
        types = self._types
        match kind:
            case "SetAction":
                action = fields["action"]
                number = next((action[name] for name in ("island", "steps", "cloud") if name in action), 0)
                said = types.Action(number, types.ActionType[action["actionType"]])
                if "color" in action:
                    said.principalPiece = types.Piece[action["color"]]
                return types.SetAction(action=said, nickname=self._name)
            case "SetAssistantCard":
                value, steps = fields["assistantCard"].values()
                card = types.AssistantCard(value, value, steps)
                return types.SetAssistantCard(assistantCard=card, nickname=self._name)
            case "Heartbeat":
                return types.HeartbeatMessage()
            case "NewGameMessage":
                info = types.GameListInfo(2, types.GameMode["EXPERT"], self._game)
                return types.NewGameMessage(gameInfo=info, playerId=self._id)
            case "SelectGameMessage":
                return types.SelectGameMessage(gameName=self._game, playerId=self._id)
            case "SetNickname":
                return types.SetNickname(nickname=self._name, playerId=self._id)
        return types.SetTowerColor(color=types.TowerColor[fields["color"]], playerId=self._id)


class Driver:
    """Tables of two."""

    def __init__(self, _data: Path, path: str = "") -> None:
        self._path = path
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        self._count += 1
        for opens in (True, False):
            name = f"{'first' if opens else 'second'}{self._count}"
            player = await self._connect(address, table, name, f"game{self._count}", opens)
            table.players.append(player)
            # Whoever says something is not kept waiting.
            player.beat()
            await asyncio.wait_for(player.seated, SEAT_S_MAX)
        for seated in table.players:
            await asyncio.wait_for(cast(EriantysPlayer, seated).begun, SEAT_S_MAX)
        return table

    async def _connect(self, address: tuple[str, int], *given: Any) -> EriantysPlayer:
        player = EriantysPlayer(*given)
        await connect(address, self._path, player)
        return player


class JavaDriver(Driver):
    """The same in Java objects."""

    async def _connect(self, address: tuple[str, int], *given: Any) -> EriantysPlayer:
        player = ObjectPlayer(*given)
        await connect_objects(address, player)
        return player
