"""Bytes of a stream as values, cut anywhere: what has been read is never read again."""

from collections.abc import Generator
from struct import Struct
from typing import Any

from ludoteca.wire.java.stream import (
    ARRAY,
    BLOCK,
    CLASS_DESC,
    END_BLOCK,
    ENUM,
    ENUM_FLAG,
    HANDLES_FROM,
    LONG_BLOCK,
    LONG_STRING,
    MAGIC,
    NULL,
    OBJECT,
    PRIMITIVES,
    PROXY_DESC,
    REFERENCE,
    RESET,
    STRING,
    Unreadable,
    unspell,
)
from ludoteca.wire.java.table import Class, Proxy, Record, Table

__all__ = ["OtherBuild", "Reader", "Unreadable"]

# The originals' greatest messages to a server are of some 600 bytes.
MESSAGE_BYTES_MAX = 4096
DEPTH_MAX = 16
# Objects and what else begins with a tag: to read one costs some microseconds, however few bytes it takes.
# There is no more than one of them to so many bytes of the greatest message.
BYTES_PER_CONTENT = 8
INTERFACES_MAX = 16
# What is remembered over messages: descriptors, constants, texts and numbers.
REMEMBERED_MAX = 4096
REMEMBERED_BYTES_MAX = 65_536

_BOXED = {"Boolean", "Byte", "Double", "Float", "Integer", "Long", "Short"}
_END = object()

Steps = Generator[None, None, Any]


class OtherBuild(Unreadable):
    """A class that is not the table's: the program was built from other sources."""


