"""Honest people for tests with real sockets: minds that play through a protocol, and the
lines that carry them.

    line = await people.line(server.addresses["house"], "127.0.0.2")
    mind = people.OwnMind("santorini", "Ada", random.Random(1))
    await people.attend(line, mind)

A mind does no I/O: bytes in, bytes out, an alarm. So it can be tested, timed and (by the fuzzer) garbled
on its way out.
"""

import asyncio
import base64
import contextlib
import json
import random
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from ludoteca import games

PATIENCE_S = 30.0
CONNECT_S = 20.0
# Who has not found their partner after this time sits with strangers who do not begin.
FIND_S = 5.0
# Answers that only lead to the next part of a question before anything is said.
PARTS_MAX = 64

Address = tuple[str, int]


class Stalled(AssertionError):
    """The house owes an answer and does not give it."""


# Lines.


class Line:
    """Lines over TCP. `key` is the address that the house sees us under."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.key: Address = writer.get_extra_info("sockname")[:2]

    async def send(self, data: bytes) -> None:
        """Send whole lines."""
        await self.raw(data)

    async def raw(self, data: bytes) -> None:
        """Send these very bytes."""
        if self.writer.is_closing():
            raise ConnectionResetError("we have hung up ourselves")
        try:
            self.writer.write(data)
        except RuntimeError as error:
            # How uvloop says that the other side is gone.
            raise ConnectionResetError(str(error)) from None
        await self.writer.drain()

    async def read(self) -> bytes:
        """Whatever comes next, b"" at the end."""
        return await self.reader.read(65536)

    def cut(self) -> None:
        """Hang up without a word."""
        self.writer.transport.abort()


class Socket(Line):
    """The same lines as messages of a WebSocket (RFC 6455)."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(reader, writer)
        self._rest = b""

    async def shake(self, path: str, host: str) -> None:
        """Ask for the WebSocket. Raises ConnectionError."""
        key = base64.b64encode(b"0123456789abcdef").decode()
        await self.raw(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        try:
            head = await self.reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            raise ConnectionError("no WebSocket") from None
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise ConnectionError(head.partition(b"\r\n")[0].decode(errors="replace"))

    async def send(self, data: bytes) -> None:
        """Every line is a message."""
        await self.raw(b"".join(frame(line) for line in data.removesuffix(b"\n").split(b"\n") if data))

    async def read(self) -> bytes:
        """The text messages that are complete, as lines."""
        while True:
            text, self._rest, closed = unframe(self._rest)
            if text or closed:
                return text
            data = await self.reader.read(65536)
            if not data:
                return b""
            self._rest += data


def frame(payload: bytes, code: int = 0x81) -> bytes:
    """One frame from a client. A mask of zeros is a mask, and leaves the text as it is."""
    size = len(payload)
    if size < 126:
        head = bytes((code, 0x80 | size))
    elif size < 65536:
        head = bytes((code, 0xFE)) + size.to_bytes(2, "big")
    else:
        head = bytes((code, 0xFF)) + size.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


def unframe(data: bytes) -> tuple[bytes, bytes, bool]:
    """The texts in these frames of a server as lines, what is left over, and whether the
    end was among them."""
    lines, at = b"", 0
    while len(data) >= at + 2:
        size, start = data[at + 1], at + 2
        wide = {126: 2, 127: 8}.get(size, 0)
        if wide:
            start += wide
            if len(data) < start:
                break
            size = int.from_bytes(data[at + 2 : start], "big")
        if len(data) < start + size:
            break
        if data[at] == 0x88:
            return lines, b"", True
        if data[at] == 0x81:
            lines += data[start : start + size] + b"\n"
        at = start + size
    return lines, data[at:], False


async def line(address: Address, local: str = "", path: str = "") -> Line:
    """A line from one of this machine's own addresses; with a path, a WebSocket."""
    async with asyncio.timeout(CONNECT_S):
        source = (local, 0) if local else None
        ends = await asyncio.open_connection(*address, limit=1 << 22, local_addr=source)
        if not path:
            return Line(*ends)
        socket = Socket(*ends)
        try:
            await socket.shake(path, f"{address[0]}:{address[1]}")
        except BaseException:
            # The loop would keep it open for ever: nobody else knows of it.
            socket.cut()
            raise
        return socket


# Minds.


class OwnMind:
    """Plays any game through Ludoteca's own protocol by picking one of the options it is asked about.

    Opens a table, or sits down at `table`. `seated` is told the table's id.
    """

    def __init__(
        self,
        game: str,
        name: str,
        dice: random.Random,
        *,
        table: str = "",
        options: dict[str, Any] | None = None,
        terms: dict[str, Any] | None = None,
        seats: int = 2,
        options_max: int = 64,
    ) -> None:
        self.game = game
        self.name = name
        self.dice = dice
        self.over = False
        self.alarm: float | None = None
        self.table = table
        self.token = ""
        self.number = 0
        self.question: dict[str, Any] = {}
        self.outcome: dict[str, Any] = {}
        # Every action that went out, for whoever wants to compare it with the journal.
        self.acted: list[Any] = []
        self.declined: list[dict[str, Any]] = []
        self.seated: asyncio.Future[str] | None = None
        self._opening = {
            "type": "open",
            "game": game,
            "seats": seats,
            "terms": {"private": True, **(terms or {})},
        }
        if options is not None:
            self._opening["options"] = options
        self._hello: dict[str, Any] = {"type": "hello", "name": name, "options_max": options_max}
        self._rest = b""

    def open(self, now: float) -> bytes:
        """Say who we are, or come back."""
        if self.token:
            back = {"type": "return", "token": self.token, "since": self.number}
            return encode({**back, "options_max": self._hello["options_max"]})
        return encode(self._hello)

    def hear(self, data: bytes, now: float) -> bytes:
        """Lines, each of them JSON."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        return b"".join(self._answer(json.loads(line)) for line in lines)

    def tick(self, now: float) -> bytes:
        """No alarms."""
        self.alarm = None
        return b""

    def _answer(self, message: dict[str, Any]) -> bytes:
        match message["type"]:
            case "welcome":
                if self.token:
                    return b""
                return encode({"type": "sit", "table": self.table} if self.table else self._opening)
            case "seated":
                self.table, self.token = message["table"]["id"], message["token"] or self.token
                if self.seated is not None and not self.seated.done():
                    self.seated.set_result(self.table)
            case "view" | "events":
                self.number = max(self.number, message["number"])
            case "question":
                self.question = message
                return self.ask_or_act(message)
            case "options" if message["options"]:
                return self._act(message["options"][0])
            case "declined":
                self.declined.append(message)
            case "over":
                self.over, self.outcome = True, message
            case "gone":
                self.over = True
        return b""

    def ask_or_act(self, question: dict[str, Any]) -> bytes:
        """Pick an option; of a list that was too long to be sent, ask for one."""
        if "options" in question:
            return self._act(self.dice.choice(question["options"]))
        return encode({"type": "options", "start": self.dice.randrange(question["count"]), "count": 1})

    def _act(self, action: Any) -> bytes:
        self.acted.append(action)
        return encode({"type": "act", "action": action, "at": self.question.get("number", 0)})


class SeedMind:
    """Plays a game through the protocol of its seed with the game's own client, at a table of two.

    Where the protocol lets one choose a table, it joins the one that `host` has opened, or opens its own.
    """

    def __init__(self, game: str, name: str, dice: random.Random, *, host: str = "") -> None:
        self.game = game
        self.dice = dice
        self._caller = games.load_client(game)(name)
        self.host = host
        self._rest = b""

    @property
    def name(self) -> str:
        """The name, which the protocol may have changed."""
        return str(self._caller.nickname)  # type: ignore[attr-defined]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self._caller.over

    @property
    def alarm(self) -> float | None:
        """When to tick."""
        return self._caller.alarm

    @property
    def players(self) -> tuple[str, ...]:
        """Who is at the table, once there is a board."""
        return self._caller.players if self._caller.picture else ()

    def open(self, now: float) -> bytes:
        """Connected."""
        return self._caller.open(now)

    def hear(self, data: bytes, now: float) -> bytes:
        """Whole lines go to the client, which must understand every one of them."""
        data = self._rest + data
        cut = data.rfind(b"\n") + 1
        data, self._rest = data[:cut], data[cut:]
        if self.game != "multisweeper":
            for text in data.splitlines() if data.isascii() else data.split(b"\n")[:-1]:
                json.loads(text)
        answer = self._caller.receive(data, now)
        senseless = [text for text in self._caller.news if "makes no sense" in text]
        assert not senseless, senseless
        self._caller.news.clear()
        return answer + self._move()

    def tick(self, now: float) -> bytes:
        """A sign of life."""
        return self._caller.tick(now)

    def _move(self) -> bytes:
        """Answer whatever is asked, up to the point where something is said."""
        caller = self._caller
        for _ in range(PARTS_MAX):
            if not caller.answers:
                return b""
            data = caller.answer(self.dice.choice(caller.answers if caller.picture else self._sensible()))
            if data:
                return data
        raise AssertionError(f"{caller.sentence!r} has no answer")

    def _sensible(self) -> list[str]:
        """Answers that lead to a table of two: the second joins what the first has opened."""
        answers = list(self._caller.answers)
        wanted = [rf"^join {self.host}-", r"^look again$"] if self.host else []
        found = ([one for one in answers if re.search(word, one)] for word in (*wanted, r"\b2\b"))
        return next(filter(None, found), answers)


Mind = OwnMind | SeedMind


def encode(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


# Both together.


class Pace:
    """How an evening goes: the time people think, who has begun, and how long the house let them wait."""

    def __init__(self, think_s: float = 0.0, begun: Callable[[], None] | None = None) -> None:
        self.think_s = think_s
        self.begun = begun or (lambda: None)
        self.waits_s: list[float] = []
        # The last words of all of them, in case that they are.
        self._words: deque[tuple[float, str, str, bytes]] = deque(maxlen=30)

    def note(self, name: str, verb: str, data: bytes) -> None:
        """Remember what was said or heard, but for signs of life."""
        if not re.search(rb'^{"type":"(ping|pong|Heartbeat|PingMessage|PongMessage)"}$', data):
            self._words.append((time.monotonic(), name, verb, data))

    def words(self, now: float | None = None) -> str:
        """The last of it, for people: how long ago, or since a moment that is named."""
        now = time.monotonic() if now is None else now
        return "\n".join(
            f"  {now - at:.3f} s ago {name} {verb} {data[-300:]!r}" for at, name, verb, data in self._words
        )


async def attend(link: Line, mind: Mind, pace: Pace | None = None, patience_s: float = PATIENCE_S) -> None:
    """Let a mind play through a line until it is over or the house hangs up. Raises Stalled."""
    pace = pace or Pace()
    await link.send(mind.open(time.time()))
    heard_at = said_at = time.monotonic()
    while not mind.over:
        until = heard_at + patience_s - time.monotonic()
        if mind.alarm is not None:
            until = min(until, mind.alarm - time.time())
        try:
            async with asyncio.timeout(max(0.0, until)):
                data = await link.read()
        except TimeoutError:
            if time.monotonic() - heard_at >= patience_s:
                raise Stalled(f"{mind.name} has heard nothing for {patience_s:.0f} s") from None
            if mind.alarm is not None and mind.alarm <= time.time():
                await link.send(mind.tick(time.time()))
            continue
        if not data:
            return
        heard_at = time.monotonic()
        pace.note(mind.name, "heard", data)
        if said_at:
            pace.waits_s.append(heard_at - said_at)
            said_at = 0.0
        answer = mind.hear(data, time.time())
        if answer:
            await asyncio.sleep(pace.think_s)
            said_at = time.monotonic()
            pace.note(mind.name, "said", answer)
            await link.send(answer)


Where = Callable[[], Awaitable[Line]]


async def own_table(where: Where, first: OwnMind, second: OwnMind, pace: Pace | None = None) -> None:
    """Two people play to the end at a private table of their own. Raises Stalled, ConnectionError."""
    pace = pace or Pace()
    lines: list[Line] = []
    tasks: list[asyncio.Task[None]] = []
    loop = asyncio.get_running_loop()
    try:
        for mind in (first, second):
            mind.seated = loop.create_future()
            lines.append(await where())
            tasks.append(asyncio.create_task(attend(lines[-1], mind, pace)))
            waiting: list[asyncio.Future[Any]] = [*tasks, mind.seated]
            await asyncio.wait(waiting, timeout=PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
            if not mind.seated.done():
                raise Stalled(f"{mind.name} was not seated: {mind.declined}")
            second.table = first.table
        pace.begun()
        await asyncio.gather(*tasks)
        _must_be_over(first, second)
    finally:
        await _part(lines, tasks)


async def seed_table(
    where: Where,
    first: SeedMind,
    second: SeedMind,
    pace: Pace | None = None,
    door: contextlib.AbstractAsyncContextManager[Any] | None = None,
) -> bool:
    """Two people of a seed's protocol play with each other to the end; False when a stranger
    sat down with them.

    The `door` is theirs until both have found each other. Raises Stalled, ConnectionError.
    """
    pace = pace or Pace()
    lines: list[Line] = []
    tasks: list[asyncio.Task[None]] = []
    minds = (first, second)
    try:
        async with door or contextlib.nullcontext():
            for mind in minds:
                lines.append(await where())
                tasks.append(asyncio.create_task(attend(lines[-1], mind, pace)))
                # Who comes second must not be first.
                await asyncio.sleep(0.05)
            found_by = time.monotonic() + FIND_S + 10 * pace.think_s
            while not all(mind.players for mind in minds) and not any(task.done() for task in tasks):
                await asyncio.sleep(0.02)
                if time.monotonic() > found_by:
                    return False
        pace.begun()
        while not all(task.done() for task in tasks):
            if _strangers(*minds):
                return False
            await asyncio.wait(tasks, timeout=0.2, return_when=asyncio.FIRST_EXCEPTION)
            for task in tasks:
                if task.done():
                    task.result()
        if any(set(mind.players) != {first.name, second.name} for mind in minds):
            return False
        _must_be_over(first, second)
        return True
    finally:
        await _part(lines, tasks)


def _strangers(*minds: SeedMind) -> set[str]:
    """Who else is at the tables that these people see."""
    return {name for mind in minds for name in mind.players} - {mind.name for mind in minds}


def _must_be_over(*minds: Mind) -> None:
    for mind in minds:
        if not mind.over:
            raise ConnectionError(f"the house hung up on {mind.name}, who is honest")


async def _part(lines: list[Line], tasks: "list[asyncio.Task[None]]") -> None:
    for task in tasks:
        task.cancel()
    try:
        await asyncio.gather(*tasks, return_exceptions=True)
    finally:
        # Also of somebody who is cancelled once more meanwhile.
        for one in lines:
            one.cut()
