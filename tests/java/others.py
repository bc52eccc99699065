"""What a reader of others' making finds in our streams, to compare it with what was written."""

import io
from typing import Any

from javaobj.v2 import beans, transformers
from javaobj.v2.main import load

from ludoteca.wire.java import Constant, Linked, Ordered, Record

KINDS = {list: "ArrayList", Linked: "LinkedList", dict: "HashMap", Ordered: "LinkedHashMap"}


def ours(value: Any) -> Any:
    """A value in a form that both can be brought into."""
    match value:
        case Constant():
            return value.kind, value.name
        case Record():
            types = [type_ for java in value.java.line for _, type_ in java.fields]
            fields = [getattr(value, name) for name in value.java.names]
            typed = zip(types, fields, strict=True)
            said = [_array(each) if type_.startswith("[") else ours(each) for type_, each in typed]
            return value.java.name, value.java.uid, said
        case dict():
            pairs = [(ours(key), ours(each)) for key, each in value.items()]
            return "java.util." + KINDS[type(value)], sorted(pairs, key=repr)
        case list():
            return "java.util." + KINDS[type(value)], [ours(each) for each in value]
        case bool() | int() | float():
            return type(value).__name__, value
    return value


def _array(value: Any) -> Any:
    """Within an array of arrays, lists are arrays."""
    if value is None:
        return None
    return "array", [_array(each) if isinstance(each, list) else ours(each) for each in value]


def theirs(value: Any) -> Any:
    """What the other reader found, in the same form."""
    match value:
        case beans.JavaEnum():
            return value.classdesc.name, str(value.value)
        case beans.JavaArray():
            return "array", [theirs(each) for each in value]
        case beans.JavaString():
            return value.value
        case transformers.JavaPrimitiveClass():
            return type(value.value).__name__, value.value
        case bool() | int() | float():
            return type(value).__name__, value
        case dict():
            pairs = [(theirs(key), theirs(each)) for key, each in value.items()]
            return value.classdesc.name, sorted(pairs, key=repr)  # type: ignore[attr-defined]
        case list() if isinstance(value, beans.JavaInstance):
            return value.classdesc.name, [theirs(each) for each in value]
        case beans.JavaInstance():
            fields = [theirs(each) for part in value.field_data.values() for each in part.values()]
            if str(value.classdesc.name).startswith("java.lang."):
                return fields[-1]
            return value.classdesc.name, value.classdesc.serial_version_uid % 2**64, fields
    return value


def read(data: bytes) -> list[Any]:
    """All that it finds in a stream. It hands out a single content as it is."""
    found = load(io.BytesIO(data))
    return found if type(found) is list else [found]
