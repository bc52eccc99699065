"""Classes as data: what a row says, how a record is laid out, and the bytes that describe it."""

import pytest

from ludoteca.core import LocalError
from ludoteca.wire.java import Constant, Linked, Ordered, Proxy, Record, Table
from ludoteca.wire.java.table import ENUM_CLASS, Class

ROWS = """
    model.Place c1143fc00a16ffd8: column I, row I
    network.Message 792c36f3a169933c: kind Kind
    network.Said(Message) 53af2004a812f910: loud Z, long J, any Object, names String[][], to Place

    network.Shouted(Said) 53af2004a812f911: times S
    network.Counted 53af2004a812f912: numbers I[], signs B[]
    network.Custom* 53af2004a812f913: first I, second Object
    network.After(Custom) 53af2004a812f914: third I
    network.Empty 53af2004a812f915:
    network.Outer$Inner 53af2004a812f916: x I
"""
TABLE = Table("it.example.", ROWS, {"util.Kind": "ASKED TOLD", "Tile": "GREEN"})
types = TABLE.types


def java(name: str) -> Class:
    """The class of this simple name."""
    (found,) = (each for full, each in TABLE.classes.items() if full.rpartition(".")[2] == name)
    return found


# Rows.


def test_a_row_says_name_identifier_flags_fields_and_superclass() -> None:
    said = java("Said")
    assert said.name == "it.example.network.Said"
    assert said.uid == 0x53AF2004A812F910
    assert said.flags == 2, "serializable"
    assert java("Custom").flags == 3, "and with data of its own"
    assert said.parent is java("Message")
    assert java("Place").parent is None
    assert said.fields == [
        ("loud", "Z"),
        ("long", "J"),
        ("any", "Ljava/lang/Object;"),
        ("names", "[[Ljava/lang/String;"),
        ("to", "Lit/example/model/Place;"),
    ]
    assert java("Counted").fields == [("numbers", "[I"), ("signs", "[B")]
    assert java("Empty").fields == []
    assert java("Outer$Inner").name == "it.example.network.Outer$Inner"


def test_a_class_of_javas_own_is_not_in_the_package_of_the_program() -> None:
    table = Table("it.example.", "java.awt.Point 0000000000000001: x I\nPoint3 0000000000000002: x I")
    assert {"java.awt.Point", "it.example.Point3"} <= set(table.classes)


def test_every_table_knows_the_classes_that_any_program_sends() -> None:
    bare = Table()
    assert bare.classes["java.lang.Enum"] is ENUM_CLASS
    assert bare.classes["java.lang.Integer"].uid == 0x12E2A0A4F7818738
    assert bare.classes["java.lang.Integer"].parent is bare.classes["java.lang.Number"]
    kinds = {name: bare.classes[f"java.util.{name}"].type for name in ("ArrayList", "HashMap")}
    assert kinds == {"ArrayList": list, "HashMap": dict}
    assert bare.classes["java.util.LinkedHashMap"].type is Ordered
    assert bare.classes["java.util.LinkedList"].type is Linked
    assert bare.classes["java.lang.reflect.Proxy"].names == ["h"]


@pytest.mark.parametrize(
    "rows",
    [
        "b.C: x I",  # no identifier
        "b.C 123: x I",  # one that is too short
        "b.C 000000000000000G: x I",
        "b.C 0000000000000001",  # no colon
        "b C 0000000000000001:",
        "0000000000000001:",
        "nonsense",
    ],
)
def test_what_is_no_row_is_our_own_mistake_and_is_named(rows: str) -> None:
    with pytest.raises(LocalError, match="no row of a class table") as raised:
        Table("a.", f"b.D 0000000000000001:\n{rows}")
    assert rows in str(raised.value)


@pytest.mark.parametrize(
    ("rows", "enums"),
    [
        ("b.C 0000000000000001:\nb.C 0000000000000002:", {}),
        ("b.C 0000000000000001:", {"b.C": "RED"}),
        ("java.util.ArrayList 0000000000000001:", {}),
    ],
)
def test_a_class_may_be_in_the_table_once(rows: str, enums: dict[str, str]) -> None:
    with pytest.raises(LocalError, match="twice"):
        Table("a.", rows, enums)


# Records and constants.


