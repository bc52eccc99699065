"""The writer, byte by byte: what Java itself would have written, and what is referred to instead."""

import ast
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wire.java.test_codec import TABLE, plain, read_all, values

from ludoteca.core import LocalError
from ludoteca.wire.java import HEADER, Linked, Opening, Ordered, Proxy, Reader, Table, Writer, alone
from ludoteca.wire.java.writer import HANDLES_MAX, REMEMBERED_LENGTH_MAX, REMEMBERED_MAX

types = TABLE.types
NUMBER = b"r\0\x10java.lang.Number" + bytes.fromhex("86ac951d0b94e08b") + b"\2\0\0xp"
INTEGER = b"r\0\x11java.lang.Integer" + bytes.fromhex("12e2a0a4f7818738") + b"\2\0\1I\0\5valuex"
LONG = b"r\0\x0ejava.lang.Long" + bytes.fromhex("3b8be490cc8f23df") + b"\2\0\1J\0\5valuex"
DOUBLE = b"r\0\x10java.lang.Double" + bytes.fromhex("80b3c24a296bfb04") + b"\2\0\1D\0\5valuex"
BOOLEAN = b"r\0\x11java.lang.Boolean" + bytes.fromhex("cd207280d59cfaee") + b"\2\0\1Z\0\5valuexp"
LIST = b"r\0\x13java.util.ArrayList" + bytes.fromhex("7881d21d99c7619d") + b"\3\0\1I\0\4sizexp"
LINKED = b"r\0\x14java.util.LinkedList" + bytes.fromhex("0c29535d4a608822") + b"\3\0\0xp"
MAP = b"r\0\x11java.util.HashMap" + bytes.fromhex("0507dac1c31660d1")
MAP += b"\3\0\2F\0\x0aloadFactorI\0\x09thresholdxp"
ORDERED = b"r\0\x17java.util.LinkedHashMap" + bytes.fromhex("34c04e5c106cc0fb") + b"\2\0\1Z\0\x0baccessOrderx"
ENUM = b"r\0\x0ejava.lang.Enum" + bytes(8) + b"\x12\0\0xp"


def write(value: Any) -> bytes:
    return Writer(TABLE).message(value)


def reference(handle: int) -> bytes:
    return b"q" + (0x7E0000 + handle).to_bytes(4, "big")


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (None, b"p"),
        ("", b"t\0\0"),
        ("Anna", b"t\0\4Anna"),
        ("è\0", b"t\0\4\xc3\xa8\xc0\x80"),
        (7, b"s" + INTEGER + NUMBER + b"\0\0\0\7"),
        (-1, b"s" + INTEGER + NUMBER + b"\xff\xff\xff\xff"),
        (2**31 - 1, b"s" + INTEGER + NUMBER + b"\x7f\xff\xff\xff"),
        (-(2**31), b"s" + INTEGER + NUMBER + b"\x80\0\0\0"),
        (2**31, b"s" + LONG + NUMBER + b"\0\0\0\0\x80\0\0\0"),
        (-(2**31) - 1, b"s" + LONG + NUMBER + b"\xff\xff\xff\xff\x7f\xff\xff\xff"),
        (0.5, b"s" + DOUBLE + NUMBER + b"\x3f\xe0" + bytes(6)),
        (True, b"s" + BOOLEAN + b"\1"),
        (False, b"s" + BOOLEAN + b"\0"),
        ([], b"s" + LIST + b"\0\0\0\0w\4\0\0\0\0x"),
        (["a"], b"s" + LIST + b"\0\0\0\1w\4\0\0\0\1t\0\1ax"),
        (Linked(["a"]), b"s" + LINKED + b"w\4\0\0\0\1t\0\1ax"),
        ({}, b"s" + MAP + b"\x3f\x40\0\0\0\0\0\x0cw\x08\0\0\0\x10\0\0\0\0x"),
        ({"a": "b"}, b"s" + MAP + b"\x3f\x40\0\0\0\0\0\x0cw\x08\0\0\0\x10\0\0\0\1t\0\1at\0\1bx"),
        (Ordered(), b"s" + ORDERED + MAP + b"\x3f\x40\0\0\0\0\0\x0cw\x08\0\0\0\x10\0\0\0\0x\0"),
        (
            types.Kind["TOLD"],
            b"~r\0\x14it.example.util.Kind" + bytes(8) + b"\x12\0\0x" + ENUM + b"t\0\4TOLD",
        ),
    ],
    ids=repr,
)
def test_every_kind_of_value_is_written_as_java_writes_it(value: Any, data: bytes) -> None:
    assert write(value) == data
    assert alone(TABLE, value) == b"\x79" + data


