"""The reader at its bounds: the last byte, object and depth that is taken, and the first that is not."""

from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wire.java.test_codec import TABLE, messages, plain, read_all, refused

from ludoteca.wire.java import HEADER, Linked, Ordered, OtherBuild, Proxy, Reader, Record, Unreadable, Writer
from ludoteca.wire.java.reader import INTERFACES_MAX, REMEMBERED_BYTES_MAX, REMEMBERED_MAX
from ludoteca.wire.java.writer import alone

types = TABLE.types
INT_ARRAY = b"ur\0\2[I" + bytes(8) + b"\2\0\0xp"
OBJECT_ARRAY = b"ur\0\x13[Ljava.lang.Object;" + bytes(8) + b"\2\0\0xp"


def number(value: int, size: int = 4) -> bytes:
    return value.to_bytes(size, "big")


def reference(handle: int) -> bytes:
    return b"q" + number(0x7E0000 + handle)


def text(value: str) -> bytes:
    return b"t" + number(len(value), 2) + value.encode()


def fits(data: bytes, **bounds: int) -> bool:
    """Whether one message is read whole within these bounds."""
    try:
        return len(read_all(HEADER + data, **bounds)) == 1
    except Unreadable:
        return False


# Where messages end.


@settings(deadline=None)
@given(messages)
def test_a_message_is_there_with_its_last_byte_and_not_before(said: list[Any]) -> None:
    writer = Writer(TABLE)
    parts = [writer.message(each) for each in said]
    reader = Reader(TABLE, message_bytes_max=100_000)
    ends = list(accumulate([4, *map(len, parts)]))[1:]
    data = HEADER + b"".join(parts)
    assert [at + 1 for at in range(len(data)) if reader.feed(data[at : at + 1])] == ends


@settings(deadline=None)
@given(messages, st.integers(1, 40))
def test_of_a_packet_one_message_is_taken_at_a_time_and_the_rest_left(said: list[Any], size: int) -> None:
    """`feed` says where it stopped, also when the message began in an earlier packet."""
    writer = Writer(TABLE)
    data = HEADER + b"".join(writer.message(each) for each in said)
    reader, found, at = Reader(TABLE, message_bytes_max=100_000), [], 0
    while at < len(data):
        packet = data[at : at + size]
        end = reader.feed(packet)
        assert 0 <= end <= len(packet)
        if end:
            found.append(reader.item)
        at += end or len(packet)
    assert plain(found) == plain(said)


@pytest.mark.parametrize(
    ("data", "item"),
    [
        (b"p", None),
        (text("a"), "a"),
        (text(""), ""),
        (b"|" + number(1, 8) + b"a", "a"),
        (b"w\2ab", b"ab"),
        (b"w\0", b""),
        (b"z" + number(2) + b"ab", b"ab"),
        (b"\x79p", None),
        (b"\x79\x79\x79p", None),
        (INT_ARRAY + number(2) + number(7) + b"\xff" * 4, [7, -1]),
        (INT_ARRAY + number(0), []),
        (OBJECT_ARRAY + number(2) + b"p" + text("a"), [None, "a"]),
        (OBJECT_ARRAY + number(0), []),
    ],
)
def test_each_kind_of_content_byte_by_byte(data: bytes, item: Any) -> None:
    reader = Reader(TABLE)
    ends = [reader.feed(bytes([byte])) for byte in HEADER + data]
    assert ends == [0] * (len(ends) - 1) + [1]
    assert reader.item == item
    # And whole, with something behind it that must stay.
    reader = Reader(TABLE)
    assert reader.feed(b"..." + HEADER + data + b"rest", 3) == 3 + 4 + len(data)
    assert reader.item == item


def test_a_reference_that_ends_a_message_needs_nothing_behind_it() -> None:
    reader = Reader(TABLE)
    data = HEADER + text("a") + reference(0)
    assert [reader.feed(bytes([byte])) for byte in data] == [0] * 7 + [1] + [0] * 4 + [1]
    assert reader.item == "a"


def test_a_packet_longer_than_a_message_may_be_is_read_message_by_message() -> None:
    texts = [f"{at:050}" for at in range(40)]
    data = HEADER + b"".join(map(text, texts))
    reader, at, found = Reader(TABLE, message_bytes_max=60), 0, []
    while at < len(data):
        at = reader.feed(data, at)
        found.append(reader.item)
    assert found == texts


def test_nothing_fed_is_nothing_read() -> None:
    reader = Reader(TABLE)
    assert reader.feed(b"") == 0
    assert reader.feed(HEADER) == 0
    assert reader.feed(b"p", 1) == 0
    assert reader.item is None


# How much.


