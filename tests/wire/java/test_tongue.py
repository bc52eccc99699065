"""Java objects as a tongue: what the shell cuts and the conversation reads is the same, once each."""

from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.wire.java import HEADER, Record, Table, Writer, alone
from ludoteca.wire.java.reader import MESSAGE_BYTES_MAX
from ludoteca.wire.java.tongue import JavaTongue
from ludoteca.wire.tongue import Garbled

TABLE = Table(
    "it.example.",
    """
    Said 0000000000000001: times I, word Object
    Other 0000000000000002:
    """,
)
types = TABLE.types
Said, Other = types.Said, types.Other


class Word(msgspec.Struct, frozen=True):
    """The message that a record is."""

    times: int
    word: str


class Words(JavaTongue):
    """Understands `Said` with a word, and answers each word with as many records."""

    table: ClassVar[Table] = TABLE

    def understand(self, record: Record) -> Any:
        if not isinstance(record, Said):
            raise msgspec.ValidationError("only words are said here")
        return msgspec.convert({"times": record.times, "word": record.word}, Word)

    def express(self, message: Any) -> list[Record]:
        return [Said(message.times, message.word)] * message.times


class Remembering(Words):
    """The same without resets."""

    resets: ClassVar[bool] = False


def said(*words: str) -> bytes:
    writer = Writer(TABLE)
    return HEADER + b"".join(writer.message(Said(1, word)) for word in words)


def heard(tongue: JavaTongue, data: bytes) -> list[Any]:
    return list(tongue.read(data))


def test_the_other_side_reads_nothing_before_it_has_the_header() -> None:
    assert Words().open() == HEADER


def test_every_object_is_a_message() -> None:
    assert heard(Words(), said("a", "b")) == [Word(1, "a"), Word(1, "b")]
    assert heard(Words(), HEADER) == []
    assert heard(Words(), b"") == []


def test_what_is_no_message_is_garbled_and_the_next_is_read() -> None:
    writer = Writer(TABLE)
    data = HEADER + b"".join(
        writer.message(each) for each in (Other(), "text", 7, None, Said(1, 5), Said(1, "a"))
    )
    *garbled, last = heard(Words(), data)
    assert garbled == [
        Garbled(b"", "only words are said here"),
        *[Garbled(b"", "no message is made like this")] * 3,
        Garbled(b"", "Expected `str`, got `int` - at `$.word`"),
    ]
    assert last == Word(1, "a")


def test_after_what_cannot_be_read_nothing_more_is_said_but_that_once() -> None:
    tongue = Words()
    found = heard(tongue, said("a") + b"\xff" + said("b")[4:])
    assert found == [Word(1, "a"), Garbled(b"", "no content begins with 0xff", last=True)]
    assert heard(tongue, said("b")) == []
    assert heard(tongue, b"") == []
    assert tongue.cut(b"anything", 0) == 8, "thrown away as it comes"
    assert tongue.cut(b"anything", 3) == 8
    assert heard(tongue, b"anything") == []


DATA = said("one", "two", "three")
ENDS = [len(said("one")), len(said("one", "two")), len(DATA)]


def test_the_end_of_a_message_is_found_by_reading_and_it_is_read_only_once() -> None:
    tongue = Words()
    at, found = 0, []
    for end in ENDS:
        assert tongue.cut(DATA, at) == end
        found += heard(tongue, DATA[at:end])
        at = end
    assert tongue.cut(DATA, at) == 0
    assert found == [Word(1, "one"), Word(1, "two"), Word(1, "three")]


def test_what_was_cut_but_not_yet_handed_over_is_not_lost() -> None:
    tongue = Words()
    assert [tongue.cut(DATA, at) for at in (0, *ENDS[:-1])] == ENDS
    assert heard(tongue, DATA[: ENDS[0]]) == [Word(1, "one"), Word(1, "two"), Word(1, "three")]
    assert heard(tongue, DATA[ENDS[0] :]) == []
    assert heard(tongue, said("four")[4:]) == [Word(1, "four")]


@given(st.lists(st.integers(0, len(DATA)), max_size=6), st.booleans())
def test_however_it_is_cut_and_whoever_cuts_the_same_is_heard(places: list[int], looks_ahead: bool) -> None:
    tongue, found, begin = Words(), [], 0
    for end in sorted({*places, len(DATA)} - {0}):
        piece, at = DATA[begin:end], 0
        begin = end
        while looks_ahead and (stop := tongue.cut(piece, at)):
            found += heard(tongue, piece[at:stop])
            at = stop
        found += heard(tongue, piece[at:])
    assert found == [Word(1, "one"), Word(1, "two"), Word(1, "three")]


def test_a_message_that_is_too_long_is_the_last() -> None:
    (last,) = heard(Words(), HEADER + b"t\xff\xff" + b"x" * 10)
    assert last == Garbled(b"", f"a message of more than {MESSAGE_BYTES_MAX} bytes", last=True)


def test_messages_go_out_as_records_each_behind_a_reset() -> None:
    tongue = Words()
    one = alone(TABLE, Said(1, "a"))
    assert tongue.write([Word(1, "a")]) == one
    assert tongue.write([Word(2, "a"), Word(0, "b")]) == alone(TABLE, Said(2, "a")) * 2
    assert tongue.write([]) == b""
    assert tongue.write([Word(1, "a")]) == one


def test_without_resets_they_refer_to_what_was_sent_before() -> None:
    tongue = Remembering()
    first, second = (tongue.write([Word(1, "a")]) for _ in range(2))
    assert first == Writer(TABLE).message(Said(1, "a"))
    assert len(second) < len(first) / 2
    assert heard(Words(), HEADER + first + second) == [Word(1, "a")] * 2


def test_two_conversations_know_nothing_of_each_other() -> None:
    one, other = Words(), Words()
    assert one.cut(DATA, 0) == ENDS[0]
    assert heard(other, DATA) == [Word(1, "one"), Word(1, "two"), Word(1, "three")]
    assert heard(one, DATA[: ENDS[0]]) == [Word(1, "one")]


def test_the_translation_is_the_games_to_say() -> None:
    class Mute(JavaTongue):
        table: ClassVar[Table] = TABLE

    with pytest.raises(NotImplementedError):
        heard(Mute(), DATA)
    with pytest.raises(NotImplementedError):
        Mute().write([Word(1, "a")])


@given(st.binary(max_size=60))
def test_whatever_follows_the_header_is_heard_or_garbled_and_never_breaks(data: bytes) -> None:
    tongue = Words()
    for message in heard(tongue, HEADER + data):
        assert isinstance(message, Word | Garbled)
    assert tongue.write([Word(1, "a")]) == alone(TABLE, Said(1, "a")), "we can still speak"
