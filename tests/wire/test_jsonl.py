"""JSON lines as messages: what is read, what is garbled, and what is never read."""

import gc
from typing import Any

import msgspec
import pytest

from ludoteca.core import Request
from ludoteca.core.notices import Entered
from ludoteca.core.requests import List
from ludoteca.wire.jsonl import JsonLines, SharedLines
from ludoteca.wire.lines import LINE_BYTES_MAX
from ludoteca.wire.tongue import MessageConversation


class Word(msgspec.Struct):
    """The one message of this protocol."""

    word: str


class Echo(MessageConversation[Word, Word]):
    """A protocol that answers each word; "bye" ends it."""

    def __init__(self) -> None:
        super().__init__(JsonLines(msgspec.json.Decoder(Word).decode))
        self.heard: list[tuple[str, float]] = []
        self.broken: list[tuple[bytes, float]] = []

    def hear(self, message: Word, now: float) -> list[Request]:
        self.heard.append((message.word, now))
        self.closing = message.word == "bye"
        return [List(message.word)]

    def tell(self, notice: Any, now: float) -> list[Any]:
        return [Word(notice.name), Word(str(now))]

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        self.broken.append((line, now))
        return [List(reason)]


def line(word: str) -> bytes:
    return b'{"word":"%s"}\n' % word.encode()


def test_a_conversation_begins_open_and_silent() -> None:
    echo = Echo()
    assert not echo.closing
    assert echo.alarm is None
    assert echo.greet(0.0) == echo.tick(0.0) == []


def test_every_line_is_heard_in_order_wherever_the_bytes_are_cut() -> None:
    data = line("one") + b"\n" + line("two").replace(b"\n", b"\r\n")
    for cut in range(len(data)):
        echo = Echo()
        requests = echo.receive(data[:cut], 1.0) + echo.receive(data[cut:], 1.0)
        assert requests == [List("one"), List("two")]
        assert echo.heard == [("one", 1.0), ("two", 1.0)]


def test_nothing_is_read_after_the_end() -> None:
    echo = Echo()
    assert echo.receive(line("bye") + line("more"), 0.0) == [List("bye")]
    assert echo.receive(line("still more"), 0.0) == []
    assert [word for word, _ in echo.heard] == ["bye"]


@pytest.mark.parametrize(
    "bad", [b"{", b"[]", b'{"word":1}', b'{"word":"a","x":"\xff"}', b"\xff", b'{"x":' + b"[" * 60_000]
)
def test_a_garbled_line_is_told_and_the_next_is_read(bad: bytes) -> None:
    """Also where only a key that nobody asked for is no text, which a decoder would skip."""
    echo = Echo()
    requests = echo.receive(bad + b"\n" + line("next"), 2.0)
    assert echo.broken == [(bad, 2.0)]
    assert len(requests) == 2
    assert echo.heard == [("next", 2.0)]
    assert not echo.closing


def test_a_line_without_end_closes_the_conversation() -> None:
    echo = Echo()
    (told,) = echo.receive(b"x" * (LINE_BYTES_MAX + 1), 3.0)
    assert isinstance(told, List)
    assert "at most" in told.game
    assert echo.broken == [(b"", 3.0)]
    assert echo.closing


def test_notices_become_lines() -> None:
    assert Echo().send(Entered("Anna"), 4.0) == line("Anna") + line("4.0")
    assert Echo().tongue.write([]) == b""


def test_lines_need_no_introduction_and_a_message_ends_with_its_line() -> None:
    tongue = Echo().tongue
    assert tongue.open() == b""
    assert [tongue.cut(b"one\ntwo\nth", at) for at in (0, 4, 8)] == [4, 8, 0]


def test_a_message_for_all_is_written_once_and_no_other_is_taken_for_it() -> None:
    """Who hears the same gets the very same bytes; an equal message, or a longer speech, is written anew."""
    ada, bob = (SharedLines(msgspec.json.decode) for _ in range(2))
    word, same = Word("tea"), Word("tea")
    written = ada.write([word])
    assert written == line("tea")
    assert bob.write([word]) is written
    assert bob.write([same]) == written
    assert ada.write([word, Word("now")]) == line("tea") + line("now")
    assert ada.write([Word("milk")]) == line("milk")
    assert ada.write([]) == b""


@pytest.mark.parametrize(
    "said",
    [
        line("one"),
        line("one").replace(b"\n", b"\r\n"),
        '{"word":"é"}\n'.encode(),
        b'{"word":1}\n',
        b'{"word":"one"\n',
        b'{"word":"\xff"}\n',
        b'{"word":"one","\xff":1}\n',
        b"[" * 2000 + b"\n",
        b"\n",
        b"\r\n",
    ],
)
def test_a_line_that_comes_whole_is_read_as_one_that_comes_in_pieces(said: bytes) -> None:
    whole, pieces = Echo(), Echo()
    heard = [whole.receive(said, 1.0), pieces.receive(said[:1], 1.0) + pieces.receive(said[1:], 1.0)]
    assert heard[0] == heard[1]
    assert (whole.heard, whole.broken) == (pieces.heard, pieces.broken)


def test_a_whole_line_behind_the_half_of_another_is_its_other_half() -> None:
    echo = Echo()
    assert echo.receive(b'{"word":', 1.0) == []
    assert echo.receive(b'"one"}\n', 1.0) == [List("one")]
    assert echo.receive(b"1", 1.0) == []
    assert echo.receive(b"\n", 1.0)
    assert echo.broken == [(b"1", 1.0)]


def test_nothing_is_left_of_what_was_written() -> None:
    """Found by a hundred thousand matches: an iterator stayed for every message (an encoder's own fault)."""
    tongues = (
        JsonLines(msgspec.json.decode),
        SharedLines(msgspec.json.decode),
    )
    for tongue in tongues:
        gc.collect()
        before = len(gc.get_objects())
        for number in range(100):
            assert tongue.write([Word(str(number))]) == b'{"word":"%d"}\n' % number
            assert tongue.write([Word("a"), Word("b")]).count(b"\n") == 2
        gc.collect()
        assert len(gc.get_objects()) < before + 50
