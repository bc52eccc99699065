"""The words of the stream, and Java's own spelling of texts."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.core import RemoteError
from ludoteca.wire.java import stream
from ludoteca.wire.java.stream import PRIMITIVES, Unreadable, spell, unspell

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def test_the_words_are_those_of_javas_specification() -> None:
    """Object Serialization Stream Protocol, "Terminal Symbols and Constants"."""
    assert bytes.fromhex("aced 0005") == stream.MAGIC
    assert stream.HANDLES_FROM == 0x7E0000
    assert [
        stream.NULL,
        stream.REFERENCE,
        stream.CLASS_DESC,
        stream.OBJECT,
        stream.STRING,
        stream.ARRAY,
        stream.BLOCK,
        stream.END_BLOCK,
        stream.RESET,
        stream.LONG_BLOCK,
        stream.LONG_STRING,
        stream.PROXY_DESC,
        stream.ENUM,
    ] == [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x77, 0x78, 0x79, 0x7A, 0x7C, 0x7D, 0x7E]
    assert (stream.CUSTOM_FLAG, stream.SERIALIZABLE_FLAG, stream.ENUM_FLAG) == (1, 2, 16)


def test_numbers_have_the_sizes_they_have_in_java() -> None:
    sizes = {name: struct.calcsize(f">{sign}") for name, sign in PRIMITIVES.items()}
    assert sizes == {"B": 1, "C": 2, "D": 8, "F": 4, "I": 4, "J": 8, "S": 2, "Z": 1}
    # All but char have a sign.
    assert struct.unpack(">" + PRIMITIVES["B"], b"\xff") == (-1,)
    assert struct.unpack(">" + PRIMITIVES["C"], b"\xff\xff") == (65_535,)
    assert struct.unpack(">" + PRIMITIVES["S"], b"\xff\xff") == (-1,)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("", b""),
        ("Anna", b"Anna"),
        ("\x7f", b"\x7f"),
        ("\0", b"\xc0\x80"),
        ("a\0b", b"a\xc0\x80b"),
        ("\x80", b"\xc2\x80"),
        ("è", b"\xc3\xa8"),
        ("\u07ff", b"\xdf\xbf"),
        ("\u0800", b"\xe0\xa0\x80"),
        ("漢", b"\xe6\xbc\xa2"),
        ("\uffff", b"\xef\xbf\xbf"),
        ("\U00010000", b"\xed\xa0\x80\xed\xb0\x80"),
        ("\U0010ffff", b"\xed\xaf\xbf\xed\xbf\xbf"),
    ],
)
def test_where_the_spelling_changes_its_length(text: str, data: bytes) -> None:
    assert spell(text) == data
    assert unspell(data) == text


@given(texts)
def test_a_text_takes_one_to_three_bytes_for_each_unit_of_16_bits(text: str) -> None:
    units = len(text.encode("utf-16-be")) // 2
    assert units <= len(spell(text)) <= 3 * units


@given(texts, texts)
def test_texts_are_spelled_piece_by_piece(one: str, other: str) -> None:
    assert spell(one + other) == spell(one) + spell(other)


@pytest.mark.parametrize(
    "data",
    [
        b"\xed\xa0\xbc",  # the first half of a letter
        b"\xed\xbe\xb2",  # the second
        b"\xed\xbe\xb2\xed\xa0\xbc",  # both, the wrong way round
        b"\xf0\x9f\x8e\xb2",  # as everybody but Java writes it
        b"\xc3",  # cut
        b"\xe6\xbc",
        b"\xa8",  # a rest
        b"\xc1\x81",  # longer than it need be
        b"\xe0\x81\x81",
        b"\xff",
        b"\xfe\xff",
        b"a" * 4000 + b"\xc3",
    ],
)
def test_bytes_that_are_no_text_are_the_other_sides_mistake(data: bytes) -> None:
    with pytest.raises(RemoteError, match="not in Java's UTF-8") as raised:
        unspell(data)
    assert type(raised.value) is Unreadable


@given(st.binary(max_size=12))
def test_any_bytes_are_a_text_that_can_be_spelled_again_or_none(data: bytes) -> None:
    try:
        text = unspell(data)
    except Unreadable:
        return
    # A NUL of one byte is read, too, though Java writes two.
    assert spell(text) == data.replace(b"\0", b"\xc0\x80")
    text.encode()
