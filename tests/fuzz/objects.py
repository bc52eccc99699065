"""Guests who send Java objects to the ports of three games, and call My Shelfie by RMI: real turns, with
records, streams and calls made odd."""

import asyncio
import contextlib
import random
import struct
from collections import deque
from collections.abc import Iterator
from typing import Any

from tests import people
from tests.fuzz.guests import RATES, SILENCE_S, SILENCES_MAX, Town
from tests.fuzz.mutate import Mutator
from tests.fuzz.watch import Person
from tests.games.shelfie.caller import MINE, Client, head

from ludoteca import games
from ludoteca.bench.bouts import Table
from ludoteca.bench.players import eriantys, renaissance, shelfie
from ludoteca.core import LocalError
from ludoteca.games.shelfie import rmi as service
from ludoteca.wire.java import HEADER, Constant, Linked, Ordered, Writer, rmi

GAMES = ("eriantys", "renaissance", "shelfie")
MOVES_MAX = 1_000_000
TEXTS = (
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "\n",
        "\x1b[2J",
        "\u2028",
        "\u0130",
        "e\u0301",
        "\U0001f41b" * 20,
        "table-1",
        "Bot-Ada",
    ),
    *("a" * 12, "a" * 13, "a" * 64, "a" * 65, "a" * 3000, "null", "D001", "L016"),
)
NUMBERS = (0, -1, 1, 2, 3, 4, 5, 11, 12, 99, 127, 128, 255, 32_767, 2**31 - 1, -(2**31))
# Streams that promise what nobody should wait for, or go where nobody should follow.
BOMBS = (
    b"|" + (1 << 40).to_bytes(8, "big") + b"abc",
    b"t\xff\xff" + b"a" * 100,
    b"z\x7f\xff\xff\xff",
    b"ur\0\2[I" + bytes(8) + b"\2\0\0xp\x7f\xff\xff\xff",
    b"ur\0\x13[Ljava.lang.Object;" + bytes(8) + b"\2\0\0xp\0\0\0\1" * 400,
    b"q\0\x7e\0\0",
    b"q\x7f\xff\xff\xff",
    b"sq\0\x7e\0\1",
    b"y" * 5000,
    b"x",
    b"p" * 1000,
    b"{",
    b"vr\0\x11java.lang.Runtime" + bytes(8) + b"\0\0\0xp",
    b"sr\0\x17java.util.PriorityQueue\x94\xda0\xb4\xfb?\x82\xb1\3\0\0xp",
    b"s}\xff\xff\xff\xff",
    b"s}\0\0\0\1\0\1axp",
    b"w\xff" + bytes(255),
    b'{"type":"Heartbeat"}\n',
    b"GET / HTTP/1.1\r\n\r\n",
)
# Nearly the head of a stream, which decides what a connection is.
HEADS = (HEADER[:1], HEADER[:3], b"\xac\xed\0\4", b"\xac\xec\0\5", HEADER * 2, HEADER + b"\n", b"\n" + HEADER)


def spelled(data: bytes) -> Iterator[bytes]:
    """Whatever may be a text in a stream."""
    at = data.find(b"t")
    while at >= 0:
        size = int.from_bytes(data[at + 1 : at + 3], "big")
        if 0 < size < 200:
            yield data[at + 3 : at + 3 + size]
        at = data.find(b"t", at + 1)


