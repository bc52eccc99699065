"""Lines over TCP: a Protocol class, the cheapest way to serve a socket here."""

import asyncio
from collections.abc import Callable
from typing import cast

from ludoteca.core import Conversation, Refused
from ludoteca.server.doorman import Ticket
from ludoteca.server.front import Front
from ludoteca.server.session import Session
from ludoteca.wire.either import Either

LINGER_S = 1.0


class TransportLink(asyncio.Protocol):
    """What links that end in a socket of ours have in common: the bounds, and the end."""

    __slots__ = ("_house", "_session", "_ticket", "_transport")

    def __init__(self, house: Front, ticket: Ticket) -> None:
        self._house = house
        self._ticket = ticket
        self._session: Session | None = None
        self._transport: asyncio.Transport | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        self._ticket.leave()
        if self._session is not None:
            session, self._session = self._session, None
            session.lost()

    def send(self, data: bytes) -> None:
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

    def pause(self, paused: bool) -> None:
        """Stop or go on reading."""
        transport = self._transport
        if transport is not None and not transport.is_closing():
            if paused and transport.is_reading():
                transport.pause_reading()
            elif not paused and not transport.is_reading():
                transport.resume_reading()

    def _linger(self) -> None:
        """Close a little later, so that the last lines arrive: a close with unread input would make TCP reset
        the connection."""
        asyncio.get_running_loop().call_later(LINGER_S, self._cut)

    def _cut(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()


class LineLink(TransportLink):
    """One TCP connection that carries a conversation."""

    __slots__ = ("_converse", "_protocol")

    write = TransportLink.send

    def __init__(
        self, house: Front, protocol: str, converse: Callable[[], Conversation], ticket: Ticket
    ) -> None:
        super().__init__(house, ticket)
        self._protocol = protocol
        self._converse = converse

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has come in."""
        # uvloop's transports have the methods of asyncio.Transport without being one.
        self._transport = transport = cast(asyncio.Transport, transport)
        try:
            conversation = self._converse()
            if isinstance(conversation, Either):
                conversation.on_choice = self._become
            role = self._house.role(self._protocol)
            session = Session(self._house, self._protocol, conversation, self, self._ticket.address, role)
        except Refused as error:
            is_banned = error.code == "banned"
            self._house.refusals.note("banned" if is_banned else "full", self._ticket.address, error.reason)
            transport.abort()
            return
        self._session = session
        session.open()

    def _become(self, spoken: str, conversation: Conversation) -> None:
        self._ticket.speak(spoken)
        if self._session is not None:
            self._session.become(spoken, conversation)

    def data_received(self, data: bytes) -> None:
        """Bytes came; after the end they are only drained."""
        if self._session is not None:
            self._session.receive(data)

    def finish(self) -> None:
        """Say that no more comes, and close when the last lines have arrived."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        try:
            if transport.can_write_eof():
                transport.write_eof()
        except (OSError, RuntimeError):
            # The other side has reset the connection, and the loop (asyncio's or uvloop's) has not
            # told us yet.
            transport.abort()
            return
        self._linger()
