"""A client of Java's remote calls, good or bad: it calls, and has an object that is called."""

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from tests import rig

from ludoteca.games.shelfie import rmi as shelfie
from ludoteca.wire.java import HEADER, Reader, Writer, rmi

TYPES = shelfie.TABLE.types
PATIENCE_S = 10.0
MINE = rmi.identity(77)


def head(target: bytes, operation: int, method: int) -> bytes:
    """What a call begins with."""
    signed = method - 2**64 if method >= 2**63 else method
    return b"\x50" + HEADER + Writer.block(target + struct.pack(">iq", operation, signed))


class Connection:
    """One connection to the house, or of the house to us."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def take(self, size: int) -> bytes:
        """So many bytes. Raises IncompleteReadError."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.reader.readexactly(size)

    async def ended(self) -> bool:
        """Whether nothing more comes, because the house has hung up."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return not await self.reader.read(1)
        except ConnectionResetError:
            return True

    async def greet(self) -> "Connection":
        """The first words of a caller."""
        self.writer.write(rmi.HELLO)
        assert await self.take(1) == b"\x4e"
        size = int.from_bytes(await self.take(2), "big")
        await self.take(size + 4)
        self.writer.write(rmi.introduction("nowhere.example"))
        return self

    async def call(self, target: bytes, operation: int, method: int, *arguments: Any) -> Any:
        """Call; what is returned. Raises IncompleteReadError or ConnectionResetError."""
        writer = Writer(shelfie.TABLE, annotated=True)
        data = head(target, operation, method)
        for each in arguments:
            data += Writer.block(each) if isinstance(each, bytes) else writer.message(each)
        self.writer.write(data)
        assert (await self.take(rmi.VOID_BYTES))[:8] == b"\x51" + HEADER + b"\x77\x0f\x01"
        return None

    async def value(self) -> Any:
        """What a call returned besides."""
        reader = Reader(shelfie.TABLE)
        reader.feed(HEADER)
        while not reader.feed(await self.take(1)):
            pass
        return reader.item


async def connect(server: Any, address: str = "") -> Connection:
    """A connection to the house, from another address of this machine if one is given."""
    client = await rig.connect(server, "shelfie-rmi", address)
    return Connection(client.reader, client.writer)


class Client:
    """A client with an object that the house calls. `heard` are the kinds of messages it was told."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[str] = asyncio.Queue()
        self.hangs = False
        self.fails = False
        self.called = 0
        # How often the object was called, and who else hears with what.
        self.called_back = 0
        self.told: Callable[[Any], None] | None = None
        self.port = 0
        self.handler = b""
        self.open: list[Connection] = []
        self._server: asyncio.Server | None = None
        self._has_left = False

    async def listen(self, host: str = "127.0.0.1") -> "Client":
        """Have an object that can be called."""
        self._server = await asyncio.start_server(self._be_called, host, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def come(
        self, server: Any, *, host: str = "127.0.0.1", port: int = 0, address: str = ""
    ) -> "Client":
        """Find the listener, get a handler, and register; `host` and `port` are what the stub says."""
        self.line = await connect(server, address)
        self.open.append(self.line)
        await self.line.greet()
        await self.line.call(rmi.REGISTRY, *rmi.LOOKUP, shelfie.NAME)
        listener = rmi.reference_of(shelfie.TABLE, await self.line.value())
        assert (listener.host, listener.port) == server.addresses["shelfie-rmi"]
        await self.line.call(listener.target, rmi.METHOD, shelfie.GET_HANDLER)
        self.handler = rmi.reference_of(shelfie.TABLE, await self.line.value()).target
        stub = rmi.stub(shelfie.TABLE, "x.Client", rmi.Reference(host, port or self.port, MINE))
        await self.line.call(self.handler, rmi.METHOD, shelfie.REGISTER, stub)
        return self

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        message = getattr(TYPES, kind)(**fields)
        await self.line.call(self.handler, rmi.METHOD, shelfie.RECEIVE, message)

    async def until(self, kind: str) -> None:
        """Wait to be told this."""
        async with asyncio.timeout(PATIENCE_S):
            while await self.heard.get() != kind:
                pass

    def leave(self) -> None:
        """Vanish, as a program that is killed."""
        self._has_left = True
        if self._server is not None:
            self._server.close()
        for connection in self.open:
            connection.writer.transport.abort()

    async def _be_called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._has_left:
            # The loop took this call in before we left, and tells us only now.
            writer.transport.abort()
            return
        self.called += 1
        connection = Connection(reader, writer)
        self.open.append(connection)
        try:
            assert await reader.readexactly(len(rmi.HELLO)) == rmi.HELLO
            writer.write(rmi.welcome("127.0.0.1", 1))
            size = int.from_bytes(await reader.readexactly(2), "big")
            await reader.readexactly(size + 4)
            while True:
                assert await reader.readexactly(1) == b"\x50"
                java = Reader(shelfie.TABLE, message_bytes_max=65_536)
                while not java.feed(await reader.readexactly(1)):
                    pass
                assert java.item[:22] == MINE
                while not java.feed(await reader.readexactly(1)):
                    pass
                self.heard.put_nowait(type(java.item).__name__)
                self.called_back += 1
                if self.told is not None:
                    self.told(java.item)
                if self.fails:
                    writer.write(b"\x51" + HEADER + Writer.block(b"\2" + bytes(14)) + b"p")
                elif not self.hangs:
                    writer.write(rmi.returned(shelfie.TABLE))
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