class Reader:
    """One direction of one connection.

    `feed` takes bytes up to the end of one message, which is then `item`; block data is an item of its own,
    as bytes. Objects are forgotten with their message; what is remembered besides has bounds. After an error
    nothing more is read. Arrays and ArrayLists are lists; a LinkedList is a Linked, a LinkedHashMap Ordered.
    """

    def __init__(
        self,
        table: Table,
        *,
        message_bytes_max: int = MESSAGE_BYTES_MAX,
        depth_max: int = DEPTH_MAX,
    ) -> None:
        self.item: Any = None
        self._classes = table.classes
        self._bytes_max = message_bytes_max
        self._depth_max = depth_max
        self._contents_max = message_bytes_max // BYTES_PER_CONTENT
        self._buffer = bytearray()
        self._at = 0
        self._need = 1
        self._used = 0
        self._contents = 0
        self._whole = False
        self._forget()
        self._steps = self._read_all()

    def _forget(self) -> None:
        self._next = 0
        self._kept: dict[int, Any] = {}
        self._kept_bytes = 0
        self._here: dict[int, Any] = {}

    def feed(self, data: bytes, at: int = 0) -> int:
        """Read from `data[at:]` to the end of a message, and return where that is: 0 if it is not there yet.

        Raises Unreadable.
        """
        # No more than one message may take is looked at, however much came.
        self._buffer += data[at : at + self._bytes_max]
        self._whole = False
        while not self._whole:
            if len(self._buffer) - self._at < self._need:
                rest = at + self._bytes_max
                if rest < len(data):
                    at = rest
                    self._buffer += data[at : at + self._bytes_max]
                    continue
                del self._buffer[: self._at]
                self._at = 0
                return 0
            next(self._steps)
        unread = len(self._buffer) - self._at
        self._buffer.clear()
        self._at = 0
        return min(len(data), at + self._bytes_max) - unread

    # Bytes. Whoever needs some asks first whether they are there: `if not self._ready(n): yield from
    # self._wait(n)`, since it usually is so, and a generator that need not begin costs nothing.

    def _ready(self, size: int) -> bool:
        """Whether so many bytes are there; who announces more than a message may hold is not waited for."""
        self._used += size
        if self._used > self._bytes_max:
            raise Unreadable(f"a message of more than {self._bytes_max} bytes")
        return len(self._buffer) - self._at >= size

    def _wait(self, size: int) -> Steps:
        while len(self._buffer) - self._at < size:
            self._need = size
            yield
        self._need = 1

    def _take(self, size: int) -> Steps:
        if not self._ready(size):
            yield from self._wait(size)
        at = self._at
        self._at = at + size
        return bytes(self._buffer[at : self._at])

    def _byte(self) -> Steps:
        if not self._ready(1):
            yield from self._wait(1)
        self._at += 1
        return self._buffer[self._at - 1]

    def _number(self, size: int) -> Steps:
        return int.from_bytes((yield from self._take(size)), "big")

    def _spelled(self, size_of_length: int = 2) -> Steps:
        size = yield from self._number(size_of_length)
        return unspell((yield from self._take(size)))

    # Handles.

    def _keep(self, value: Any, size: int = 0) -> int:
        """A handle for what later messages may refer to."""
        self._kept_bytes += size
        if len(self._kept) >= REMEMBERED_MAX or self._kept_bytes > REMEMBERED_BYTES_MAX:
            raise Unreadable("too much to remember without a reset")
        handle = self._next
        self._kept[handle] = value
        self._next = handle + 1
        return handle

    def _hold(self, value: Any) -> int:
        """A handle for what this message may refer to."""
        handle = self._next
        self._here[handle] = value
        self._next = handle + 1
        return handle

    def _recall(self) -> Steps:
        if not self._ready(4):
            yield from self._wait(4)
        handle = int.from_bytes(self._buffer[self._at : self._at + 4], "big") - HANDLES_FROM
        self._at += 4
        found = self._here.get(handle, _END)
        if found is _END:
            found = self._kept.get(handle, _END)
        if found is _END:
            past = 0 <= handle < self._next
            raise Unreadable(
                "a reference to an object of an earlier message" if past else f"no object has handle {handle}"
            )
        return found

    # Contents.

    def _read_all(self) -> Steps:
        if (yield from self._take(4)) != MAGIC:
            raise Unreadable("no Java stream of version 5")
        while True:
            self._used = self._contents = 0
            tag = yield from self._byte()
            while tag == RESET:
                self._forget()
                tag = yield from self._byte()
            self.item = yield from self._content(tag, 0)
            if self.item is _END:
                raise Unreadable("the end of a block that has not begun")
            self._here = {}
            self._whole = True
            yield

    def _content(self, tag: int, depth: int) -> Steps:
        self._contents += 1
        if self._contents > self._contents_max:
            raise Unreadable(f"a message of more than {self._contents_max} objects")
        if depth > self._depth_max:
            raise Unreadable(f"objects within objects, more than {self._depth_max} deep")
        if tag == NULL:
            return None
        if tag == REFERENCE:
            value = yield from self._recall()
            if isinstance(value, (Class, tuple)):
                raise Unreadable("a reference to a class where an object belongs")
            return value
        if tag in (STRING, LONG_STRING):
            return (yield from self._text(tag))
        if tag == OBJECT:
            return (yield from self._object(depth))
        if tag == ENUM:
            return (yield from self._constant(depth))
        if tag == ARRAY:
            return (yield from self._array(depth))
        if tag == BLOCK:
            return (yield from self._take((yield from self._byte())))
        if tag == LONG_BLOCK:
            return (yield from self._take((yield from self._number(4))))
        if tag == END_BLOCK:
            return _END
        raise Unreadable(f"no content begins with {tag:#04x}")

    def _value(self, depth: int) -> Steps:
        """An object, as a field or an element has one."""
        if not self._ready(1):
            yield from self._wait(1)
        self._at += 1
        value = yield from self._content(self._buffer[self._at - 1], depth)
        if value is _END or isinstance(value, bytes):
            raise Unreadable("bytes where an object belongs")
        return value

    def _rest(self, depth: int) -> Steps:
        """What a class wrote besides its fields, up to the end."""
        found: list[Any] = []
        while True:
            if not self._ready(1):
                yield from self._wait(1)
            self._at += 1
            value = yield from self._content(self._buffer[self._at - 1], depth)
            if value is _END:
                return found
            found.append(value)

    def _text(self, tag: int) -> Steps:
        handle = self._keep("")
        start = self._used
        text = yield from self._spelled(2 if tag == STRING else 8)
        self._kept_bytes += self._used - start
        self._kept[handle] = text
        return text

    def _constant(self, depth: int) -> Steps:
        java = yield from self._class((yield from self._byte()), depth)
        if not isinstance(java, Class) or java.enum is None:
            raise Unreadable("a constant of a class that is no enumeration")
        handle = self._keep(None)
        name = yield from self._value(depth + 1)
        constant = java.enum.get(name) if isinstance(name, str) else None
        if constant is None:
            raise Unreadable(f"{java.name} has no constant {name}")
        self._kept[handle] = constant
        return constant

    def _array(self, depth: int) -> Steps:
        java = yield from self._class((yield from self._byte()), depth)
        if not isinstance(java, Class) or not java.name.startswith("["):
            raise Unreadable("an array of a class that is none")
        values: list[Any] = []
        self._hold(values)
        count = yield from self._number(4)
        element = java.name[1:]
        if element in PRIMITIVES:
            packed = Struct(">" + PRIMITIVES[element])
            data = yield from self._take(count * packed.size)
            values += (number for (number,) in packed.iter_unpack(data))
            return values
        # Every element takes a byte at least.
        if count > self._bytes_max - self._used:
            raise Unreadable(f"an array of {count}")
        for _ in range(count):
            values.append((yield from self._value(depth + 1)))
        return values

    def _object(self, depth: int) -> Steps:
        java = yield from self._class((yield from self._byte()), depth)
        if isinstance(java, tuple):
            proxy = Proxy(java)
            self._hold(proxy)
            proxy.handler = yield from self._value(depth + 1)
            return proxy
        if java is None or java.flags & ENUM_FLAG or java.name.startswith("["):
            raise Unreadable("an object without a class of objects")
        if java.type.__name__ in _BOXED:
            handle = self._keep(None)
            (value,) = yield from self._fields(java, depth)
            self._kept[handle] = value
            return value
        made = java.type()
        self._hold(made)
        values = yield from self._fields(java, depth)
        if isinstance(made, Record):
            for name, value in zip(java.names, values, strict=True):
                setattr(made, name, value)
        elif isinstance(made, list):
            made += _elements(values[-1])
        else:
            found = iter(_elements(values[2]))
            try:
                made.update(zip(found, found, strict=True))
            except (TypeError, ValueError) as error:
                raise Unreadable(f"a map that is none: {error}") from error
        return made

    def _fields(self, java: Class, depth: int) -> Steps:
        values: list[Any] = []
        for part in java.parts:
            if part.packed is not None:
                values += part.packed.unpack((yield from self._take(part.packed.size)))
            for _ in range(part.objects.stop - part.objects.start):
                values.append((yield from self._value(depth + 1)))
            if part.extra is not None:
                values.append((yield from self._rest(depth + 1)))
        return values

    # Descriptors.

    def _class(self, tag: int, depth: int) -> Steps:
        """A class; of a proxy its interfaces; or None."""
        if tag == NULL:
            return None
        if tag == REFERENCE:
            value = yield from self._recall()
            if not isinstance(value, (Class, tuple)):
                raise Unreadable("a reference to an object where a class belongs")
            return value
        if tag == PROXY_DESC:
            return (yield from self._proxy(depth))
        if tag != CLASS_DESC:
            raise Unreadable(f"no class begins with {tag:#04x}")
        start = self._used
        name = yield from self._spelled()
        uid = yield from self._number(8)
        java = self._look_up(name, uid)
        self._keep(java, self._used - start)
        flags = yield from self._byte()
        fields = []
        count = yield from self._number(2)
        if count != len(java.fields):
            raise OtherBuild(f"class {name} has other fields than the original's")
        for _ in range(count):
            code = chr((yield from self._byte()))
            field = yield from self._spelled()
            fields.append((field, code if code in PRIMITIVES else (yield from self._value(depth + 1))))
        yield from self._rest(depth + 1)
        parent = yield from self._class((yield from self._byte()), depth + 1)
        if (flags, fields, parent) != (java.flags, java.fields, java.parent):
            raise OtherBuild(f"class {name} has other fields than the original's")
        return java

    def _look_up(self, name: str, uid: int) -> Class:
        if name.startswith("["):
            return Class(name, uid, 2, [], None)
        java = self._classes.get(name)
        if java is None:
            raise OtherBuild(f"class {name} is none of the original's")
        # Java itself does not compare those of enumerations.
        if not java.flags & ENUM_FLAG and java.uid != uid:
            raise OtherBuild(f"class {name} is of another build: {uid:016x}, and not {java.uid:016x}")
        return java

    def _proxy(self, depth: int) -> Steps:
        handle = self._keep(())
        start = self._used
        names = []
        count = yield from self._number(4)
        if count > INTERFACES_MAX:
            raise Unreadable(f"a proxy of {count} interfaces")
        for _ in range(count):
            names.append((yield from self._spelled()))
        yield from self._rest(depth + 1)
        self._kept[handle] = tuple(names)
        self._kept_bytes += self._used - start
        parent = yield from self._class((yield from self._byte()), depth + 1)
        if parent is not self._classes["java.lang.reflect.Proxy"]:
            raise Unreadable("a proxy that is none")
        return tuple(names)


def _elements(rest: list[Any]) -> list[Any]:
    """What a collection holds: the block before it only says how many there are."""
    if not rest or not isinstance(rest[0], bytes) or any(isinstance(each, bytes) for each in rest[1:]):
        raise Unreadable("a collection that is none")
    return rest[1:]
