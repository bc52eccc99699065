"""Open questions: which are new, whose clock runs on, and what answers none of them."""

import pytest

from ludoteca.core import Question, Refused
from ludoteca.core.notices import Phase
from ludoteca.hall.questions import Pending, Questions

ONE, OTHER = Question("move", (1, 2)), Question("move", (3,))


def asked(*seats: int, move_s: float = 30.0) -> Questions:
    """These seats were asked ONE at 5 s, as record 3."""
    questions = Questions(move_s)
    questions.pose(dict.fromkeys(seats, ONE), None, 3, 5.0)
    return questions


def seats(fresh: list[tuple[int, Pending]]) -> list[int]:
    return [seat for seat, _ in fresh]


def held(questions: Questions, seat: int) -> tuple[int, Question, float | None]:
    pending = questions.get(seat)
    assert pending is not None
    return pending.number, pending.question, pending.since


def test_a_question_to_somebody_who_was_asked_nothing_is_new() -> None:
    questions = Questions(0)
    assert seats(questions.pose({0: ONE}, None, 7, 10.0)) == [0]
    assert held(questions, 0) == (7, ONE, 10.0)
    assert questions.get(1) is None


def test_what_stands_unchanged_keeps_its_number_and_its_clock() -> None:
    questions = asked(0, 1)
    fresh = questions.pose({0: ONE, 1: Question("move", (1, 2))}, 0, 8, 12.0)
    assert seats(fresh) == [0], "whoever has just answered is asked anew, even the same"
    assert held(questions, 0) == (8, ONE, 12.0)
    assert held(questions, 1) == (3, ONE, 5.0)


def test_a_question_that_changed_is_new() -> None:
    questions = asked(1)
    assert seats(questions.pose({1: OTHER}, 0, 8, 12.0)) == [1]
    assert held(questions, 1) == (8, OTHER, 12.0)


def test_what_is_not_asked_any_more_is_gone() -> None:
    questions = asked(0, 1)
    assert questions.pose({1: ONE}, 0, 8, 12.0) == []
    assert list(questions) == [1]
    questions.clear()
    assert list(questions) == []


def test_after_a_restart_no_clock_runs() -> None:
    questions = Questions(30.0)
    questions.pose({0: ONE}, None, 7, None)
    assert held(questions, 0)[2] is None
    assert list(questions.ends()) == []
    assert questions.left(0, 99.0) == 30.0


def test_the_clock_of_a_seat_is_stopped_and_wound_again() -> None:
    questions = asked(0, 1)
    assert list(questions.ends()) == [(0, 35.0), (1, 35.0)]
    assert questions.left(0, 15.0) == 20.0
    assert (questions.left(0, 15.04), questions.left(0, 15.06)) == (20.0, 19.9)
    questions.wind(0, None)
    assert list(questions.ends()) == [(1, 35.0)]
    questions.wind(0, 20.0)
    assert list(questions.ends()) == [(0, 50.0), (1, 35.0)]
    questions.wind(7, 20.0)
    assert list(questions) == [0, 1], "who is asked nothing has no clock"


def test_time_in_which_nobody_could_decide_is_given_back_and_no_more() -> None:
    questions = asked(0, 1, 2)
    questions.wind(1, 19.0)
    questions.wind(2, None)
    questions.give_back(12.0, 20.0, (0, 1, 2))
    assert dict(questions.ends()) == {0: 17.0 + 30.0, 1: 20.0 + 30.0}, "nobody gains by it"
    assert held(questions, 2)[2] is None
    questions.give_back(3.0, 30.0, (1,))
    assert dict(questions.ends()) == {0: 17.0 + 30.0, 1: 23.0 + 30.0}


def test_without_a_time_for_decisions_none_runs_out() -> None:
    assert list(asked(0, move_s=0).ends()) == []


@pytest.mark.parametrize(
    ("seat", "at", "phase", "code"),
    [
        (1, None, "playing", "turn"),
        (1, 3, "playing", "turn"),
        (1, None, "open", "phase"),
        (1, None, "over", "phase"),
        (0, 4, "playing", "stale"),
    ],
)
def test_what_answers_no_open_question_is_refused(seat: int, at: int | None, phase: Phase, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        asked(0).check(seat, at, phase)
    assert refusal.value.code == code


def test_an_answer_need_not_say_which_question_it_is_for() -> None:
    asked(0).check(0, None, "playing")
    asked(0).check(0, 3, "playing")
