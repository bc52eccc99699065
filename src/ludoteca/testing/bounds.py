"""Numbers without bounds within the types of what clients may send."""

from collections.abc import Iterator
from typing import Any

from msgspec import inspect


def unbounded(kind: Any) -> list[str]:
    """The numbers within a type that have no least or no greatest value, by the paths to them."""
    return sorted(set(_unbounded(inspect.type_info(kind), "", frozenset())))


def _unbounded(kind: inspect.Type, path: str, known: frozenset[type]) -> Iterator[str]:
    match kind:
        case inspect.IntType() | inspect.FloatType():
            if (kind.ge is None and kind.gt is None) or (kind.le is None and kind.lt is None):
                yield path
        case inspect.StructType(cls=cls, fields=fields) if cls not in known:
            for field in fields:
                yield from _unbounded(field.type, f"{cls.__name__}.{field.name}", known | {cls})
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            for one in types:
                yield from _unbounded(one, path, known)
        case inspect.CollectionType(item_type=item):
            yield from _unbounded(item, path + "[]", known)
        case inspect.DictType(key_type=key, value_type=value):
            yield from _unbounded(key, path + "{key}", known)
            yield from _unbounded(value, path + "{value}", known)
