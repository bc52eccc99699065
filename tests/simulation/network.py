"""Connections that exist only in a simulated loop: bytes take their time, are cut anywhere, and are
lost with the line."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from ludoteca.core import Dice


class Client(Protocol):
    """Who is at the other end of a connection to the house."""

    name: str

    def hear(self, data: bytes) -> None:
        """Bytes of the house, cut anywhere."""

    def hang_up(self) -> None:
        """The connection is gone."""


class Way:
    """One direction: what goes in comes out later, in order, in pieces."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, dice: Dice, arrive: Callable[[bytes | None], None]
    ) -> None:
        self._loop = loop
        self._dice = dice
        self._arrive = arrive
        self._last = 0.0
        self._cut = False
        self.under_way = 0

    def send(self, data: bytes) -> None:
        """Bytes go on their way; empty ones are the end."""
        pieces = [data]
        if len(data) > 1 and not self._dice.below(4):
            place = 1 + self._dice.below(len(data) - 1)
            pieces = [data[:place], data[place:]]
        for piece in pieces:
            self.under_way += len(piece)
            # Mostly some milliseconds, now and then a long while; never before what was sent before.
            delay_s = self._dice.below(4000) / 1e6 if self._dice.below(50) else self._dice.below(800) / 1e3
            # Not at the same time either: asyncio does not promise an order of timers that ring together.
            self._last = max(self._last + 1e-5, self._loop.time() + delay_s)
            self._loop.call_at(self._last, self._come, piece)

    def cut(self) -> None:
        """What is under way never arrives."""
        self._cut = True

    def _come(self, data: bytes) -> None:
        self.under_way -= len(data)
        if not self._cut:
            self._arrive(data or None)


class Wire(asyncio.Transport):
    """A connection, seen from the house as the transport it writes to, from a client as
    something to `send` with."""

    def __init__(self, loop: asyncio.AbstractEventLoop, dice: Dice, trace: Callable[[bytes], None]) -> None:
        super().__init__()
        self._loop = loop
        self._trace = trace
        self._out = Way(loop, dice, self._at_client)
        self._in = Way(loop, dice, self._at_house)
        self._client: Client | None = None
        self._protocol: asyncio.Protocol | None = None
        self._closing = False
        self._reading = True
        self._unread: deque[bytes | None] = deque()

    def connect(self, protocol: asyncio.Protocol, client: Client) -> None:
        """Both ends are there."""
        self._client, self._protocol = client, protocol
        protocol.connection_made(self)

    # The client's end.

    def send(self, data: bytes) -> None:
        """The client says something."""
        if data:
            self._in.send(data)

    def cut(self, *, house_knows: bool = True) -> None:
        """The line breaks; the house may be dead itself, and then hears nothing any more."""
        self._in.cut()
        self._out.cut()
        client, self._client = self._client, None
        if client is not None:
            self._loop.call_soon(client.hang_up)
        if house_knows:
            self._end()
        else:
            self._closing, self._protocol = True, None

    def _at_client(self, data: bytes | None) -> None:
        if self._client is not None:
            self._trace(b"<" + (data or b"end"))
            if data is None:
                client, self._client = self._client, None
                client.hang_up()
                self.cut()
            else:
                self._client.hear(data)

    # The house's end.

    def _at_house(self, data: bytes | None) -> None:
        self._unread.append(data)
        self._read()

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
            self._loop.call_soon(protocol.connection_lost, None)

    def write(self, data: Any) -> None:
        """Send to the client."""
        if not self._closing:
            self._out.send(bytes(data))

    def get_write_buffer_size(self) -> int:
        """What the client has not taken yet."""
        return self._out.under_way

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
        self._loop.call_soon(self._read)

    def is_reading(self) -> bool:
        """Whether what comes is handed on."""
        return self._reading and not self._closing