@pytest.mark.parametrize(
    "data",
    [
        text("x" * 40),
        b"|" + number(40, 8) + b"x" * 40,
        b"w\x28" + b"x" * 40,
        b"z" + number(40) + b"x" * 40,
        INT_ARRAY + number(10) + bytes(40),
        OBJECT_ARRAY + number(4) + b"pppp",
        alone(TABLE, types.Place(1, 2)),
        alone(TABLE, [1, 2, 3]),
        alone(TABLE, types.Kind["TOLD"]),
        b"\x79\x79" + text("x"),
    ],
    ids=range(10),
)
def test_the_longest_message_is_read_and_one_byte_more_is_not(data: bytes) -> None:
    limit = len(data)
    assert refused(data, message_bytes_max=limit - 1)
    roomy = Reader(TABLE, message_bytes_max=limit)
    # So few bytes would allow even fewer objects.
    roomy._contents_max = 1000
    assert roomy.feed(HEADER + data) == 4 + limit


def test_the_bound_is_for_each_message_and_not_for_all() -> None:
    assert read_all(HEADER + text("x" * 30) * 20, message_bytes_max=33) == ["x" * 30] * 20


def test_a_message_has_one_object_for_eight_bytes_of_the_greatest_and_no_more() -> None:
    # The list itself, the end of its class, its size in a block, and its own end are contents as well.
    assert fits(alone(TABLE, [None] * 508))
    assert "more than 512 objects" in refused(alone(TABLE, [None] * 509))
    assert fits(alone(TABLE, [None] * 12), message_bytes_max=128)
    assert "more than 16 objects" in refused(alone(TABLE, [None] * 13), message_bytes_max=128)
    # It is counted anew in each message.
    assert len(read_all(HEADER + alone(TABLE, [None] * 500) * 5)) == 5


def test_an_array_that_announces_more_than_there_can_be_is_not_begun() -> None:
    room = 4096 - len(OBJECT_ARRAY) - 4
    assert "an array of" in refused(OBJECT_ARRAY + number(room + 1))
    assert Reader(TABLE).feed(HEADER + OBJECT_ARRAY + number(room)) == 0, "so many could still come"


def test_a_proxy_has_so_many_interfaces_and_no_more() -> None:
    def proxy(count: int) -> bytes:
        named = Proxy(tuple(f"a.{at:02}" for at in range(count)), None)
        return alone(TABLE, named)

    (found,) = read_all(HEADER + proxy(INTERFACES_MAX))
    assert found.interfaces[-1] == f"a.{INTERFACES_MAX - 1:02}"
    assert f"a proxy of {INTERFACES_MAX + 1} interfaces" in refused(proxy(INTERFACES_MAX + 1))


# How deep.


def nested(kind: str, depth: int) -> Any:
    """An object within an object, so many times."""
    value: Any = None
    for _ in range(depth):
        match kind:
            case "list":
                value = [value]
            case "linked":
                value = Linked([value])
            case "map":
                value = {"": value}
            case "record":
                value = types.Said(None, False, 0, 0.0, value, None, None)
            case "extra":
                value = types.Custom(0, None, [value])
            case "custom":
                value = types.Custom(0, value, [])
            case "proxy":
                value = Proxy((), value)
    return value


@pytest.mark.parametrize("kind", ["list", "linked", "map", "record", "extra", "custom", "proxy"])
@pytest.mark.parametrize("depth_max", [3, 7, 16])
def test_objects_lie_so_deep_in_each_other_and_no_deeper(kind: str, depth_max: int) -> None:
    bounds = {"depth_max": depth_max, "message_bytes_max": 100_000}
    # What lies innermost is null, which is a content of its own.
    assert fits(alone(TABLE, nested(kind, depth_max)), **bounds)
    assert f"more than {depth_max} deep" in refused(alone(TABLE, nested(kind, depth_max + 1)), **bounds)


def test_arrays_within_arrays_are_counted_too() -> None:
    def arrays(depth: int) -> bytes:
        name = b"[Ljava.lang.Object;"
        first = b"ur" + number(len(name), 2) + name + bytes(8) + b"\2\0\0xp" + number(1)
        return first + (b"u" + reference(0) + number(1)) * (depth - 1) + b"p"

    assert fits(arrays(16))
    assert "more than 16 deep" in refused(arrays(17))


def test_superclasses_are_counted_too() -> None:
    def classes(count: int) -> bytes:
        return b"s" + (b"r\0\2[I" + bytes(8) + b"\2\0\0x") * count + b"p"

    assert "other fields than the original's" in refused(classes(2)), "read, and found wanting"
    assert "other fields than the original's" in refused(classes(16))
    assert "more than 16 deep" in refused(classes(17))


# What is remembered.


