"""A connection that the house makes to a client of remote calls, to call an object there."""

import asyncio
from typing import Protocol, cast

from ludoteca.server.doorman import Ticket
from ludoteca.wire.java import Unreadable, rmi


class Owner(Protocol):
    """Who calls."""

    def returned(self, callback: "Callback") -> None:
        """A call has returned."""

    def lost(self, callback: "Callback") -> None:
        """The connection has ended."""


class Callback(asyncio.Protocol):
    """One connection; it carries one call at a time."""

    def __init__(self, ticket: Ticket, owner: Owner) -> None:
        self._ticket = ticket
        self._owner: Owner | None = owner
        self._transport: asyncio.Transport | None = None
        self._is_welcome = False
        self._received = b""
        self._answer: asyncio.Future[None] | None = None

    @classmethod
    async def open(cls, ticket: Ticket, host: str, port: int, owner: Owner) -> "Callback":
        """Connect and be welcomed. Raises OSError, Unreadable."""
        callback = cls(ticket, owner)
        loop = asyncio.get_running_loop()
        callback._answer = welcomed = loop.create_future()
        try:
            await loop.create_connection(lambda: callback, host, port)
            await welcomed
        except BaseException:
            # Nobody waits for a welcome any more, and what becomes of the connection is no news.
            welcomed.cancel()
            callback.close()
            ticket.leave()
            raise
        return callback

    def call(self, data: bytes) -> "asyncio.Future[None]":
        """Make a call; done when it has returned, or never will."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(data)
        return self._answer

    def close(self) -> None:
        """Hang up; nobody needs to be told."""
        self._owner = None
        if self._transport is not None:
            self._transport.abort()

    # The socket.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client is there."""
        self._transport = transport = cast(asyncio.Transport, transport)
        transport.write(rmi.HELLO)

    def data_received(self, data: bytes) -> None:
        """The welcome, then the ends of calls."""
        self._received += data
        try:
            if not self._is_welcome:
                self._be_welcomed()
            elif len(self._received) >= rmi.VOID_BYTES:
                self._return()
        except Unreadable as error:
            self._fail(error)

    def _be_welcomed(self) -> None:
        size = rmi.welcomed(self._received)
        if not size:
            return
        if len(self._received) > size:
            raise Unreadable("more than a welcome")
        assert self._transport is not None
        self._received = b""
        self._is_welcome = True
        self._transport.write(rmi.introduction(self._transport.get_extra_info("sockname")[0]))
        self._settle()

    def _return(self) -> None:
        """A call that is answered with anything else than its end has failed over there."""
        if self._answer is None or len(self._received) > rmi.VOID_BYTES or not rmi.is_done(self._received):
            raise Unreadable("a call that has failed")
        self._received = b""
        self._settle()
        if self._owner is not None:
            self._owner.returned(self)

    def _settle(self, error: Exception | None = None) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            if error is None or self._is_welcome:
                answer.set_result(None)
            else:
                answer.set_exception(error)

    def _fail(self, error: Exception) -> None:
        self._settle(error)
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has hung up, or we have."""
        self._ticket.leave()
        self._settle(ConnectionResetError("the client has hung up"))
        owner, self._owner = self._owner, None
        if owner is not None and self._is_welcome:
            owner.lost(self)
