"""The bots: they see a win, they beat chance, and they beat the search that knows only the rules."""

from collections.abc import Callable

import pytest
from tests.games.eriantys.positions import position

import ludoteca
from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.games.eriantys.actions import BuyCharacter, Walk
from ludoteca.games.eriantys.bot import BOTS
from ludoteca.games.eriantys.bot.judge import evaluate
from ludoteca.games.eriantys.data import Mode
from ludoteca.games.eriantys.rules import Options, apply
from ludoteca.games.eriantys.state import State

GAME = games.load("eriantys")
ANN = Seat(0)


def times(count: int) -> Callable[[], bool]:
    """A clock that lets a bot go on so many times, the same on every machine."""
    left = iter(range(count))
    return lambda: next(left, None) is not None


def wins(one: str, other: str, mode: Mode, matches: int, looks: int, seats: int = 2) -> float:
    """How many matches one bot wins, from changing seats."""
    levels = [one, *[other] * (seats - 1)]
    return ludoteca.duel(levels, GAME, matches, 100, looks, Options(mode)).wins[0]


def last_tower(**more: object) -> State:
    """Ann needs one more tower; two steps ahead, not one, is an island to be had."""
    players = [
        {
            "nickname": "ann",
            "towerColor": "white",
            "assistant": 4,
            "towers": 1,
            "coins": 3,
            "entrance": {"pink": 4},
        },
        {"nickname": "bob", "towerColor": "black", "assistant": 5, "towers": 1, "entrance": {"pink": 7}},
    ]
    islands: list[dict[str, object]] = [{} for _ in range(12)]
    islands[1] = {"students": {"blue": 3}}
    islands[2] = {"students": {"red": 2, "blue": 1}}
    given = {
        "players": players,
        "professors": {"red": "ann", "blue": "bob"},
        "islands": islands,
        "studentsMoved": 3,
    }
    return position({**given, **more}, "Expert")


@pytest.mark.parametrize("level", BOTS)
def test_every_bot_builds_the_last_tower_when_it_can(level):
    assert BOTS[level](GAME, last_tower(), ANN, Dice(1), times(20)) == Walk(2)


def test_who_looks_for_whole_turns_buys_the_character_that_wins():
    state = last_tower(characters=[{"id": 3}, {"id": 6}], motherNature=5)
    assert BOTS["master"](GAME, state, ANN, Dice(1), times(20)) == BuyCharacter(3)


@pytest.mark.parametrize("level", ["medium", "strong", "master"])
def test_assistants_are_tried_even_in_the_shortest_time(level):
    # What there was no time to compare was once taken for equal, and the first one played.
    match, dice = ludoteca.Match.new(GAME, 2, 3), Dice(3)
    others = 0
    while not match.over and not others:
        (seat,) = match.asked
        state = match.state
        if state.tabletop.phase == "planning" and len(state.choices) < 9:
            others += BOTS[level](GAME, state.clone(), seat, Dice(1), times(1)) != state.choices[0]
        match.act(seat, BOTS["easy"](GAME, state.clone(), seat, dice, times(1)))
    assert others


def test_a_position_is_worth_to_one_what_it_costs_the_other():
    state = last_tower()
    assert evaluate(state, ANN) == -evaluate(state, Seat(1))
    apply(state, ANN, Walk(2))
    assert evaluate(state, ANN) == -evaluate(state, Seat(1)) == 1000


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["Basic", "Expert"])
def test_the_easy_bot_beats_chance(mode):
    assert wins("easy", "random", mode, 12, looks=0) >= 11


def test_bots_play_in_teams_and_with_three():
    assert wins("easy", "random", "Expert", 6, looks=0, seats=3) >= 5
    (outcome,) = ludoteca.duel(["easy", "random"] * 2, GAME, 1, 1, 0, Options("Expert")).outcomes
    assert outcome.ranks == (1, 3, 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["Basic", "Expert"])
def test_the_medium_bot_beats_the_general_search(mode):
    assert wins("medium", "search", mode, 4, looks=40) >= 3
