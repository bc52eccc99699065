"""Connections to a server that is tried: what they say, hear and expect, and how lines are told apart."""

import asyncio
import contextlib
import json
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ludoteca.core.talk import Caller

if TYPE_CHECKING:
    from ludoteca.cli.conformance.kit import Kit

# What a connection said and heard last, for whoever has to find out why a check failed.
TALK_MAX = 12
TALK_LENGTH_MAX = 240
# What a check does not read waits; then the server does.
LINES_WAITING_MAX = 1000
# No match of the five games has a tenth of these lines.
MATCH_LINES_MAX = 50_000
# A server that has nothing to say for so long has nothing to say.
QUIET_S = 0.25

Message = dict[str, Any]


class Unmet(Exception):
    """The server does not do what the page says."""

    def __init__(self, expected: str, instead: str, talk: Iterable[str] = ()) -> None:
        super().__init__(f"{expected}: {instead}")
        self.expected = expected
        self.instead = instead
        self.talk = list(talk)


class Dialect(Protocol):
    """How a protocol's lines are told apart, and what they must look like."""

    # The messages of the server, and those that come by the clock and mean nothing.
    server: frozenset[str]
    client: frozenset[str]
    noise: frozenset[str]

    def name(self, line: bytes) -> str:
        """Which message this is, "" for none."""

    def fault(self, line: bytes) -> str:
        """What is wrong with the form of a server's line, "" for nothing."""

    def reply(self, line: bytes) -> bytes:
        """What every client says to this by itself: a pong, or nothing."""


class JsonDialect:
    """JSON lines whose `type` names the message, with the forms of the page as types."""

    def __init__(self, messages: tuple[Any, Any], noise: str = "", replies: Message | None = None) -> None:
        def tags(union: Any) -> frozenset[str]:
            return frozenset(str(kind.__struct_config__.tag) for kind in union.__args__)

        self.client, self.server = (tags(side) for side in messages)
        self.noise = frozenset(noise.split())
        # Numbers and truth values as strings are what one of the seeds itself shows.
        self._decoder = msgspec.json.Decoder(messages[1], strict=False)
        self._replies = replies or {}

    def name(self, line: bytes) -> str:
        """The field `type`."""
        try:
            message = json.loads(line)
        except ValueError:
            return ""
        found = message.get("type", "") if isinstance(message, dict) else ""
        return found if isinstance(found, str) else ""

    def fault(self, line: bytes) -> str:
        """Types that the page does not know are to be passed over; all others must fit."""
        name = self.name(line)
        if not name:
            return "it is no JSON object with a type"
        if name in self.server:
            try:
                self._decoder.decode(line)
            except msgspec.DecodeError as error:
                return str(error)
        return ""

    def reply(self, line: bytes) -> bytes:
        """A pong."""
        name = self.name(line)
        return encode({"type": self._replies[name]}) if name in self._replies else b""


def encode(message: Message | str | bytes) -> bytes:
    """One line."""
    if isinstance(message, bytes):
        return message
    return (message if isinstance(message, str) else json.dumps(message)).encode() + b"\n"


Prefer = Callable[[random.Random, tuple[str, ...]], str]


def by_chance(chance: random.Random, answers: tuple[str, ...]) -> str:
    """Join what there is, else open for two; then anything."""
    for answer in answers:
        if answer.startswith(("join ", "2 players", "open basic for 2")):
            return answer
    return chance.choice(answers)


