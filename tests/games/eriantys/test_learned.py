"""What was learned: sums of what `traits` counts, the same for whoever looks, and no worse than by hand."""

import pytest

import ludoteca
from ludoteca.core import Dice, Seat
from ludoteca.games.eriantys import GAME
from ludoteca.games.eriantys.bot import learned
from ludoteca.games.eriantys.bot.players import hasty
from ludoteca.games.eriantys.bot.search import turns
from ludoteca.games.eriantys.bot.weights import WEIGHTS
from ludoteca.games.eriantys.state import State


def positions(seats: int, mode: str, count: int = 60) -> list[State]:
    """States of one match between hasty players."""
    match, dice = ludoteca.Match.new(GAME, seats, 3, {"mode": mode}), Dice(3)
    found = []
    for _ in range(count):
        if match.over:
            break
        (seat,) = match.asked
        match.act(seat, hasty(GAME, match.state.clone(), seat, dice, lambda: True))
        found.append(match.state.clone())
    return found


@pytest.mark.parametrize(("seats", "mode"), [(2, "Basic"), (3, "Expert"), (4, "Expert")])
def test_an_opinion_is_the_weighted_sum_of_the_traits(seats: int, mode: str) -> None:
    for state in positions(seats, mode):
        for value, counts in zip(learned.opinion(state), learned.traits(state), strict=True):
            assert value == pytest.approx(sum(w * n for w, n in zip(WEIGHTS, counts, strict=True)))


def test_there_is_a_weight_for_every_trait() -> None:
    assert len(WEIGHTS) == learned.COUNT


def test_two_sides_see_the_same_position_from_opposite_ends() -> None:
    for state in positions(2, "Basic"):
        if state.outcome is None:
            assert learned.evaluate(state, Seat(0)) == pytest.approx(-learned.evaluate(state, Seat(1)))


def test_fewer_towers_at_home_are_better() -> None:
    towers = WEIGHTS[learned.TOWERS : learned.TOWERS + learned.TOWERS_MAX + 1]
    assert towers[2] > towers[5] > towers[8]


def test_a_turn_ends_and_begins_with_a_legal_step() -> None:
    state = next(one for one in positions(2, "Basic", 8) if one.tabletop.phase == "action")
    lines = turns(state, state.tabletop.current, lambda: True, learned.evaluate)
    assert {line.first for line in lines} <= {*state.choices}
    assert [line.value for line in lines] == sorted((line.value for line in lines), reverse=True)
