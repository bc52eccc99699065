"""Java's remote calls for the games that offer them: registry, leases, calls and callbacks behind one port.

Here is who calls us: the registry, its names and leases, and the connections that clients make. How we call
them is in `server/handler.py`.
"""

import asyncio
import importlib
from collections import deque
from pathlib import Path
from typing import Any, Protocol, cast

from ludoteca import games
from ludoteca.core import Conversation, Refused
from ludoteca.server.doorman import Doorman, Ticket
from ludoteca.server.front import Front
from ludoteca.server.handler import LEASE_S, Handler, call_at
from ludoteca.server.session import RETRY_S
from ludoteca.wire.java import Table, Unreadable, rmi


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


class Remotes:
    """The listener of one game."""

    def __init__(self, house: Front, doorman: Doorman, name: str) -> None:
        self.house = house
        self.doorman = doorman
        self.game = listeners()[name]
        self.service = load(self.game)
        self.name = name
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
                handler = Handler(self, self.doorman.admit(caller.peer, self.name), caller.peer)
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
        call_at(self._house, self._heard_at + self._house.settings.header_s, self._check)

    def _check(self) -> None:
        """Whoever does not greet, or calls nobody for long, is only in the way."""
        if self._transport is None or self._transport.is_closing():
            return
        now, settings = self._house.now(), self._house.settings
        if not self._is_greeted or (not self._is_waiting and now >= self._heard_at + settings.idle_s):
            self._house.metrics.dropped.labels("idle" if self._is_greeted else "header").inc()
            self._transport.abort()
        else:
            call_at(self._house, now + settings.idle_s, self._check)

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
