"""Levels of bots: five of them, and carelessness by measure."""

from types import SimpleNamespace
from typing import Any

from ludoteca.core import LEVELS, Dice, Question, Seat, careless, wavering

STATE: Any = SimpleNamespace(questions={Seat(1): Question("pick", ("a", "b", "c", "d"))})
NOBODY: Any = None


def sure(*_: Any) -> str:
    return "a"


def answers(times: int, of: int, count: int = 400) -> list[str]:
    dice, bot = Dice(3), careless(sure, times, of)
    return [bot(NOBODY, STATE, Seat(1), dice, lambda: True) for _ in range(count)]


def test_there_are_five_levels_and_each_says_what_it_is_like() -> None:
    assert list(LEVELS) == ["playful", "easy", "medium", "strong", "master"]
    assert len({*LEVELS.values()}) == 5
    assert all(LEVELS.values())


def test_who_is_never_careless_plays_as_before() -> None:
    assert set(answers(0, 4)) == {"a"}


def test_who_is_always_careless_does_anything_at_all() -> None:
    assert set(answers(4, 4)) == {"a", "b", "c", "d"}


def test_who_is_careless_now_and_then_mostly_plays_as_before() -> None:
    # One time in four, and then a quarter of the slips happens to be right: thirteen of sixteen.
    right = answers(1, 4).count("a")
    assert 300 < right < 350


def test_carelessness_is_the_bots_own_chance_and_the_same_with_the_same_dice() -> None:
    assert answers(1, 2, 50) == answers(1, 2, 50)


def test_who_wavers_plays_as_the_weaker_one_so_often_and_otherwise_as_before() -> None:
    dice, bot = Dice(3), wavering(sure, lambda *_: "b", 1, 4)
    said = [bot(NOBODY, STATE, Seat(1), dice, lambda: True) for _ in range(400)]
    assert 70 < said.count("b") < 130
    assert said.count("a") + said.count("b") == 400
