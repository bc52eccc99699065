"""Java's remote calls (the wire protocol of RMI), without I/O: what callers say, and what they are answered.

Each call is a stream of its own: a block that names object and method, then the arguments. All objects of a
house are behind one port; the number of an object tells them apart.
"""

from collections.abc import Mapping
from struct import Struct
from typing import Any, NamedTuple

import msgspec

from ludoteca.wire.java.reader import Reader
from ludoteca.wire.java.stream import MAGIC, Unreadable, spell, unspell
from ludoteca.wire.java.table import Proxy, Table
from ludoteca.wire.java.writer import Writer

# The classes that travel besides those of a game.
ROWS = """
java.rmi.server.UID 0f12700dbf364f12: count S, time J, unique I
java.rmi.server.ObjID a75efa128ddce55c: objNum J, space UID
java.rmi.dgc.VMID f8865bafa4a56db6: addr B[], uid UID
java.rmi.dgc.Lease b0b5e2660c4adc34: value J, vmid VMID
java.rmi.server.RemoteObject* d361b4910c61331e:
java.rmi.server.RemoteObjectInvocationHandler(RemoteObject) 0000000000000002:
"""

HELLO = b"JRMI\0\2\x4b"
_WELCOME, _CALL, _RETURN, _PROBE, _PROBED, _RECEIVED = 0x4E, 0x50, 0x51, 0x52, 0x53, 0x54
_TARGET = Struct(">22siq")
_PORT = Struct(">i")
_IDENTITY = Struct(">qiqh")
# Nobody waits for the acknowledgement of what we return, so that it needs no identity of its own.
_DONE = bytes([_RETURN]) + MAGIC + Writer.block(b"\1" + bytes(14))
VOID_BYTES = len(_DONE)
# A name of a machine, and the number of a port, in a greeting.
_GREETING_BYTES_MAX = 2 + 255 + 4

# Objects that every registry has, and what they are asked.
REGISTRY, LEASES = (_IDENTITY.pack(number, 0, 0, 0) for number in (0, 2))
LOOKUP = (2, 0x44154DC9D4E63BDF)
DIRTY = (1, 0xF6B6898D8BF28643)
CLEAN = (0, 0xF6B6898D8BF28643)
# A method of a remote interface has no number, only the hash of its name and types.
METHOD = -1
_ARGUMENTS = {LOOKUP: 1, DIRTY: 3, CLEAN: 4}


class Call(NamedTuple):
    """What somebody asks of an object; `raw` are the arguments as they came."""

    target: bytes
    operation: int
    method: int
    arguments: list[Any]
    raw: bytes


class Greeted(NamedTuple):
    """Somebody has come, and waits for the `welcome`."""


class Probed(NamedTuple):
    """Somebody asks whether we are still there: `PROBE_ANSWER` says so."""


PROBE_ANSWER = bytes([_PROBED])
Said = Call | Greeted | Probed


class Callers:
    """The caller's half of one connection. `methods` has the number of arguments of each method there is."""

    def __init__(self, table: Table, methods: Mapping[int, int]) -> None:
        self._table = table
        self._arguments = {**_ARGUMENTS, **{(METHOD, method): count for method, count in methods.items()}}
        self._rest = b""
        self._greeted = self._welcomed = False
        # The call that is being read: what there is of it, and how many arguments it still lacks.
        self._reader: Reader | None = None
        self._head: tuple[bytes, int, int] | None = None
        self._items: list[Any] = []
        self._raw = b""
        self._lacks = 0

    def feed(self, data: bytes) -> list[Said]:
        """What is complete with these bytes. Raises Unreadable."""
        said: list[Said] = []
        data = self._rest + data
        at, self._rest = 0, b""
        while at < len(data):
            end = self._next(data, at, said)
            if not end:
                self._rest = data[at:]
                break
            at = end
        return said

    def _next(self, data: bytes, at: int, said: list[Said]) -> int:
        """Read one thing; where it ends, 0 when it is not all there."""
        if self._reader is not None:
            return self._read_call(data, at, said)
        if not self._greeted:
            return self._greet(data, said)
        if not self._welcomed:
            return self._read_endpoint(data, at)
        match data[at]:
            case 0x50:
                self._reader = Reader(self._table)
                self._head, self._items, self._raw, self._lacks = None, [], b"", 0
            case 0x52:
                said.append(Probed())
            case 0x54:
                return at + 15 if len(data) >= at + 15 else 0
            case other:
                raise Unreadable(f"no message of remote calls begins with {other:#04x}")
        return at + 1

    def _greet(self, data: bytes, said: list[Said]) -> int:
        if data[: len(HELLO)] != HELLO[: len(data)]:
            raise Unreadable("no greeting of remote calls")
        if len(data) < len(HELLO):
            return 0
        self._greeted = True
        said.append(Greeted())
        return len(HELLO)

    def _read_endpoint(self, data: bytes, at: int) -> int:
        """Where the caller thinks that it is: of no interest."""
        end = at + 2 + int.from_bytes(data[at : at + 2], "big") + 4
        if end > at + _GREETING_BYTES_MAX:
            raise Unreadable("a name that is too long")
        if len(data) < end:
            return 0
        self._welcomed = True
        return end

    def _read_call(self, data: bytes, at: int, said: list[Said]) -> int:
        assert self._reader is not None
        end = self._reader.feed(data, at)
        if self._head is None:
            if end:
                self._begin(self._reader.item)
        else:
            self._raw += data[at : end or len(data)]
            if end:
                self._items.append(self._reader.item)
                self._lacks -= 1
        if self._head is not None and not self._lacks:
            said.append(Call(*self._head, self._items, self._raw))
            self._reader = None
        return end or len(data)

    def _begin(self, head: Any) -> None:
        if not isinstance(head, bytes) or len(head) != _TARGET.size:
            raise Unreadable("a call of nothing")
        target, operation, method = _TARGET.unpack(head)
        method &= 2**64 - 1
        lacks = self._arguments.get((operation, method))
        if lacks is None:
            raise Unreadable(f"no method {operation} {method:016x}")
        self._head, self._lacks = (target, operation, method), lacks