def test_texts_descriptors_constants_and_numbers_are_remembered_up_to_a_count() -> None:
    assert len(read_all(HEADER + text("a") * REMEMBERED_MAX)) == REMEMBERED_MAX
    assert "without a reset" in refused(text("a") * (REMEMBERED_MAX + 1))
    # A reset forgets.
    assert len(read_all(HEADER + (text("a") * REMEMBERED_MAX + b"\x79") * 2 + b"p")) == 2 * REMEMBERED_MAX + 1


def test_they_are_remembered_up_to_so_many_bytes() -> None:
    # Of a text its length counts as well. Sixteen times 4096 are the bound.
    each = text("x" * 4000)
    count = REMEMBERED_BYTES_MAX // 4002
    assert len(read_all(HEADER + each * count)) == count
    rest = REMEMBERED_BYTES_MAX - count * 4002
    assert len(read_all(HEADER + each * count + text("y" * (rest - 2)))) == count + 1
    assert len(read_all(HEADER + each * count + text("y" * (rest - 2)) + text(""))) == count + 2
    assert "without a reset" in refused(each * count + text("y" * (rest - 1)) + text(""))


def test_proxies_with_long_names_are_remembered_within_the_same_bound() -> None:
    proxies = b"".join(Writer(TABLE).message(Proxy((f"{at:03}" + "x" * 3800,))) for at in range(20))
    assert "without a reset" in refused(proxies)


def test_descriptors_are_remembered_within_the_same_bound() -> None:
    name = b"[" + b"x" * 3900
    array = b"ur" + number(len(name), 2) + name + bytes(8) + b"\2\0\0xp" + number(0)
    assert len(read_all(HEADER + array * 16)) == 16
    assert "without a reset" in refused(array * 17)


def test_objects_are_forgotten_with_their_message_and_the_rest_is_not() -> None:
    writer = Writer(TABLE)
    first = writer.message([types.Place(1, 2), types.Kind["TOLD"], "Anna", 7])
    second = writer.message([types.Place(1, 2), types.Kind["TOLD"], "Anna", 7])
    assert len(second) < len(first) / 2
    one, other = read_all(HEADER + first + second)
    assert plain(one) == plain(other)
    assert one[1] is other[1]


# What refers to what.


def test_a_reference_within_a_message_is_the_same_object_even_to_what_is_not_finished() -> None:
    data = alone(TABLE, types.Custom(5, None, ()))
    # The field `second` is the record itself, whose handle follows those of its class and that one's text.
    own = data.replace(b"\0\0\0\5p", b"\0\0\0\5" + reference(2))
    assert own != data
    (found,) = read_all(HEADER + own)
    assert found.second is found


@pytest.mark.parametrize("handle", [5, 77, -1, -0x7E0000])
def test_what_was_never_written_cannot_be_referred_to(handle: int) -> None:
    assert f"no object has handle {handle}" in refused(text("a") + reference(handle))


def test_the_first_and_the_last_object_of_an_earlier_message_are_gone() -> None:
    data = alone(TABLE, [types.Place(1, 2)])
    # Class and list, then class and place.
    for gone in (1, 3):
        assert "an object of an earlier message" in refused(data + reference(gone))
    for kept in (0, 2):
        assert "a reference to a class where an object belongs" in refused(data + reference(kept))
    assert "no object has handle 4" in refused(data + reference(4))


def test_a_proxys_class_is_no_object_and_an_object_no_class() -> None:
    proxy = alone(TABLE, Proxy(("a.Face",)))
    assert "a reference to a class" in refused(proxy + reference(0))
    assert "a reference to an object where a class belongs" in refused(text("a") + b"s" + reference(0))


# Classes that are not ours.


def changed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert data.count(old) == 1
    return data.replace(old, new)


PLACE = alone(TABLE, types.Place(1, 2))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"model.Place", b"model.Plane", "class it.example.model.Plane is none of the original's"),
        (b"\x16\xff\xd8", b"\x16\xff\xd9", "is of another build: c1143fc00a16ffd9, and not c1143fc00a16ffd8"),
        (b"\2\0\2I", b"\3\0\2I", "has other fields"),  # other flags
        (b"\2\0\2I", b"\2\0\3I", "has other fields"),  # another number of fields
        (b"\2\0\2I", b"\2\0\1I", "has other fields"),
        (b"\2\0\2I", b"\2\0\2F", "has other fields"),  # another type
        (b"\0\6column", b"\0\6Column", "has other fields"),  # another name
    ],
)
def test_another_build_of_a_class_is_told_from_ours(old: bytes, new: bytes, why: str) -> None:
    with pytest.raises(OtherBuild, match=why):
        read_all(HEADER + changed(PLACE, old, new))


