"""Every stream that we write is read by a reader of others' making, too, and means the same there."""

import io
import re
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from javaobj.v2 import beans, transformers
from javaobj.v2.main import load
from tests.wire.java.test_codec import OPENING, TABLE, leaves, lists_and_records, types

from ludoteca.wire.java import HEADER, Constant, Linked, Ordered, Record, Writer

KINDS = {list: "ArrayList", Linked: "LinkedList", dict: "HashMap", Ordered: "LinkedHashMap"}


def ours(value: Any) -> Any:
    """A value in a form that both can be brought into."""
    match value:
        case Constant():
            return value.kind, value.name
        case Record():
            return value.java.name, value.java.uid, [ours(getattr(value, name)) for name in value.java.names]
        case dict():
            pairs = [(ours(key), ours(each)) for key, each in value.items()]
            return "java.util." + KINDS[type(value)], sorted(pairs, key=repr)
        case list():
            return "java.util." + KINDS[type(value)], [ours(each) for each in value]
        case bool() | int() | float():
            return type(value).__name__, value
    return value


def theirs(value: Any) -> Any:
    """What the other reader found, in the same form."""
    match value:
        case beans.JavaEnum():
            return value.classdesc.name, str(value.value)
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


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.recursive(leaves, lists_and_records, max_leaves=12), min_size=1, max_size=5), st.booleans()
)
def test_another_reader_finds_the_same(said: list[Any], resets: bool) -> None:
    writer = Writer(TABLE)
    data = HEADER + b"".join(writer.message(each, reset=resets) for each in said)
    # It takes every letter that begins with this byte for half of one beyond sixteen bits.
    assume(re.search(rb"\xed[\x80-\x9f]", data) is None)
    found = load(io.BytesIO(data))
    # It hands out a single content as it is.
    assert [theirs(each) for each in ([found] if len(said) == 1 else found)] == [ours(each) for each in said]


@settings(max_examples=20, deadline=None)
@given(st.recursive(leaves, lists_and_records, max_leaves=12))
def test_another_reader_passes_over_what_messages_begin_with(value: Any) -> None:
    said = types.Said(types.Kind["TOLD"], True, 5, 0.5, value)
    data = HEADER + OPENING.message(said)
    assume(re.search(rb"\xed[\x80-\x9f]", data) is None)
    assert theirs(load(io.BytesIO(data))) == ours(said)