def identity(number: int) -> bytes:
    """What an object of ours is known by."""
    return _IDENTITY.pack(number, 0, 0, 0)


def welcome(host: str, port: int) -> bytes:
    """The answer to a greeting: where the caller is, as we see it."""
    return bytes([_WELCOME]) + _endpoint(host, port)


def returned(table: Table, *values: Any) -> bytes:
    """The answer to a call: nothing, or a value."""
    return _DONE + b"".join(map(Writer(table, annotated=True).message, values))


def call(target: bytes, method: int, argument: bytes) -> bytes:
    """A call of ours; the argument is written already."""
    head = _TARGET.pack(target, METHOD, method - 2**64 if method >= 2**63 else method)
    return bytes([_CALL]) + MAGIC + Writer.block(head) + argument


def is_done(answer: bytes) -> bool:
    """Whether a call of ours without a result has been answered as it should."""
    return answer[:8] == _DONE[:8]


def introduction(host: str) -> bytes:
    """What we say when we have been welcomed: where we are. Nobody calls back."""
    return _endpoint(host, 0)


def welcomed(data: bytes) -> int:
    """How many bytes the answer to our greeting takes, 0 when it is not all there. Raises Unreadable."""
    if data and data[0] != _WELCOME:
        raise Unreadable("not welcome")
    size = 3 + int.from_bytes(data[1:3], "big") + 4
    if size > 1 + _GREETING_BYTES_MAX:
        raise Unreadable("a name that is too long")
    return size if len(data) >= size else 0


def _endpoint(host: str, port: int) -> bytes:
    spelled = spell(host)
    return len(spelled).to_bytes(2, "big") + spelled + _PORT.pack(port)


class Reference(msgspec.Struct, frozen=True):
    """Where a remote object is, and what it is known by there."""

    host: str
    port: int
    target: bytes


def stub(table: Table, interface: str, reference: Reference) -> Proxy:
    """An object that passes calls on to ours, for the other side to keep."""
    data = _short("UnicastRef") + _endpoint(reference.host, reference.port) + reference.target + b"\0"
    return Proxy((interface,), table.types.RemoteObjectInvocationHandler(extra=[data]))


def reference_of(table: Table, value: Any) -> Reference:
    """Where the object of a stub is. Raises Unreadable."""
    handler = value.handler if isinstance(value, Proxy) else None
    data = handler.extra if isinstance(handler, table.types.RemoteObjectInvocationHandler) else None
    if not data or not isinstance(data[0], bytes):
        raise Unreadable("no remote object")
    kind, rest = _cut(data[0])
    host, rest = _cut(rest)
    if kind != "UnicastRef" or len(rest) != _PORT.size + _IDENTITY.size + 1:
        raise Unreadable(f"a remote object of a kind that nobody knows: {kind[:40]}")
    return Reference(host, _PORT.unpack(rest[:4])[0], rest[4:26])


def _short(text: str) -> bytes:
    spelled = spell(text)
    return len(spelled).to_bytes(2, "big") + spelled


def _cut(data: bytes) -> tuple[str, bytes]:
    size = 2 + int.from_bytes(data[:2], "big")
    if len(data) < size:
        raise Unreadable("half a text")
    return unspell(data[2:size]), data[size:]
