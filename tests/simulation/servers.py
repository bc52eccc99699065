"""Servers of NATS that exist only in a simulated loop. The real client library speaks to them, byte for byte.

They promise what real ones do: what is published is heard by who listens, unless a server dies or a line is
cut; what is stored is stored on a majority, but that may be said late or never, the silence of a new
leader's election comes first, without a majority nothing is answered, and who asks any replica may be told
what was true a while ago.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from tests.simulation.streams import Published, Refusal, Stream, Streams, direct, matches

from ludoteca.core import Dice

VERSION = "2.12.1"
API = "$JS.API."
DIRECT = "$JS.API.DIRECT.GET."
# What gates and halls say to each other.
BETWEEN = ("ludoteca-hall.", "ludoteca-gate.", "ludoteca-here.")
NOBODY = b"NATS/1.0 503\r\n\r\n"
# A leader that no other server can hear believes for so long that it is one.
BELIEVES_S = 5.0

Trace = Callable[[bytes], None]


class Pipe:
    """One direction: what goes in comes out later and in order, waits while the line is cut, and is gone
    with it."""

    def __init__(self, world: "Servers", passes: Callable[[], bool], arrive: Callable[[bytes], None]) -> None:
        self._world = world
        self._passes = passes
        self._arrive = arrive
        self._last = 0.0
        self._held: list[bytes] = []
        self.is_cut = False

    def send(self, data: bytes, more_s: float = 0.0) -> None:
        """Empty is the end."""
        loop = self._world.loop
        self._last = max(self._last + 1e-6, loop.time() + self._world.delay_s() + more_s)
        loop.call_at(self._last, self._come, data)

    def _come(self, data: bytes) -> None:
        self._held.append(data)
        self.release()

    def release(self) -> None:
        """What was held arrives, if it may."""
        while self._held and not self.is_cut and self._passes():
            self._arrive(self._held.pop(0))


class Listener:
    """A subscription."""

    __slots__ = ("at_most", "heard", "prefix", "queue", "sid", "subject")

    def __init__(self, subject: str, queue: str, sid: str) -> None:
        self.subject = subject
        self.queue = queue
        self.sid = sid
        self.at_most = 0
        self.heard = 0
        # Most wildcards stand at the end, for one token.
        self.prefix = subject[:-1] if subject.endswith(".*") and "*" not in subject[:-1] else ""

    def wants(self, subject: str) -> bool:
        """Whether what is published there is for this one."""
        if self.prefix:
            return subject.startswith(self.prefix) and "." not in subject[len(self.prefix) :]
        return subject == self.subject or (
            ("*" in self.subject or ">" in self.subject) and matches(self.subject, subject)
        )


class Plug(asyncio.Transport):
    """A client's end of a connection to a server."""

    def __init__(self, cable: "Cable", home: asyncio.AbstractEventLoop, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._cable = cable
        self._home = home
        self._protocol = protocol
        self._closing = False

    def hear(self, data: bytes) -> None:
        """Bytes of the server; empty is the end."""
        self._home.call_soon(self._heard, data)

    def _heard(self, data: bytes) -> None:
        if self._closing:
            return
        if data:
            self._protocol.data_received(data)
        elif self._cable.is_reset:
            self._end(ConnectionResetError())
        else:
            self._protocol.eof_received()

    def _end(self, error: Exception | None) -> None:
        if not self._closing:
            self._closing = True
            self._home.call_soon(self._protocol.connection_lost, error)

    def write(self, data: Any) -> None:
        """To the server."""
        if not self._closing and data:
            self._cable.into.send(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        """To the server."""
        self.write(b"".join(list_of_data))

    def close(self) -> None:
        """What was written still arrives."""
        if not self._closing:
            self._cable.into.send(b"")
            self._end(None)

    def abort(self) -> None:
        """At once."""
        self.close()

    def is_closing(self) -> bool:
        """Whether it is."""
        return self._closing

    def can_write_eof(self) -> bool:
        """As with TCP."""
        return False

    def get_write_buffer_size(self) -> int:
        """All is on its way."""
        return 0

    def is_reading(self) -> bool:
        """Always."""
        return not self._closing

    def pause_reading(self) -> None:
        """It has room for everything."""

    def resume_reading(self) -> None:
        """It has room for everything."""


class Cable:
    """One connection, as its server sees it."""

    def __init__(self, world: "Servers", who: str, number: int) -> None:
        self._world = world
        self.who = who
        self.number = number
        self.listeners: dict[str, Listener] = {}
        self.is_reset = False
        self.hears_itself = True
        self.plug: Plug | None = None
        self.into = Pipe(world, self._passes, self._received)
        self.out = Pipe(world, self._passes, self._tell)
        self._buffer = b""
        self._waits: tuple[str, str, int, int] | None = None

    def _passes(self) -> bool:
        return (self.who, self.number) not in self._world.cut

    def _tell(self, data: bytes) -> None:
        if self.plug is not None:
            self.plug.hear(data)

    def _received(self, data: bytes) -> None:
        """What a client says: lines, some of which have so many bytes behind them."""
        if not data:
            self.end()
            return
        self._buffer += data
        while True:
            if self._waits is not None:
                subject, reply, heads, size = self._waits
                if len(self._buffer) < size + 2:
                    return
                whole, self._buffer = self._buffer[:size], self._buffer[size + 2 :]
                self._waits = None
                self._world.publish(self, subject, reply, whole[:heads], whole[heads:])
                continue
            line, found, rest = self._buffer.partition(b"\r\n")
            if not found:
                return
            self._buffer = rest
            self._obey(line.decode().split())

    def _obey(self, words: list[str]) -> None:
        kind, *given = words
        match kind.upper():
            case "PUB":
                self._waits = (given[0], given[1] if len(given) > 2 else "", 0, int(given[-1]))
            case "HPUB":
                reply = given[1] if len(given) > 3 else ""
                self._waits = (given[0], reply, int(given[-2]), int(given[-1]))
            case "SUB":
                queue = given[1] if len(given) > 2 else ""
                self.listeners[given[-1]] = Listener(given[0], queue, given[-1])
            case "UNSUB":
                listener = self.listeners.get(given[0])
                if listener is not None and len(given) > 1:
                    listener.at_most = int(given[1])
                if listener is not None and listener.heard >= listener.at_most:
                    del self.listeners[given[0]]
            case "PING":
                self.out.send(b"PONG\r\n")
            case "CONNECT":
                self.hears_itself = json.loads(" ".join(given)).get("echo", True)
            case "PONG":
                pass
            case _:
                raise AssertionError(f"the model of NATS does not know {words}")

    def bring(self, listener: Listener, subject: str, reply: str, raw: bytes, data: bytes, far: bool) -> None:
        """Have a message told to whoever listens."""
        head = f"{'H' if raw else ''}MSG {subject} {listener.sid} {reply}".rstrip()
        size = f"{len(raw)} {len(raw) + len(data)}" if raw else f"{len(data)}"
        self.out.send(
            f"{head} {size}\r\n".encode() + raw + data + b"\r\n", self._world.delay_s() if far else 0
        )
        listener.heard += 1
        if listener.at_most and listener.heard >= listener.at_most:
            self.listeners.pop(listener.sid, None)

    def end(self) -> None:
        """It is gone, for the server."""
        self.listeners.clear()
        self.into.is_cut = True
        self._world.cables[self.number] = [one for one in self._world.cables[self.number] if one is not self]

    def break_off(self, *, reset: bool) -> None:
        """The server's process is gone: its client hears of that, if it hears anything."""
        self.end()
        self.is_reset = reset
        self.out.send(b"")


class Servers:
    """All of them. `met` counts what came about."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, dice: Dice, met: Callable[[str], None], count: int = 3
    ) -> None:
        self.loop = loop
        self._dice = dice
        self._met = met
        self.streams = Streams()
        self.cables: list[list[Cable]] = [[] for _ in range(count)]
        self.alive = [True] * count
        # By server that no other can reach: since when.
        self.apart: dict[int, float] = {}
        # Nothing passes between these clients and servers.
        self.cut: set[tuple[str, int]] = set()
        self.leader: int | None = 0
        self._term = 1
        # Who still believes to be the leader, what it knows, and until when.
        self._believer: tuple[int, float, float] | None = None
        self._committed_at = 0.0
        # Whether acknowledgements are late, or lost; and whether what nodes say to each other is lost.
        self.forgetful = self.lossy = False
        self._connections = 0

    @property
    def urls(self) -> list[str]:
        """Where they are."""
        return [f"nats://nats-{number}:4222" for number in range(len(self.alive))]

    def delay_s(self) -> float:
        """How long something takes from here to there."""
        return self._dice.below(800) / 1e6 if self._dice.below(100) else self._dice.below(50) / 1e3

    # Faults.

    def kill(self, number: int) -> None:
        """kill -9."""
        self.alive[number] = False
        for cable in list(self.cables[number]):
            cable.break_off(reset=bool(self._dice.below(2)))
        self._settle()

    def start(self, number: int) -> None:
        """Start it again."""
        self.alive[number] = True
        self._settle()

    def part(self, number: int) -> None:
        """No other server can reach it; its clients can."""
        self.apart.setdefault(number, self.loop.time())
        if number == self.leader:
            self._believer = (number, self.loop.time(), self.loop.time() + BELIEVES_S)
        self._settle()

    def join(self, number: int) -> None:
        """The others can reach it again."""
        self.apart.pop(number, None)
        if self._believer is not None and self._believer[0] == number:
            self._believer = None
        self._settle()

    def step_down(self) -> None:
        """The leader is another one from now on, after a silence."""
        self.leader = None
        self._settle()

    def sever(self, who: str, numbers: list[int]) -> None:
        """Nothing passes between a client and these servers."""
        self.cut |= {(who, number) for number in numbers}

    def mend(self, who: str) -> None:
        """All lines of a client stand again."""
        self.cut = {pair for pair in self.cut if pair[0] != who}
        for cables in self.cables:
            for cable in cables:
                if cable.who == who:
                    cable.into.release()
                    cable.out.release()

    def drop(self, who: str) -> None:
        """A client's process is gone."""
        for cables in self.cables:
            for cable in list(cables):
                if cable.who == who:
                    cable.end()
                    cable.out.is_cut = True

    def _majority(self) -> list[int]:
        found = [number for number, alive in enumerate(self.alive) if alive and number not in self.apart]
        return found if len(found) > len(self.alive) // 2 else []

    def _settle(self) -> None:
        """See whether there is a leader still, or whether there can be one."""
        able = self._majority()
        if self.leader is not None and self.leader not in able:
            self.leader = None
        if self.leader is None:
            self._term += 1
            for stream in self.streams.by_name.values():
                stream.forget_batches()
            if able:
                self.loop.call_later(0.5 + self._dice.below(5000) / 1000, self._elect, self._term)

    def _elect(self, term: int) -> None:
        able = self._majority()
        if term == self._term and able:
            self.leader = self._dice.choice(able)
            self._met("new leader")

    def _reaches(self, one: int, other: int) -> bool:
        return one == other or (self.alive[other] and one not in self.apart and other not in self.apart)

    # Connections.

    async def dial(
        self, who: str, host: str, factory: Callable[[], Any]
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Connect, in the loop that runs. Raises ConnectionRefusedError, or never comes to an end."""
        home = asyncio.get_running_loop()
        number = int(host.rpartition("-")[2])
        await asyncio.sleep(2 * self.delay_s())
        if (who, number) in self.cut:
            await home.create_future()
        if not self.alive[number]:
            raise ConnectionRefusedError(f"{host} is not there")
        protocol = factory()
        cable = Cable(self, who, number)
        cable.plug = Plug(cable, home, protocol)
        self.cables[number].append(cable)
        self._connections += 1
        info = {
            "server_id": f"N{number}",
            "server_name": f"server-{number}",
            "version": VERSION,
            "proto": 1,
            "headers": True,
            "jetstream": True,
            "max_payload": 1 << 20,
            "client_id": self._connections,
        }
        cable.out.send(b"INFO " + json.dumps(info).encode() + b"\r\n")
        protocol.connection_made(cable.plug)
        return cable.plug, protocol

    # Messages.

    def publish(self, cable: Cable, subject: str, reply: str, raw: bytes, data: bytes) -> None:
        """A client of a server says something."""
        number = cable.number
        if subject.startswith(DIRECT):
            self._read(number, subject.removeprefix(DIRECT), reply, data)
        elif subject.startswith(API):
            self._ask(number, subject.removeprefix(API), reply, data)
        elif self.lossy and subject.startswith(BETWEEN) and not self._dice.below(25):
            # Nothing is promised of what is not stored.
            self._met("lost between nodes")
        else:
            deaf = None if cable.hears_itself else cable
            heard = self._route(number, subject, reply, raw, data, deaf)
            stream = self.streams.taking(subject)
            if stream is not None:
                self._keep(number, stream, Published(subject, raw, _headers(raw), data), reply)
            elif not heard and reply:
                self._route(number, reply, "", NOBODY, b"")

    def say(self, subject: str, reply: str, data: bytes) -> None:
        """Somebody says something who is no node."""
        number = next((number for number, alive in enumerate(self.alive) if alive), None)
        if number is not None:
            self._route(number, subject, reply, b"", data)

    def _route(
        self, number: int, subject: str, reply: str, raw: bytes, data: bytes, deaf: Cable | None = None
    ) -> int:
        """Tell everybody who listens and can be reached, but for who does not hear itself; how many that
        are."""
        heard = 0
        groups: dict[str, list[tuple[Cable, Listener]]] = {}
        for other, cables in enumerate(self.cables):
            if not self._reaches(number, other):
                continue
            for cable in cables:
                for listener in list(cable.listeners.values()):
                    if cable is deaf or not listener.wants(subject):
                        continue
                    heard += 1
                    if listener.queue:
                        groups.setdefault(listener.queue, []).append((cable, listener))
                    else:
                        cable.bring(listener, subject, reply, raw, data, other != number)
        for group in groups.values():
            cable, listener = self._dice.choice(group)
            cable.bring(listener, subject, reply, raw, data, cable.number != number)
        return heard

    # What is stored.

    def _leads(self, number: int, reply: str) -> bool:
        """Whether there is a leader that this server's clients can reach; where it is known that there is
        none, it may be said at once, or not at all."""
        if self.leader is not None and self._reaches(number, self.leader):
            return True
        if reply and self._dice.below(2):
            self._route(number, reply, "", NOBODY, b"")
        return False

    def _keep(self, number: int, stream: Stream, what: Published, reply: str) -> None:
        if not self._leads(number, reply):
            return
        try:
            parts = stream.gather(what, self.loop.time())
        except Refusal as refusal:
            self._answer(number, reply, refusal.said)
            return
        if parts:
            self._propose(number, lambda: stream.publish(parts, self.loop.time()), reply)

    def _propose(self, number: int, change: Callable[[], dict[str, Any]], reply: str) -> None:
        """The leader has it; when a majority has it, it is so."""
        took_s = (500 + self._dice.below(3000)) / 1e6
        if self.forgetful and not self._dice.below(40):
            self._met("stored late")
            took_s = self._dice.below(4000) / 1e3
        self._committed_at = max(self._committed_at + 1e-6, self.loop.time() + took_s)
        self.loop.call_at(self._committed_at, self._commit, self._term, number, change, reply)

    def _commit(self, term: int, number: int, change: Callable[[], dict[str, Any]], reply: str) -> None:
        if term != self._term:
            # The leader was lost meanwhile: perhaps others had it already. Nobody says so.
            landed = bool(self._dice.below(2))
            self._met("stored, and nobody said so" if landed else "lost with a leader")
            if not landed:
                return
            reply = ""
        try:
            said = change()
        except Refusal as refusal:
            said = refusal.said
        if self.forgetful and not self._dice.below(30):
            self._met("stored, and nobody said so")
            return
        self._answer(number, reply, said)

    def _answer(self, number: int, reply: str, said: dict[str, Any]) -> None:
        if reply:
            self._route(number, reply, "", b"", json.dumps(said).encode())

    def _ask(self, number: int, call: str, reply: str, data: bytes) -> None:
        at = self.loop.time()
        if self._believer is not None and self._believer[0] == number and at < self._believer[2]:
            if call.startswith(("STREAM.INFO", "STREAM.MSG.GET")):
                self._met("told by who leads no more")
                self._say(number, call, reply, data, self._believer[1])
            return
        if not self._leads(number, reply):
            return
        if call.startswith(("STREAM.CREATE", "STREAM.PURGE")):
            self._propose(number, lambda: self.streams.answer(call, data, self.loop.time()), reply)
        else:
            self._say(number, call, reply, data, at)

    def _say(self, number: int, call: str, reply: str, data: bytes, at: float) -> None:
        try:
            said = self.streams.answer(call, data, at)
        except Refusal as refusal:
            said = refusal.said
        self._answer(number, reply, said)

    def _read(self, number: int, asked: str, reply: str, data: bytes) -> None:
        """Any replica answers, of what it has by now."""
        name, _, subject = asked.partition(".")
        stream = self.streams.by_name.get(name)
        able = [other for other, alive in enumerate(self.alive) if alive and self._reaches(number, other)]
        if stream is None:
            self._route(number, reply, "", NOBODY, b"")
            return
        other = self._dice.choice(able)
        at = self.apart.get(other, self.loop.time())
        if self.forgetful and not self._dice.below(10):
            self._met("read what was")
            at -= self._dice.below(1500) / 1e3
        for raw, found in direct(stream, subject, data, at):
            self._route(number, reply, "", raw, found)


def _headers(raw: bytes) -> dict[str, str]:
    found = {}
    for line in raw.decode().split("\r\n")[1:]:
        key, colon, value = line.partition(":")
        if colon:
            found[key.strip()] = value.strip()
    return found
