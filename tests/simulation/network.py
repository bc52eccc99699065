"""Connections that exist only in a simulated loop: bytes take their time, are cut anywhere or gathered, are
held up, lost with the line, or lost while both ends believe that it stands."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Protocol

from ludoteca.core import Dice

# A peer that has vanished without a word is noticed after so long (`Door` asks the kernel to look).
KEEPALIVE_S = 120.0
# So many bytes of what is said at once go one by one where they dribble.
DRIBBLED_MAX = 24
GATHER_S = 0.04


class Client(Protocol):
    """Who is at the other end of a connection to the house."""

    name: str

    def hear(self, data: bytes) -> None:
        """Bytes of the house, cut anywhere."""

    def hang_up(self) -> None:
        """The connection is gone."""


class Weather:
    """What the lines of one evening suffer. `kinds` are faults by name; `met` counts how often each came."""

    def __init__(self, kinds: frozenset[str], met: Counter[str]) -> None:
        self.kinds = kinds
        self.met = met

    def pieces(self, data: bytes, dice: Dice) -> list[bytes]:
        """What was sent at once as it arrives."""
        if len(data) < 2 or dice.below(4):
            return [data]
        if "dribble" in self.kinds and dice.below(2):
            self.met["dribble"] += 1
            first = dice.below(max(1, len(data) - DRIBBLED_MAX))
            last = min(len(data), first + DRIBBLED_MAX)
            single = [data[at : at + 1] for at in range(first, last)]
            return [piece for piece in (data[:first], *single, data[last:]) if piece]
        self.met["split"] += 1
        place = 1 + dice.below(len(data) - 1)
        return [data[:place], data[place:]]


class Way:
    """One direction: what goes in comes out later, in order, in pieces."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        dice: Dice,
        weather: Weather,
        arrive: Callable[[bytes | None], None],
        *,
        whole: bool = False,
    ) -> None:
        self._loop = loop
        self._dice = dice
        self._weather = weather
        self._arrive = arrive
        self._whole = whole
        self._last = 0.0
        self._cut = False
        self._gathered: list[bytes] = []
        self.held_until = 0.0
        self.under_way = 0
        # How much of that was sent while nothing was.
        self.first = 0

    def send(self, data: bytes) -> None:
        """Bytes go on their way; empty ones are the end."""
        if not self.under_way:
            self.first = len(data)
        self.under_way += len(data)
        if data and not self._whole and "gather" in self._weather.kinds:
            if not self._gathered:
                self._loop.call_later(GATHER_S, self._release)
            self._gathered.append(data)
            return
        self._release()
        self._go(data)

    def _release(self) -> None:
        """What has gathered arrives together."""
        if self._gathered:
            self._weather.met["gather"] += len(self._gathered) > 1
            data = b"".join(self._gathered)
            self._gathered.clear()
            self._go(data)

    def _go(self, data: bytes) -> None:
        for piece in [data] if self._whole else self._weather.pieces(data, self._dice):
            # Mostly some milliseconds, now and then a long while; never before what was sent before.
            delay_s = self._dice.below(4000) / 1e6 if self._dice.below(50) else self._dice.below(800) / 1e3
            # Not at the same time either: asyncio does not promise an order of timers that ring together.
            self._last = max(self._last + 1e-5, self._loop.time() + delay_s, self.held_until)
            self._loop.call_at(self._last, self._come, piece)

    def hold(self, seconds: float) -> None:
        """What is sent from now on arrives later, all of it together."""
        self.held_until = max(self.held_until, self._loop.time() + seconds)

    def cut(self) -> None:
        """What is under way never arrives."""
        self._cut = True

    def _come(self, data: bytes) -> None:
        self.under_way -= len(data)
        self.first -= min(self.first, len(data))
        if not self._cut:
            self._arrive(data or None)


