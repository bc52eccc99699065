"""Advice: how a game's bots weigh the answers to a question, and say why in words."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

# Something to read, by language ("en", "it").
Words = Mapping[str, str]


class Adviser(msgspec.Struct, frozen=True):
    """How a game advises. Every state given to it is one that the seat cannot tell from the true one.

    `explain(state, seat, action)` says what speaks for an answer, by nothing but what the seat knows: it says
    the same in all worlds that look alike. `chance(state, seat)` is how likely the seat comes out ahead, from
    0 to 1. `plays` is a bot that needs next to no time: it plays on what was tried. `glance(state, seat)`
    marks answers in any measure, to find those worth trying; without it the chance right after each decides.

    A game that can do better than try and play on has `judge(state, seat, dice, more)`: the chance of each
    answer, at least roughly when there is no time. One that sees more than `chance` in some milliseconds has
    `hope`: by it a bot gives up; None where it is not to be asked. `foresees(state)` says whether it is worth
    telling how it may go on from here.
    """

    explain: Callable[[Any, int, Any], Words]
    chance: Callable[[Any, int], float]
    plays: Callable[..., Any]
    glance: Callable[[Any, int], Mapping[Any, float]] | None = None
    judge: Callable[[Any, int, Any, Callable[[], bool]], Mapping[Any, float]] | None = None
    hope: Callable[[Any, int], float | None] | None = None
    foresees: Callable[[Any], bool] | None = None


def likely(lead: float, even: float) -> float:
    """The chance of who leads by so much, where a lead of `even` makes it three to one."""
    return 1 / (1 + math.exp(max(-60.0, min(60.0, -math.log(3) * lead / even))))


def say(*reasons: tuple[str, str]) -> Words:
    """What speaks for an answer, the weightiest first: a sentence of at most two of them, in each language.

    >>> say(("climbs to 2", "sale a 2"), ("threatens to win", "minaccia di vincere"))["en"]
    'Climbs to 2 and threatens to win.'
    """
    english, italian = zip(*reasons[:2], strict=True)
    return {"en": _sentence(" and ".join(english)), "it": _sentence(" e ".join(italian))}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
