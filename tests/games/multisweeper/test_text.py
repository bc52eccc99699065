"""The game in words: pictures, sentences and answers."""

import pytest
from tests.games.multisweeper.boards import WORKED, A, B, table

from ludoteca import games
from ludoteca.core import Refused, Setup
from ludoteca.games.multisweeper import text
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.rules import apply, leave, settle, start
from ludoteca.games.multisweeper.view import view

GAME = games.load("multisweeper")
NAMES = ("Ada", "Bob", "Cleo")


def test_the_board_is_drawn_with_its_columns_and_rows():
    state = table(WORKED)
    apply(state, A, Click(0, 3))
    assert text.draw(view(state, A), NAMES) == (
        "4 by 4, 3 mines, round 1, turn 2: Ada, [Bob]\n"
        "  0 1 2 3\n"
        "0 . . . .\n"
        "1 . . . .\n"
        "2 1 1 2 .\n"
        "3     1 .\n"
    )


def test_a_wide_board_has_two_lines_of_columns_and_fits_a_terminal():
    state, _ = start(Setup(8, 1, settle(Options(), 8)))
    lines = text.draw(view(state, None), [f"Player {seat}" for seat in range(8)]).splitlines()
    assert lines[1].split() == ["1"] * 10 + ["2"] * 10
    assert max(len(line) for line in lines[1:]) <= 80


def test_a_lost_board_shows_its_mines_and_who_is_out():
    state = table(WORKED)
    apply(state, A, Click(1, 1))
    drawn = text.draw(view(state, B), NAMES)
    assert drawn.startswith("4 by 4, 3 mines, round 1: the tournament is over.\n")
    assert "1 . * . .\n" in drawn
    assert drawn.endswith("Round 1: Ada is out.\n")


def test_every_event_is_a_sentence():
    state = table("*..*", seats=3, lost_player="forfeit")
    events = [*apply(state, A, Click(1, 0)), *apply(state, B, Click(0, 0))]
    assert [text.tell(event, NAMES) for event in events] == [
        "Ada clicks 1, 0: a 1.",
        "Bob clicks 0, 0: a mine!",
        "Bob is out in round 1.",
        "Round 2 begins: Ada, Cleo.",
    ]
    assert [text.tell(event, NAMES) for event in leave(state, A)] == [
        "Ada leaves and loses the round.",
        "Ada is out in round 2.",
        "Cleo wins the tournament.",
    ]
    other = table(WORKED)
    assert text.tell(apply(other, A, Click(0, 3))[0], NAMES) == "Ada clicks 0, 3 and opens 6 cells."
    assert text.tell(leave(other, B)[0], NAMES) == "Bob leaves: the tournament is broken off."


@pytest.mark.parametrize("words", ["click 3 0", "3 0", "3,0", " 3 , 0 ", "CLICK 03 0"])
def test_an_answer_may_be_said_in_several_ways(words):
    assert text.read(words, table(WORKED).questions[A]) == Click(3, 0)


@pytest.mark.parametrize("words", ["", "3", "3 0 1", "click", "4 0", "-1 0", "three four", "30"])
def test_what_is_no_closed_cell_is_no_answer(words):
    with pytest.raises(Refused):
        text.read(words, table(WORKED).questions[A])
