"""The game in words."""

import doctest
from pathlib import Path

import pytest
from tests.games.santorini.boards import cell, from_text, play

from ludoteca.core import Refused, Seat
from ludoteca.games.santorini import text
from ludoteca.games.santorini.actions import Build, Finish, Move
from ludoteca.games.santorini.view import view

NAMES = ("Ann", "Bob")


def test_the_examples_in_the_module_and_the_page_hold():
    assert doctest.testmod(text).failed == 0
    page = Path(text.__file__).parent / "README.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert not failed
    assert tried


def test_a_drawing_shows_levels_domes_workers_and_players():
    state = from_text(
        "1A . 2D . . / . . . . . / . . . 3B . / . . . . . / . . . . .", gods=["Pan", "Morpheus"]
    )
    assert text.draw(view(state, None), NAMES).splitlines() == [
        "     A     B     C     D     E",
        "  1  1A1   .     2D    .     .",
        "  2  .     .     .     .     .",
        "  3  .     .     .     3B1   .",
        "  4  .     .     .     .     .",
        "  5  .     .     .     .     .",
        "",
        "> A  Ann, as Pan, magenta",
        "  B  Bob, as Morpheus, light blue",
    ]


def test_words_may_be_shortened_where_they_are_clear():
    question = from_text("A . . / . . . / A . B").questions[Seat(0)]
    assert text.read("move A1 B1", question) == Move(cell("A1"), cell("B1"))
    assert text.read("a1 b1", question) == Move(cell("A1"), cell("B1"))
    assert text.read("b1", question) == Move(cell("A1"), cell("B1"))
    with pytest.raises(Refused, match="do you mean move A1 B2, move A3 B2"):
        text.read("b2", question)
    with pytest.raises(Refused, match="for example: move A1 B1"):
        text.read("fly away", question)


def test_blocks_and_domes_are_told_apart():
    state = from_text("A . / . B", gods=["Atlas", ""])
    play(state, "A1-B1")
    question = state.questions[Seat(0)]
    assert text.read("dome b1 a1", question) == Build(cell("B1"), cell("A1"), True)
    assert text.read("build b1 a1", question) == Build(cell("B1"), cell("A1"))


def test_a_choice_of_steps_is_asked_for_in_words():
    state = from_text("A . . / . . . / . . B", gods=["Demeter", ""])
    play(state, "A1-B1", "B1+A1")
    question = state.questions[Seat(0)]
    assert text.ask(question, view(state, None)) == "Build or end your turn."
    assert text.read("end", question) == Finish()


def test_a_drawing_that_is_none_is_refused():
    with pytest.raises(ValueError, match="'X' is no space"):
        from_text("A X / . B")
