"""Guests who play real matches over lines and WebSockets, and every now and then say something odd."""

import asyncio
import contextlib
import json
import random
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from tests import people
from tests.fuzz.mutate import Mutator, Protocol
from tests.fuzz.watch import Person, Watch

from ludoteca import games

# How long a guest waits for the house before it says something unasked.
SILENCE_S = 0.08
SILENCES_MAX = 8
# What is longer is not said again.
REMEMBERED_BYTES_MAX = 5000
# The share of what is said that is odd: shy guests get deep into a match, bold ones do not get far.
RATES = (0.01, 0.03, 0.1, 0.3, 0.8)


class Town:
    """What all guests of one run share."""

    def __init__(self, seed: int, addresses: dict[str, people.Address], watch: Watch) -> None:
        self.seed = seed
        self.addresses = addresses
        self.watch = watch
        # Open for everybody but while honest people of a game find each other.
        self.doors: dict[str, asyncio.Lock] = {game: asyncio.Lock() for game in games.names()}
        # Tables of Ludoteca's own protocol with a free chair, and lines of all protocols for
        # whoever speaks another.
        self.tables: deque[tuple[str, str]] = deque(maxlen=8)
        self.lines: deque[bytes] = deque(maxlen=200)
        # Games of Eriantys that were opened in Java.
        self.labels: deque[str] = deque(maxlen=8)
        self._numbers = 0

    def dice(self, *words: object) -> random.Random:
        """Chance for one purpose, the same in every run of this seed."""
        return random.Random(f"{self.seed} {' '.join(map(str, words))}")

    def name(self) -> str:
        """A name that nobody has had, in letters only and not short: some protocols take nothing else."""
        self._numbers += 1
        return "".join(chr(ord("a") + self._numbers // 26**place % 26) for place in range(6))


class Mouth:
    """Says what a mind wants said, but not always so, and not always in one piece."""

    def __init__(
        self, line: people.Line, protocol: Protocol, mutator: Mutator, town: Town, person: Person, rate: float
    ) -> None:
        self._line = line
        self._protocol = protocol
        self._mutator = mutator
        self._dice = mutator.dice
        self._town = town
        self._person = person
        self._rate = rate
        self._held = b""

    async def say(self, data: bytes) -> None:
        """Some lines; each of them may become another. Raises ConnectionError."""
        out = self._held
        self._held = b""
        for line in data.splitlines():
            if self._dice.random() < self._rate:
                self._town.watch.counts[f"odd: {self._person.way}"] += 1
                out += self._odd(line)
            else:
                out += line + b"\n"
            if len(line) < REMEMBERED_BYTES_MAX:
                self._mutator.said.append(line)
                if self._dice.random() < 0.02 and b"token" not in line:
                    self._town.lines.append(line)
        if out and self._dice.random() < 0.02:
            self._held = out
            return
        await self._send(out)

    async def improvise(self) -> None:
        """Say something that nobody has asked for."""
        self._town.watch.counts[f"odd: {self._person.way}"] += 1
        made = self._protocol.invent(self._mutator)
        if self._dice.random() < self._rate:
            made = self._protocol.mutate(self._mutator, made[:-1])
        await self._send(self._held + made)
        self._held = b""

    def _odd(self, line: bytes) -> bytes:
        dice, mutator = self._dice, self._mutator
        match dice.choices(range(7), (12, 4, 2, 1, 1, 1, 0.3))[0]:
            case 0:
                return self._protocol.mutate(mutator, line)
            case 1:
                return self._protocol.invent(mutator) + line + b"\n"
            case 2 if mutator.said:
                return dice.choice(mutator.said) + b"\n"
            case 3:
                return b""
            case 4:
                return (line + b"\n") * dice.choice((2, 3))
            case 5 if self._town.lines:
                return dice.choice(self._town.lines) + b"\n"
            case _:
                return (dice.choice((line, b"", b"{}", b"x")) + b"\n") * dice.choice((20, 100, 300))

    async def _send(self, data: bytes) -> None:
        """Mostly at once; else in pieces, byte by byte, or only half of it."""
        if not data:
            return
        self._person.say(data)
        dice = self._dice
        match dice.choices(range(5), (90, 4, 2, 1, 3))[0]:
            case 1:
                await self._pieces(data, dice.randrange(1, 50))
            case 2:
                await self._pieces(data[:400], 1)
                await self._line.raw(data[400:] if not isinstance(self._line, people.Socket) else b"")
            case 3:
                await self._line.raw(data[: dice.randrange(len(data))])
                self._line.cut()
            case 4 if isinstance(self._line, people.Socket):
                await self._line.raw(frames(dice, data))
            case _:
                await self._line.send(data)

    async def _pieces(self, data: bytes, size: int) -> None:
        if isinstance(self._line, people.Socket):
            data = b"".join(map(people.frame, data.splitlines()))
        for at in range(0, len(data), size):
            await self._line.raw(data[at : at + size])
            await asyncio.sleep(0)


def frames(dice: random.Random, data: bytes) -> bytes:
    """A message as frames that are unusual, or wrong."""
    text = data.removesuffix(b"\n")
    half = len(text) // 2
    match dice.randrange(9):
        case 0:  # In fragments, with a ping in between.
            return (
                people.frame(text[:half], 0x01) + people.frame(b"hi", 0x89) + people.frame(text[half:], 0x80)
            )
        case 1:  # Hundreds of fragments.
            return people.frame(b"", 0x01) + people.frame(b"", 0x00) * 300 + people.frame(text, 0x80)
        case 2:
            return people.frame(text, 0x82)
        case 3:  # A continuation of nothing.
            return people.frame(text, 0x80)
        case 4:
            return people.frame(text, dice.choice((0x83, 0x8B, 0xC1, 0xF1, 0x09, 0x0A)))
        case 5:  # Not masked.
            return bytes((0x81, min(len(text), 125))) + text[:125]
        case 6:  # More is promised than any message may hold.
            return (
                bytes((0x81, 0xFF)) + dice.choice((1 << 20, 1 << 40, (1 << 64) - 1)).to_bytes(8, "big") + text
            )
        case 7:
            return people.frame(b"\xff\xfe" + text)
        case _:
            return people.frame(dice.choice((b"", b"\x03\xe8", b"\0", b"\xff\xffbye")), 0x88)


class Visitor:
    """One after the other: a person comes through one way, plays, and goes; sometimes it comes back."""

    def __init__(self, town: Town, way: str, game: str, number: int) -> None:
        self._town = town
        self._way = way
        self._game = game
        self._dice = town.dice(way, game, number)
        self._mutator = Mutator(self._dice)
        own = way in ("house", "ws")
        self._protocol = Protocol("house" if own else game, game)
        self._path = {"ws": "/ws", "seed-ws": f"/ws/{game}"}.get(way, "")
        self._listener = {"house": "house", "seed": game}.get(way, "http")
        self._make: Callable[[str], people.Mind] = self._own if own else self._seed

    async def live(self) -> None:
        """For ever."""
        while True:
            person = Person(self._town.name(), f"{self._way} {self._game}")
            self._town.watch.people.append(person)
            self._mutator.said.clear()
            rate = self._dice.choice(RATES)
            mind = self._make(person.name)
            local = f"127.1.{self._dice.randrange(256)}.{self._dice.randrange(1, 255)}"
            for _ in range(self._dice.choice((1, 1, 2, 3))):
                with contextlib.suppress(OSError, TimeoutError):
                    await self._visit(person, mind, local, rate)
                if isinstance(mind, people.OwnMind):
                    mind.over = False
                else:
                    mind = self._make(person.name)
                await asyncio.sleep(self._dice.choice((0.0, 0.01, 0.1)))
            self._town.watch.people.remove(person)

    def _own(self, name: str) -> people.Mind:
        """Sits down at the table of another such guest, if there is one of this game."""
        dice = self._dice
        found = [entry for entry in self._town.tables if entry[0] == self._game]
        table = ""
        if found and dice.random() < 0.7:
            entry = dice.choice(found)
            self._town.tables.remove(entry)
            table = entry[1]
        absence = dice.choice(("wait", "end", "bot"))
        terms = {
            "absence": absence,
            "grace_s": dice.choice((0, 0.1, 1, 5)),
            "move_s": dice.choice((0, 0, 0, 1)),
        }
        return people.OwnMind(
            self._game,
            name,
            dice,
            table=table,
            terms=terms,
            seats=dice.choice((2, 2, 2, 3)),
            options_max=dice.choice((0, 64, 1000)),
        )

    def _seed(self, name: str) -> people.Mind:
        return people.SeedMind(self._game, name, self._dice)

    async def _visit(self, person: Person, mind: people.Mind, local: str, rate: float) -> None:
        town = self._town
        async with town.doors[self._game]:
            line = await people.line(town.addresses[self._listener], local, self._path)
            town.watch.register(person, line.key)
        mouth = Mouth(line, self._protocol, self._mutator, town, person, rate)
        offered = False
        try:
            await mouth.say(mind.open(time.time()))
            silences = 0
            while silences < SILENCES_MAX and not mind.over and self._dice.random() > 0.002:
                try:
                    async with asyncio.timeout(SILENCE_S):
                        data = await line.read()
                except TimeoutError:
                    if mind.alarm is not None and mind.alarm <= time.time():
                        await mouth.say(mind.tick(time.time()))
                    else:
                        silences += 1
                        await mouth.improvise()
                    continue
                if not data:
                    return
                silences = 0
                self._mutator.learn(data)
                await mouth.say(self._answer(mind, data))
                if isinstance(mind, people.OwnMind) and mind.table and not mind.question and not offered:
                    offered = True
                    if self._dice.random() < 0.5:
                        town.tables.append((self._game, mind.table))
                    else:
                        await mouth.say(b'{"type":"bot","level":"random"}\n' * self._dice.choice((1, 1, 2)))
            for _ in range(self._dice.choice((0, 1, 3))):
                await mouth.improvise()
            town.watch.counts[f"visits: {person.way}"] += 1
        finally:
            if self._dice.random() < 0.5:
                line.cut()
            else:
                line.writer.close()

    def _answer(self, mind: people.Mind, data: bytes) -> bytes:
        """A mind may be confused by what its own mutants have brought about."""
        try:
            return mind.hear(data, time.time())
        except Exception:
            self._town.watch.counts["confused minds"] += 1
            return b""


class Filler:
    """Fills up public tables that others have left half empty, so that honest people do not
    get stuck at them."""

    def __init__(self, town: Town) -> None:
        self._town = town

    async def live(self) -> None:
        """For ever."""
        while True:
            person = Person(self._town.name(), "filler")
            with contextlib.suppress(OSError, TimeoutError, ValueError, KeyError):
                line = await people.line(self._town.addresses["house"], "127.1.255.254")
                self._town.watch.register(person, line.key)
                try:
                    await self._fill(line, person)
                finally:
                    line.cut()
            await asyncio.sleep(0.2)

    async def _fill(self, line: people.Line, person: Person) -> None:
        await line.send(people.encode({"type": "hello", "name": person.name}))
        await line.send(people.encode({"type": "list"}))
        message: dict[str, Any] = {}
        async with asyncio.timeout(5):
            while message.get("type") != "tables":
                message = json.loads(await line.reader.readline())
        for table in [one for one in message["tables"] if one["phase"] == "open"][:3]:
            # Behind this door honest people of the game are not looking for each other.
            async with self._town.doors[table["game"]]:
                bots = [{"type": "bot", "level": "random"}] * len(table["chairs"])
                for one in ({"type": "sit", "table": table["id"]}, *bots, {"type": "leave"}):
                    await line.send(people.encode(one))
                await asyncio.sleep(0.05)