def test_a_class_with_another_superclass_is_of_another_build() -> None:
    orphan = changed(alone(TABLE, types.Message(None)), b"xpp", b"xq\0\x7e\0\0p")
    with pytest.raises(OtherBuild, match="other fields"):
        read_all(HEADER + orphan)


def test_an_enumeration_of_another_build_is_taken_as_java_takes_it() -> None:
    told = alone(TABLE, types.Kind["TOLD"])
    name = b"it.example.util.Kind"
    assert read_all(HEADER + changed(told, name + bytes(8), name + b"\1" * 8)) == [types.Kind["TOLD"]]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"~" + PLACE[2:], "a constant of a class that is no enumeration"),
        (changed(alone(TABLE, types.Kind["TOLD"]), b"t\0\4TOLD", b"p"), "Kind has no constant None"),
        (changed(alone(TABLE, types.Kind["TOLD"]), b"TOLD", b"BOLD"), "Kind has no constant BOLD"),
        (b"u" + PLACE[2:], "an array of a class that is none"),
        (b"s" + INT_ARRAY[1:], "an object without a class of objects"),
        (b"s" + alone(TABLE, types.Kind["TOLD"])[2:], "an object without a class of objects"),
        (b"sp", "an object without a class of objects"),
        (b"sw", "no class begins with 0x77"),
        (b"v", "no content begins with 0x76"),
        (b"\xff", "no content begins with 0xff"),
        (b"x", "the end of a block that has not begun"),
        (changed(alone(TABLE, types.Message(None)), b"xpp", b"xpw\0"), "bytes where an object belongs"),
        (changed(alone(TABLE, types.Message(None)), b"xpp", b"xpx"), "bytes where an object belongs"),
        (changed(alone(TABLE, []), b"w\4\0\0\0\0x", b"x"), "a collection that is none"),
        (changed(alone(TABLE, []), b"w\4\0\0\0\0x", b"px"), "a collection that is none"),
        (changed(alone(TABLE, []), b"w\4\0\0\0\0x", b"w\0w\0x"), "a collection that is none"),
        (alone(TABLE, {"a": "b"})[:-1] + text("c") + b"x", "a map that is none"),
    ],
)
def test_what_cannot_be_is_refused_in_words(data: bytes, why: str) -> None:
    assert why in refused(data)


def test_a_proxy_must_be_a_proxy() -> None:
    proxy = alone(TABLE, Proxy(("a.Face",)))
    name = b"java.lang.reflect.Proxy"
    start = proxy.index(b"r\0\x17" + name)
    own = alone(TABLE, types.Place(0, 0))[2:-8]
    assert "a proxy that is none" in refused(proxy[:start] + own + b"p")
    assert "a proxy that is none" in refused(proxy[:start] + b"pp")


def test_after_an_error_nothing_more_is_read() -> None:
    reader = Reader(TABLE)
    with pytest.raises(Unreadable):
        reader.feed(HEADER + b"\xff")
    with pytest.raises((Unreadable, StopIteration)):
        reader.feed(b"p")


# What comes of it.


@pytest.mark.parametrize(
    ("name", "data", "value"),
    [
        ("Boolean", b"\1", True),
        ("Boolean", b"\0", False),
        ("Byte", b"\xff", -1),
        ("Short", b"\x80\0", -32_768),
        ("Integer", b"\x7f\xff\xff\xff", 2**31 - 1),
        ("Long", b"\x80" + bytes(7), -(2**63)),
        ("Float", b"\x3f\x80\0\0", 1.0),
        ("Double", b"\x3f\xe0" + bytes(6), 0.5),
    ],
)
def test_boxed_numbers_are_numbers_and_can_be_referred_to(name: str, data: bytes, value: Any) -> None:
    described = TABLE.classes[f"java.lang.{name}"]
    parent = TABLE.classes["java.lang.Number"].bare if described.parent else b""
    handle = 2 if described.parent else 1
    first, again = read_all(HEADER + b"s" + described.bare + parent + data + reference(handle))
    assert first == again == value
    assert type(first) is type(value)


def test_collections_are_of_their_kinds_and_keep_their_order() -> None:
    pairs = {"b": 1, "a": 2, "c": 3}
    plain_map, ordered, linked, listed = read_all(
        HEADER + b"".join(alone(TABLE, each) for each in (pairs, Ordered(pairs), Linked("ba"), list("ba")))
    )
    assert [type(each) for each in (plain_map, ordered, linked, listed)] == [dict, Ordered, Linked, list]
    assert list(ordered.items()) == list(pairs.items())
    assert linked == listed == ["b", "a"]


def test_what_is_read_are_passive_records_and_no_code_of_anybody() -> None:
    (found,) = read_all(HEADER + PLACE)
    assert type(found) is types.Place
    assert issubclass(types.Place, Record)
    assert (found.column, found.row) == (1, 2)
