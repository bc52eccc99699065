"""A lesson: little positions that come fresh each time, and judges that only look."""

from typing import Any

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.lesson import Lesson, Try, Verdict, right, words, wrong

LESSONS = [
    pytest.param(name, lesson, id=f"{name}-{lesson.id}")
    for name in games.names()
    for lesson in games.lessons(name)
]


def encoded(state: Any) -> bytes:
    # In words, since no format has room for the large numbers that stand for sets of cells.
    return repr(msgspec.to_builtins(state, enc_hook=repr)).encode()


def answers(name: str, lesson: Lesson) -> list[Try]:
    """Every legal answer, with what the rules make of it."""
    game, before = games.load(name), lesson.position()
    found = []
    for action in before.questions[lesson.seat].choices:
        after = before.clone()
        game.apply(after, lesson.seat, action)
        found.append(Try(before, action, after))
    return found


def test_words_are_there_in_both_languages() -> None:
    assert words("Yes", "Sì") == {"en": "Yes", "it": "Sì"}


def test_a_verdict_is_good_only_when_it_says_so() -> None:
    assert right("Yes", "Sì") == Verdict({"en": "Yes", "it": "Sì"}, good=True)
    assert wrong("No", "No!") == Verdict({"en": "No", "it": "No!"}, good=False)
    assert not Verdict({}).good


def test_a_lesson_asks_the_first_seat_unless_it_says_otherwise() -> None:
    lesson = Lesson("id", {}, {}, {}, lambda: None, lambda _: "", {})
    assert lesson.seat == Seat(0)
    with pytest.raises(AttributeError):
        lesson.seat = Seat(1)  # type: ignore[misc]


def test_an_answer_is_what_was_before_what_was_done_and_what_came_of_it() -> None:
    before, action, after = Try("before", "action", "after")
    assert (before, action, after) == ("before", "action", "after")


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_whoever_spoils_a_position_spoils_it_for_nobody_else(name: str, lesson: Lesson) -> None:
    """Lessons are made once for a whole house: a position that is kept would change under the next person."""
    first = lesson.position()
    fresh = encoded(first)
    question = first.questions[lesson.seat]
    games.load(name).apply(first, lesson.seat, question.choices[0])
    assert encoded(first) != fresh
    assert encoded(lesson.position()) == fresh


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_the_seat_of_a_lesson_is_asked_and_the_match_is_not_over(name: str, lesson: Lesson) -> None:
    state = lesson.position()
    assert state.outcome is None
    assert lesson.seat in state.questions
    assert len(state.questions[lesson.seat].choices) > 1, "nothing is learned where there is no choice"


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_a_judge_changes_nothing_and_says_the_same_again(name: str, lesson: Lesson) -> None:
    tries = answers(name, lesson)
    seen = [(encoded(one.before), encoded(one.after)) for one in tries]
    verdicts = [lesson.judge(one) for one in tries]
    assert [lesson.judge(one) for one in reversed(tries)] == verdicts[::-1]
    assert [(encoded(one.before), encoded(one.after)) for one in tries] == seen
    assert set(verdicts) <= set(lesson.verdicts)


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_what_a_lesson_shows_can_be_drawn_and_asked_like_any_match(name: str, lesson: Lesson) -> None:
    game, state = games.load(name), lesson.position()
    view = game.view(state, lesson.seat)
    players = ["Anna", "Bruno", "Carla", "Dario"][: len(getattr(state, "players", "ab"))]
    assert game.text.draw(view, players).strip()
    assert game.text.ask(state.questions[lesson.seat], view)
