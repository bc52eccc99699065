"""Plays Masters of Renaissance over the protocol of its seed, in lines and in Java objects, in the same way.

A move is a whole turn: the top row of the market, all of it thrown away, and the end of the turn.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec

from ludoteca import games
from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect, connect_objects
from ludoteca.wire.java import Reader, Writer

# What one throws away brings the other nearer to the end, but not to it in so many turns of a table of two.
MOVES = 8
JAVA_SETTINGS = {"renaissance__ping_interval_s": "30"}
SEAT_S_MAX = 20.0

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


_MARKET = b'{"type":"actionReply","action":"MARKETACTION"}'
_TOP_ROW = b'{"type":"rowColumnSelection","index":0,"row":true}'
_THROW_AWAY = b'{"type":"resourcesManageReply","warehouse":{}}'
_END_TURN = b'{"type":"actionReply","action":"ENDTURN"}'
# What comes while people sit down, now and then, and at the end.
_READ = frozenset(
    (
        *(b"setupUpdate", b"leaderCardsRequest", b"resourcesRequest", b"numberOfPlayersRequest"),
        *(b"usernameResponse", b"ping", b"finalScore"),
    )
)


class Plan:
    """What a player does, whichever way it is said."""

    link: Link

    def __init__(self, table: Table, name: str) -> None:
        self._table = table
        self._name = name
        loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()

    def heard(self, kind: str, fields: dict[str, Any]) -> None:
        """A message, by its name in the lines."""
        match kind:
            case "marketUpdate":
                self._table.results += 1
            case "setupUpdate":
                self.begun.set_result(None)
            case "possibleActions" if "ENDTURN" in fields["actions"]:
                self.say("actionReply", action="ENDTURN")
            case "possibleActions":
                self._table.on_turn(self)
            case "actionResponse" if fields["action"] == "MARKETACTION":
                self.say("rowColumnSelection", index=0, row=True)
            case "actionResponse" if fields["action"] == "ENDTURN":
                self.end_turn()
            case "resourcesManageRequest":
                self.say("resourcesManageReply", warehouse={})
            case "leaderCardsRequest":
                self.say("leaderCardsReply", leaderCards=fields["leaderCards"][:2])
            case "resourcesRequest" if fields["number"]:
                self.say("resourcesReply", warehouse={"0": ["COINS"]})
            case "numberOfPlayersRequest":
                self.say("numberOfPlayersReply", number=2)
            case "usernameResponse":
                self.seated.set_result(None)
            case "ping":
                self.say("pong")
            case "finalScore":
                self._table.over = True

    def move(self) -> None:
        """Begin a turn; each answer leads to its next part."""
        self.say("actionReply", action="MARKETACTION")

    def end_turn(self) -> None:
        """The house has heard that it ends."""

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        raise NotImplementedError


class Lines(Plan):
    """One seat that speaks in lines. Those of a turn are told apart by how they begin, and answered with what
    is encoded already; most others are only told, and nobody need read them."""

    def hear(self, line: bytes) -> None:
        """A line."""
        kind = line[9 : line.find(b'"', 9)]
        if kind == b"marketUpdate":
            self._table.results += 1
        elif kind == b"possibleActions":
            if b'"ENDTURN"' in line:
                self.link.send(_END_TURN)
            else:
                self._table.on_turn(self)
        elif kind == b"actionResponse":
            if b'"MARKETACTION"' in line:
                self.link.send(_TOP_ROW)
        elif kind == b"resourcesManageRequest":
            self.link.send(_THROW_AWAY)
        elif kind in _READ:
            fields = _decode(line)
            self.heard(fields["type"], fields)

    def move(self) -> None:
        """Begin a turn."""
        self.link.send(_MARKET)

    def say(self, kind: str, **fields: Any) -> None:
        """As a line."""
        self.link.send(_encode({"type": kind, **fields}))


class Objects(Plan):
    """One seat that speaks as the original program does."""

    def __init__(self, table: Table, name: str) -> None:
        super().__init__(table, name)
        wire = games.load("renaissance").protocol()
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
            item = self._reader.item
            if (found := _HEARD.get(type(item).__name__)) is not None:
                kind, read = found
                self.heard(kind, read(item))

    def end_turn(self) -> None:
        """The original says so again."""
        self.say("endTurn")

    def say(self, kind: str, **fields: Any) -> None:
        """As an object."""
        self.link.send(self._writer.message(_SAID[kind](self._types, self._name, fields)))


_HEARD: dict[str, tuple[str, Callable[[Any], dict[str, Any]]]] = {
    "MarketActionUpdate": ("marketUpdate", lambda _: {}),
    "SetupGameUpdate": ("setupUpdate", lambda _: {}),
    "ActionRequest": (
        "possibleActions",
        lambda item: {"actions": [action.name for action in item.possibleActions]},
    ),
    "ActionResponse": ("actionResponse", lambda item: {"action": item.action.name}),
    "ResourcesManageRequest": ("resourcesManageRequest", lambda _: {}),
    "LeaderCardsRequest": ("leaderCardsRequest", lambda item: {"leaderCards": item.leaderCardsId}),
    "ResourcesRequest": ("resourcesRequest", lambda item: {"number": item.resourceNumber}),
    "PlayerNumberRequest": ("numberOfPlayersRequest", lambda _: {}),
    "UsernameResponse": ("usernameResponse", lambda _: {}),
    "Ping": ("ping", lambda _: {}),
    "FinalScoreMessage": ("finalScore", lambda _: {}),
}
_SAID: dict[str, Callable[[Any, str, dict[str, Any]], Any]] = {
    "loginRequest": lambda types, name, _: types.LoginMessage(name),
    "numberOfPlayersReply": lambda types, _, said: types.PlayerNumberReply(said["number"]),
    "leaderCardsReply": lambda types, name, said: types.LeaderCardsReply(said["leaderCards"], name),
    "resourcesReply": lambda types, name, _: types.ResourcesReply({0: [types.Resource["COINS"]]}, name),
    "actionReply": lambda types, _, said: types.ActionReply(types.Actions[said["action"]]),
    "rowColumnSelection": lambda types, name, _: types.RowColumnSelection(0, True, [], name),
    "resourcesManageReply": lambda types, _, __: types.ResourcesManageReply(None, {0: [], 1: [], 2: []}),
    "endTurn": lambda types, _, __: types.EndTurn(),
    "pong": lambda types, _, __: types.Pong(),
}


class Driver:
    """Tables of two."""

    def __init__(self, _data: Path, path: str = "") -> None:
        self._path = path
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players."""
        table = Table()
        for _ in range(2):
            self._count += 1
            player = await self._connect(address, table, f"player{self._count}")
            player.say("loginRequest", username=f"player{self._count}")
            await asyncio.wait_for(player.seated, SEAT_S_MAX)
            table.players.append(player)
        for seated in table.players:
            await asyncio.wait_for(cast(Plan, seated).begun, SEAT_S_MAX)
        return table

    async def _connect(self, address: tuple[str, int], table: Table, name: str) -> Plan:
        player = Lines(table, name)
        await connect(address, self._path, player)
        return player


class JavaDriver(Driver):
    """The same in Java objects."""

    async def _connect(self, address: tuple[str, int], table: Table, name: str) -> Plan:
        player = Objects(table, name)
        await connect_objects(address, player)
        return player
