"""A crowd: very many tables at which somebody moves every two seconds. A process of its own, so that there
can be several: `python -m ludoteca.bench.crowd HOST PORT PATH NAME`.

It is told what to do by lines on its input, and answers each with a line of JSON: `seat N` (so many more
tables, the games in turn), `play SECONDS`, and the end of the input. As everywhere in the benchmarks the load
must be light: a message is looked at no further than needed, and a table costs nothing while it waits.
"""

import asyncio
import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count

import msgspec
import uvloop

from ludoteca import games
from ludoteca.bench.links import Link, connect
from ludoteca.bench.players.careful import Board
from ludoteca.bench.players.house import OPTIONS_MAX
from ludoteca.bench.processes import BenchError, raise_file_limit
from ludoteca.bench.stages import Heard

PACE_S = 2.0
# Tables of one slot move together; there are as many slots as fit into the time between two moves.
SLOT_S = 0.002
SLOTS = round(PACE_S / SLOT_S)
# Whoever clicks at random is out after five moves; the other games take 70 to 200.
CAREFUL = "multisweeper"
# So many sit down at the same time, and have so long.
TOGETHER = 32
SEAT_S_MAX = 60.0


class Played(msgspec.Struct):
    """What came of a time of play: latencies from a move to the other player's hearing of it, and how late
    the load itself was, all in microseconds. `late` moves were due while the house had not asked yet, or came
    when the question was another by then. `heard` has each move with its times, for who wants to know where
    they went."""

    moves: int
    matches: int
    late: int
    took_us: list[int]
    lag_us: list[int]
    heard: list[Heard] = []


class Trouble(msgspec.Struct):
    """Why the crowd cannot go on."""

    trouble: str


class _Question(msgspec.Struct):
    number: int
    count: int = 0
    options: list[msgspec.Raw] = []


class _Named(msgspec.Struct):
    id: str


class _Seated(msgspec.Struct):
    table: _Named


_question = msgspec.json.Decoder(_Question).decode
_seated = msgspec.json.Decoder(_Seated).decode


class Player:
    """One seat."""

    link: Link

    def __init__(self, table: "LiveTable", opening: bytes, name: str = "") -> None:
        self.name = name
        self._table = table
        self._opening = opening
        self._question = _Question(0)
        self.seated: asyncio.Future[str] | None = asyncio.get_running_loop().create_future()

    def hear(self, line: bytes) -> None:
        """A message; those that are frequent are told apart by how they begin, and first."""
        kind = line[9:14]
        if kind == b"event":
            self._table.told(self, line)
        elif kind == b"quest":
            self._table.asked(self, line)
        elif kind == b'over"':
            self._table.over(self)
        elif kind == b"optio":
            self._act(_question(line).options[0])
        elif kind == b"seate" and self.seated is not None:
            if not self.seated.done():
                self.seated.set_result(_seated(line).table.id)
            self.seated = None
        elif kind == b"welco":
            self.link.send(self._opening)
        elif kind == b"decli":
            self._table.declined(line)

    def answer(self, line: bytes, dice: random.Random) -> None:
        """Answer a question: as whoever looks at the board does, or with any of its options; where they are
        too many to be sent, ask for one."""
        question = self._question = _question(line)
        board = self._table.board
        if board is not None:
            self._act(msgspec.Raw(b'{"type":"Click","column":%d,"row":%d}' % board.click(dice)))
        elif question.options:
            self._act(question.options[int(dice.random() * len(question.options))])
        else:
            start = dice.randrange(question.count)
            self.link.send(b'{"type":"options","start":%d,"count":1}' % start)

    def _act(self, option: msgspec.Raw) -> None:
        self.link.send(b'{"type":"act","at":%d,"action":%b}' % (self._question.number, bytes(option)))


class LiveTable:
    """Two players. When the match is over they play again."""

    __slots__ = ("_crowd", "_mover", "_owed", "_sent_s", "_waiting", "board", "players")

    def __init__(self, crowd: "Crowd", board: Board | None = None) -> None:
        self._crowd = crowd
        self.board = board
        self.players: list[Player] = []
        # The last question of each player.
        self._waiting: dict[Player, bytes] = {}
        self._mover: Player | None = None
        self._sent_s = 0.0
        self._owed = False

    def asked(self, player: Player, line: bytes) -> None:
        """A player has a question; the answer has time, unless it was due before."""
        self._waiting[player] = line
        if self._owed:
            self._owed = False
            self.move()

    def move(self) -> None:
        """It is time for a move."""
        if not self._waiting:
            self._owed = True
            self._crowd.late += 1
            return
        player, line = self._waiting.popitem()
        self._mover, self._sent_s = player, time.monotonic()
        player.answer(line, self._crowd.dice)

    def declined(self, line: bytes) -> None:
        """Where both are asked at once and the house is seconds late, an answer may be to a question that the
        other's has changed. Everything else is a mistake of ours."""
        if b'"code":"stale"' in line or b'"code":"turn"' in line:
            self._crowd.late += 1
        else:
            self._crowd.trouble = f"the house declined: {line.decode()}"

    def told(self, player: Player, line: bytes) -> None:
        """A player hears of a move. It has arrived when the other one does."""
        if self.board is not None and player is self.players[0]:
            self.board.hear(line)
        if self._mover is not None and player is not self._mover:
            self._crowd.heard.append(Heard(self._mover.name, player.name, self._sent_s, time.monotonic()))
            self._mover = None

    def over(self, player: Player) -> None:
        """A player hears that the match is over."""
        if player is self.players[0]:
            self._crowd.matches += 1
        self._waiting.clear()
        if self.board is not None:
            self.board.clear()
        player.link.send(b'{"type":"rematch"}')


