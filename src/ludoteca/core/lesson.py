"""A lesson: one little position, one question, and something to say to every legal answer."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from ludoteca.core.game import Seat

# Something to read, by language ("en", "it").
Words = Mapping[str, str]


class Verdict(msgspec.Struct, frozen=True):
    """What is said to an answer, and whether it is what the lesson teaches."""

    words: Words
    good: bool = False


class Try(NamedTuple):
    """An answer: the position before it, the action, and the position after it."""

    before: Any
    action: Any
    after: Any


class Lesson(msgspec.Struct, frozen=True):
    """`position()` is a match in which `seat` is asked something; `judge` gives every legal answer the name
    of one of the `verdicts`, by what the rules make of it."""

    id: str
    title: Words
    ask: Words
    hint: Words
    position: Callable[[], Any]
    judge: Callable[[Try], str]
    verdicts: Mapping[str, Verdict]
    seat: Seat = Seat(0)


def words(en: str, it: str) -> Words:
    """The same in both languages."""
    return {"en": en, "it": it}


def right(en: str, it: str) -> Verdict:
    """Said to a good answer."""
    return Verdict(words(en, it), good=True)


def wrong(en: str, it: str) -> Verdict:
    """Said to one that misses the idea, in the words of that mistake."""
    return Verdict(words(en, it))
