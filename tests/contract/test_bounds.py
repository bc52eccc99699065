"""Every number that a client can send has bounds in its type, in every game and every protocol."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from ludoteca import games
from ludoteca.wire import messages


def unbounded(kind: inspect.Type, path: str, known: frozenset[type]) -> Iterator[str]:
    """The numbers within a type that have no least or no greatest value."""
    match kind:
        case inspect.IntType() | inspect.FloatType():
            if (kind.ge is None and kind.gt is None) or (kind.le is None and kind.lt is None):
                yield path
        case inspect.StructType(cls=cls, fields=fields) if cls not in known:
            for field in fields:
                yield from unbounded(field.type, f"{cls.__name__}.{field.name}", known | {cls})
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for one in types:
                yield from unbounded(one, path, known)
        case inspect.CollectionType(item_type=item):
            yield from unbounded(item, path + "[]", known)
        case inspect.DictType(key_type=key, value_type=value):
            yield from unbounded(key, path + "{key}", known)
            yield from unbounded(value, path + "{value}", known)


def from_clients() -> Iterator[tuple[str, Any]]:
    yield "house", messages.FromClient
    for game in games.load_all():
        yield f"{game.name}-actions", game.actions
        yield f"{game.name}-options", game.options
        yield f"{game.name}-preferences", game.preferences
        if game.wire is not None and game.wire.messages is not None:
            yield f"{game.name}-wire", game.wire.messages[0]


@pytest.mark.parametrize(("name", "kind"), [pytest.param(*one, id=one[0]) for one in from_clients()])
def test_every_number_has_bounds(name: str, kind: Any) -> None:
    assert sorted(set(unbounded(inspect.type_info(kind), name, frozenset()))) == []


@pytest.mark.parametrize("number", ["-1e308", "-1", "1e308", "1e400", "-1e400", "1e17"])
@pytest.mark.parametrize("field", ["grace_s", "move_s"])
def test_d2_no_absurd_time_is_an_agreement(field: str, number: str) -> None:
    line = b'{"type":"open","game":"santorini","terms":{"%s":%s}}' % (field.encode(), number.encode())
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(line, type=messages.FromClient)
