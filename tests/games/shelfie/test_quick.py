"""The quick judgement is the slow one, and whole turns are legal."""

from typing import Any

import pytest

import ludoteca
from ludoteca.core import Dice, Seat
from ludoteca.games.shelfie import GAME
from ludoteca.games.shelfie.bot.judge import Judge
from ludoteca.games.shelfie.bot.quick import Quick
from ludoteca.games.shelfie.bot.search import FILLS_MAX, best_turn, play, turns


def match_after(turn_count: int) -> ludoteca.Match:
    match, dice = ludoteca.Match.new(GAME, 2, 4), Dice(4)
    for _ in range(2 * turn_count):
        if not match.over:
            (seat,) = match.asked
            match.act(seat, dice.choice(match.choices(seat)))
    return match


@pytest.mark.parametrize("turn_count", [0, 4, 9, 14, 20, 26])
def test_the_quick_judgement_is_the_slow_one(turn_count: int) -> None:
    tabletop = match_after(turn_count).state.tabletop
    for seat in (0, 1):
        slow, quick = Judge(tabletop, seat), Quick(tabletop, seat)
        for owner in (0, 1):
            shelf = tabletop.shelf(owner)
            assert quick.worth(shelf) == pytest.approx(slow.worth(shelf))


def test_a_full_bookshelf_too() -> None:
    tabletop = match_after(2).state.tabletop
    shelf: Any = [("cat",) * 6, ("book",) * 6, ("cat", "book") * 3, ("plant",) * 6, ("game",) * 6]
    assert Quick(tabletop, 0).worth(shelf) == pytest.approx(Judge(tabletop, 0).worth(shelf))


def test_every_turn_that_is_offered_can_be_played() -> None:
    match = match_after(3)
    (seat,) = match.asked
    found = turns(match.state, Quick(match.state.tabletop, seat), FILLS_MAX)
    assert [worth for worth, _ in found] == sorted((worth for worth, _ in found), reverse=True)
    for _, turn in found[:40]:
        play(match.state.clone(), seat, turn)


def test_the_hand_is_put_away_as_well_as_can_be_without_time() -> None:
    match = match_after(3)
    (seat,) = match.asked
    take, _ = best_turn(match.state.clone(), seat, Dice(1), lambda: False)
    match.act(seat, take)
    nothing, fill = best_turn(match.state.clone(), Seat(seat), Dice(1), lambda: False)
    assert nothing is None
    assert fill in match.choices(seat)
