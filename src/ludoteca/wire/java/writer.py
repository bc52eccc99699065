"""Values as bytes of a stream: what was named once is referred to from then on, until a reset."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from struct import Struct
from typing import Any, NamedTuple, Self

from msgspec.structs import astuple

from ludoteca.core import LocalError
from ludoteca.wire.java.stream import HANDLES_FROM, MAGIC, PRIMITIVES, RESET, spell
from ludoteca.wire.java.table import Class, Constant, Linked, Ordered, Proxy, Record, Table

HEADER = MAGIC
# Texts and small numbers that are remembered on a connection without resets; the rest is sent anew.
REMEMBERED_MAX = 4096
REMEMBERED_LENGTH_MAX = 64
# A stream begins anew after so many handles: the other side keeps every object that has one.
HANDLES_MAX = 100_000

_reference = Struct(">BI").pack
_LIST_HEAD = Struct(">iBBi").pack
_LINKED_HEAD = Struct(">BBi").pack
_MAP_HEAD = Struct(">fiBBii").pack
_INTEGER = Struct(">i").pack
_LONG = Struct(">q").pack
_DOUBLE = Struct(">d").pack
_REFERENCES = tuple(_reference(0x71, HANDLES_FROM + handle) for handle in range(4096))


def _list_head(size: int) -> bytes:
    return _LIST_HEAD(size, 0x77, 4, size)


def _map_head(size: int) -> bytes:
    buckets = 16 if size <= 12 else 1 << (size * 4 // 3).bit_length()
    return _MAP_HEAD(0.75, buckets * 3 // 4, 0x77, 8, buckets, size)


# Most lists and maps are short: how they begin is known beforehand.
_SHORT = 64
_LIST_HEADS = tuple(map(_list_head, range(_SHORT)))
_MAP_HEADS = tuple(map(_map_head, range(_SHORT)))


def _written(text: str) -> bytes:
    data = spell(text)
    size = len(data)
    return b"t" + size.to_bytes(2, "big") + data if size < 65_536 else b"|" + _LONG(size) + data


# The same short texts are sent to everybody, and again after each reset.
_written_often = lru_cache(1024)(_written)


class Ready(NamedTuple):
    """A value whose bytes are there already, and how many handles they take (`Opening.ready`)."""

    data: bytes
    handles: int


class Writer:
    """One direction of one connection. Descriptors, constants and texts are remembered, objects never.

    Values are None, bool, int (an Integer, or a Long where it is too great), float (a Double), str, list
    (ArrayList), Linked, dict (HashMap), Ordered, constants, records and proxies of the table. A list in a
    field that is declared as an array is written as one. Within a message a record that occurs twice is
    the same object on the other side. `annotated` is the marshalling of RMI: a null behind each descriptor.
    """

    __slots__ = (
        "_annotated",
        "_classes",
        "_described",
        "_heads",
        "_here",
        "_known",
        "_next",
        "_out",
        "_records",
    )

    def __init__(self, table: Table, *, annotated: bool = False) -> None:
        self._classes = table.classes
        self._records = table.records
        self._annotated = annotated
        self._out: list[bytes] = []
        self._start()

    def _start(self) -> None:
        self._next = 0
        # References to what has been written: constants, texts and small integers; descriptors by name; how
        # objects of a type begin; and, for this message only, records by identity.
        self._known: dict[Any, bytes] = {}
        self._described: dict[str, bytes] = {}
        self._heads: dict[type[Any], bytes] = {}
        self._here: dict[int, bytes] = {}

    def message(self, value: Any, *, reset: bool = False) -> bytes:
        """A value as the other side reads it with one call; with `reset` it refers to nothing before it."""
        self._out = out = []
        if reset or self._next > HANDLES_MAX:
            self._start()
            out.append(bytes([RESET]))
        self._all((value,))
        self._here.clear()
        return b"".join(out)

    def begin(self, kind: type[Record], values: Iterable[Any], handles: int) -> bytes:
        """Begin a message of this type behind a reset, up to its fields, and have it know these values.

        They are in the annotation of its class, which Java reads and passes over. It takes so many handles
        before them, of which the rest is filled with empty texts.
        """
        java = self._records[kind]
        self._start()
        filling = handles - 1 - java.strings
        self._out = [bytes([RESET]), b"s", java.head, b"t\0\0" * filling]
        self._next = handles
        self._all(values)
        self._out.append(b"x")
        if java.parent is None:
            self._out.append(b"p")
        else:
            self._describe(java.parent.name)
        self._next += 1
        return b"".join(self._out)

    @property
    def described(self) -> frozenset[tuple[str, bytes]]:
        """The classes that are known by now, and the references to them."""
        return frozenset(self._described.items())

    def go_on(self, value: Record) -> bytes:
        """The fields of the message that was begun."""
        out: list[bytes] = []
        self._out = out
        self._fields(value, self._records[type(value)])
        return b"".join(out)

    def ready(self, value: Any) -> Any:
        """A value as it can be written again and again, as long as no more is known; or the value itself,
        if it brings something with it that others might refer to."""
        copy, copy._out = self.copy(), []
        copy._all((value,))
        known, more = (
            [len(each) for each in (one._known, one._described, one._here)] for one in (self, copy)
        )
        return Ready(b"".join(copy._out), copy._next - self._next) if known == more else value

    def copy(self) -> Self:
        """Another one that knows the same."""
        copy = type(self).__new__(type(self))
        copy._annotated, copy._classes, copy._records = self._annotated, self._classes, self._records
        copy._next = self._next
        copy._known, copy._described = self._known.copy(), self._described.copy()
        copy._heads, copy._here = self._heads.copy(), self._here.copy()
        return copy

    @staticmethod
    def block(data: bytes) -> bytes:
        """Bytes beside the objects: the numbers that a caller writes by hand."""
        return bytes([0x77, len(data)]) + data if len(data) < 256 else b"z" + _INTEGER(len(data)) + data

    def _take(self) -> bytes:
        """The reference to what is written next."""
        handle = self._next
        self._next = handle + 1
        return _REFERENCES[handle] if handle < 4096 else _reference(0x71, HANDLES_FROM + handle)

    def _all(self, values: Iterable[Any]) -> None:
        """One value after the other. One long function, since a board has hundreds of them."""
        append = self._out.append
        known, heads, here, records = self._known, self._heads, self._here, self._records
        for value in values:
            kind = type(value)
            if kind is int:
                append(known.get(value) or self._integer(value))
            elif kind is Constant:
                append(known.get(value) or self._constant(value))
            elif value is None:
                append(b"p")
            elif kind is str:
                append(known.get(value) or self._text(value))
            elif (java := records.get(kind)) is not None:
                reference = here.get(id(value))
                if reference is None:
                    append(heads.get(kind) or self._head(kind, java.name))
                    here[id(value)] = self._take()
                    self._fields(value, java)
                else:
                    append(reference)
            elif kind is Ready:
                append(value.data)
                self._next += value.handles
            elif kind is list:
                append(heads.get(kind) or self._head(kind, "java.util.ArrayList"))
                self._next += 1
                size = len(value)
                append(_LIST_HEADS[size] if size < _SHORT else _list_head(size))
                self._all(value)
                append(b"x")
            elif kind is dict or kind is Ordered:
                name = "java.util.HashMap" if kind is dict else "java.util.LinkedHashMap"
                append(heads.get(kind) or self._head(kind, name))
                self._next += 1
                size = len(value)
                append(_MAP_HEADS[size] if size < _SHORT else _map_head(size))
                self._all(chain.from_iterable(value.items()))
                append(b"x" if kind is dict else b"x\0")
            else:
                self._other(value)

    def _fields(self, value: Record, java: Class) -> None:
        append = self._out.append
        values = astuple(value)
        if java.plain is not None:
            pack, count, has_objects = java.plain
            if pack is not None:
                append(pack(*values[:count]))
            if has_objects:
                self._all(values[count:])
            return
        for part in java.parts:
            if part.pack is not None:
                append(part.pack(*values[part.numbers]))
            if part.arrays:
                for place, each in enumerate(values[part.objects]):
                    signature = part.arrays.get(place)
                    if signature is None or each is None:
                        self._all((each,))
                    else:
                        self._array(signature, each)
            elif part.several:
                self._all(values[part.objects])
            if part.extra is not None:
                for each in values[part.extra] or ():
                    if isinstance(each, bytes):
                        append(self.block(each))
                    else:
                        self._all((each,))
                append(b"x")

    def _head(self, kind: type[Any], name: str) -> bytes:
        """Begin an object of a type that this stream has not had yet."""
        self._out.append(b"s")
        self._describe(name)
        self._heads[kind] = b"s" + self._described[name]
        return b""

    def _describe(self, name: str) -> None:
        """A descriptor, or the reference to it."""
        reference = self._described.get(name)
        if reference is not None:
            self._out.append(reference)
        else:
            self._write_class(self._classes[name])

    def _write_class(self, java: Class) -> None:
        self._described[java.name] = self._take()
        self._next += java.strings
        self._out.append(java.annotated if self._annotated else java.bare)
        if java.parent is not None:
            self._describe(java.parent.name)

    def _constant(self, value: Constant) -> bytes:
        self._out.append(b"~")
        self._describe(value.kind)
        self._known[value] = self._take()
        # Java takes no reference for this name, though two enumerations may have one of the same.
        return self._text(value.name)

    def _text(self, value: str) -> bytes:
        reference = self._take()
        if len(value) > REMEMBERED_LENGTH_MAX:
            return _written(value)
        if len(self._known) < REMEMBERED_MAX:
            self._known[value] = reference
        return _written_often(value)

    def _boxed(self, name: str) -> bytes:
        self._out.append(b"s")
        self._describe(name)
        return self._take()

    def _integer(self, value: int) -> bytes:
        if not -(2**31) <= value < 2**31:
            self._boxed("java.lang.Long")
            return _LONG(value)
        reference = self._boxed("java.lang.Integer")
        if -128 <= value < 128:
            self._known[value] = reference
        return _INTEGER(value)

    def _other(self, value: Any) -> None:
        """The rarer kinds."""
        append = self._out.append
        match value:
            case bool():
                self._boxed("java.lang.Boolean")
                append(b"\1" if value else b"\0")
            case float():
                self._boxed("java.lang.Double")
                append(_DOUBLE(value))
            case Linked():
                append(b"s")
                self._describe("java.util.LinkedList")
                self._next += 1
                append(_LINKED_HEAD(0x77, 4, len(value)))
                self._all(value)
                append(b"x")
            case Proxy():
                append(b"s}")
                self._next += 1
                append(_INTEGER(len(value.interfaces)))
                for name in value.interfaces:
                    spelled = spell(name)
                    append(len(spelled).to_bytes(2, "big") + spelled)
                append(b"px" if self._annotated else b"x")
                self._describe("java.lang.reflect.Proxy")
                self._next += 1
                self._all((value.handler,))
            case _:
                raise LocalError(f"a {type(value).__name__} cannot be written as a Java object")

    def _array(self, signature: str, values: Any) -> None:
        self._out.append(b"u")
        name = signature.replace("/", ".")
        reference = self._described.get(name)
        if reference is None:
            self._write_class(Class(name, 0, 2, [], None))
        else:
            self._out.append(reference)
        self._next += 1
        element = signature[1:]
        self._out.append(_INTEGER(len(values)))
        if element in PRIMITIVES:
            self._out.append(Struct(f">{len(values)}{PRIMITIVES[element]}").pack(*values))
        elif element.startswith("["):
            for each in values:
                if each is None:
                    self._out.append(b"p")
                else:
                    self._array(element, each)
        else:
            self._all(values)


def alone(table: Table, value: Any) -> bytes:
    """A message that refers to nothing outside itself: the same bytes for every connection."""
    return Writer(table).message(value, reset=True)


class Opening:
    """How messages of some types begin that have much in common, each behind a reset.

    All of them know the same `values` from the start, of a type given as such an empty record, under the same
    handles. So parts that refer to nothing else are the same bytes in every message, and can be `ready`.
    """

    def __init__(self, table: Table, kinds: Iterable[type[Record]], values: Iterable[Any]) -> None:
        # Kept, since records are known by their identity.
        self._values = [_empty(each) if isinstance(each, type) else each for each in values]
        kinds = tuple(kinds)
        self._starts: dict[type[Record], bytes] = {}
        self._writer = Writer(table)
        handles = 1 + max(table.records[kind].strings for kind in kinds)
        described = set()
        for kind in kinds:
            self._starts[kind] = self._writer.begin(kind, self._values, handles)
            described.add(self._writer.described)
        if len(described) > 1:
            raise LocalError("messages begin alike only where their superclasses are among the values")

    def ready(self, value: Any) -> Any:
        """A value that is part of many messages, written beforehand where that can be."""
        return self._writer.ready(value)

    def message(self, value: Record) -> bytes:
        """A whole message of one of the types."""
        return self._starts[type(value)] + self._writer.copy().go_on(value)


def _empty(kind: type[Any]) -> Any:
    fields = [type_ for each in kind.java.line for _, type_ in each.fields]
    return kind(*(0 if type_ in PRIMITIVES else None for type_ in fields))