def test_a_record_is_its_class_its_superclass_and_their_fields_the_superclass_first() -> None:
    data = write(types.Said(types.Kind["TOLD"], True, 5, 0.5, None, None, None))
    said, message = TABLE.classes["it.example.network.Said"], TABLE.classes["it.example.network.Message"]
    kind = b"~r\0\x14it.example.util.Kind" + bytes(8) + b"\x12\0\0x" + ENUM + b"t\0\4TOLD"
    numbers = {"loud": b"\1", "long": bytes(7) + b"\5", "share": b"\x3f\xe0" + bytes(6)}
    packed = b"".join(numbers[name] for name, type_ in said.fields if name in numbers)
    assert data == b"s" + said.bare + message.bare + kind + packed + b"ppp"


@pytest.mark.parametrize("size", [0, 1, 12, 13, 24, 25, 48, 49, 63, 64, 65, 200])
def test_collections_of_any_size_say_how_many_they_hold(size: int) -> None:
    numbers = list(range(size))
    count = size.to_bytes(4, "big")
    assert write(numbers).startswith(b"s" + LIST + count + b"w\4" + count)
    table = write({str(each): None for each in numbers})
    head = table[len(b"s" + MAP) :]
    assert head[:4] == b"\x3f\x40\0\0", "three quarters full"
    threshold, buckets = int.from_bytes(head[4:8], "big"), int.from_bytes(head[10:14], "big")
    assert head[8:10] == b"w\x08"
    assert head[14:18] == count
    # As Java has it: a power of two, at least 16, that its elements fill by three quarters at most.
    assert buckets == max(16, 1 << (buckets.bit_length() - 1))
    assert threshold == buckets * 3 // 4 >= size
    assert buckets == 16 or size > buckets // 2 * 3 // 4 - 1
    assert read_all(HEADER + write(numbers), message_bytes_max=100_000) == [numbers]


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 1000])
def test_a_block_of_up_to_255_bytes_is_short_and_a_greater_one_long(size: int) -> None:
    block = Writer.block(b"x" * size)
    head = b"w" + bytes([size]) if size < 256 else b"z" + size.to_bytes(4, "big")
    assert block == head + b"x" * size
    assert read_all(HEADER + block) == [b"x" * size]


@pytest.mark.parametrize(("size", "tag"), [(65_535, b"t"), (65_536, b"|")])
def test_a_text_of_64_kilobytes_is_long(size: int, tag: bytes) -> None:
    data = write("x" * size)
    length = 2 if tag == b"t" else 8
    assert data == tag + size.to_bytes(length, "big") + b"x" * size
    assert read_all(HEADER + data, message_bytes_max=100_000) == ["x" * size]


# What is written once.


@pytest.mark.parametrize(
    ("value", "handle"),
    [
        ("Anna", 0),
        ("x" * REMEMBERED_LENGTH_MAX, 0),
        (7, 2),
        (-128, 2),
        (127, 2),
        (types.Kind["TOLD"], 2),
    ],
    ids=repr,
)
def test_what_comes_again_is_referred_to(value: Any, handle: int) -> None:
    writer = Writer(TABLE)
    writer.message(value)
    assert writer.message(value) == reference(handle)
    assert writer.message(value, reset=True) == alone(TABLE, value)
    assert writer.message(value) == reference(handle)


