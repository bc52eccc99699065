"""What is said of chances comes about as often, in matches of equals."""

import pytest
from training.chances import Said, slope, surprise, told

from ludoteca import games
from ludoteca.bots.advice import came_out
from ludoteca.core import Outcome, Seat

# Who always says one in two is left with this much surprise.
EVEN = 0.693


# Of Santorini and Multisweeper hints are told by a search of their own, not by a look at what stands there.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seats", "matches"),
    [("eriantys", 2, 24), ("eriantys", 4, 24), ("shelfie", 2, 12), ("renaissance", 2, 12)],
)
def test_chances_are_not_surer_than_they_may_be(name: str, seats: int, matches: int) -> None:
    said = [*told(games.load(name), "easy", matches, 5000, seats)]
    assert len(said) > 10 * matches
    assert surprise(said) < EVEN + 0.03
    # Somebody is behind, and somebody ahead.
    assert min(one.chance for one in said) < 0.35
    assert max(one.chance for one in said) > 0.65


def test_who_won_came_out_ahead_alone_in_a_team_or_against_the_game() -> None:
    assert [came_out(Outcome((2, 1, 3), ""), Seat(seat)) for seat in range(3)] == [0, 1, 0]
    assert [came_out(Outcome((1, 3, 1, 3), ""), Seat(seat)) for seat in range(4)] == [1, 0, 1, 0]
    assert [came_out(Outcome((1,), ""), Seat(0)), came_out(Outcome((2,), ""), Seat(0))] == [1, 0]
    assert came_out(Outcome((1, 1), ""), Seat(0)) == came_out(Outcome((), ""), Seat(0)) == 0.5


def test_surprise_and_slope_of_known_words() -> None:
    sure = [Said(0.9, 1.0)] * 9 + [Said(0.9, 0.0)]
    assert surprise(sure) == pytest.approx(0.325, abs=1e-3)
    assert slope(sure) == pytest.approx(1)
    # Too sure by half.
    assert slope([Said(0.9, 1.0)] * 3 + [Said(0.9, 0.0)]) == pytest.approx(0.5)
    assert surprise([Said(0.5, 1.0), Said(0.5, 0.0)]) == pytest.approx(EVEN, abs=1e-3)
    assert surprise([Said(1.0, 0.0)]) < 7
