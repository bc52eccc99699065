"""Java's remote calls for the games that offer them: registry, leases, calls and callbacks behind one port.

Clients call us, and we call them: what the house says to a client is a call of an object on the client's
machine. Such a call lasts as long as the person there thinks, so that several go on side by side, each over a
connection of its own. Only the address that a client called from is ever called (docs/decisions/0017).
"""

import asyncio
import importlib
import weakref
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

import structlog

from ludoteca import games
from ludoteca.core import Conversation, Refused
from ludoteca.server.callback import Callback
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.house import House
from ludoteca.server.session import RETRY_S, Session
from ludoteca.wire.java import Table, Unreadable, rmi
from ludoteca.wire.java.stream import RESET

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


class Service(Protocol):
    """What `ludoteca.games.<game>.rmi` offers, as a module."""

    PORT: int
    NAME: str
    LISTENER: str
    HANDLER: str
    TABLE: Table
    GET_HANDLER: int
    REGISTER: int
    TEST: int
    RECEIVE: int
    TELL: int
    METHODS: dict[int, int]

    def converse(self, settings: Any) -> Conversation:
        """Begin a conversation that reads arguments of calls, and writes such, each behind its length."""


def listeners() -> dict[str, str]:
    """The names of all listeners of remote calls from Java, with their games; loads none of them."""
    folders = [Path(folder) for folder in games.__path__]
    return {
        f"{game}-rmi": game
        for game in games.names()
        if any((folder / game / "rmi.py").is_file() for folder in folders)
    }


def load(game: str) -> Service:
    """The remote calls of a game that offers them."""
    service: Any = importlib.import_module(f"ludoteca.games.{game}.rmi")
    return service  # type: ignore[no-any-return]


def _call_at(house: House, when: float, method: Callable[[], None]) -> None:
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
        _call_at(self._house, now + self._house.settings.handshake_s, self._check)

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
            self._session = Session(self._house, self._remotes.game, conversation, self, self.ticket.address)
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
            _call_at(self._house, self._leased_until, self._check)

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


class Remotes:
    """The listener of one game."""

    def __init__(self, house: House, doorman: Doorman, name: str) -> None:
        self.house = house
        self.doorman = doorman
        self.game = listeners()[name]
        self.service = load(self.game)
        self._name = name
        self._listener = rmi.identity(house.world.bits(62))
        self._handlers: dict[bytes, Handler] = {}

    def serve(self, ticket: Ticket) -> asyncio.Protocol:
        """One connection of a caller."""
        return Caller(self, ticket)

    def stop(self) -> None:
        """Let everybody go."""
        for handler in list(self._handlers.values()):
            handler.gone()

    def converse(self) -> Conversation:
        """How the conversation with a client begins."""
        return self.service.converse(self.house.defaults[self.game].settings)

    def forget(self, handler: Handler) -> None:
        """A client has left."""
        self._handlers.pop(handler.identity, None)

    def carry_out(self, caller: "Caller", call: rmi.Call) -> None:
        """Do what is asked, and answer. Raises Unreadable, Refused."""
        service, table = self.service, self.service.TABLE
        match call.target, (call.operation, call.method):
            case rmi.REGISTRY, rmi.LOOKUP:
                if call.arguments != [service.NAME]:
                    raise Unreadable("a name that is not in the registry")
                caller.answer(rmi.returned(table, self._stub(service.LISTENER, self._listener, caller)))
            case rmi.LEASES, rmi.DIRTY:
                caller.answer(rmi.returned(table, self._lease(call, caller)))
            case rmi.LEASES, rmi.CLEAN:
                caller.answer(rmi.returned(table))
            case self._listener, (rmi.METHOD, service.GET_HANDLER):
                if caller.ticket.is_proxy:
                    raise Unreadable("remote calls cannot come through a proxy")
                handler = Handler(self, self.doorman.admit(caller.peer, self._name), caller.peer)
                self._handlers[handler.identity] = handler
                caller.answer(rmi.returned(table, self._stub(service.HANDLER, handler.identity, caller)))
            case identity, (rmi.METHOD, method) if method != service.GET_HANDLER:
                self._pass_on(self._find(identity, caller), method, call, caller)
            case _:
                raise Unreadable("a method that this object does not have")

    def _pass_on(self, handler: Handler, method: int, call: rmi.Call, caller: "Caller") -> None:
        table = self.service.TABLE
        if method == self.service.RECEIVE:
            handler.receive(call.raw, lambda: caller.answer(rmi.returned(table)))
            return
        if method == self.service.REGISTER:
            handler.register(rmi.reference_of(table, call.arguments[0]))
        caller.answer(rmi.returned(table))

    def _find(self, identity: bytes, caller: "Caller") -> Handler:
        handler = self._handlers.get(identity)
        if handler is None or handler.address != caller.peer:
            raise Unreadable("no such object (any more)")
        return handler

    def _stub(self, interface: str, identity: bytes, caller: "Caller") -> Any:
        """Who found us here will find us there."""
        return rmi.stub(self.service.TABLE, interface, rmi.Reference(*caller.here, identity))

    def _lease(self, call: rmi.Call, caller: "Caller") -> Any:
        types = self.service.TABLE.types
        held, _, lease = call.arguments
        if not isinstance(lease, types.Lease) or not isinstance(held, list):
            raise Unreadable("a lease that is none")
        for each in held:
            number = each.objNum if isinstance(each, types.ObjID) else None
            handler = self._handlers.get(rmi.identity(number)) if isinstance(number, int) else None
            if handler is not None and handler.address == caller.peer:
                handler.renew()
        return types.Lease(value=int(LEASE_S * 1000), vmid=lease.vmid)


