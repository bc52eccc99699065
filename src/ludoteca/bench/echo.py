"""Bare servers, the units of all ratios: `python -m ludoteca.bench.echo lines|json|socket|durable`.

Three do as little as a server in Python can: one reply for each line or message, no game, no record. The
fourth does as little as one can that tells two players of every move, and only when it is on the disk.
"""

import asyncio
import json
import os
import queue
import signal
import sys
import tempfile
import threading
from typing import ClassVar, cast

import uvloop
from aiohttp import WSMsgType, web


class EchoLines(asyncio.Protocol):
    """Lines back as they came."""

    __slots__ = ("_rest", "transport")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody connected."""
        self.transport = cast(asyncio.Transport, transport)
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """One reply for each whole line."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self.transport.write(self.answer(line) + b"\n")

    def answer(self, line: bytes) -> bytes:
        """The line itself."""
        return line


class EchoJson(EchoLines):
    """Lines of JSON, read and written anew."""

    __slots__ = ()

    def answer(self, line: bytes) -> bytes:
        """The same value."""
        return json.dumps(json.loads(line), separators=(",", ":")).encode()


class Journal:
    """A plain file. One thread writes all that has come together, has it put on the disk, and lets the loop
    tell it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._entries: queue.SimpleQueue[tuple[bytes, list[Pair]]] = queue.SimpleQueue()
        self.append = self._entries.put
        threading.Thread(target=self._write_for_ever, daemon=True).start()

    def _write_for_ever(self) -> None:
        with tempfile.TemporaryFile(buffering=0) as file:
            while True:
                batch = [self._entries.get()]
                batch += [self._entries.get() for _ in range(self._entries.qsize())]
                file.write(b"".join(line for line, _ in batch))
                os.fdatasync(file)
                self._loop.call_soon_threadsafe(self._tell, batch)

    @staticmethod
    def _tell(batch: list[tuple[bytes, "list[Pair]"]]) -> None:
        for line, table in batch:
            for player in table:
                player.transport.write(line)


class Pair(EchoLines):
    """One of two players, who sit down in the order they come: both are told what either says, once it is on
    the disk."""

    __slots__ = ("_table",)
    journal: ClassVar[Journal]
    waiting: ClassVar["list[Pair]"] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The first waits for the second."""
        super().connection_made(transport)
        self._table = Pair.waiting
        self._table.append(self)
        if len(self._table) == 2:
            Pair.waiting = []

    def data_received(self, data: bytes) -> None:
        """Every whole line is a move."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            told = json.dumps(json.loads(line), separators=(",", ":")).encode() + b"\n"
            self.journal.append((told, self._table))


async def _echo_socket(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse(compress=False)
    await socket.prepare(request)
    async for message in socket:
        if message.type == WSMsgType.TEXT:
            await socket.send_str(message.data)
    return socket


async def _serve(kind: str) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    if kind == "socket":
        app = web.Application()
        app.add_routes([web.get("/", _echo_socket)])
        runner = web.AppRunner(app, handle_signals=False, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=512, shutdown_timeout=0.1).start()
        port = runner.addresses[0][1]
    else:
        if kind == "durable":
            Pair.journal = Journal(loop)
        factory = {"lines": EchoLines, "json": EchoJson, "durable": Pair}[kind]
        server = await loop.create_server(factory, "127.0.0.1", 0, backlog=512)
        port = server.sockets[0].getsockname()[1]
    print(f"listening echo 127.0.0.1:{port}\nready", flush=True)
    await stop.wait()


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1]))
