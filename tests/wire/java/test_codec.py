"""The codec of Java's streams: what is written is read again, whole or in pieces, and nothing else."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca.core import LocalError
from ludoteca.wire.java import (
    HEADER,
    Constant,
    Linked,
    Opening,
    Ordered,
    OtherBuild,
    Proxy,
    Reader,
    Record,
    Table,
    Unreadable,
    Writer,
    alone,
)
from ludoteca.wire.java.stream import spell, unspell
from ludoteca.wire.java.writer import Ready

TABLE = Table(
    "it.example.",
    """
    model.Place c1143fc00a16ffd8: column I, row I
    network.Message 792c36f3a169933c: kind Kind
    network.Said(Message) 53af2004a812f910: loud Z, long J, share D, any Object, names String[][], to Place
    network.Counted 53af2004a812f911: numbers I[], signs B[]
    network.Custom* 53af2004a812f912: first I, second Object
    """,
    {"util.Kind": "ASKED TOLD", "model.Tile": "GREEN WHITE BLUE"},
)
types = TABLE.types
PLACE = types.Place(3, 4)
OPENING = Opening(
    TABLE,
    (types.Said, types.Custom, types.Place),
    (*types.Kind.values(), 0, 1, "ada", [], {}, types.Said, PLACE),
)


def plain(value: Any) -> Any:
    """A value that can be compared: records with class and fields, collections with their kind."""
    if isinstance(value, Record):
        return type(value).__name__, [plain(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return type(value).__name__, [(plain(key), plain(each)) for key, each in value.items()]
    if isinstance(value, list):
        return type(value).__name__, [plain(each) for each in value]
    if isinstance(value, Proxy):
        return "proxy", value.interfaces, plain(value.handler)
    return type(value).__name__, value


def read_all(data: bytes, **bounds: int) -> list[Any]:
    reader = Reader(TABLE, **bounds)
    found, at = [], 0
    while at < len(data):
        at = reader.feed(data, at)
        if not at:
            break
        found.append(reader.item)
    return found


def refused(data: bytes, **bounds: int) -> str:
    with pytest.raises(Unreadable) as raised:
        read_all(HEADER + data, **bounds)
    return str(raised.value)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
constants = st.sampled_from([*types.Kind.values(), *types.Tile.values()])
keys = st.one_of(texts, st.integers(-(2**31), 2**31 - 1), constants)
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    texts,
    constants,
    st.builds(types.Place, st.integers(-9, 9), st.integers(-9, 9)),
)


def lists_and_records(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.lists(values, max_size=4)
    return st.one_of(
        lists,
        lists.map(Linked),
        st.dictionaries(keys, values, max_size=4),
        st.dictionaries(keys, values, max_size=4).map(Ordered),
        st.builds(
            types.Said,
            st.sampled_from(list(types.Kind.values())),
            st.booleans(),
            st.integers(-(2**63), 2**63 - 1),
            st.floats(allow_nan=False),
            values,
            st.none(),
            st.one_of(st.none(), st.builds(types.Place, st.just(1), st.just(2))),
        ),
    )


def deeper(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    rows = st.lists(st.lists(st.one_of(st.none(), texts), max_size=3), max_size=3)
    return st.one_of(
        lists_and_records(values),
        st.builds(types.Said, st.none(), st.booleans(), st.just(0), st.just(0.5), values, rows, st.none()),
        st.builds(
            types.Counted,
            st.lists(st.integers(-(2**31), 2**31 - 1), max_size=3),
            st.lists(st.integers(-128, 127), max_size=3),
        ),
        st.builds(
            types.Custom, st.just(7), values, st.lists(st.one_of(values, st.binary(max_size=300)), max_size=3)
        ),
        st.builds(Proxy, st.tuples(texts, texts), values),
    )


values = st.recursive(leaves, deeper, max_leaves=12)
messages = st.lists(values, min_size=1, max_size=5)


@settings(deadline=None)
@given(messages, st.booleans(), st.booleans())
def test_what_is_written_is_read_again(said: list[Any], resets: bool, annotated: bool) -> None:
    writer = Writer(TABLE, annotated=annotated)
    data = HEADER + b"".join(writer.message(each, reset=resets) for each in said)
    assert plain(read_all(data, message_bytes_max=100_000)) == plain(said)


@settings(deadline=None)
@given(messages)
def test_one_byte_at_a_time_is_read_alike(said: list[Any]) -> None:
    writer = Writer(TABLE)
    data = HEADER + b"".join(writer.message(each) for each in said)
    reader = Reader(TABLE, message_bytes_max=100_000)
    found = [reader.item for at in range(len(data)) if reader.feed(data[at : at + 1])]
    assert plain(found) == plain(said)


@settings(deadline=None)
@given(texts)
def test_texts_are_spelled_as_java_does(text: str) -> None:
    spelled = spell(text)
    assert b"\0" not in spelled
    assert unspell(spelled) == text


def test_what_lies_beyond_sixteen_bits_is_spelled_in_two_halves() -> None:
    assert spell("\0🎲") == b"\xc0\x80\xed\xa0\xbc\xed\xbe\xb2"
    for broken in (b"\xed\xa0\xbc", b"\xf0\x9f\x8e\xb2", b"\xc1\x80", b"\xff"):
        with pytest.raises(Unreadable):
            unspell(broken)


def test_a_record_that_occurs_twice_is_one_object_and_forgotten_with_its_message() -> None:
    place = types.Place(1, 2)
    writer = Writer(TABLE)
    data = HEADER + writer.message([place, place]) + writer.message([place])
    first, second = read_all(data)
    assert first[0] is first[1]
    assert second[0] is not first[0]
    assert plain(second) == ("list", [plain(place)])


def test_descriptors_and_texts_are_sent_once_until_a_reset() -> None:
    writer = Writer(TABLE)
    place = types.Place(3, 4)
    first, second = writer.message([place, "Ann"]), writer.message([place, "Ann"])
    assert b"it.example.model.Place" in first
    assert b"Place" not in second
    assert b"Ann" not in second
    assert writer.message([place, "Ann"], reset=True) == b"\x79" + first == alone(TABLE, [place, "Ann"])


def test_a_stream_without_resets_begins_anew_before_it_fills_the_other_sides_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ludoteca.wire.java.writer.HANDLES_MAX", 10)
    writer = Writer(TABLE)
    sent = [writer.message(types.Place(at, at)) for at in range(30)]
    assert any(data.startswith(b"\x79") for data in sent)
    assert [place.row for place in read_all(HEADER + b"".join(sent))] == list(range(30))


def test_a_writer_remembers_so_much_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.wire.java.writer.REMEMBERED_MAX", 3)
    writer = Writer(TABLE)
    names = ["Ann", "Ben", "Cleo", "Dora", "x" * 65]
    data = HEADER + writer.message(names) + writer.message(names)
    assert data.count(b"Ann") == 1
    assert data.count(b"Dora") == 2
    assert data.count(b"x" * 65) == 2
    assert read_all(data) == [names, names]


def test_what_java_has_no_word_for_is_not_written() -> None:
    with pytest.raises(LocalError):
        Writer(TABLE).message({1, 2})


# What others send.


def test_another_build_and_an_unknown_class_are_refused_in_words() -> None:
    data = alone(TABLE, types.Place(1, 2))
    other = data.replace(bytes.fromhex("c1143fc00a16ffd8"), bytes.fromhex("c1143fc00a16ffd9"))
    with pytest.raises(
        OtherBuild, match=r"Place is of another build: c1143fc00a16ffd9, and not c1143fc00a16ffd8"
    ):
        read_all(HEADER + other)
    with pytest.raises(OtherBuild, match=r"class it\.example\.model\.Plane is none"):
        read_all(HEADER + data.replace(b"Place", b"Plane"))
    with pytest.raises(OtherBuild, match="other fields"):
        read_all(HEADER + data.replace(b"\0\3row", b"\0\3rov"))


def test_a_constant_that_there_is_not_is_refused() -> None:
    data = alone(TABLE, types.Kind["TOLD"])
    assert "no constant GOLD" in refused(data.replace(b"TOLD", b"GOLD"))


def test_depth_is_bounded() -> None:
    nested = b"".join(
        [b"\x79", alone(TABLE, types.Custom(1, None, ()))[1:-2]] + [b"sq\0\x7e\0\0\0\0\0\1"] * 5000
    )
    assert "more than 16 deep" in refused(nested, message_bytes_max=1_000_000)
    # Classes that name classes, without an object in between.
    assert "deep" in refused(
        b"s" + b"r\0\2[I" + bytes(8) + b"\2\0\0x" * 1 + (b"r\0\2[I" + bytes(8) + b"\2\0\0x") * 999,
        message_bytes_max=1_000_000,
    )


def test_what_announces_more_than_a_message_may_hold_is_not_waited_for() -> None:
    too_long = "more than 4096 bytes"
    assert too_long in refused(b"|" + (2**40).to_bytes(8, "big"))
    assert too_long in refused(b"t\xff\xff")
    assert too_long in refused(b"z" + b"\x7f\xff\xff\xff")
    assert too_long in refused(b"ur\0\2[J" + bytes(8) + b"\2\0\0xp" + b"\x7f\xff\xff\xff")
    assert "an array of" in refused(b"ur\0\2[[" + bytes(8) + b"\2\0\0xp" + b"\x7f\xff\xff\xff")
    assert "a proxy of" in refused(b"s}" + b"\x7f\xff\xff\xff" + bytes(20_000))
    assert "more than 512 objects" in refused(alone(TABLE, [None] * 600))
    assert too_long in refused(b"\x79" * 10_000)


def test_references_lead_to_nothing_but_objects_of_this_message_and_what_is_kept() -> None:
    writer = Writer(TABLE)
    data = writer.message(types.Place(1, 2))
    assert "no object has handle 77" in refused(b"q\0\x7e\0\x4d")
    assert "an earlier message" in refused(data + b"q\0\x7e\0\1")
    assert "a reference to a class" in refused(data + b"q\0\x7e\0\0")
    assert "where a class belongs" in refused(b"t\0\1a" + b"sq\0\x7e\0\0")


@pytest.mark.parametrize(
    "data",
    [
        b"x",  # the end of a block that has not begun
        b"v",  # a class
        b"{",  # an exception
        b"\0",
        b"sp",
        b"~p",
        b"up",
        b"st",
        b"~r\0\x0ejava.lang.Enum" + bytes(8) + b"\x12\0\0xpt\0\1a",
        alone(TABLE, [1])[:-1] + b"w\1ax",  # bytes in a list
        alone(TABLE, {1: 2})[:-1] + b"px",  # a key without a value
        alone(TABLE, {1: 2})[:-1]
        + b"sq\0\x7e\0\0"
        + bytes(8)
        + b"w\x08"
        + bytes(8)
        + b"xpx",  # a map as a key
        b"\x79s\x79",  # a reset within an object
    ],
)
def test_what_is_no_stream_is_refused(data: bytes) -> None:
    assert refused(data)


def test_another_header_is_refused() -> None:
    with pytest.raises(Unreadable, match="version 5"):
        read_all(b"\xac\xed\0\x04p")


def test_who_never_resets_is_remembered_within_bounds() -> None:
    assert "without a reset" in refused(b"t\0\1a" * 5000)
    assert "without a reset" in refused((b"t\x0f\0" + b"a" * 0x0F00) * 20)
    # Objects take no room once their message is over.
    place = Writer(TABLE)
    data = HEADER + b"".join(place.message(types.Place(1, 2)) for _ in range(6000))
    assert len(read_all(data)) == 6000


def test_bytes_that_come_one_by_one_cost_no_more_the_later_they_come() -> None:
    data = HEADER + alone(TABLE, [f"number {at}" for at in range(2000)])

    def cost(size: int) -> float:
        reader = Reader(TABLE, message_bytes_max=len(data))
        started = time.process_time()
        for at in range(size):
            reader.feed(data[at : at + 1])
        return time.process_time() - started

    cost(1000)
    assert min(cost(len(data)) for _ in range(3)) < 12 * min(cost(len(data) // 4) for _ in range(3))


def test_a_crowd_of_messages_in_one_packet_is_read_one_by_one() -> None:
    data = HEADER + b"p" * 10
    reader = Reader(TABLE)
    ends = []
    at = 0
    while at < len(data):
        at = reader.feed(data, at)
        ends.append(at)
    assert ends == list(range(5, 15))


def test_every_constant_is_one_object() -> None:
    (told,) = read_all(HEADER + alone(TABLE, types.Kind["TOLD"]))
    assert isinstance(told, Constant)
    assert told is types.Kind["TOLD"]


def test_a_table_with_a_class_twice_or_a_row_that_is_none_is_a_mistake() -> None:
    with pytest.raises(LocalError):
        Table("a.", "b.C 0000000000000001:\nb.C 0000000000000002:")
    with pytest.raises(LocalError):
        Table("a.", "b.C: x I")


def test_constants_of_the_same_name_are_each_written_out() -> None:
    """Java takes a reference for any text but for the name of a constant."""
    alike = Table("it.example.", "", {"Marble": "YELLOW", "Colour": "YELLOW"})
    data = alone(alike, [alike.types.Marble["YELLOW"], "YELLOW", alike.types.Colour["YELLOW"]])
    assert data.count(b"t\0\6YELLOW") == 2


# Messages that begin alike.


@settings(max_examples=100, deadline=None)
@given(st.lists(st.recursive(leaves, deeper, max_leaves=8), min_size=1, max_size=3))
def test_messages_that_begin_alike_are_read_as_they_were_said(values: list[Any]) -> None:
    said = [types.Said(types.Kind["ASKED"], False, 1, 0.5, [PLACE, *values]), types.Place(1, 2)]
    said += [types.Custom(1, values, ["ada", b"ada", PLACE]), said[0]]
    found = read_all(HEADER + b"".join(map(OPENING.message, said)), message_bytes_max=65_536)
    assert list(map(plain, found)) == list(map(plain, said))


KNOWN = st.sampled_from([*types.Kind.values(), 0, 1, "ada", PLACE, None])


@given(st.lists(st.one_of(KNOWN, st.lists(KNOWN, max_size=3)), max_size=4))
def test_what_is_ready_is_what_it_was_made_from_in_every_message(value: list[Any]) -> None:
    ready = OPENING.ready(value)
    assert type(ready) is Ready
    after = types.Place(7, 7)
    said = [types.Said(None, False, 1, 0.5, [one, after, one, after]) for one in (value, ready)]
    said += [types.Custom(1, one, [after, one, after]) for one in (value, ready)]
    data = [OPENING.message(each) for each in said]
    assert data[0] == data[1]
    assert data[2] == data[3]
    (found,) = read_all(HEADER + data[1], message_bytes_max=65_536)
    assert found.any[1] is found.any[3]


@pytest.mark.parametrize(
    "value", ["bruno", [7], types.Tile["BLUE"], [True], Ordered(), types.Place(3, 4), [["bruno"], "bruno"]]
)
def test_what_others_might_refer_to_is_not_made_ready(value: Any) -> None:
    assert OPENING.ready(value) is value
