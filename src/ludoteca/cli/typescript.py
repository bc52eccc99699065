"""Records as TypeScript: what goes over the line in Ludoteca's own protocol, and the records of each game.

`python web/records.py` keeps the page's copies; `ludoteca protocol NAME --typescript` prints them for others.
"""

import json
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from typing import Any, Literal, Union, get_origin

import msgspec
from msgspec import inspect

from ludoteca.core import Game, LocalError
from ludoteca.hall import acts, steward
from ludoteca.server.daybook import Day
from ludoteca.server.hosting import Doorway, Opened
from ludoteca.server.openapi import GameInfo, Story
from ludoteca.server.upkeep import Storage
from ludoteca.wire import messages

WIDTH = 110
_PLAIN: dict[type[inspect.Type], str] = {
    inspect.AnyType: "unknown",
    inspect.NoneType: "null",
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
}


def house() -> str:
    """The messages of Ludoteca's own protocol, and what REST answers."""
    roots = {"FromClient": messages.FromClient, "FromServer": messages.FromServer}
    rest = {"GameInfo": GameInfo, "Finished": messages.Finished, "Story": Story}
    return file(
        "The messages of Ludoteca's own protocol, and the answers of its REST.", roots | rest, messages
    )


def host() -> str:
    """What hosts see and do, and the door."""
    roots = {
        **{"House": steward.House, "Act": acts.Act, "Done": acts.Done, "Doorway": Doorway, "Opened": Opened},
        **{"Storage": Storage, "Day": Day},
    }
    return file("What hosts see and do, and the door.", roots)


def game(game: Game) -> str:
    """The records of a game."""
    roots = {
        "Action": game.actions,
        "Event": game.events,
        "View": game.views,
        "Options": game.options,
        "Preferences": game.preferences,
    }
    return file(f"The records of {game.title} as they come over the line.", roots)


def file(title: str, roots: dict[str, Any], *modules: types.ModuleType) -> str:
    """Types under the names that others look for, and all they are made of; `modules` have names for them."""
    writer = _Writer(modules)
    for name, kind in roots.items():
        writer.root(name, inspect.type_info(kind), is_complete=kind is not messages.FromClient)
    parts = [f"/** {title} Generated: `make types` writes it anew. */", *writer.parts.values()]
    return "\n\n".join(parts) + "\n"


