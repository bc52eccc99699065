"""The master's quick ways: bits say what tiles say, and its table follows the rules."""

import pytest

import ludoteca
from ludoteca.core import Dice
from ludoteca.games.shelfie import GAME
from ludoteca.games.shelfie.actions import FillColumn
from ludoteca.games.shelfie.bot import bits, judge, learned
from ludoteca.games.shelfie.bot.search import TURNS_MAX, Position, Turn, action_of, best_turn, turns
from ludoteca.games.shelfie.bot.weights import WEIGHTS
from ludoteca.games.shelfie.data import COMMON_GOALS, TILES
from ludoteca.games.shelfie.goals import COMMON
from ludoteca.games.shelfie.state import groups, kinds_of, parts


def shelves(count):
    """Bookshelves of all heights, of few types and of many."""
    dice = Dice(3)
    for _ in range(count):
        kinds = TILES[: 1 + dice.below(len(TILES))]
        yield [tuple(dice.choice(kinds) for _ in range(dice.below(7))) for _ in range(5)]


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_as_many_tiles_are_missing_by_bits_as_by_tiles(goal):
    for shelf in shelves(200):
        masks = kinds_of(shelf)
        missing = bits.MISSING[goal](masks, sum(masks))
        assert missing == max(0, judge.MISSING[goal](shelf))
        assert (missing == 0) == COMMON[goal](shelf)


def test_groups_are_the_same_by_bits():
    for shelf in shelves(100):
        found = [part.bit_count() for mask in kinds_of(shelf) for part in parts(mask)]
        assert sorted(found) == sorted(size for _, size in groups(shelf))


def match_after(turn_count, seats=2, seed=4):
    match, dice = ludoteca.Match.new(GAME, seats, seed), Dice(seed)
    for _ in range(2 * turn_count):
        if not match.over:
            (seat,) = match.asked
            match.act(seat, dice.choice(match.choices(seat)))
    return match


@pytest.mark.parametrize("turn_count", [0, 4, 9, 14, 20, 26])
def test_with_the_weights_made_by_hand_it_is_the_judgement_made_by_hand(turn_count):
    state = match_after(turn_count).state
    position = Position(state, judge.BY_HAND)
    for seat in (0, 1):
        worth = judge.Judge(state.tabletop, seat).worth
        for owner in (0, 1):
            quick = position.shelves[owner].worth(position.aims[seat])
            assert quick == pytest.approx(worth(state.tabletop.shelf(owner)), abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_by_bits_goes_as_by_the_rules(seats):
    match, dice = ludoteca.Match.new(GAME, seats, 5), Dice(5)
    position = Position(match.state.clone())
    while not match.over:
        (seat,) = match.asked
        takes = {action_of(Turn(line, position.best().fill), ()) for line, _ in position.takes()}
        assert takes == set(match.choices(seat))
        turn = dice.choice(turns(position))
        match.act(seat, action_of(turn, ()))
        hand = match.state.tabletop.hand
        match.act(seat, action_of(turn, hand))
        position.play(turn)
        fresh = Position(match.state)
        assert position.occupied == fresh.occupied
        assert position.aims == fresh.aims
        assert position.won == fresh.won
        assert [shelf.masks for shelf in position.shelves] == [shelf.masks for shelf in fresh.shelves]
    assert position.over
    assert match.outcome is not None
    assert [position.chance(seat) for seat in range(seats)] == [
        float(rank == 1) for rank in match.outcome.ranks
    ]


def test_there_is_a_weight_for_everything():
    assert len(WEIGHTS) == len(judge.BY_HAND) == learned.COUNT


def test_the_turns_that_look_best_come_first():
    position = Position(match_after(3).state)
    aims = position.aims[position.turn]
    worths = [turn.fill.shelf.worth(aims) for turn in turns(position)]
    assert worths == sorted(worths, reverse=True)
    assert position.best().fill.shelf.worth(aims) == worths[0]


def test_the_hand_is_put_away_without_time_too():
    match = match_after(3)
    (seat,) = match.asked
    match.act(seat, best_turn(match.state.clone(), seat, Dice(1), lambda: False))
    fill = best_turn(match.state.clone(), seat, Dice(1), lambda: False)
    assert isinstance(fill, FillColumn)
    assert fill in match.choices(seat)


def test_what_is_remembered_of_bookshelves_is_bounded(monkeypatch):
    monkeypatch.setattr(learned, "SHELVES_MAX", 50)
    match = match_after(3)
    known = learned.library(tuple(common.id for common in match.state.tabletop.commons))
    for _ in range(3):
        assert len(turns(Position(match.state))) > TURNS_MAX
    known.tidy()
    assert not known._shelves