def test_a_record_has_the_fields_of_its_ancestors_first_and_none_is_needed() -> None:
    assert types.Said.__struct_fields__ == ("kind", "loud", "long", "any", "names", "to")
    assert java("Shouted").names == ["kind", "loud", "long", "any", "names", "to", "times"]
    assert types.After.__struct_fields__ == ("first", "second", "extra", "third")
    empty = types.Said()
    assert isinstance(empty, Record)
    assert [getattr(empty, name) for name in empty.__struct_fields__] == [None] * 6
    assert types.Place(1, 2).java is java("Place")
    assert TABLE.records[types.Place] is java("Place")


def test_records_are_equal_only_to_themselves() -> None:
    """On a stream one object that occurs twice is another thing than two that look alike."""
    place = types.Place(1, 2)
    assert place == place
    assert place != types.Place(1, 2)
    assert Proxy() != Proxy()


def test_there_is_one_constant_for_each_name() -> None:
    asked = types.Kind["ASKED"]
    assert isinstance(asked, Constant)
    assert (asked.kind, asked.name) == ("it.example.util.Kind", "ASKED")
    assert repr(asked) == "it.example.util.Kind.ASKED"
    assert list(types.Kind) == ["ASKED", "TOLD"]
    assert java("Kind").enum is types.Kind
    assert (java("Kind").flags, java("Kind").parent, java("Kind").uid) == (0x12, ENUM_CLASS, 0)
    assert java("Place").enum is None


def test_two_tables_share_nothing_that_a_program_could_change() -> None:
    other = Table("it.example.", ROWS, {"util.Kind": "ASKED TOLD", "Tile": "GREEN"})
    assert other.types.Kind["ASKED"] is not types.Kind["ASKED"]
    assert other.types.Place is not types.Place


# How a record is laid out.


def test_numbers_come_before_objects_class_by_class() -> None:
    message, said, shouted = java("Shouted").parts
    assert (message.numbers, message.objects, message.several) == (slice(0, 0), slice(0, 1), 1)
    assert message.pack is None
    assert message.packed is None
    assert (said.numbers, said.objects, said.several) == (slice(1, 3), slice(3, 6), 3)
    assert said.packed is not None
    assert (said.packed.format, said.packed.size) == (">?q", 9)
    assert said.arrays == {1: "[[Ljava/lang/String;"}
    assert (shouted.numbers, shouted.objects, shouted.several) == (slice(6, 7), slice(7, 7), 0)
    assert [part.extra for part in (message, said, shouted)] == [None] * 3


def test_what_a_class_writes_besides_its_fields_has_a_place_behind_them() -> None:
    custom, after = java("After").parts
    assert (custom.numbers, custom.objects, custom.extra) == (slice(0, 1), slice(1, 2), 2)
    assert (after.numbers, after.objects, after.extra) == (slice(3, 4), slice(4, 4), None)


def test_a_plain_class_is_numbers_then_objects_and_nothing_else() -> None:
    place = java("Place").plain
    assert place is not None
    pack, count, objects = place
    assert pack is not None
    assert (pack(1, 2), count, objects) == (b"\0\0\0\1\0\0\0\2", 2, False)
    message = java("Message").plain
    assert message == (None, 0, True)
    assert java("Empty").plain == (None, 0, False)
    # With a superclass, with arrays, with data of its own: not so.
    assert java("Said").plain is java("Counted").plain is java("Custom").plain is None


def test_the_line_of_ancestors_begins_with_the_most_distant() -> None:
    assert [each.name.rpartition(".")[2] for each in java("Shouted").line] == ["Message", "Said", "Shouted"]
    assert java("Place").line == [java("Place")]


# The bytes that describe it.


def test_a_descriptor_says_all_of_it_and_ends_with_no_superclass() -> None:
    head = b"r\0\x16it.example.model.Place" + bytes.fromhex("c1143fc00a16ffd8")
    fields = b"\2\0\2I\0\6columnI\0\3row"
    assert java("Place").head == head + fields
    assert java("Place").bare == head + fields + b"xp"
    assert java("Place").annotated == head + fields + b"pxp"
    assert java("Place").strings == 0


def test_a_descriptor_with_a_superclass_is_followed_by_that() -> None:
    said = java("Said")
    assert said.bare == said.head + b"x"
    assert said.annotated == said.head + b"px"
    assert said.strings == 3
    assert said.head.endswith(
        b"\2\0\5Z\0\4loudJ\0\4longL\0\3anyt\0\x12Ljava/lang/Object;"
        b"[\0\5namest\0\x14[[Ljava/lang/String;L\0\2tot\0\x18Lit/example/model/Place;"
    )
    assert java("Custom").head.count(b"\3\0\2") == 1, "flags, and two fields"
