"""Bytes cut anywhere become lines, and nobody sends one without an end."""

import pytest

from ludoteca.core import RemoteError
from ludoteca.wire.lines import LINE_BYTES_MAX, Lines, LineTooLong


def test_lines_come_whole_however_they_are_cut() -> None:
    data = b"one\r\ntwo\n\nthree"
    for cut in range(len(data)):
        lines = Lines()
        assert lines.feed(data[:cut]) + lines.feed(data[cut:] + b"\n") == [b"one", b"two", b"", b"three"]


def test_a_line_has_a_greatest_length() -> None:
    lines = Lines()
    assert lines.feed(b"x" * LINE_BYTES_MAX) == []
    with pytest.raises(LineTooLong):
        lines.feed(b"x")


def test_what_is_not_ended_waits() -> None:
    lines = Lines()
    assert lines.feed(b"on") == []
    assert lines.feed(b"") == []
    assert lines.feed(b"e\ntw") == [b"one"]
    assert lines.feed(b"o\n") == [b"two"]
    assert lines.feed(b"\n") == [b""]


def test_a_line_ends_with_lf_or_cr_lf_and_only_there() -> None:
    assert Lines().feed(b"a\r\nb\rc\n\rd\n\r\r\n") == [b"a", b"b\rc", b"\rd", b"\r"]


def test_the_longest_line_is_whole_in_one_piece_or_many() -> None:
    longest = b"x" * LINE_BYTES_MAX
    assert Lines().feed(longest + b"\n") == [longest]
    lines = Lines()
    for _ in range(LINE_BYTES_MAX // 1024):
        assert lines.feed(b"x" * 1024) == []
    assert lines.feed(b"\n") == [longest]


@pytest.mark.parametrize(
    "data", [b"x" * (LINE_BYTES_MAX + 1), b"ok\n" + b"x" * (LINE_BYTES_MAX + 1) + b"\nok\n"]
)
def test_a_longer_one_is_the_other_sides_mistake_ended_or_not(data: bytes) -> None:
    with pytest.raises(RemoteError, match=f"at most {LINE_BYTES_MAX} allowed") as error:
        Lines().feed(data)
    assert isinstance(error.value, LineTooLong)
    assert error.value.size == LINE_BYTES_MAX + 1