class Wire(asyncio.Transport):
    """A connection, seen from the house as the transport it writes to, from a client as
    something to `send` with."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        dice: Dice,
        weather: Weather,
        trace: Callable[[bytes], None],
        address: str = "",
        home: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__({"peername": (address, 1)})
        self._loop = loop
        # Where the house is, if that is not here.
        self._home = home or loop
        self._trace = trace
        self._out = Way(loop, dice.fork(), weather, self._at_client)
        self._in = Way(loop, dice.fork(), weather, self._at_house)
        self._has_kernel = "small_outbox" in weather.kinds
        self._client: Client | None = None
        self._protocol: Any = None
        self._closing = False
        self._reading = True
        self._is_dead = False
        # Whether anything but the ordinary has ever been done to it.
        self.harmed = False
        self._unread: deque[bytes | None] = deque()

    def begin(self, client: Client) -> None:
        """The client's end is there, and may say something."""
        self._client = client

    def connect(self, protocol: asyncio.BaseProtocol, client: Client) -> None:
        """Both ends are there."""
        self._client, self._protocol = client, protocol
        protocol.connection_made(self)
        if self._home is not self._loop:
            self._read()

    # The client's end.

    def send(self, data: bytes) -> None:
        """The client says something."""
        if data and self._client is not None:
            self._in.send(data)

    def hold(self, seconds: float, *, out: bool = True, into: bool = True) -> None:
        """Nothing passes for a while: a partition, or a client that does not read."""
        self.harmed = True
        if out:
            self._out.hold(seconds)
        if into:
            self._in.hold(seconds)

    def vanish(self) -> None:
        """Half open: nothing passes any more, and nobody is told. The house finds out when the kernel does,
        the client when it loses patience."""
        self._in.cut()
        self._out.cut()
        self._is_dead = self.harmed = True
        self._loop.call_later(KEEPALIVE_S, self._end)

    def cut(self) -> None:
        """The line breaks, and both ends hear of it; of one that is half open only the client."""
        self._in.cut()
        self._out.cut()
        self._lose_client()
        if not self._is_dead:
            self._end()

    def _lose_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._loop.call_soon(client.hang_up)

    def _at_client(self, data: bytes | None) -> None:
        if self._client is not None:
            self._trace(b"<" + (data or b"end"))
            if data is None:
                self.cut()
            else:
                self._client.hear(data)

    # The house's end.

    def _at_house(self, data: bytes | None) -> None:
        self._unread.append(data)
        if self._home is self._loop:
            self._read()
        else:
            self._home.call_soon(self._read)

    def _read(self) -> None:
        while self._unread and self._reading and self._protocol is not None and not self._closing:
            data = self._unread.popleft()
            self._trace(b">" + (data or b"end"))
            if data is not None:
                self._protocol.data_received(data)

    def _end(self) -> None:
        self._closing = True
        protocol, self._protocol = self._protocol, None
        if protocol is not None:
            self._home.call_soon(protocol.connection_lost, None)

    def write(self, data: Any) -> None:
        """Send to the client."""
        if not self._closing and data:
            self._out.send(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        """Send all of it."""
        self.write(b"".join(list_of_data))

    def get_write_buffer_size(self) -> int:
        """What the client has not taken yet. A house that bears little of it would never get more than that
        across, if it were not for the kernel, which takes what is written while nothing waits."""
        return self._out.under_way - (self._out.first if self._has_kernel else 0)

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Who hears of what comes."""
        return self._protocol  # type: ignore[no-any-return]

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Somebody else hears of what comes from now on."""
        self._protocol = protocol

    def can_write_eof(self) -> bool:
        """As with TCP."""
        return True

    def write_eof(self) -> None:
        """No more from the house."""
        if not self._closing:
            self._out.send(b"")

    def is_closing(self) -> bool:
        """Whether the house has given it up."""
        return self._closing

    def close(self) -> None:
        """What was written still arrives."""
        if not self._closing:
            self._out.send(b"")
            self._end()

    def abort(self) -> None:
        """Nothing arrives any more."""
        self.cut()

    def pause_reading(self) -> None:
        """What comes is kept."""
        self._reading = False

    def resume_reading(self) -> None:
        """What was kept comes now."""
        self._reading = True
        self._home.call_soon(self._read)

    def is_reading(self) -> bool:
        """Whether what comes is handed on."""
        return self._reading and not self._closing