@pytest.mark.parametrize(
    ("value", "again"),
    [
        ("x" * (REMEMBERED_LENGTH_MAX + 1), b"t\0\x41" + b"x" * 65),
        (128, b"s" + reference(0) + b"\0\0\0\x80"),
        (-129, b"s" + reference(0) + b"\xff\xff\xff\x7f"),
        (2**40, b"s" + reference(0) + b"\0\0\1\0\0\0\0\0"),
        (True, b"s" + reference(0) + b"\1"),
        (0.5, b"s" + reference(0) + b"\x3f\xe0" + bytes(6)),
        ([], b"s" + reference(0) + b"\0\0\0\0w\4\0\0\0\0x"),
        (types.Place(1, 2), b"s" + reference(0) + b"\0\0\0\1\0\0\0\2"),
    ],
    ids=repr,
)
def test_of_what_is_not_remembered_at_least_the_class_is(value: Any, again: bytes) -> None:
    writer = Writer(TABLE)
    writer.message(value)
    assert writer.message(value) == again
    assert writer.message(value) == again


def test_true_is_not_one_and_one_is_not_true() -> None:
    """Python finds either under the other."""
    for mixed in ([1, True, 1, True, 1.0, 0, False, 0.0], [True, 1, True, 1], {1: True, 0: False}):
        assert plain(read_all(HEADER + write(mixed))) == plain([mixed])


def test_a_record_that_comes_twice_in_a_message_is_referred_to_and_in_the_next_written_anew() -> None:
    place, writer = types.Place(1, 2), Writer(TABLE)
    first = writer.message([place, place])
    # The list's class and itself, then the place's.
    assert first.endswith(b"\0\0\0\1\0\0\0\2" + reference(3) + b"x")
    assert reference(3) not in writer.message([place])


def test_remembering_ends_at_a_bound_and_what_is_known_stays_known() -> None:
    writer = Writer(TABLE)
    for at in range(REMEMBERED_MAX + 10):
        writer.message(f"text {at}")
    assert writer.message("text 0") == reference(0)
    assert writer.message(f"text {REMEMBERED_MAX - 1}") == reference(REMEMBERED_MAX - 1)
    assert writer.message(f"text {REMEMBERED_MAX}").startswith(b"t"), "the first that is not"


def test_references_beyond_those_that_are_ready_are_written_alike() -> None:
    writer = Writer(TABLE)
    for _ in range(4095):
        writer.message("x" * 65)
    for handle, text in ((4095, "last"), (4096, "first"), (4097, "next")):
        writer.message(text)
        assert writer.message(text) == reference(handle)


def test_a_stream_begins_anew_only_after_so_many_handles() -> None:
    writer = Writer(TABLE)
    writer._next = HANDLES_MAX
    assert not writer.message("Anna").startswith(b"\x79")
    assert writer.message("Bruno") == b"\x79t\0\5Bruno"
    assert writer.message("Bruno") == reference(0)


@settings(deadline=None, max_examples=50)
@given(st.lists(values, min_size=1, max_size=4))
def test_the_same_values_are_the_same_bytes_and_a_copy_goes_on_alike(said: list[Any]) -> None:
    one, other = Writer(TABLE), Writer(TABLE)
    assert [one.message(each) for each in said] == [other.message(each) for each in said]
    copy = one.copy()
    again = [one.message(each) for each in said]
    assert [copy.message(each) for each in said] == again


# Arrays, data of their own, proxies.


def test_a_list_in_a_field_of_arrays_is_an_array() -> None:
    data = write(types.Counted([1, -1], [5, -5]))
    ints = b"ur\0\2[I" + bytes(8) + b"\2\0\0xp\0\0\0\2\0\0\0\1\xff\xff\xff\xff"
    signs = b"ur\0\2[B" + bytes(8) + b"\2\0\0xp\0\0\0\2\5\xfb"
    assert data.endswith(ints + signs)
    writer = Writer(TABLE)
    both = writer.message([types.Counted([1], []), types.Counted([2], [])])
    assert both.count(b"[I" + bytes(8)) == 1, "its class is described once"
    assert write(types.Counted(None, None)).endswith(b"pp")


def test_arrays_hold_arrays_and_nulls() -> None:
    rows = [["a", None], None, []]
    (found,) = read_all(HEADER + write(types.Said(None, False, 0, 0.0, None, rows, None)))
    assert found.names == rows
    (twice,) = read_all(
        HEADER + write([types.Said(None, False, 0, 0.0, None, [[each]], None) for each in ("a", "b")])
    )
    assert [each.names for each in twice] == [[["a"]], [["b"]]]


