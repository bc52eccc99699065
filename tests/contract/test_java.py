"""Every tongue of Java objects takes whatever a stream can hold: a message comes of it, or a refusal."""

import random
from typing import Any, get_args

import pytest

from ludoteca import games
from ludoteca.core import Game
from ludoteca.wire.java import HEADER, Linked, Ordered, Record, Table, Writer
from ludoteca.wire.java.stream import RESET
from ludoteca.wire.java.tongue import JavaTongue
from ludoteca.wire.tongue import Garbled

SPOKEN = [game for game in games.load_all() if game.wire is not None and game.wire.java is not None]
TRIES = 3000


def tongue_of(game: Game) -> JavaTongue:
    """A tongue as a new connection has it."""
    wire = game.protocol()
    assert wire.java is not None
    conversation: Any = wire.java(wire.settings())
    tongue = conversation.tongue
    assert isinstance(tongue, JavaTongue)
    return tongue


class Inventor:
    """Makes objects up: often what belongs there, and often anything else."""

    def __init__(self, table: Table, seed: int) -> None:
        self._table = table
        self._dice = random.Random(seed)
        self._constants = [each for java in table.classes.values() for each in (java.enum or {}).values()]

    def record(self, java: Any, depth: int = 3) -> Any:
        """An object of a class."""
        fields = {name: self._field(type_, depth) for each in java.line for name, type_ in each.fields}
        return java.type(**fields)

    def _field(self, type_: str, depth: int) -> Any:
        if type_ == "I":
            return self._dice.choice([-(2**31), -1, 0, 1, 2, 7, 2**31 - 1])
        if type_ == "Z":
            return self._dice.random() < 0.5
        if type_.startswith("["):
            return None
        if self._dice.random() < 0.2:
            return self._anything(depth - 1)
        if type_ == "Ljava/lang/String;":
            return self._dice.choice(["", "anna", "D001", "L001"])
        if "List" in type_ or "Map" in type_:
            few = [self._dice.choice([0, 1, "D001", "L002", *self._constants]) for _ in range(2)]
            return few if "List" in type_ else dict.fromkeys(few, 1)
        meant = self._table.classes.get(type_[1:-1].replace("/", "."))
        if meant is None:
            return self._anything(depth - 1)
        if meant.enum is not None:
            return self._dice.choice(list(meant.enum.values()))
        is_own = issubclass(meant.type, Record) and meant.type is not Record
        return self.record(meant, depth - 1) if is_own and depth else self._anything(depth - 1)

    def _anything(self, depth: int) -> Any:
        if depth <= 0 or self._dice.random() < 0.5:
            return self._dice.choice([None, True, 0, 3, 2**40, 0.5, "", "anna", *self._constants])
        several = [self._anything(depth - 1) for _ in range(self._dice.randrange(4))]
        keys = [self._dice.choice([0, 1, "x", *self._constants]) for _ in several]
        pairs = dict(zip(keys, several, strict=True))
        return self._dice.choice([several, Linked(several), pairs, Ordered(pairs)])


@pytest.mark.parametrize("game", SPOKEN, ids=lambda game: game.name)
def test_whatever_a_stream_holds_is_a_message_or_is_refused(game: Game) -> None:
    messages = game.protocol().messages
    assert messages is not None
    tongue = tongue_of(game)
    table = tongue.table
    own = [java for java in table.classes.values() if java.name.startswith("it.") and java.enum is None]
    inventor = Inventor(table, seed=1)
    assert list(tongue.read(HEADER)) == []
    heard = set()
    for number in range(TRIES):
        item = inventor.record(own[number % len(own)])
        (message,) = tongue.read(bytes([RESET]) + Writer(table).message(item))
        assert type(message) is Garbled or isinstance(message, messages[0])
        heard.add(type(message))
    # Most of what clients can say has come about.
    assert len(heard) > len(get_args(messages[0])) // 2


def test_all_three_originals_are_spoken_to() -> None:
    assert {game.name for game in SPOKEN} == {"eriantys", "renaissance", "shelfie"}
