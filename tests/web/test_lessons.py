"""Lessons: the rules judge every answer, each can be solved, and each mistake is told in both languages."""

from itertools import combinations
from typing import Any

import pytest

from ludoteca import games
from ludoteca.core.lesson import Lesson, Try
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.state import State, board, closed_cells

GAMES = [game.name for game in games.load_all() if games.lessons(game.name)]
LESSONS = [(name, lesson) for name in GAMES for lesson in games.lessons(name)]
LANGUAGES = {"en", "it"}


def judged(name: str, lesson: Lesson) -> dict[str, list[Any]]:
    """All legal answers by their verdicts."""
    game, state = games.load(name), lesson.position()
    found: dict[str, list[Any]] = {}
    for action in state.questions[lesson.seat].choices:
        after = state.clone()
        game.apply(after, lesson.seat, action)
        found.setdefault(lesson.judge(Try(state, action, after)), []).append(action)
    return found


def test_every_game_of_the_house_has_at_least_four_lessons():
    own = [name for name in games.names() if name not in games.brought()]
    assert {name: len(games.lessons(name)) >= 4 for name in own} == dict.fromkeys(own, True)


@pytest.mark.parametrize(("name", "lesson"), LESSONS, ids=lambda one: getattr(one, "id", one))
def test_a_lesson_can_be_solved_and_missed_and_every_answer_is_answered(name: str, lesson: Lesson):
    verdicts = judged(name, lesson)
    assert set(verdicts) == set(lesson.verdicts)
    good = sum(len(answers) for key, answers in verdicts.items() if lesson.verdicts[key].good)
    assert 0 < good < sum(map(len, verdicts.values()))


@pytest.mark.parametrize(("name", "lesson"), LESSONS, ids=lambda one: getattr(one, "id", one))
def test_a_lesson_is_told_in_both_languages(name: str, lesson: Lesson):
    for words in (lesson.title, lesson.ask, lesson.hint, *(one.words for one in lesson.verdicts.values())):
        assert set(words) == LANGUAGES, name
        assert all(words.values())
        assert words["en"] != words["it"]


@pytest.mark.parametrize("name", GAMES)
def test_lessons_have_names_of_their_own(name: str):
    ids = [lesson.id for lesson in games.lessons(name)]
    assert len(set(ids)) == len(ids)


def fields(state: State) -> list[set[int]]:
    """Every way to lay the mines that the open numbers allow."""
    around = board(state.options.width, state.options.height).around
    numbers = [(cell, value) for cell, value in enumerate(state.cells) if value != CLOSED]
    return [
        set(mines)
        for mines in combinations(closed_cells(state.cells), state.options.mines)
        if all(len(set(around[cell]) & set(mines)) == value for cell, value in numbers)
    ]


@pytest.mark.parametrize("lesson", games.lessons("multisweeper"), ids=lambda one: one.id)
def test_what_a_lesson_calls_safe_is_proved_by_the_numbers(lesson: Lesson):
    state = lesson.position()
    possible = fields(state)
    for verdict, answers in judged("multisweeper", lesson).items():
        for click in answers:
            cell = click.row * state.options.width + click.column
            assert (verdict == "safe") == (not any(cell in mines for mines in possible))