def test_data_of_a_class_of_its_own_stands_behind_its_fields() -> None:
    data = write(types.Custom(1, None, [b"ab", None, "c"]))
    assert data.endswith(b"\0\0\0\1pw\2abpt\0\1cx")
    for extra in ("()", "None", "[]"):
        assert write(types.Custom(1, None, ast.literal_eval(extra))).endswith(b"\0\0\0\1px")


@pytest.mark.parametrize("annotated", [False, True])
def test_a_proxy_names_its_interfaces_and_then_who_answers(annotated: bool) -> None:
    data = Writer(TABLE, annotated=annotated).message(Proxy(("a.Face", "b.Face"), "who"))
    assert data.startswith(
        b"s}\0\0\0\2\0\6a.Face\0\6b.Face" + (b"px" if annotated else b"x") + b"r\0\x17java.lang.reflect.Proxy"
    )
    assert data.endswith(b"t\0\3who")
    writer = Writer(TABLE, annotated=annotated)
    two = [writer.message(Proxy((name,), types.Place(1, 2))) for name in ("a.Face", "b.Face")]
    found = read_all(HEADER + b"".join(two))
    assert [each.interfaces for each in found] == [("a.Face",), ("b.Face",)]
    assert [each.handler.row for each in found] == [2, 2]


def test_remote_calls_have_a_null_behind_each_class() -> None:
    assert Writer(TABLE, annotated=True).message(7) == (
        b"s" + INTEGER[:-1] + b"px" + NUMBER[:-2] + b"pxp" + b"\0\0\0\7"
    )


@pytest.mark.parametrize("value", [{1, 2}, b"bytes", object(), (1, 2), 1j, frozenset()])
def test_what_java_has_no_word_for_is_our_own_mistake(value: Any) -> None:
    with pytest.raises(LocalError, match=f"a {type(value).__name__} cannot be written"):
        write(value)
    with pytest.raises(LocalError):
        write([1, {"deep": value}])


# Messages that begin alike.


def test_types_whose_messages_would_count_differently_cannot_begin_alike() -> None:
    """Said has a superclass that is described only there: all that follows would have other handles."""
    with pytest.raises(LocalError, match="begin alike"):
        Opening(TABLE, (types.Said, types.Place), ("Anna",))
    opening = Opening(TABLE, (types.Said, types.Place), ("Anna", types.Message))
    said = types.Said(None, False, 1, 0.5, ["Anna", types.Place(1, 2)], None, None)
    found = read_all(HEADER + opening.message(said) + opening.message(types.Place(3, 4)))
    assert plain(found) == plain([said, types.Place(3, 4)])


def test_types_may_come_from_anything_that_can_be_counted_once() -> None:
    opening = Opening(TABLE, iter([types.Place, types.Counted]), iter(["Anna"]))
    for said in (types.Place(1, 2), types.Counted([1], [2])):
        (found,) = read_all(HEADER + opening.message(said))
        assert plain(found) == plain(said)


def test_a_record_is_not_taken_for_one_that_the_opening_knew_in_the_same_place_of_memory() -> None:
    opening = Opening(TABLE, (types.Said,), (types.Place, types.Said))
    for at in range(100):
        (found,) = read_all(
            HEADER + opening.message(types.Said(None, False, 0, 0.0, types.Place(at, at), None, None))
        )
        assert found.any.row == at


def test_a_message_that_begins_so_is_read_by_who_knows_nothing_before_it() -> None:
    opening = Opening(TABLE, (types.Place,), ("Anna", types.Kind["TOLD"], 1))
    reader = Reader(TABLE)
    assert reader.feed(HEADER + b"t\0\5Bruno") == 12
    message = opening.message(types.Place(5, 6))
    assert message.startswith(b"\x79s")
    assert reader.feed(message) == len(message)
    assert plain(reader.item) == plain(types.Place(5, 6))
    assert opening.message(types.Place(5, 6)) == message, "whoever asks, and however often"


def test_two_tables_write_their_own_classes() -> None:
    other = Table("org.other.", "model.Place 0000000000000001: column I, row I")
    assert b"org.other.model.Place" in alone(other, other.types.Place(1, 2))
    with pytest.raises(LocalError):
        alone(other, types.Place(1, 2))