class Caller(asyncio.Protocol):
    """One connection that a client has made: one call after the other."""

    def __init__(self, remotes: Remotes, ticket: Ticket) -> None:
        self.ticket = ticket
        self.peer = ""
        self.here = ("", 0)
        self._remotes = remotes
        self._house = remotes.house
        self._callers = rmi.Callers(remotes.service.TABLE, remotes.service.METHODS)
        self._transport: asyncio.Transport | None = None
        self._is_waiting = self._is_greeted = False
        self._heard_at = self._house.now()
        # What was heard and not yet paid for.
        self._due: deque[rmi.Said] = deque()
        self._bucket = self._house.bucket(ticket.address)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has come in."""
        self._transport = transport = cast(asyncio.Transport, transport)
        self.peer, self._port = transport.get_extra_info("peername")[:2]
        self.here = transport.get_extra_info("sockname")[:2]
        _call_at(self._house, self._heard_at + self._house.settings.header_s, self._check)

    def _check(self) -> None:
        """Whoever does not greet, or calls nobody for long, is only in the way."""
        if self._transport is None or self._transport.is_closing():
            return
        now, settings = self._house.now(), self._house.settings
        if not self._is_greeted or (not self._is_waiting and now >= self._heard_at + settings.idle_s):
            self._house.metrics.dropped.labels("idle" if self._is_greeted else "header").inc()
            self._transport.abort()
        else:
            _call_at(self._house, now + settings.idle_s, self._check)

    def data_received(self, data: bytes) -> None:
        """Bytes of a caller, who waits for each answer before the next call."""
        self._heard_at = self._house.now()
        try:
            self._due += self._callers.feed(data)
        except Unreadable as error:
            self._due.clear()
            self._refuse(str(error))
        self._go_on()

    def _go_on(self) -> None:
        """Carry out what was heard, each after it has been paid for, as lines are."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        try:
            while self._due:
                wait_s = self._bucket.take(self._house.now())
                if wait_s:
                    self._house.metrics.held.labels("address").inc()
                    transport.pause_reading()
                    asyncio.get_running_loop().call_later(max(wait_s, RETRY_S), self._go_on)
                    return
                if self._is_waiting:
                    raise Unreadable("a call before the last one was answered")
                self._hear(self._due.popleft())
            if not transport.is_reading():
                transport.resume_reading()
        except (Unreadable, Refused) as error:
            self._refuse(str(error))
        except Exception as error:
            self._house.failed("session", error, protocol=self._remotes.game, tongue="rmi")
            self._refuse("an error of ours")

    def _hear(self, said: rmi.Said) -> None:
        match said:
            case rmi.Call():
                self._is_waiting = True
                self._remotes.carry_out(self, said)
            case rmi.Greeted():
                self._is_greeted = True
                self._write(rmi.welcome(self.peer, self._port))
            case rmi.Probed():
                self._write(rmi.PROBE_ANSWER)

    def answer(self, data: bytes) -> None:
        """The call has been carried out."""
        self._is_waiting = False
        self._write(data)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def _refuse(self, reason: str) -> None:
        self._house.refusals.note("unreadable", self.ticket.address, reason)
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone; the client may make another."""
        self._transport = None
        self.ticket.leave()