class OddWriter:
    """Writes what a player says, but not always so; in the place of a Writer."""

    def __init__(
        self, writer: Writer, table: Any, mutator: Mutator, town: Town, person: Person, rate: float
    ) -> None:
        self._writer = writer
        self._table = table
        self._mutator = mutator
        self._dice = mutator.dice
        self._town = town
        self._person = person
        self._rate = rate
        self._kinds = [kind for kind in table.records if not kind.java.name.startswith("java.")]
        self._constants = [each for java in table.classes.values() for each in (java.enum or {}).values()]
        self._said: deque[bytes] = deque(maxlen=30)

    def message(self, value: Any, *, reset: bool = False) -> bytes:
        """A message, or what became of it."""
        data = self._written(value, reset)
        if self._dice.random() < self._rate:
            data = self._odd(value, data, reset)
        self._said.append(data[:2000])
        return data

    def invented(self) -> bytes:
        """Something that nobody has asked for."""
        return self._odd(None, b"", True)

    def _written(self, value: Any, reset: bool) -> bytes:
        return self._writer.message(value, reset=reset)

    def _odd(self, value: Any, data: bytes, reset: bool) -> bytes:
        dice = self._dice
        self._town.watch.counts[f"odd: {self._person.way}"] += 1
        match dice.choices(range(7), (6, 4, 3, 1, 1, 1, 1))[0]:
            case 0 if value is not None:
                name = dice.choice(value.__struct_fields__ or ("",))
                if name:
                    setattr(value, name, self._value(0) if dice.random() < 0.5 else dice.choice(NUMBERS))
                return self._tried(value) or data
            case 1:
                return data + self._tried(self._record(0))
            case 2 if data:
                return self._mutator.garble(data)[:20_000]
            case 3:
                return dice.choice(BOMBS)
            case 4 if self._said:
                return dice.choice(self._said)
            case 5:
                return data * dice.choice((0, 2, 3, 100))
        return data + self._tried(self._value(0))

    def _tried(self, value: Any) -> bytes:
        """Behind a reset: what is refused half-way may have been remembered."""
        try:
            return self._written(value, True)
        except (LocalError, struct.error, TypeError, AttributeError):
            self._writer.message(None, reset=True)
            return b""

    def _record(self, depth: int) -> Any:
        kind = self._dice.choice(self._kinds)
        types = [type_ for java in kind.java.line for _, type_ in java.fields]
        small = {"I": lambda: self._dice.choice(NUMBERS), "Z": lambda: self._dice.random() < 0.5}
        return kind(*(small[type_]() if type_ in small else self._value(depth + 1) for type_ in types))

    def _value(self, depth: int) -> Any:
        dice = self._dice
        if depth > 3 or dice.random() < 0.6:
            word = dice.choice(self._mutator.words or [""])
            odd: Constant | str | int = dice.choice((dice.choice(TEXTS), word, dice.choice(NUMBERS)))
            return dice.choice((None, True, 2**40, 0.5, odd, odd, dice.choice(self._constants)))
        values = [self._value(depth + 1) for _ in range(dice.choice((0, 1, 2, 3)))]
        match dice.randrange(6):
            case 0:
                return values * dice.choice((1, 1, 200))
            case 1:
                return Linked(values)
            case 2:
                return {dice.choice(NUMBERS): each for each in values}
            case 3:
                return Ordered((dice.choice(self._constants), each) for each in values)
            case 4:
                for _ in range(dice.choice((5, 14, 16, 40))):
                    values = [values]
                return values
        return self._record(depth)


class AnnotatedWriter(OddWriter):
    """The same for arguments of calls, which know nothing of each other."""

    def _written(self, value: Any, reset: bool) -> bytes:
        return Writer(self._table, annotated=True).message(value)


class Outbox:
    """What a player wants sent; in the place of a connection."""

    open = True

    def __init__(self) -> None:
        self.waiting: list[bytes] = []

    def send(self, line: bytes) -> None:
        """Later."""
        self.waiting.append(line)

    def close(self) -> None:
        """Nobody asks for that here."""


def player(game: str, name: str, dice: random.Random, town: Town) -> Any:
    """Somebody who plays a game in objects, for as long as it lasts."""
    table = Table()
    table.begin(MOVES_MAX)
    match game:
        case "eriantys":
            joins = bool(town.labels) and dice.random() < 0.6
            label = town.labels.pop() if joins else name
            if not joins:
                town.labels.append(label)
            found: Any = eriantys.ObjectPlayer(table, name, label, not joins)
        case "renaissance":
            found = renaissance.Objects(table, name)
        case _:
            found = shelfie.ObjectPlayer(table, name, dice)
    found.link = Outbox()
    return found


class ObjectVisitor:
    """One after the other: a program comes, plays, and goes."""

    def __init__(self, town: Town, game: str, number: int) -> None:
        self._town = town
        self._game = game
        self._dice = town.dice("java", game, number)
        wire: Any = games.load(game).protocol()
        self._table = wire.java(wire.settings()).tongue.table
        self._mutator = Mutator(self._dice)

    async def live(self) -> None:
        """For ever."""
        while True:
            person = Person(self._town.name(), f"java {self._game}")
            self._town.watch.people.append(person)
            with contextlib.suppress(OSError, TimeoutError):
                await self._visit(person, self._dice.choice(RATES))
            self._town.watch.people.remove(person)
            await asyncio.sleep(self._dice.choice((0.01, 0.1)))

    async def _visit(self, person: Person, rate: float) -> None:
        town, dice = self._town, self._dice
        local = f"127.1.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        async with town.doors[self._game]:
            line = await people.line(town.addresses[self._game], local)
            town.watch.register(person, line.key)
        mind = player(self._game, person.name, dice, town)
        mind._writer = OddWriter(mind._writer, self._table, self._mutator, town, person, rate)
        try:
            await self._send(line, person, dice.choice(HEADS) if dice.random() < rate / 4 else HEADER)
            _begin(mind)
            silences = 0
            while silences < SILENCES_MAX and not mind._table.over and dice.random() > 0.002:
                for data in _taken(mind):
                    await self._send(line, person, data)
                try:
                    async with asyncio.timeout(SILENCE_S):
                        data = await line.read()
                except TimeoutError:
                    silences += 1
                    if dice.random() < rate:
                        await self._send(line, person, mind._writer.invented())
                    continue
                if not data:
                    return
                silences = 0
                self._hear(mind, data)
            town.watch.counts[f"visits: {person.way}"] += 1
        finally:
            if dice.random() < 0.5:
                line.cut()
            else:
                line.writer.close()

    def _hear(self, mind: Any, data: bytes) -> None:
        found = [text for text in spelled(data) if text.isalnum()]
        self._mutator.words.extend(text.decode() for text in self._dice.sample(found, min(len(found), 3)))
        try:
            mind.receive(data)
        except Exception:
            # By what its own mutants have brought about.
            self._town.watch.counts["confused minds"] += 1

    async def _send(self, line: people.Line, person: Person, data: bytes) -> None:
        """Mostly at once; else in pieces, byte by byte, or only half of it."""
        remember(person, data)
        match self._dice.choices(range(4), (90, 4, 2, 1))[0]:
            case 1:
                await self._pieces(line, data, self._dice.randrange(1, 50))
            case 2:
                await self._pieces(line, data[:400], 1)
                await line.raw(data[400:])
            case 3:
                await line.raw(data[: self._dice.randrange(len(data) + 1)])
                line.cut()
            case _:
                await line.raw(data)

    @staticmethod
    async def _pieces(line: people.Line, data: bytes, size: int) -> None:
        for at in range(0, len(data), size):
            await line.raw(data[at : at + size])
            await asyncio.sleep(0)


