"""Two tongues at one port: who decides, when, and who hears of it."""

from typing import Any

from ludoteca.core import Conversation, Notice, Request
from ludoteca.core.notices import Entered, Gone
from ludoteca.core.requests import Reply
from ludoteca.wire.either import PATIENCE_S, Either


class Says:
    """A conversation that repeats what it hears under its own name."""

    def __init__(self, name: str) -> None:
        self.name = name.encode()
        self.closing = False
        self.alarm: float | None = 99.0

    def greet(self, now: float) -> list[Request]:
        return [Reply(self.name + b" greets")]

    def receive(self, data: bytes, now: float) -> list[Request]:
        self.closing = data == b"end"
        return [Reply(self.name + b" " + data)]

    def send(self, notice: Notice, now: float) -> bytes:
        return self.name

    def tick(self, now: float) -> list[Request]:
        return [Reply(self.name + b" ticks")]


class Halves(Says):
    """One whose messages are of two bytes."""

    def cut(self, data: bytes, at: int) -> int:
        return at + 2 if len(data) >= at + 2 else 0


def either() -> Either:
    made = Either(lambda: Says("lines"), lambda: Halves("java"))
    assert made.greet(10.0) == []
    return made


def test_whoever_begins_as_java_does_is_greeted_in_java() -> None:
    made = either()
    assert made.receive(b"\xac", 10.1) == [Reply(b"java greets"), Reply(b"java \xac")]
    assert made.receive(b"\xed", 10.1) == [Reply(b"java \xed")]
    assert made.send(Entered("anna"), 10.2) == b"java"
    assert made.tick(11.0) == [Reply(b"java ticks")]


def test_whoever_says_anything_else_is_greeted_in_lines_at_once() -> None:
    made = either()
    assert made.receive(b"{", 10.1) == [Reply(b"lines greets"), Reply(b"lines {")]


def test_whoever_is_silent_is_greeted_in_lines_after_a_moment() -> None:
    made = either()
    assert made.alarm == 10.0 + PATIENCE_S
    assert made.tick(10.25) == [Reply(b"lines greets")]
    assert made.alarm == 99.0
    # It is too late for anything else.
    assert made.receive(b"\xac\xed", 11.0) == [Reply(b"lines \xac\xed")]


def test_messages_are_cut_as_their_tongue_does() -> None:
    java, lines = either(), either()
    assert java.cut(b"", 0) == 0
    assert java.cut(b"\xac", 0) == 0
    assert java.cut(b"\xac\xed\x00", 0) == 2
    assert lines.cut(b"a\nb", 0) == 2
    assert lines.cut(b"a\nb", 2) == 0
    # Who has been cut and not heard is still greeted.
    assert java.tick(10.2) == [Reply(b"java greets")]


def test_nothing_is_told_to_who_has_said_nothing_and_the_end_is_the_end() -> None:
    made = either()
    assert made.send(Entered("anna"), 10.1) == b""
    assert made.receive(b"", 10.1) == []
    assert not made.closing
    assert made.send(Gone("the house closes"), 10.1) == b""
    assert made.closing


def test_the_end_of_what_was_chosen_is_the_end() -> None:
    made = either()
    made.receive(b"end", 10.1)
    assert made.closing


def test_who_wants_to_go_on_with_what_was_chosen_hears_of_it_with_the_greeting() -> None:
    made, heard = either(), list[tuple[str, Any]]()

    def on_choice(spoken: str, conversation: Conversation) -> None:
        heard.append((spoken, conversation))

    made.on_choice = on_choice
    made.cut(b"\xac\xed", 0)
    assert not heard
    made.receive(b"\xac\xed", 10.1)
    ((spoken, conversation),) = heard
    assert spoken == "java"
    assert isinstance(conversation, Halves)
