"""Why not: who is asked for a reason, about what, and what is said when nobody knows one."""

from typing import Any

import pytest

from ludoteca.core import Question
from ludoteca.core.why import NOT_NOW, Attempt, Reason, Why, reason, why_not

NO = reason("wall", "A wall is in the way.", "C'è un muro.")


class Asked:
    """Explains with the same reason always, and notes what it was asked."""

    def __init__(self, answer: Reason | None) -> None:
        self.answer = answer
        self.attempts: list[Attempt] = []

    def why(self) -> Why:
        return Why(self.reason, lambda _view, _seat, _question: ())

    def reason(self, attempt: Attempt) -> Reason | None:
        self.attempts.append(attempt)
        return self.answer


def attempt(*actions: Any) -> Attempt:
    return Attempt("view", 1, Question("move", ("up", "down")), actions, ("Anna", "Bruno"))


def test_a_reason_is_told_in_both_languages() -> None:
    assert Reason("wall", {"en": "A wall is in the way.", "it": "C'è un muro."}) == NO
    assert set(NOT_NOW.words) == {"en", "it"}
    assert NOT_NOW.code == "now"


def test_what_is_asked_about_is_the_last_action() -> None:
    assert attempt("up").action == "up"
    assert attempt("up", "left").action == "left"


def test_what_can_be_done_needs_no_reason_and_nobody_is_asked_for_one() -> None:
    asked = Asked(NO)
    assert why_not(asked.why(), attempt("up")) is None
    assert why_not(None, attempt("up")) is None
    assert asked.attempts == []


def test_what_cannot_be_done_is_explained_by_the_game_or_in_plain_words() -> None:
    asked = Asked(NO)
    assert why_not(asked.why(), attempt("fly")) is NO
    assert asked.attempts == [attempt("fly")]
    assert why_not(Asked(None).why(), attempt("fly")) is NOT_NOW
    assert why_not(None, attempt("fly")) is NOT_NOW


def test_where_the_first_action_cannot_be_done_the_others_do_not_matter() -> None:
    asked = Asked(NO)
    assert why_not(asked.why(), attempt("fly", "up", "down")) is NO
    assert asked.attempts == [attempt("fly")]


@pytest.mark.parametrize("answer", [NO, None])
def test_where_it_can_the_game_says_what_speaks_against_the_rest(answer: Reason | None) -> None:
    asked = Asked(answer)
    assert why_not(asked.why(), attempt("up", "fly")) is answer
    assert asked.attempts == [attempt("up", "fly")], "the whole decision"
    assert why_not(None, attempt("up", "fly")) is None
