"""A conversation in another tongue: the same messages, written otherwise."""

from collections.abc import Iterator
from typing import Any

import pytest

from ludoteca.core import Request
from ludoteca.core.notices import Entered
from ludoteca.core.requests import Enter, Reply
from ludoteca.wire.tongue import Garbled, MessageConversation


class Letters:
    """Every letter is a message, the first thing said is a bell; digits are garbled, and 0 is the last."""

    def open(self) -> bytes:
        return b"\a"

    def cut(self, data: bytes, at: int) -> int:
        return at + 1

    def read(self, data: bytes) -> Iterator[Any]:
        for letter in data.decode():
            yield Garbled(letter.encode(), "a digit", last=letter == "0") if letter.isdecimal() else letter

    def write(self, messages: list[Any]) -> bytes:
        return "".join(messages).encode()


class Spelling(MessageConversation[str, str]):
    """Enters under every letter; "z" ends it."""

    def hear(self, message: str, now: float) -> list[Request]:
        self.closing = message == "z"
        return [Enter(message), self.reply("o", "k")]

    def tell(self, notice: Any, now: float) -> list[Any]:
        return list(notice.name)

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        return [self.reply(line.decode(), "?")]


def test_the_tongue_speaks_first_if_it_must() -> None:
    assert Spelling(Letters()).greet(0.0) == [Reply(b"\a")]


def test_messages_come_from_the_tongue_and_go_through_it() -> None:
    spelling = Spelling(Letters())
    assert spelling.receive(b"ab", 0.0) == [Enter("a"), Reply(b"ok"), Enter("b"), Reply(b"ok")]
    assert spelling.send(Entered("Anna"), 0.0) == b"Anna"
    assert spelling.tick(0.0) == []


def test_what_is_garbled_takes_its_turn_and_nothing_follows_the_last() -> None:
    spelling = Spelling(Letters())
    assert spelling.receive(b"1a", 0.0) == [Reply(b"1?"), Enter("a"), Reply(b"ok")]
    assert not spelling.closing
    assert not spelling.complaint
    assert spelling.receive(b"0a", 0.0) == [Reply(b"0?")]
    assert spelling.closing
    assert spelling.complaint == "a digit"


def test_nothing_is_read_after_the_end() -> None:
    spelling = Spelling(Letters())
    assert spelling.receive(b"za", 0.0) == [Enter("z"), Reply(b"ok")]
    assert spelling.receive(b"a", 0.0) == []


def test_what_messages_mean_is_for_each_protocol_to_say() -> None:
    bare = MessageConversation[str, str](Letters())
    for call in (
        lambda: bare.hear("a", 0.0),
        lambda: bare.tell(Entered("Anna"), 0.0),
        lambda: bare.garbled(b"", "", 0.0),
    ):
        with pytest.raises(NotImplementedError):
            call()
