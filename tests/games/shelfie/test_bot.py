"""The bots: what they see in a position, and that each is clearly stronger than the one before."""

import pytest
from tests.games.shelfie.boards import lay, position, room, shelf

import ludoteca
from ludoteca import bots
from ludoteca.core import Dice, Seat
from ludoteca.games.shelfie import GAME, rules
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.bot.judge import MISSING, NEVER, Judge
from ludoteca.games.shelfie.bot.players import STRONG_WORLDS, far_sighted, look_ahead, master
from ludoteca.games.shelfie.data import COMMON_GOALS, Cell
from ludoteca.games.shelfie.goals import COMMON

A = Seat(0)
EMPTY_ROOM = ["." * 9] * 9


def answer(state, level):
    return bots.choose(GAME, level, state.clone(), A, Dice(1), lambda: True)


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_bot_completes_a_common_goal_when_it_can(level):
    rows = ["....P", "P...G", "G...F", "F...B", "B...C", "P...P"]
    living_room = [*EMPTY_ROOM[:4], "...CPB...", *EMPTY_ROOM[5:]]
    state = position(2, room_tiles=room(living_room), shelves=[shelf(rows)], goals=(8, 12))
    take = answer(state, level)
    assert take == TakeTiles((Cell(4, 4),))
    rules.apply(state, A, take)
    assert answer(state, level) == FillColumn(0, ("plant",))


@pytest.mark.parametrize("level", GAME.bots)
def test_a_bot_enlarges_a_group_worth_points(level):
    state = position(
        2,
        room_tiles=room([*EMPTY_ROOM[:4], "...TCB...", *EMPTY_ROOM[5:]]),
        shelves=[shelf(["CC...", "BBG.."])],
        goals=(8, 11),
    )
    lay(state, cards=(3, 4), hand=("cat",))
    fill = answer(state, level)
    assert isinstance(fill, FillColumn)
    assert fill.column in (0, 1, 2)


@pytest.mark.parametrize("goal", COMMON_GOALS)
def test_nothing_is_missing_from_a_goal_that_is_reached_and_something_before(goal):
    lines = [line.split() for line in (COMMON[goal].__doc__ or "").splitlines()]
    rows = [line for line in lines if len(line) == 2 and all(len(word) == 5 for word in line)]
    assert MISSING[goal](shelf([row[0] for row in rows])) == 0
    assert MISSING[goal](shelf([row[1] for row in rows])) > 0
    assert 0 < MISSING[goal](shelf(["....."] * 6)) < NEVER


def test_a_wish_that_is_blocked_is_worth_less_than_one_that_is_open_or_met():
    # Card 1 wants a trophy at the bottom of the middle column.
    state = position(goals=(8, 11))
    worth = Judge(state.tabletop, 0).worth
    assert worth(shelf(["..T.."])) > worth(shelf([".T..."])) > worth(shelf(["..C.."]))


@pytest.mark.slow
def test_looking_further_than_the_next_points_pays():
    assert ludoteca.duel(["easy", "random"], GAME, 4, looks=0).wins[0] == 4
    assert ludoteca.duel([far_sighted, "easy"], GAME, 10, looks=0).wins[0] >= 8
    assert ludoteca.duel(["medium", "easy"], GAME, 10, looks=0).wins[0] >= 6


@pytest.mark.slow
def test_looking_a_round_ahead_pays():
    assert ludoteca.duel([look_ahead, far_sighted], GAME, 6, looks=100).wins[0] >= 4
    assert ludoteca.duel(["strong", "medium"], GAME, 6, looks=100).wins[0] >= 4
    assert ludoteca.duel(["master", "medium"], GAME, 6, looks=30).wins[0] >= 5


def test_who_looks_ahead_in_few_worlds_has_seen_enough_in_a_moment_and_the_master_thinks_on():
    state = ludoteca.Match.new(GAME, 2, 4).state
    (seat,) = state.questions
    looked = {}
    for bot in (look_ahead, master):
        looks: list[bool] = []

        def more(looks=looks):
            looks.append(True)
            return len(looks) < 300

        bot(GAME, state.clone(), seat, Dice(1), more)
        looked[bot] = len(looks)
    assert 2 * STRONG_WORLDS < looked[look_ahead] < 100 < 300 <= looked[master]


@pytest.mark.slow
def test_even_the_bot_that_takes_a_millisecond_beats_the_search():
    assert ludoteca.duel(["medium", "search"], GAME, 2, looks=0).wins[0] == 2
