"""One client of Java's remote calls, which the house calls as well.

What the house says to a client is a call of an object on the client's machine. Such a call lasts as long as
the person there thinks, so that several go on side by side, each over a connection of its own. Only the
address that a client called from is ever called (docs/decisions/0017).
"""

import asyncio
import weakref
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import structlog

from ludoteca.core import Refused
from ludoteca.server.callback import Callback
from ludoteca.server.doorman import Ticket
from ludoteca.server.front import Front
from ludoteca.server.session import Session
from ludoteca.wire.java import Unreadable, rmi
from ludoteca.wire.java.stream import RESET

if TYPE_CHECKING:
    from ludoteca.server.rmi import Remotes

log = structlog.get_logger()

# A client renews its lease when half of that has passed; who does not is gone.
LEASE_S = 600.0
# How long we wait for a call of ours to return before we make the next one beside it. Most return at once,
# and so keep their order; one that lasts longer waits for its person, who will not notice.
ORDER_S = 1.0
# How many calls of ours may go on at one client: it asks its person one thing at a time, and answers pings.
CALLS_MAX = 8
CONNECT_S = 5.0
IDLE_MAX = 2
PORT_MIN = 1024


def call_at(house: Front, when: float, method: Callable[[], None]) -> None:
    """Have this called at a time, without keeping in memory what is gone by then."""
    found = weakref.WeakMethod(method)

    def later() -> None:
        call = found()
        if call is not None:
            call()

    house.timers.at(when, later)


class Handler:
    """One client: its session on one side, calls both ways on the other."""

    def __init__(self, remotes: "Remotes", ticket: Ticket, address: str) -> None:
        self.identity = rmi.identity(remotes.house.world.bits(62))
        self.address = address
        self.ticket = ticket
        self._remotes = remotes
        self._house = remotes.house
        self._reference: rmi.Reference | None = None
        self._session: Session | None = None
        self._is_paused = self._is_finished = self._is_gone = False
        # Calls of the client that return when the session goes on.
        self._waiting: list[Callable[[], None]] = []
        self._outbox: deque[bytes] = deque()
        self._outbox_bytes = 0
        self._idle: list[Callback] = []
        self._busy: set[Callback] = set()
        self._task: asyncio.Task[None] | None = None
        now = self._house.now()
        self._leased_until = now + LEASE_S
        call_at(self._house, now + self._house.settings.handshake_s, self._check)

    # Calls of the client.

    def register(self, reference: rmi.Reference) -> None:
        """The client says where it is called; only the port is believed. Raises Unreadable, Refused."""
        if self._reference is not None:
            raise Unreadable("a client that is registered already")
        if not PORT_MIN <= reference.port < 65_536:
            raise Unreadable(f"a client cannot be called at port {reference.port}")
        self._reference = reference
        conversation = self._remotes.converse()
        try:
            role = self._house.role(self._remotes.name)
            self._session = Session(
                self._house, self._remotes.game, conversation, self, self.ticket.address, role
            )
        except Refused:
            self.gone()
            raise
        self._session.become("rmi", conversation)
        self._session.open()

    def receive(self, raw: bytes, done: Callable[[], None]) -> None:
        """The client says something; `done` when there is room for more."""
        if self._session is None:
            raise Unreadable("a client that nobody can answer")
        self._session.receive(bytes([RESET]) + raw)
        if self._is_paused:
            self._waiting.append(done)
        else:
            done()

    def renew(self) -> None:
        """The client still holds on to us."""
        self._leased_until = self._house.now() + LEASE_S

    def _check(self) -> None:
        """Who never registered, or let the lease run out, is not there any more."""
        if self._is_gone:
            return
        if self._reference is None or self._house.now() >= self._leased_until:
            self.drop("handshake" if self._reference is None else "lease")
        else:
            call_at(self._house, self._leased_until, self._check)

    # The session's link.

    def write(self, data: bytes) -> None:
        """Arguments for calls of ours, each behind its length."""
        at = 0
        while at < len(data):
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            self._outbox.append(data[at + 4 : end])
            self._outbox_bytes += end - at
            at = end
        if self._outbox_bytes > self._house.settings.outbox_bytes_max:
            self.drop("slow")
        elif self._task is None and not self._is_gone:
            self._task = asyncio.get_running_loop().create_task(self._tell())

    def backlog(self) -> int:
        """What the client has not been told yet."""
        return self._outbox_bytes

    def finish(self) -> None:
        """Nothing more to say."""
        self._is_finished = True
        if self._task is None:
            self.gone()

    def pause(self, paused: bool) -> None:
        """Let calls of the client wait, or return."""
        self._is_paused = paused
        if not paused:
            waiting, self._waiting = self._waiting, []
            for done in waiting:
                done()

    # Calls of ours.

    async def _tell(self) -> None:
        try:
            while self._outbox:
                argument = self._outbox.popleft()
                self._outbox_bytes -= 4 + len(argument)
                if len(self._busy) >= CALLS_MAX:
                    self.drop("slow")
                    return
                callback = self._idle.pop() if self._idle else await self._reach()
                if self._is_gone or self._reference is None:
                    callback.close()
                    return
                self._busy.add(callback)
                answer = callback.call(rmi.call(self._reference.target, self._remotes.service.TELL, argument))
                await asyncio.wait({answer}, timeout=ORDER_S)
        except (OSError, Unreadable, Refused):
            self.gone()
        except Exception as error:
            self._house.failed("session", error, protocol=self._remotes.game, tongue="rmi")
            self.gone()
        finally:
            self._task = None
        if self._is_finished:
            self.gone()

    async def _reach(self) -> Callback:
        """A new connection to the client. Raises OSError (of which TimeoutError is a kind), Refused."""
        assert self._reference is not None
        async with asyncio.timeout(CONNECT_S):
            return await Callback.open(
                self._remotes.doorman.behind(self.address), self.address, self._reference.port, self
            )

    def returned(self, callback: Callback) -> None:
        """A call of ours has returned."""
        self._busy.discard(callback)
        if self._is_gone or len(self._idle) >= IDLE_MAX:
            callback.close()
        else:
            self._idle.append(callback)

    def lost(self, callback: Callback) -> None:
        """A connection of ours has ended: with a call on it, or because the client may have left."""
        was_busy = callback in self._busy
        self._busy.discard(callback)
        if callback in self._idle:
            self._idle.remove(callback)
        if self._is_gone:
            return
        if was_busy:
            self.gone()
        elif self._task is None and not self._idle:
            self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        """See whether the client is still there."""
        try:
            self._idle.append(await self._reach())
        except (OSError, Unreadable, Refused):
            self.gone()
        finally:
            self._task = None
        if self._outbox and not self._is_gone:
            self._task = asyncio.get_running_loop().create_task(self._tell())

    # The end.

    def drop(self, why: str) -> None:
        """End it, and count it."""
        self._house.metrics.dropped.labels(why).inc()
        log.info("connection dropped", why=why, protocol=self._remotes.game, tongue="rmi")
        self.gone()

    def gone(self) -> None:
        """The client is no longer there, or has been cut off."""
        if self._is_gone:
            return
        self._is_gone = self._is_finished = True
        self._outbox.clear()
        self._outbox_bytes = 0
        self._remotes.forget(self)
        self.ticket.leave()
        for callback in (*self._idle, *self._busy):
            callback.close()
        self.pause(False)
        if self._session is not None:
            self._session.lost()
