"""The classes that a stream may name, as data: a row for each, and a type of passive records made from it."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from struct import Struct
from types import SimpleNamespace
from typing import Any, ClassVar

import msgspec

from ludoteca.core import LocalError
from ludoteca.wire.java.stream import CUSTOM_FLAG, ENUM_FLAG, PRIMITIVES, SERIALIZABLE_FLAG, spell


class Record(msgspec.Struct, eq=False):
    """A Java object: nothing but its fields, those of its superclass first. Compared by identity."""

    java: ClassVar["Class"]


class Constant:
    """A constant of an enumeration. There is one for each name, so that identity is equality."""

    __slots__ = ("kind", "name")

    def __init__(self, kind: str, name: str) -> None:
        self.kind = kind
        self.name = name

    def __repr__(self) -> str:
        return f"{self.kind}.{self.name}"


class Ordered(dict[Any, Any]):
    """A LinkedHashMap; a plain dict is a HashMap."""


class Linked(list[Any]):
    """A LinkedList; a plain list is an ArrayList."""


class Proxy(msgspec.Struct, eq=False):
    """An object of a class made at run time: the interfaces it answers to, and who answers (RMI's stubs)."""

    interfaces: tuple[str, ...] = ()
    handler: Any = None


class Part(msgspec.Struct, frozen=True):
    """What one class of a line of ancestors adds to a record: a stretch of its fields, and what follows."""

    numbers: slice
    objects: slice
    several: int
    pack: Callable[..., bytes] | None
    packed: Struct | None
    # The types of the objects that are arrays, by their place; usually none are.
    arrays: dict[int, str]
    # Where the data is that the class writes besides its fields, if it does.
    extra: int | None


class Class:
    """One class: name, identifier, flags, fields with their types as Java signs them, superclass."""

    def __init__(
        self, name: str, uid: int, flags: int, fields: list[tuple[str, str]], parent: "Class | None"
    ) -> None:
        self.name = name
        self.uid = uid
        self.flags = flags
        self.fields = fields
        self.parent = parent
        # What becomes of an object: the type of its record, or what the reader makes of it.
        self.type: type[Any] = Record
        self.enum: Mapping[str, Constant] | None = None

    @cached_property
    def line(self) -> list["Class"]:
        """The class and its ancestors, the most distant one first: the order of their data."""
        return [*(self.parent.line if self.parent else []), self]

    @cached_property
    def names(self) -> list[str]:
        """The fields of a record, in the order of the stream."""
        names: list[str] = []
        for each in self.line:
            names += [name for name, _ in each.fields]
            if each.flags & CUSTOM_FLAG:
                names.append("extra")
        return names

    @cached_property
    def parts(self) -> list[Part]:
        """How a record is laid out."""
        parts = []
        at = 0
        for each in self.line:
            types = [type_ for _, type_ in each.fields]
            count = sum(type_ in PRIMITIVES for type_ in types)
            middle, end = at + count, at + len(types)
            packed = Struct(">" + "".join(PRIMITIVES[type_] for type_ in types[:count])) if count else None
            arrays = {place: t for place, t in enumerate(types[count:]) if t.startswith("[")}
            extra = end if each.flags & CUSTOM_FLAG else None
            pack = packed.pack if packed is not None else None
            parts.append(
                Part(slice(at, middle), slice(middle, end), end - middle, pack, packed, arrays, extra)
            )
            at = end + (extra is not None)
        return parts

    @cached_property
    def plain(self) -> tuple[Callable[..., bytes] | None, int, bool] | None:
        """How numbers are packed, how many there are, and whether objects follow, if that is all there is."""
        (part, *more) = self.parts
        if more or part.arrays or part.extra is not None:
            return None
        return part.pack, part.numbers.stop, bool(part.several)

    @cached_property
    def bare(self) -> bytes:
        """The descriptor, up to that of the superclass. It takes 1 + `strings` handles."""
        return self.head + (b"x" if self.parent is not None else b"xp")

    @cached_property
    def annotated(self) -> bytes:
        """The same with an annotation, null."""
        return self.head + (b"px" if self.parent is not None else b"pxp")

    @cached_property
    def head(self) -> bytes:
        """The descriptor up to its annotation."""
        fields = bytearray(len(self.fields).to_bytes(2, "big"))
        for name, type_ in self.fields:
            fields += type_[:1].encode() + _short(name)
            if type_ not in PRIMITIVES:
                fields += b"t" + _short(type_)
        return b"r" + _short(self.name) + self.uid.to_bytes(8, "big") + bytes([self.flags]) + fields

    @cached_property
    def strings(self) -> int:
        """How many texts, each with a handle of its own, are in the descriptor."""
        return sum(type_ not in PRIMITIVES for _, type_ in self.fields)


def _short(text: str) -> bytes:
    data = spell(text)
    return len(data).to_bytes(2, "big") + data


ENUM_CLASS = Class("java.lang.Enum", 0, SERIALIZABLE_FLAG | ENUM_FLAG, [], None)

# One row: name, a star if it writes data of its own, its superclass in brackets, identifier, and fields.
_ROW = re.compile(r"([\w.$]+)(\*?)(?:\(([\w.$]+)\))? ([0-9a-f]{16}):(.*)")
# Types of fields that are named without being sent, and what rows may call by their last name.
_INTERFACES = {
    name.rpartition(".")[2]: name
    for name in (
        "java.lang.Object",
        "java.lang.String",
        "java.lang.reflect.InvocationHandler",
        "java.util.List",
        "java.util.Map",
        "java.util.function.Predicate",
    )
}
_JDK = """
java.lang.Number 86ac951d0b94e08b:
java.lang.Boolean cd207280d59cfaee: value Z
java.lang.Byte(Number) 9c4e6084ee50f51c: value B
java.lang.Double(Number) 80b3c24a296bfb04: value D
java.lang.Float(Number) daedc9a2db3cf0ec: value F
java.lang.Integer(Number) 12e2a0a4f7818738: value I
java.lang.Long(Number) 3b8be490cc8f23df: value J
java.lang.Short(Number) 684d37133460da52: value S
java.lang.reflect.Proxy e127da20cc1043cb: h InvocationHandler
java.util.ArrayList* 7881d21d99c7619d: size I
java.util.HashMap* 0507dac1c31660d1: loadFactor F, threshold I
java.util.LinkedHashMap(HashMap) 34c04e5c106cc0fb: accessOrder Z
java.util.LinkedList* 0c29535d4a608822:
"""


class Table:
    """The classes of one program, by name; `types` has their records, and the constants of its enumerations.

    `types.LoginMessage(username="bianca")` is a record, `types.Resource["COINS"]` a constant. Rows look like
    `network.messages.AskAction(Message) 53af2004a812f910: isInvalidAction Z, roundActions RoundActions`:
    numbers first, then objects, each sorted by name, as Java sends them.
    """

    def __init__(self, package: str = "", rows: str = "", enums: Mapping[str, str] | None = None) -> None:
        self.types = SimpleNamespace()
        self.classes: dict[str, Class] = {"java.lang.Enum": ENUM_CLASS}
        self.records: dict[type[Any], Class] = {}
        self._called = dict(_INTERFACES)
        found = [*_parse(_JDK, ""), *_parse(rows, package)]
        for name in [*(row[0] for row in found), *(package + enum for enum in enums or {})]:
            self._called[name.rpartition(".")[2]] = name
        for name, constants in (enums or {}).items():
            self._add_enum(package + name, constants.split())
        for row in found:
            self._add(*row)
        if len(self.classes) != 1 + len(found) + len(enums or {}):
            raise LocalError("a class is in the table twice")
        for name, made in (("ArrayList", list), ("HashMap", dict), ("LinkedHashMap", Ordered)):
            self.classes["java.util." + name].type = made
        self.classes["java.util.LinkedList"].type = Linked

    def _add(self, name: str, custom: bool, parent: str | None, uid: int, fields: list[list[str]]) -> None:
        known = None if parent is None else self.classes[self._called[parent]]
        flags = SERIALIZABLE_FLAG | (CUSTOM_FLAG if custom else 0)
        made = Class(name, uid, flags, [(field, self._sign(type_)) for field, type_ in fields], known)
        simple = name.rpartition(".")[2]
        made.type = msgspec.defstruct(
            simple,
            [(field, Any, None) for field in made.names],
            bases=(Record,),
            namespace={"java": made},
            eq=False,
        )
        self.classes[name] = made
        self.records[made.type] = made
        setattr(self.types, simple, made.type)

    def _add_enum(self, name: str, constants: list[str]) -> None:
        simple = name.rpartition(".")[2]
        made = Class(name, 0, SERIALIZABLE_FLAG | ENUM_FLAG, [], ENUM_CLASS)
        made.enum = {constant: Constant(name, constant) for constant in constants}
        self.classes[name] = made
        setattr(self.types, simple, made.enum)

    def _sign(self, type_: str) -> str:
        """A type of a row as Java signs it: `String[]` is `[Ljava/lang/String;`."""
        element = type_.rstrip("[]")
        depth = (len(type_) - len(element)) // 2
        if element in PRIMITIVES:
            return "[" * depth + element
        return "[" * depth + f"L{self._called[element].replace('.', '/')};"


def _parse(rows: str, package: str) -> list[tuple[str, bool, str | None, int, list[list[str]]]]:
    parsed = []
    for row in filter(None, map(str.strip, rows.splitlines())):
        match = _ROW.fullmatch(row)
        if match is None:
            raise LocalError(f"no row of a class table: {row}")
        name, star, parent, uid, fields = match.groups()
        full = name if name.startswith("java.") else package + name
        pairs = [field.split() for field in fields.split(",") if field.strip()]
        parsed.append((full, bool(star), parent, int(uid, 16), pairs))
    return parsed
