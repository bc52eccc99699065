"""What is said for an answer, where something else would be wrong."""

import pytest
from tests.games.eriantys.positions import position

from ludoteca.core import Seat
from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    MoveToIsland,
    ResolveIsland,
    SilenceColour,
    SwapWithCard,
    Walk,
)
from ludoteca.games.eriantys.advice import explain
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State

ANN = Seat(0)


def table(**more: object) -> State:
    """Ann holds the red professor, Bob the blue one; nobody the green one."""
    players = [
        {
            "nickname": "ann",
            "towerColor": "white",
            "assistant": 8,
            "towers": 6,
            "coins": 3,
            "entrance": {"red": 2, "blue": 1, "green": 1},
        },
        {"nickname": "bob", "towerColor": "black", "assistant": 9, "towers": 6, "entrance": {"pink": 7}},
    ]
    islands: list[dict[str, object]] = [{} for _ in range(12)]
    islands[1] = {"students": {"blue": 2}}
    islands[2] = {"students": {"blue": 3}, "tower": "white"}
    islands[3] = {"students": {"red": 1}, "tower": "white"}
    given = {
        "players": players,
        "professors": {"red": "ann", "blue": "bob"},
        "islands": islands,
        "studentsMoved": 0,
    }
    return position({**given, **more}, "Expert")


def said(state: State, action: Action, language: str = "en") -> str:
    assert action in state.choices
    return explain(state, ANN, action)[language]


@pytest.mark.parametrize(
    ("colour", "words"),
    [
        ("red", "Adds to your influence on island 4."),
        ("blue", "Counts for a rival on island 4 as long as the blue professor is there."),
        ("green", "Counts on island 4 for whoever takes the green professor."),
    ],
)
def test_a_student_counts_for_whoever_holds_its_professor(colour, words):
    assert said(table(), MoveToIsland(colour, 3)) == words


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        (1, "Leaves island 2 to a rival."),
        (2, "Loses island 3 to a rival."),
        (3, "Stops where you rule already."),
        (4, "Stops where nobody gains by it."),
    ],
)
def test_a_walk_that_gives_a_rival_an_island_is_not_said_to_be_harmless(steps, words):
    state = table(studentsMoved=3)
    assert said(state, Walk(steps)) == words


def test_islands_of_a_rival_that_join_are_not_said_to_be_ones_own():
    islands: list[dict[str, object]] = [{} for _ in range(12)]
    islands[1] = {"students": {"blue": 2}}
    islands[2] = {"tower": "black"}
    assert said(table(studentsMoved=3, islands=islands), Walk(1)) == "Leaves island 2 to a rival."


def test_of_a_character_is_said_what_it_does_and_for_how_much():
    state = table(characters=[{"id": 3}, {"id": 4}, {"id": 9}])
    assert said(state, BuyCharacter(3)) == "The Herald resolves an island at once, for 3 coins."
    assert said(state, BuyCharacter(4)) == "The Messenger lets mother nature walk two steps more, for 1 coin."
    apply(state, ANN, BuyCharacter(9))
    assert said(state, SilenceColour("blue")) == "Lets blue count nothing this turn."


def test_what_a_characters_answer_does_is_said_in_its_own_words():
    herald = table(characters=[{"id": 3}])
    apply(herald, ANN, BuyCharacter(3))
    assert said(herald, ResolveIsland(2)) == "Loses island 3 to a rival."
    assert said(herald, ResolveIsland(7)) == "Changes nothing on island 8."
    jester = table(characters=[{"id": 7, "students": {"yellow": 6}}])
    apply(jester, ANN, BuyCharacter(7))
    assert said(jester, SwapWithCard("yellow", "blue"), "it") == "Porta giallo al posto di blu."
