"""Lines over TCP: a Protocol class, the cheapest way to serve a socket here."""

import asyncio
import ssl
from collections.abc import Callable
from typing import cast

from ludoteca.core import Conversation, Refused
from ludoteca.server.doorman import Doorman
from ludoteca.server.house import House
from ludoteca.server.session import Session, refuse

LINGER_S = 1.0


class LineLink(asyncio.Protocol):
    """One TCP connection that carries a conversation."""

    __slots__ = (
        "_address",
        "_converse",
        "_doorman",
        "_house",
        "_name",
        "_protocol",
        "_session",
        "_transport",
    )

    def __init__(
        self, house: House, doorman: Doorman, name: str, protocol: str, converse: Callable[[], Conversation]
    ) -> None:
        self._house = house
        self._doorman = doorman
        self._name = name
        self._protocol = protocol
        self._converse = converse
        self._address = ""
        self._session: Session | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody connected."""
        # uvloop's transports have the methods of asyncio.Transport without being one.
        self._transport = transport = cast(asyncio.Transport, transport)
        peer = transport.get_extra_info("peername")
        address = peer[0] if peer else ""
        try:
            self._doorman.admit(address, self._name)
        except Refused as error:
            refuse(error)
            transport.abort()
            return
        self._address = address
        try:
            self._session = Session(self._house, self._protocol, self._converse(), self, address)
        except Refused as error:
            refuse(error)
            transport.abort()
            return
        self._session.open()

    def data_received(self, data: bytes) -> None:
        """Bytes came; after the end they are only drained."""
        if self._session is not None:
            self._session.receive(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        if self._address:
            self._doorman.leave(self._address, self._name)
            self._address = ""
        if self._session is not None:
            session, self._session = self._session, None
            session.lost()

    def write(self, data: bytes) -> None:
        """Send; the transport gathers what the peer does not take, up to a bound."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        transport.write(data)
        if transport.get_write_buffer_size() > self._house.settings.outbox_bytes_max:
            self._house.metrics.dropped.labels("slow").inc()
            transport.abort()

    def backlog(self) -> int:
        """What the transport still holds."""
        transport = self._transport
        return 0 if transport is None else transport.get_write_buffer_size()

    def finish(self) -> None:
        """Close so that the last lines arrive: a close with unread input would make TCP reset the connection."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if transport.can_write_eof():
            transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER_S, self._cut)

    def _cut(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()

    def pause(self, paused: bool) -> None:
        """Stop or go on reading."""
        transport = self._transport
        if transport is not None and not transport.is_closing():
            if paused and transport.is_reading():
                transport.pause_reading()
            elif not paused and not transport.is_reading():
                transport.resume_reading()


async def listen(
    house: House,
    doorman: Doorman,
    name: str,
    protocol: str,
    converse: Callable[[], Conversation],
    port: int,
    tls: ssl.SSLContext | None,
) -> asyncio.Server:
    """Serve a line protocol on a port."""
    loop = asyncio.get_running_loop()
    return await loop.create_server(
        lambda: LineLink(house, doorman, name, protocol, converse),
        house.settings.host,
        port,
        ssl=tls,
        reuse_address=True,
        backlog=512,
    )