class Peer:
    """One connection to the server."""

    def __init__(self, kit: "Kit", reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.kit = kit
        self.talk: deque[str] = deque(maxlen=TALK_MAX)
        self.pongs = True
        # As whom it came in, for checks that need to know.
        self.name = ""
        self._reader, self._writer = reader, writer
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue(LINES_WAITING_MAX)
        self._ended = False
        self._held: bytes | None = None
        self._beating: asyncio.TimerHandle | None = None
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await self._reader.readline():
                await self._hear(line.rstrip(b"\r\n"))
        self.talk.append("the server hung up")
        await self._lines.put(None)

    async def _hear(self, line: bytes) -> None:
        dialect = self.kit.suite.dialect
        name = dialect.name(line)
        self.kit.ledger.hear(name, line, dialect.fault(line))
        if name not in dialect.noise:
            self._note("server", line)
        if self.pongs and (reply := dialect.reply(line)):
            self.send(reply)
        if name not in dialect.noise or self.kit.hears_noise:
            await self._lines.put(line)
        # Also where lines are waiting: whoever floods us must not keep the clock from running.
        await asyncio.sleep(0)

    def _note(self, who: str, line: bytes) -> None:
        self.talk.append(f"{who}: {line.decode(errors='replace').rstrip()[:TALK_LENGTH_MAX]}")

    def send(self, *messages: Message | str | bytes) -> None:
        """Say something, in one packet where TCP allows."""
        for message in messages:
            line = encode(message)
            self.kit.ledger.say(self.kit.suite.dialect.name(line))
            if self.kit.suite.dialect.name(line) not in self.kit.suite.dialect.noise:
                self._note("we", line)
        data = b"".join(map(encode, messages))
        if self._held is not None:
            self._held += data
        elif not self._writer.is_closing():
            self._writer.write(data)

    async def send_in_bytes(self, *messages: Message | str | bytes) -> None:
        """Say something, each byte in a packet of its own; a pong that is due meanwhile waits."""
        self._held = b""
        for byte in b"".join(map(encode, messages)):
            self._writer.write(bytes([byte]))
            await asyncio.sleep(0)
        held, self._held = self._held, None
        self._writer.write(held)
        for message in messages:
            self.kit.ledger.say(self.kit.suite.dialect.name(encode(message)))
            self._note("we, byte by byte", encode(message))

    def beat(self, message: Message, every_s: float) -> None:
        """Say this again and again, as long as the connection stands."""
        if not self._writer.is_closing():
            self.send(message)
            self._beating = asyncio.get_running_loop().call_later(every_s, self.beat, message, every_s)

    async def line(self, within_s: float | None = None) -> bytes | None:
        """The next line, None at the end. Raises TimeoutError."""
        if self._ended:
            return None
        async with asyncio.timeout(self.kit.patience_s if within_s is None else within_s):
            await asyncio.sleep(0)
            found = await self._lines.get()
        self._ended = found is None
        return found

    async def expect(self, kind: str, why: str = "", /, **fields: Any) -> Message:
        """Read up to a message of this name with these fields. Raises Unmet when it does not come."""
        return await self._until((kind,), why, fields)

    async def expect_one(self, *names: str, why: str = "") -> Message:
        """Read up to a message of one of these names."""
        return await self._until(names, why, {})

    async def _until(self, names: tuple[str, ...], why: str, fields: Message) -> Message:
        wanted = " or ".join(f"`{name}`" for name in names)
        wanted += "".join(f" with {key} {json.dumps(value)}" for key, value in fields.items())
        wanted += f" {why}" if why else ""
        try:
            # Other messages do not make the server's time longer.
            async with asyncio.timeout(self.kit.patience_s):
                while (line := await self.line()) is not None:
                    if self.kit.suite.dialect.name(line) in names:
                        message = self._decode(line)
                        if all(_same(message.get(key), value) for key, value in fields.items()):
                            return message
        except TimeoutError:
            raise self.unmet(wanted, f"nothing of that kind within {self.kit.patience_s:g} s") from None
        raise self.unmet(wanted, "the server hung up")

    @staticmethod
    def _decode(line: bytes) -> Message:
        """A message; a line that is none, as it is."""
        with contextlib.suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict):
                return found
        return {"line": line.decode(errors="replace")}

    async def none_of(self, *names: str, why: str = "") -> None:
        """For a moment nothing of these names comes; of no name at all when none is given."""
        with contextlib.suppress(TimeoutError):
            until = time.monotonic() + QUIET_S
            while (line := await self.line(until - time.monotonic())) is not None:
                name = self.kit.suite.dialect.name(line)
                if not names or name in names:
                    raise self.unmet(f"no {' or '.join(names) or 'word'} {why}".rstrip(), f"`{name}` came")
            if not names:
                raise self.unmet(f"no word {why}".rstrip(), "the server hung up")

    async def closed(self, why: str = "") -> list[str]:
        """The server hangs up; the names of what it said before."""
        names = []
        try:
            async with asyncio.timeout(self.kit.patience_s):
                while (line := await self.line()) is not None:
                    names.append(self.kit.suite.dialect.name(line))
        except TimeoutError:
            wanted = f"the connection to be closed {why}".rstrip()
            raise self.unmet(wanted, f"it still stands after {self.kit.patience_s:g} s") from None
        return names

    def unmet(self, expected: str, instead: str) -> Unmet:
        """What to raise."""
        return Unmet(expected, instead, self.talk)

    def hang_up(self) -> None:
        """Close, as somebody who leaves."""
        if self._beating is not None:
            self._beating.cancel()
        self._reading.cancel()
        self._writer.close()


def _same(told: Any, wanted: Any) -> bool:
    """Whether a field has this value; truth and numbers may come as strings."""
    if told == wanted:
        return True
    return isinstance(told, str) and isinstance(wanted, bool | int) and told == json.dumps(wanted)


class Player(Peer):
    """A connection whose lines a client of ours answers; what it chooses is chance, or `prefer`'s wish."""

    def __init__(self, kit: "Kit", reader: Any, writer: Any, caller: Caller, prefer: "Prefer") -> None:
        super().__init__(kit, reader, writer)
        self.caller = caller
        self.decisions = 0
        self.heard: Counter[str] = Counter()
        self.last: dict[str, Message] = {}
        self._prefer = prefer

    async def play(self) -> None:
        """Until the match is over for us. Raises Unmet when nothing comes for too long."""
        caller = self.caller
        self._speak(caller.open(time.monotonic()))
        while not caller.over:
            pause = self.kit.patience_s
            if caller.alarm is not None:
                pause = min(pause, max(0.0, caller.alarm - time.monotonic()))
            try:
                line = await self.line(pause)
            except TimeoutError:
                if caller.alarm is None or caller.alarm > time.monotonic():
                    raise self.unmet("the match to go on", "nothing came any more") from None
                self._speak(caller.tick(time.monotonic()))
                continue
            if line is None:
                caller.close()
                return
            name = self.kit.suite.dialect.name(line)
            self.heard[name] += 1
            if self.heard.total() > MATCH_LINES_MAX:
                raise self.unmet("the match to come to an end", f"{MATCH_LINES_MAX} lines came")
            self.last[name] = self._decode(line)
            self._speak(caller.receive(line + b"\n", time.monotonic()))
            while caller.sentence and self._lines.empty() and not caller.over:
                self._speak(caller.answer(self._prefer(self.kit.chance, caller.answers)))
                self.decisions += 1

    def _speak(self, data: bytes) -> None:
        for line in data.splitlines(keepends=True):
            self.send(line)
