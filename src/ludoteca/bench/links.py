"""The load's connections: lines and Java objects over TCP, messages over WebSocket, as cheap as may be."""

import asyncio
import base64
import os
import struct
from typing import Protocol, cast

from ludoteca.bench.processes import BenchError
from ludoteca.wire.java import HEADER

CONNECT_S_MAX = 20.0


class Link(Protocol):
    """A connection."""

    @property
    def open(self) -> bool:
        """Whether it still stands."""

    def send(self, line: bytes) -> None:
        """Send one line (without its end) or message."""

    def close(self) -> None:
        """Hang up."""


class Listener(Protocol):
    """Whoever sits behind a connection; `link` is set before the first line is heard."""

    link: Link

    def hear(self, line: bytes) -> None:
        """A line, or the text of a message."""


class ObjectListener(Protocol):
    """The same for a stream of Java objects."""

    link: Link

    def receive(self, data: bytes) -> None:
        """Bytes, cut anywhere."""


class LineLink(asyncio.Protocol):
    """Lines over TCP."""

    def __init__(self, listener: Listener) -> None:
        self._rest = b""
        self._hear = listener.hear
        listener.link = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Every whole line goes to the listener."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._hear(line)

    @property
    def open(self) -> bool:
        """Whether it still stands."""
        return not self._transport.is_closing()

    def send(self, line: bytes) -> None:
        """Send one line."""
        if self._transport.is_closing():
            raise ConnectionError("the server has hung up")
        self._transport.write(line + b"\n")

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()


class SocketLink(asyncio.Protocol):
    """Text messages over WebSocket (RFC 6455): enough of it for a server that sends whole, short frames."""

    def __init__(self, listener: Listener, host: str, path: str) -> None:
        self._hear = listener.hear
        listener.link = self
        self._host = host
        self._path = path
        self._rest = b""
        self._shaken = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected: shake hands."""
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: "
            "Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Every whole frame goes to the listener."""
        data = self._rest + data
        if not self._shaken:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._rest = head
                return
            status = head.partition(b"\r\n")[0].decode()
            if self.opened.done():
                self.close()  # Nobody waits for it any more.
                return
            if " 101 " not in status:
                self.opened.set_exception(BenchError(f"no WebSocket at {self._path}: {status}"))
                self.close()
                return
            self._shaken = True
            self.opened.set_result(None)
        at = 0
        while len(data) >= at + 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                if len(data) < at + 4:
                    break
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                if len(data) < at + 10:
                    break
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if len(data) < start + size:
                break
            if data[at] == 0x81:
                self._hear(data[start : start + size])
            at = start + size
        self._rest = data[at:]

    @property
    def open(self) -> bool:
        """Whether it still stands."""
        return not self._transport.is_closing()

    def send(self, line: bytes) -> None:
        """Send one message. A mask of zeros is a mask, and leaves the text as it is."""
        size = len(line)
        if size < 126:
            head = bytes((0x81, 0x80 | size))
        else:
            head = struct.pack("!BBH", 0x81, 0xFE, size)
        self._transport.write(head + b"\0\0\0\0" + line)

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()


async def connect(address: tuple[str, int], path: str, listener: Listener) -> Link:
    """A connection for a listener: lines, or with a path messages."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_S_MAX):
        if not path:
            return (await loop.create_connection(lambda: LineLink(listener), *address))[1]
        _, link = await loop.create_connection(lambda: SocketLink(listener, address[0], path), *address)
        await link.opened
        return link


class ObjectLink(asyncio.Protocol):
    """Java objects over TCP."""

    def __init__(self, player: ObjectListener) -> None:
        self._player = player
        player.link = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Connected: the original begins its stream at once."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HEADER)

    def data_received(self, data: bytes) -> None:
        """Bytes."""
        self._player.receive(data)

    @property
    def open(self) -> bool:
        """Whether it still stands."""
        return not self._transport.is_closing()

    def send(self, line: bytes) -> None:
        """Send one object."""
        if self._transport.is_closing():
            raise ConnectionError("the server has hung up")
        self._transport.write(line)

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()


async def connect_objects(address: tuple[str, int], player: ObjectListener) -> None:
    """Connect a player that speaks in Java objects. Raises TimeoutError, OSError."""
    async with asyncio.timeout(CONNECT_S_MAX):
        await asyncio.get_running_loop().create_connection(lambda: ObjectLink(player), *address)