class _Writer:
    """The definitions of one file by name, each written when it is first met.

    What the house sends is complete; what a client sends may leave out whatever has a default. An action is
    both: it is written as the house offers it.
    """

    def __init__(self, modules: tuple[types.ModuleType, ...]) -> None:
        self.parts: dict[str, str] = {}
        self._kinds: dict[str, inspect.Type] = {}
        self._modules: list[types.ModuleType] = []
        self._aliases: list[tuple[str, inspect.Type]] = []
        self._is_complete = True
        for module in modules:
            self._look_at(module)

    def root(self, name: str, kind: inspect.Type, is_complete: bool) -> None:
        """Define a name that others look for."""
        self._is_complete = is_complete
        for struct in _structs(kind):
            self._look_at(sys.modules[struct.cls.__module__])
        text = self.write(kind)
        if text != name:
            self._define(name, kind, lambda: _alias(name, text))

    def write(self, kind: inspect.Type) -> str:
        """A type as an expression; what has a name in Python is defined under it and called by it."""
        if isinstance(kind, inspect.StructType):
            self._look_at(sys.modules[kind.cls.__module__])
            name: str = kind.cls.__name__
            self._define(name, kind, lambda: _doc(kind.cls) + self._interface(kind))
            return name
        if isinstance(kind, inspect.NamedTupleType):
            name = kind.cls.__name__
            self._define(name, kind, lambda: _doc(kind.cls) + _alias(name, self._labelled(kind)))
            return name
        known = next((name for name, other in self._aliases if kind == other), None)
        if known is None:
            return self._shape(kind)
        self._define(known, kind, lambda: _alias(known, self._shape(kind)))
        return known

    def _define(self, name: str, kind: inspect.Type, text: Callable[[], str]) -> None:
        if name not in self.parts:
            # The place is taken first: a record may hold records of its own kind.
            self.parts[name], self._kinds[name] = "", kind
            self.parts[name] = text()
        elif self._kinds[name] != kind:
            raise LocalError(f"two different records are called {name}")

    def _look_at(self, module: types.ModuleType) -> None:
        if module not in self._modules:
            self._modules.append(module)
            self._aliases += _aliases(module)

    def _shape(self, kind: inspect.Type) -> str:
        plain = _PLAIN.get(type(kind))
        if plain is not None:
            return plain
        match kind:
            case inspect.Metadata():
                schema = kind.extra_json_schema or {}
                return _schema(schema) if "properties" in schema else self.write(kind.type)
            case inspect.LiteralType(values):
                # As msgspec sorts them they come in no order that means anything.
                return " | ".join(sorted(json.dumps(value, ensure_ascii=False) for value in values))
            case inspect.UnionType(members):
                return self._union([self.write(part) for part in members])
            case inspect.TupleType(items):
                return f"[{', '.join(self.write(item) for item in items)}]"
            case inspect.CollectionType():
                item = self.write(kind.item_type)
                is_union = isinstance(kind.item_type, inspect.UnionType | inspect.LiteralType)
                return f"({item})[]" if is_union and " | " in item else f"{item}[]"
            case inspect.DictType(key, value):
                return f"Record<{self.write(key)}, {self.write(value)}>"
            case _:
                raise LocalError(f"no TypeScript for {kind}")

    def _union(self, members: list[str]) -> str:
        line = " | ".join(members)
        return line if len(line) < WIDTH - 30 else "".join(f"\n  | {member}" for member in members)

    def _labelled(self, kind: inspect.NamedTupleType) -> str:
        return f"[{', '.join(f'{field.name}: {self.write(field.type)}' for field in kind.fields)}]"

    def _interface(self, kind: inspect.StructType) -> str:
        if kind.array_like:
            raise LocalError(f"no TypeScript for records that are written as arrays: {kind.cls.__name__}")
        lines = "".join(f"\n  {line};" for line in self._fields(kind))
        return f"export interface {kind.cls.__name__} {{{lines}{chr(10) if lines else ''}}}"

    def _fields(self, kind: inspect.StructType) -> Iterator[str]:
        if kind.tag_field is not None:
            yield f"{kind.tag_field}: {json.dumps(kind.tag)}"
        may_omit = kind.cls.__struct_config__.omit_defaults or not self._is_complete
        defaults = {field.name: field.default for field in msgspec.structs.fields(kind.cls)}
        for field in kind.fields:
            is_unset = defaults[field.name] is msgspec.UNSET
            mark = "?" if is_unset or (may_omit and not field.required) else ""
            yield f"{field.encode_name}{mark}: {self.write(field.type)}"


def _aliases(module: types.ModuleType) -> Iterator[tuple[str, inspect.Type]]:
    """The types that a module has a public name for without being classes: unions, literals, tuples, and
    records that only the games know."""
    for name, value in vars(module).items():
        origin = get_origin(value)
        if not name.startswith("_") and (
            origin in (Literal, Union, types.UnionType, tuple)
            or (hasattr(value, "__metadata__") and value.__origin__ is Any)
        ):
            yield name, inspect.type_info(value)


def _structs(kind: inspect.Type) -> Iterator[inspect.StructType]:
    if isinstance(kind, inspect.StructType):
        yield kind
    elif isinstance(kind, inspect.UnionType):
        for part in kind.types:
            yield from _structs(part)


def _schema(schema: dict[str, Any]) -> str:
    """A record of which only some fields are known here."""
    fields = "; ".join(f"{name}: {part['type']}" for name, part in schema["properties"].items())
    return f"{{ {fields}; [field: string]: unknown }}"


def _alias(name: str, text: str) -> str:
    return f"export type {name} ={'' if text.startswith(chr(10)) else ' '}{text};"


def _doc(kind: type) -> str:
    text = " ".join((kind.__dict__.get("__doc__") or "").split()).replace("None", "null")
    # A named tuple has a docstring of its own making where nobody wrote one.
    if not text or text.startswith(f"{kind.__name__}("):
        return ""
    return "/** " + "\n *  ".join(textwrap.wrap(text, WIDTH - 7)) + " */\n"