class Crowd:
    """All tables of this process."""

    def __init__(self, address: tuple[str, int], path: str, name: str) -> None:
        self._address = address
        self._path = path
        self._name = name
        self._numbers = count()
        self._games = games.names()
        self.dice = random.Random(name)
        self._slots: list[list[LiveTable]] = [[] for _ in range(SLOTS)]
        self.trouble = ""
        self._clear()

    def _clear(self) -> None:
        self.late = self.matches = 0
        self.heard: list[Heard] = []
        self._lag_us: list[int] = []

    async def seat(self, tables: int) -> None:
        """So many more tables."""
        numbers = iter(range(tables))

        async def some() -> None:
            for _ in numbers:
                await asyncio.wait_for(self._seat(next(self._numbers)), SEAT_S_MAX)

        async with asyncio.TaskGroup() as group:
            for _ in range(TOGETHER):
                group.create_task(some())

    async def _seat(self, number: int) -> None:
        game = self._games[number % len(self._games)]
        table = LiveTable(self, Board() if game == CAREFUL else None)
        opening = b'{"type":"open","game":"%b","seats":2}' % game.encode()
        for seat in range(2):
            name = f"{self._name} {number} {seat}"
            player = Player(table, opening, name)
            assert player.seated is not None
            seated = player.seated
            await connect(self._address, self._path, player)
            hello = b'{"type":"hello","name":"%b","options_max":%d}' % (name.encode(), OPTIONS_MAX)
            player.link.send(hello)
            table.players.append(player)
            opening = b'{"type":"sit","table":"%b"}' % (await seated).encode()
        # Spread evenly, and every game the same.
        self._slots[number * 7919 % SLOTS].append(table)

    async def play(self, seconds: float) -> Played:
        """Let a move be made at each table every two seconds."""
        self._clear()
        began_s = time.perf_counter()
        for number in range(round(seconds / SLOT_S)):
            due_s = began_s + number * SLOT_S
            early_s = due_s - time.perf_counter()
            if early_s > 0:
                await asyncio.sleep(early_s)
            elif number % 8 == 0:
                await asyncio.sleep(0)  # What has arrived meanwhile is heard, however late we are.
            self._lag_us.append(round((time.perf_counter() - due_s) * 1e6))
            for table in self._slots[number % SLOTS]:
                table.move()
            if self.trouble:
                raise BenchError(self.trouble)
        # What is under way arrives.
        await asyncio.sleep(min(PACE_S, seconds))
        took_us = [round((move.heard_s - move.sent_s) * 1e6) for move in self.heard]
        return Played(len(took_us), self.matches, self.late, took_us, self._lag_us, self.heard)


async def _obey(say: Callable[[bytes], object]) -> None:
    host, port, path, name = sys.argv[1:]
    crowd = Crowd((host, int(port)), path, name)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        word, argument = line.split()
        try:
            if word == "seat":
                await crowd.seat(int(argument))
                # As in the house: what stands is not looked through again and again.
                gc.collect()
                gc.freeze()
                answer = b"{}"
            else:
                answer = msgspec.json.encode(await crowd.play(float(argument)))
        except* (BenchError, OSError) as group:
            found = {str(error) or type(error).__name__ for error in _single(group)}
            answer = msgspec.json.encode(Trouble(crowd.trouble or "; ".join(found)))
        say(answer + b"\n")


def _single(group: BaseExceptionGroup[Exception]) -> Iterator[Exception]:
    for error in group.exceptions:
        yield from _single(error) if isinstance(error, BaseExceptionGroup) else (error,)


def main() -> None:
    """Do as told."""

    def say(answer: bytes) -> None:
        sys.stdout.buffer.write(answer)
        sys.stdout.buffer.flush()

    raise_file_limit()
    gc.disable()
    uvloop.run(_obey(say))


if __name__ == "__main__":
    main()