def remember(person: Person, data: bytes) -> None:
    """What was said, with all that may be a name in it, even one that two messages make together."""
    before = person.last[-1][1] if person.last else b""
    person.say(data)
    person.said.update(text.lower() for text in spelled(before + data))


def _begin(mind: Any) -> None:
    """The first words of each."""
    match mind:
        case eriantys.ObjectPlayer():
            mind.beat()
        case renaissance.Objects():
            mind.say("loginRequest", username=mind._name)
        case _:
            mind.login()


def _taken(mind: Any) -> list[bytes]:
    waiting: list[bytes] = mind.link.waiting
    mind.link.waiting = []
    return waiting


class RmiVisitor:
    """The same by remote calls, with an object of its own that is called back, or is not."""

    def __init__(self, town: Town, number: int) -> None:
        self._town = town
        self._dice = town.dice("rmi", number)
        self._mutator = Mutator(self._dice)

    async def live(self) -> None:
        """For ever."""
        while True:
            person = Person(self._town.name(), "rmi")
            self._town.watch.people.append(person)
            client = Client()
            ended = (OSError, TimeoutError, asyncio.IncompleteReadError, AssertionError)
            try:
                with contextlib.suppress(*ended):
                    async with asyncio.timeout(20):
                        await self._visit(client, person, self._dice.choice(RATES))
            finally:
                client.leave()
            self._town.watch.people.remove(person)
            await asyncio.sleep(0.05)

    async def _visit(self, client: Client, person: Person, rate: float) -> None:
        town, dice = self._town, self._dice
        local = f"127.1.{dice.randrange(256)}.{dice.randrange(1, 255)}"
        await client.listen(local)
        client.hangs, client.fails = dice.random() < rate / 4, dice.random() < rate / 4
        async with town.doors["shelfie"]:
            host = dice.choice((local, "127.0.0.1", "192.0.2.1", ""))
            await client.come(town, host=host, address=local)
            town.watch.register(person, client.handler)
        mind = player("shelfie", person.name, dice, town)
        # Remote calls have a table of their own.
        mind._types = service.TABLE.types
        mind._writer = AnnotatedWriter(mind._writer, service.TABLE, self._mutator, town, person, rate)
        client.told = lambda item: mind.heard(mind._read(item))
        mind.login()
        silences = 0
        while silences < SILENCES_MAX and not mind._table.over:
            for data in _taken(mind):
                await self._call(client, person, data, rate)
            called = client.called_back
            await asyncio.sleep(SILENCE_S)
            if client.called_back == called:
                silences += 1
                if dice.random() < rate:
                    await self._call(client, person, mind._writer.invented(), 1.0)
        town.watch.counts["visits: rmi"] += 1

    async def _call(self, client: Client, person: Person, argument: bytes, rate: float) -> None:
        dice = self._dice
        target, operation, method = client.handler, rmi.METHOD, service.RECEIVE
        if dice.random() < rate / 4:
            self._town.watch.counts["odd: rmi"] += 1
            target = dice.choice((target, rmi.REGISTRY, rmi.LEASES, MINE, dice.randbytes(22)))
            known = [(rmi.METHOD, one) for one in service.METHODS]
            odd = (rmi.LOOKUP, rmi.DIRTY, rmi.CLEAN, *known, (dice.randrange(-2, 9), dice.randrange(2**64)))
            operation, method = dice.choice(odd)
        data = head(target, operation, method) + argument
        if dice.random() < rate / 8:
            self._town.watch.counts["odd: rmi"] += 1
            tricks = (
                self._mutator.garble(data)[:20_000],
                b"\x52" * 100,
                b"\x54" + bytes(14),
                b"\x99",
                data * 3,
            )
            data = dice.choice(tricks)
        remember(person, data)
        client.line.writer.write(data)
        async with asyncio.timeout(2):
            if not await client.line.reader.read(65_536):
                raise ConnectionResetError("the house has hung up")
