"""Every stream that we write is read by a reader of others' making, too, and means the same there."""

import re
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.java.others import ours, read, theirs
from tests.wire.java.test_codec import OPENING, TABLE, leaves, lists_and_records, types

from ludoteca.wire.java import HEADER, Writer


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.recursive(leaves, lists_and_records, max_leaves=12), min_size=1, max_size=5), st.booleans()
)
def test_another_reader_finds_the_same(said: list[Any], resets: bool) -> None:
    writer = Writer(TABLE)
    data = HEADER + b"".join(writer.message(each, reset=resets) for each in said)
    # It takes every letter that begins with this byte for half of one beyond sixteen bits.
    assume(re.search(rb"\xed[\x80-\x9f]", data) is None)
    assert [theirs(each) for each in read(data)] == [ours(each) for each in said]


@settings(max_examples=20, deadline=None)
@given(st.recursive(leaves, lists_and_records, max_leaves=12))
def test_another_reader_passes_over_what_messages_begin_with(value: Any) -> None:
    said = types.Said(types.Kind["TOLD"], True, 5, 0.5, value)
    data = HEADER + OPENING.message(said)
    assume(re.search(rb"\xed[\x80-\x9f]", data) is None)
    assert [theirs(each) for each in read(data)] == [ours(said)]
