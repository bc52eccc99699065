"""Lines over a WebSocket: what `tcp` is to a plain connection."""

import asyncio
from collections import deque

from aiohttp import WSMsgType, web

from ludoteca.server.house import House
from ludoteca.server.session import Session


class SocketLink:
    """One WebSocket that carries a conversation: a line is a message."""

    __slots__ = (
        "_closing",
        "_house",
        "_outbox",
        "_outbox_bytes",
        "_request",
        "_resumed",
        "_sender",
        "socket",
    )

    def __init__(self, house: House, request: web.Request) -> None:
        self._house = house
        self._request = request
        self._outbox: deque[str] = deque()
        self._outbox_bytes = 0
        self._sender: asyncio.Task[None] | None = None
        self._closing = False
        # One for the life of the connection: the reader waits on it while somebody else pauses it once more.
        self._resumed = asyncio.Event()
        self._resumed.set()
        self.socket = web.WebSocketResponse(
            max_msg_size=house.settings.line_bytes_max, compress=False, autoping=True, heartbeat=None
        )

    async def serve(self, session: Session) -> None:
        """Read until the end."""
        session.open()
        try:
            async for message in self.socket:
                if message.type == WSMsgType.TEXT:
                    session.receive(message.data.encode() + b"\n")
                elif message.type == WSMsgType.BINARY:
                    session.receive(message.data + b"\n")
                if not self._resumed.is_set():
                    await self._resumed.wait()
        finally:
            session.lost()
            if self._sender is not None and not self._closing:
                self._sender.cancel()

    def write(self, data: bytes) -> None:
        """Send each line as a message; the outbox is bounded."""
        if self._closing or self.socket.closed:
            return
        self._outbox.extend(data.decode().splitlines())
        self._outbox_bytes += len(data)
        if self._outbox_bytes > self._house.settings.outbox_bytes_max:
            self._house.metrics.dropped.labels("slow").inc()
            self._closing = True
            if self._request.transport is not None:
                self._request.transport.abort()
            return
        if self._sender is None or self._sender.done():
            self._sender = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        try:
            while self._outbox:
                line = self._outbox.popleft()
                self._outbox_bytes -= min(self._outbox_bytes, len(line) + 1)
                await self.socket.send_str(line)
            self._outbox_bytes = 0
            if self._closing:
                await self.socket.close()
        except (ConnectionError, RuntimeError):
            # The other side is gone; the reader notices and ends the session.
            self._outbox.clear()

    def backlog(self) -> int:
        """What the socket has not taken yet."""
        return self._outbox_bytes

    def finish(self) -> None:
        """Send what there is, then close."""
        self._closing = True
        self._resumed.set()
        if self._sender is None or self._sender.done():
            self._sender = asyncio.get_running_loop().create_task(self._send())

    def pause(self, paused: bool) -> None:
        """Stop or go on reading."""
        if paused:
            self._resumed.clear()
        else:
            self._resumed.set()
