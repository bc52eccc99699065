"""HTTP connections: counted like all others, and ended when they neither ask for anything
nor take their answer."""

import asyncio
from typing import Any

from aiohttp import web

from ludoteca.core import Refused
from ludoteca.server.answers import AnsweringHandler, headers
from ludoteca.server.doorman import Ticket
from ludoteca.server.front import Front
from ludoteca.server.settings import Settings

# For those who are turned away at the door, before anybody has read their request; in the clear only.
_SORRY = b'{"error":"limit","reason":"too many connections, from this address or in the house"}'
_HEADERS = {
    "Content-Type": "application/json",
    "Content-Length": str(len(_SORRY)),
    "Retry-After": "10",
    "Connection": "close",
    "Cache-Control": "no-store",
    **headers(Settings()),
}
TURNED_AWAY = b"HTTP/1.1 429 Too Many Requests\r\n%b\r\n%b" % (
    "".join(f"{name}: {value}\r\n" for name, value in _HEADERS.items()).encode(),
    _SORRY,
)


class TimedHandler(AnsweringHandler):
    """A handler with the patience of the house.

    A request must be complete `header_s` after its first byte (the first one: after the connection was
    made), and the next one begin `idle_s` after the last answer. An answer may take its time while some
    of it is taken.
    """

    __slots__ = ("_asking", "_left", "_timer", "_wire", "ticket")

    def __init__(self, house: Front, ticket: Ticket, manager: web.Server) -> None:
        super().__init__(house, manager, loop=asyncio.get_running_loop())
        self.ticket = ticket
        self._wire: Any = None
        self._timer: asyncio.TimerHandle | None = None
        # Whether a request has begun to arrive, and how much of an answer was left at the last look.
        self._asking = True
        self._left = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has come in."""
        self._wire = transport
        super().connection_made(transport)
        self._wait(self._house.settings.header_s)

    def data_received(self, data: bytes) -> None:
        """Bytes of a request."""
        if self._timer is not None and not self._asking:
            self._asking = True
            self._wait(self._house.settings.header_s)
        super().data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        """The connection is gone."""
        self._stop()
        self.ticket.leave()
        super().connection_lost(exc)

    def hand_over(self, to: asyncio.Protocol, head: bytes) -> tuple[asyncio.Transport, bytes]:
        """Have the connection go on as something else, after these bytes; and what has come of that already.

        For us, and for aiohttp, it ends here: all that stood behind it is free again. Raises Refused.
        """
        if not self._upgraded or self._messages:
            # Then what follows was taken for another request, or will be; of those the last is meant.
            raise Refused("a request for a WebSocket has Connection: Upgrade, and no body", "message")
        transport = self._wire
        if transport.is_closing():
            raise ConnectionResetError
        self.is_handed_over = True
        self.transport = None
        early, self._message_tail = self._message_tail, b""
        super().connection_lost(None)
        transport.set_protocol(to)
        transport.write(head)
        if not transport.is_reading():
            transport.resume_reading()
        return transport, early

    def begin(self) -> None:
        """A request is complete: its answer is up to us."""
        self._stop()

    def end(self) -> None:
        """The answer is made."""
        if not self.is_handed_over:
            self._asking = False
            self._wait(self._house.settings.idle_s)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self, seconds: float) -> None:
        self._stop()
        if not self._wire.is_closing():
            self._left = self._wire.get_write_buffer_size()
            self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """The time is over; who is still taking an answer gets more of it."""
        self._timer = None
        if 0 < self._wire.get_write_buffer_size() < self._left:
            self._wait(self._house.settings.idle_s)
            return
        self._house.metrics.dropped.labels("header" if self._asking else "idle").inc()
        self._wire.abort()
