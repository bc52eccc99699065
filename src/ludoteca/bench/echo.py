"""Bare echo servers, the unit of all ratios: `python -m ludoteca.bench.echo lines|json|socket`.

They do as little as a server in Python can: one reply for each line or message, no game, no record.
"""

import asyncio
import json
import signal
import sys
from typing import cast

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
        factory = {"lines": EchoLines, "json": EchoJson}[kind]
        server = await loop.create_server(factory, "127.0.0.1", 0, backlog=512)
        port = server.sockets[0].getsockname()[1]
    print(f"listening echo 127.0.0.1:{port}\nready", flush=True)
    await stop.wait()


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1]))
