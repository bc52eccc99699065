"""Plays Santorini over the line protocol of its seed, moves and builds picked at random from what is offered.

A move, a build, and the end of a turn that a god leaves open are one durable input each. The setup is over
before a bout begins.
"""

import asyncio
import random
from pathlib import Path

import msgspec

from ludoteca.bench.bouts import Table
from ludoteca.bench.links import Link, connect

# Most random matches are longer than this.
MOVES = 30
SIDE = 5


class _Cell(msgspec.Struct, frozen=True):
    i: int
    j: int


class _Message(msgspec.Struct):
    """The fields of all messages that matter here."""

    type: str
    name: str = ""
    state: str = ""
    result: bool = False
    src: _Cell = _Cell(0, 0)
    dst: _Cell = _Cell(0, 0)
    positions: list[_Cell] = []
    possibleDst: list[list[_Cell]] = []
    possibleSteps: list[str] = []
    players: list[str] = []
    chosenColors: list[str] = []
    chosenGodCards: list[str] = []
    godDescriptions: dict[str, str] | list[str] = {}


_decode = msgspec.json.Decoder(_Message).decode
_encode = msgspec.json.Encoder().encode


class SantoriniPlayer:
    """One seat."""

    link: Link

    def __init__(self, table: Table, name: str, dice: random.Random) -> None:
        self._table = table
        self._dice = dice
        self._name = name
        self._builders: list[_Cell] = []
        self._taken: list[_Cell] = []
        self._choices: list[list[_Cell]] = []
        self._ending = False
        loop = asyncio.get_running_loop()
        self.seated: asyncio.Future[None] = loop.create_future()
        self.begun: asyncio.Future[None] = loop.create_future()

    def hear(self, line: bytes) -> None:
        """A line; those that are frequent are told apart by how they begin."""
        if line.startswith((b'{"type":"move"', b'{"type":"build"')):
            message = _decode(line)
            if message.result:
                self._table.results += 1
                if message.type == "move" and message.name == self._name:
                    self._relocate(message)
        elif line.startswith(b'{"type":"possible'):
            self._choices = _decode(line).possibleDst
            self._table.on_turn(self)
        elif line.startswith(b'{"type":"turnUpdate"'):
            if self._ending:
                # All that is told of it, to all at once.
                self._ending = False
                self._table.results += len(self._table.players)
        elif not line.startswith(b'{"type":"ping"'):
            self._answer(_decode(line))

    def move(self) -> None:
        """Go or build somewhere. Two lists are moves of the two builders; four are blocks, then domes."""
        if self._ending:
            self._say("setStepChoice", stepChoice="END")
            return
        choices = self._choices
        number = self._dice.choice([number for number, cells in enumerate(choices) if cells])
        source, target = self._builders[number % 2], self._dice.choice(choices[number])
        where = b'"src":{"i":%d,"j":%d},"dst":{"i":%d,"j":%d}' % (source.i, source.j, target.i, target.j)
        if len(choices) == 2:
            self.link.send(b'{"type":"move",%b}' % where)
        else:
            self.link.send(
                b'{"type":"build",%b,"buildDome":%b}' % (where, b"true" if number > 1 else b"false")
            )

    def _relocate(self, message: _Message) -> None:
        self._builders[self._builders.index(message.src)] = message.dst

    def _answer(self, message: _Message) -> None:
        """Everything that is not a move or a build."""
        match message.type:
            case "askStep":
                self._step(self._dice.choice(message.possibleSteps))
            case "builderPushed" if message.name == self._name:
                self._relocate(message)
            case "endGame" | "disconnect":
                self._table.over = True
            case "stateUpdate" if message.state == "SETUP_PLAYERS":
                self.seated.set_result(None)
            case "stateUpdate" if message.state == "GAME":
                self.begun.set_result(None)
            case "buildersPlacement" if message.result:
                self._taken += message.positions
                if message.name == self._name:
                    self._builders = message.positions
            case _:
                self._set_up(message)

    def _step(self, step: str) -> None:
        """Only an end is a move; else the lists follow."""
        if step == "END":
            self._ending = True
            self._table.on_turn(self)
        else:
            self._say("setStepChoice", stepChoice=step)

    def _set_up(self, message: _Message) -> None:
        """Questions before the first turn."""
        match message.type:
            case "askNumberOfPlayers":
                self._say("setNumberOfPlayers", numberOfPlayers=2)
            case "askNickAndDate":
                self._say("addPlayer", name=self._name, date="1990.01.02")
            case "chooseMatchGodCards":
                gods = self._dice.sample(sorted(message.godDescriptions), 2)
                self._say("setMatchGodCards", godCardNames=gods)
            case "askGod":
                free = [god for god in message.godDescriptions if god not in message.chosenGodCards]
                self._say("setGodCard", godCard=free[0])
            case "chooseStartPlayer":
                self._say("setStartPlayer", name=message.players[0])
            case "askColor":
                colours = [one for one in ("MAGENTA", "WHITE") if one not in message.chosenColors]
                self._say("colorUpdate", color=colours[0])
            case "askBuilders":
                free_cells = [
                    cell for i in range(SIDE) for j in range(SIDE) if (cell := _Cell(i, j)) not in self._taken
                ]
                self._say("buildersPlacement", positions=self._dice.sample(free_cells, 2))

    def _say(self, kind: str, **fields: object) -> None:
        self.link.send(_encode({"type": kind, **fields}))


class Driver:
    """Tables of two."""

    def __init__(self, _data: Path, path: str = "") -> None:
        self._path = path
        self._dice = random.Random(1)
        self._count = 0

    async def seat(self, address: tuple[str, int]) -> Table:
        """A table with two players whose builders stand on the board."""
        table = Table()
        players = []
        for _ in range(2):
            self._count += 1
            player = SantoriniPlayer(table, f"player{self._count}", self._dice)
            await connect(address, self._path, player)
            await asyncio.wait_for(player.seated, 20.0)
            players.append(player)
        table.players.extend(players)
        for player in players:
            await asyncio.wait_for(player.begun, 20.0)
        return table
