"""The door of one listener: whoever comes in is counted before anything is read or any handshake begun."""

import asyncio
import contextlib
import errno
import os
import socket
import ssl
import struct
from collections.abc import Callable, Coroutine
from typing import Any

from ludoteca.core import Refused
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.front import Front
from ludoteca.server.proxies import ProxyError, read_proxy_header

BACKLOG = 512
# Out of descriptors or memory: those who are inside play on, newcomers wait in the kernel's line.
_EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
EXHAUSTED_PAUSE_S = 1.0
# Long enough for everybody who is neither asked for a PROXY header nor shaking hands.
ENTER_S = 0.2
# A peer that has vanished without a word is noticed after about two minutes.
_PROBES = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}


class Door:
    """Listens, counts, reads a PROXY header where one must come, shakes hands (TLS), and hands
    over to a protocol.

    `serve` makes the protocol for a connection; it calls `leave` on the ticket when the connection has ended.
    `sorry` is sent to those who are turned away, in the clear only.
    """

    def __init__(
        self,
        house: Front,
        doorman: Doorman,
        name: str,
        serve: Callable[[Ticket], asyncio.Protocol],
        tls: ssl.SSLContext | None,
        *,
        proxied: bool = False,
        sorry: bytes = b"",
    ) -> None:
        self._house = house
        self._doorman = doorman
        self._name = name
        self._serve = serve
        self._tls = tls
        self._proxied = proxied
        self._sorry = sorry if tls is None else b""
        self._listening: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, host: str, port: int) -> int:
        """Listen; the port, which is another one when 0 was asked for. Raises OSError."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, kind, protocol, _, address in dict.fromkeys(found):
                listening = socket.socket(family, kind, protocol)
                self._listening.append(listening)
                _prepare(listening, shared=self._house.settings.share_ports)
                listening.bind((address[0], port, *address[2:]))
                listening.listen(BACKLOG)
                port = listening.getsockname()[1]
        except OSError:
            await self.close()
            raise
        self._accepting = [self._begin(self._accept(listening)) for listening in self._listening]
        return port

    async def close(self) -> None:
        """Nobody comes in any more; who is inside stays."""
        # The loop must have let go of a socket before it is closed, or it would look for its number for ever.
        for task in self._accepting:
            task.cancel()
        if self._tasks:
            # Who stands in the door comes in: uvloop would close such a connection without a word
            # to its protocol.
            await asyncio.wait(self._tasks, timeout=ENTER_S)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for listening in self._listening:
            listening.close()
        self._listening.clear()

    def _begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(listening)
            except OSError as error:
                if error.errno in _EXHAUSTED:
                    self._house.refusals.note("descriptors", "", f"nobody can come in: {error.strerror}")
                    await asyncio.sleep(EXHAUSTED_PAUSE_S)
                continue
            self._admit(connection, peer[0] if peer else "")
            # However many stand outside, those inside have their turn in between.
            await asyncio.sleep(0)

    def _admit(self, connection: socket.socket, peer: str) -> None:
        try:
            ticket = self._doorman.admit(peer, self._name)
        except Refused:
            _turn_away(connection, self._sorry)
            return
        self._begin(self._welcome(connection, peer, ticket))

    async def _welcome(self, connection: socket.socket, peer: str, ticket: Ticket) -> None:
        """Whatever comes before the protocol itself, within `header_s`."""
        header_s = self._house.settings.header_s
        is_ours = True
        try:
            if self._proxied and ticket.is_proxy:
                async with asyncio.timeout(header_s):
                    ticket.vouch(await read_proxy_header(connection) or peer)
            is_ours = False  # From here on the loop closes it, whatever happens.
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: self._serve(ticket),
                connection,
                ssl=self._tls,
                ssl_handshake_timeout=header_s if self._tls else None,
            )
        except BaseException as error:
            ticket.leave()
            if is_ours:
                _turn_away(connection)
            if isinstance(error, ProxyError):
                self._house.refusals.note("proxy", peer, str(error))
            elif isinstance(error, OSError):
                # It took too long, hung up, or its handshake made no sense.
                self._house.metrics.dropped.labels("header").inc()
            elif not isinstance(error, Refused):
                raise


def _prepare(listening: socket.socket, *, shared: bool) -> None:
    """Options of a listening socket; those it accepts have them, too."""
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    if listening.family == socket.AF_INET6:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _PROBES.items():
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    listening.setblocking(False)


def _turn_away(connection: socket.socket, sorry: bytes = b"") -> None:
    """Close at once, after a word if there is one: nothing is kept for those who are not let in."""
    with contextlib.suppress(OSError):
        if sorry:
            connection.send(sorry)
        else:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
