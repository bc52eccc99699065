"""The clients of the seeds' protocols, at servers that say anything: they go on, and never break down."""

import contextlib
import random
from importlib import import_module
from typing import Any

import pytest
from msgspec import inspect
from tests import rig
from tests.fuzz import mutate
from tests.quiet import QuietClient, QuietHouse

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.core.talk import Caller
from ludoteca.wire.lines import LINE_BYTES_MAX

JSON = [name for name in rig.spoken() if games.load(name).protocol().messages]


def client(game: str, nickname: str) -> Caller:
    made: Caller = import_module(f"ludoteca.games.{game}.client").Client(nickname)
    return made


def server_messages(game: str) -> list[inspect.StructType]:
    """What the servers of a protocol may say."""
    messages = games.load(game).protocol().messages
    assert messages is not None
    found = inspect.type_info(messages[1])
    assert isinstance(found, inspect.UnionType)
    return sorted(
        (kind for kind in found.types if isinstance(kind, inspect.StructType)), key=lambda kind: str(kind.tag)
    )


class Table:
    """Two of our clients at a quiet house, each with a twin at a server that goes mad over the same words."""

    def __init__(self, game: str, seed: int) -> None:
        self.dice = random.Random(seed)
        self.house = QuietHouse(game, seed=seed + 1)
        self.callers = [client(game, name) for name in ("Player1", "Player2")]
        self.twins = [client(game, name) for name in ("Player1", "Player2")]
        self.lines = [QuietClient(self.house) for _ in self.callers]
        self.mutator = mutate.Mutator(self.dice)
        self.kinds = server_messages(game)
        for caller, twin, line in zip(self.callers, self.twins, self.lines, strict=True):
            twin.open(0.0)
            self.send(line, caller.open(self.house.now))

    def send(self, line: QuietClient, data: bytes) -> None:
        for one in data.splitlines(keepends=True):
            if not line.closed:
                line.send(one)

    def turn(self) -> None:
        """Everybody hears what there is, answers something, and beats."""
        for caller, twin, line in zip(self.callers, self.twins, self.lines, strict=True):
            heard, line._received = line._received, b""
            self.send(line, caller.receive(heard, self.house.now))
            if caller.alarm is not None and caller.alarm <= self.house.now:
                self.send(line, caller.tick(self.house.now))
            if caller.answers:
                self.send(line, caller.answer(self.choose(caller)))
            for one in heard.splitlines():
                twin.receive(self.wild(one), self.house.now)
                self.answer(twin)
        self.house.wait(0.1)

    def choose(self, caller: Caller) -> str:
        """Any answer, but one that leads to a table for two."""
        meet = [one for one in caller.answers if one in ("2 players", "open basic for 2")]
        join = [one for one in caller.answers if one.startswith("join")]
        look = [one for one in caller.answers if one == "look again" and caller is self.callers[1]]
        return self.dice.choice(join or look or meet or caller.answers)

    def wild(self, line: bytes) -> bytes:
        """What was said, more or less, or something that was not said at all."""
        self.mutator.learn(line)
        match self.dice.randrange(4):
            case 0:
                return mutate.write(self.mutator.struct(self.dice.choice(self.kinds)))
            case 1:
                return self.mutator.garble(line).replace(b"\n", b"")[: LINE_BYTES_MAX - 1] + b"\n"
            case _:
                return line + b"\n"

    def answer(self, twin: Caller) -> None:
        if twin.answers and self.dice.random() < 0.5:
            # Where two answers are written alike, the words may not be clear.
            with contextlib.suppress(Refused):
                twin.answer(self.dice.choice(twin.answers))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", JSON)
def test_a_client_survives_a_server_that_says_anything(game: str, seed: int) -> None:
    table = Table(game, seed)
    for _ in range(80):
        table.turn()
    told = [news for twin in table.twins for news in twin.news]
    assert any("no sense" in news for news in told), "some of it was nonsense"
    assert all(caller.picture for caller in table.callers), "this was a match"


@pytest.mark.parametrize("game", JSON)
def test_what_only_another_server_says_is_passed_over(game: str) -> None:
    table = Table(game, 1)
    caller = table.callers[0]
    before = (caller.news[:], caller.sentence, caller.picture)
    said: Any = mutate.write({"type": "somethingNew", "with": [1, {"fields": None}]})
    assert caller.receive(said, 0.0) == b""
    assert (caller.news, caller.sentence, caller.picture) == before


def test_tiles_that_were_in_hand_are_not_taken_again_by_who_answers_too_early() -> None:
    """My Shelfie tells of them last: who comes back may have answered what was told before that."""
    house = QuietHouse("shelfie", absence="wait")
    callers = {name: client("shelfie", name) for name in ("Ann", "Bob")}
    lines = {name: QuietClient(house) for name in callers}

    def hear(name: str, count: int = 1000) -> None:
        """So many of the messages that wait for somebody."""
        line, caller = lines[name], callers[name]
        while line._received and count:
            said, _, line._received = line._received.partition(b"\n")
            line.send(caller.receive(said + b"\n", house.now))
            count -= 1

    def answer(name: str, words: str) -> None:
        lines[name].send(callers[name].answer(words))
        hear(name)

    for name, caller in callers.items():
        lines[name].send(caller.open(house.now))
        hear(name)
        if caller.answers:
            answer(name, "2 players")
    hear("Ann")
    (name,) = (name for name, caller in callers.items() if caller.answers)
    answer(name, callers[name].answers[0])
    assert "column" in callers[name].sentence
    lines[name].hang_up()
    lines[name], callers[name] = QuietClient(house), client("shelfie", name)
    lines[name].send(callers[name].open(house.now))
    while not callers[name].answers:
        hear(name, 1)
    assert "Take" in callers[name].sentence
    early = callers[name].answer(callers[name].answers[-1])
    hear(name)
    lines[name].send(early)
    hear(name)
    assert "column" in callers[name].sentence
    answer(name, "fill 2")
    assert not callers[name].answers, "the turn is over"
