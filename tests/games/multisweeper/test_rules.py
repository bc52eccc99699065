"""The rules, one by one; the numbers of decisions are those of the folder's README."""

import pytest
from tests.games.multisweeper.boards import WORKED, A, B, C, D, layout, shown, table

from ludoteca.core import Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.multisweeper import GAME
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.events import (
    BrokenOff,
    Eliminated,
    Exploded,
    Forfeited,
    Opened,
    RoundBegun,
    Won,
)
from ludoteca.games.multisweeper.rules import apply, leave, settle, start
from ludoteca.games.multisweeper.state import Last, Lost, Out, State

LINE = "*..*"  # numbers * 1 1 *


def refusal(state: State, seat: Seat, click: Click) -> str:
    before = state.clone()
    with pytest.raises(Refused) as refused:
        apply(state, seat, click)
    assert state == before
    return refused.value.code


# Opening


def test_a_click_on_a_number_opens_that_cell_alone():
    state = table(WORKED)
    assert apply(state, A, Click(0, 0)) == [Opened(A, 0, 0, ((0, 1),))]
    assert shown(state) == "1### / #### / #### / ####"


def test_a_zero_spreads_to_all_eight_neighbours():
    state = table(WORKED)
    apply(state, A, Click(0, 3))
    assert shown(state) == "#### / #### / 112# / 001#"


def test_a_zero_spreads_to_four_neighbours_where_agreed():
    state = table(WORKED, spread="four")
    apply(state, A, Click(0, 3))
    assert shown(state) == "#### / #### / 11## / 001#"


def test_an_opening_names_every_cell_once_with_its_number():
    state = table(WORKED)
    (event,) = apply(state, A, Click(0, 3))
    assert isinstance(event, Opened)
    assert sorted(event.cells) == [(8, 1), (9, 1), (10, 2), (12, 0), (13, 0), (14, 1)]


def test_a_spread_leaves_open_cells_as_they_are():
    state = table(WORKED)
    apply(state, A, Click(1, 2))
    (event,) = apply(state, B, Click(0, 3))
    assert isinstance(event, Opened)
    assert 9 not in dict(event.cells)


def test_the_largest_empty_board_opens_at_one_click():
    state = table("/".join(["." * 26] * 25 + ["." * 25 + "*"]))
    (event,) = apply(state, A, Click(0, 0))
    assert isinstance(event, Opened)
    assert len(event.cells) == 26 * 26 - 1


# Turns


def test_players_click_in_the_order_of_seats():
    state = table(WORKED, seats=3)
    for turn, seat in enumerate((A, B, C, A), 1):
        assert list(state.questions) == [seat]
        assert state.turn == turn
        apply(state, seat, Click((turn - 1) % 2, (turn - 1) // 2 * 2))


def test_only_the_player_on_turn_may_click():
    assert refusal(table(WORKED), B, Click(0, 0)) == "turn"


def test_a_click_outside_the_board_is_refused():
    for click in (Click(4, 0), Click(0, 4), Click(-1, 0), Click(0, -1)):
        assert refusal(table(WORKED), A, click) == "outside"


def test_a_click_on_an_open_cell_is_refused():
    state = table(WORKED)
    apply(state, A, Click(0, 0))
    assert refusal(state, B, Click(0, 0)) == "open"


def test_every_closed_cell_is_an_option_and_no_other():
    state = table(WORKED)
    apply(state, A, Click(0, 3))
    closed = {(c, r) for r in range(4) for c in range(4)} - {(0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3)}
    options = state.questions[B].choices
    assert {(click.column, click.row) for click in options} == closed
    assert len(options) == len(closed)
    assert Click(0, 2) not in options


# Rounds


def test_a_mine_in_the_final_ends_the_tournament():
    state = table(WORKED)
    mines = (2, 5, 11)
    assert apply(state, A, Click(1, 1)) == [Exploded(A, 1, 1, mines), Eliminated(A, 1), Won(B)]
    assert shown(state) == "##*# / #*## / ###* / ####"
    assert state.outcome == Outcome((2, 1), "everybody else has lost a round")
    assert state.questions == {}
    assert refusal(state, B, Click(0, 0)) == "over"


def test_when_only_mines_are_left_the_player_on_turn_must_click_one():
    state = table(LINE)
    apply(state, A, Click(1, 0))
    apply(state, B, Click(2, 0))
    assert list(state.questions[A].choices) == [Click(0, 0), Click(3, 0)]
    assert apply(state, A, Click(3, 0))[-1] == Won(B)


def test_a_lost_round_takes_one_player_out_and_begins_the_next():
    state = table(LINE, seats=3)
    apply(state, A, Click(1, 0))
    events = apply(state, B, Click(0, 0))
    assert events == [Exploded(B, 0, 0, (0, 3)), Eliminated(B, 1), RoundBegun(2, (A, C))]
    assert shown(state) == "####"
    assert state.mines.bit_count() == 2
    assert (state.round, state.turn, state.mover, state.last) == (2, 1, A, None)
    assert state.out == (Out(B, 1),)
    assert state.lost == Lost((10, 1, 9, 10), Last(B, 0, 0))


def test_later_losers_rank_higher():
    state = table(LINE, seats=4)
    for loser in (C, A, B):
        while state.mover != loser:
            safe = next(c for c in range(4) if not state.mines >> c & 1 and state.cells[c] == 9)
            apply(state, state.mover or A, Click(safe, 0))
            state.mines = layout(LINE)
        apply(state, loser, Click(0 if state.cells[0] == 9 else 3, 0))
        state.mines = layout(LINE) if state.outcome is None else state.mines
    assert state.outcome is not None
    assert state.outcome.ranks == (3, 2, 4, 1)
    assert state.outcome.winners == (D,)


def test_a_round_is_begun_by_the_first_player_left():
    state = table(LINE, seats=3)
    assert apply(state, A, Click(0, 0))[-1] == RoundBegun(2, (B, C))


def test_the_start_rotates_where_agreed():
    state = table(LINE, seats=4, rotate_start=True)
    apply(state, A, Click(1, 0))
    apply(state, B, Click(2, 0))
    assert apply(state, C, Click(0, 0))[-1] == RoundBegun(2, (B, D, A))
    state.mines = layout(LINE)
    assert apply(state, B, Click(0, 0))[-1] == RoundBegun(3, (D, A))


# The first click


def test_the_first_click_of_every_round_is_safe_by_default():
    for seed in range(60):
        state, _ = start(Setup(3, seed, settle(Options(width=2, height=2, mines=3), 3)))
        while state.outcome is None:
            if state.turn == 1:
                assert isinstance(apply(state, state.mover or A, Click(1, 1))[0], Opened)
                assert state.mines.bit_count() == 3
            mined = next(cell for cell in range(4) if state.mines >> cell & 1)
            apply(state, state.mover or A, Click(mined % 2, mined // 2))


def test_a_mine_under_the_first_click_moves_to_any_free_cell():
    landed = set()
    for seed in range(40):
        state = table("*..*", safe_first_click=True)
        state.dice = Dice(seed)
        apply(state, A, Click(0, 0))
        assert state.mines & layout("...*")
        landed.add(state.mines & ~layout("...*"))
    assert landed == {layout(".*.."), layout("..*.")}


def test_the_second_click_may_hit():
    state = table("..*", safe_first_click=True)
    apply(state, A, Click(1, 0))
    assert isinstance(apply(state, B, Click(2, 0))[0], Exploded)


# Leaving


def test_a_player_who_leaves_ends_the_tournament():
    state = table(WORKED, seats=3)
    assert leave(state, B) == [BrokenOff(B)]
    assert state.outcome == Outcome((), "a player left")
    assert shown(state) == "#### / #### / #### / ####"


def test_where_agreed_a_player_who_leaves_only_loses_the_round():
    state = table(LINE, seats=3, lost_player="forfeit")
    apply(state, A, Click(1, 0))
    assert leave(state, A) == [Forfeited(A, (0, 3)), Eliminated(A, 1), RoundBegun(2, (B, C))]
    assert state.lost == Lost((10, 1, 9, 10), None)
    assert leave(state, C)[-1] == Won(B)
    assert state.outcome is not None
    assert state.outcome.ranks == (3, 1, 2)


def test_a_spectator_who_leaves_disturbs_nobody():
    state = table(LINE, seats=3)
    apply(state, A, Click(0, 0))
    before = state.clone()
    assert leave(state, A) == []
    assert state == before


def test_nobody_leaves_after_the_end_and_nobody_rejoins():
    state = table(LINE)
    apply(state, A, Click(0, 0))
    assert leave(state, B) == []
    assert GAME.rejoin(state, B) == []


# Options


@pytest.mark.parametrize(
    ("seats", "board"),
    [(2, (9, 9, 10)), (3, (16, 16, 40)), (4, (16, 16, 40)), (5, (30, 16, 99)), (8, (30, 16, 99))],
)
def test_a_board_is_suggested_by_the_number_of_players(seats, board):
    settled = settle(Options(), seats)
    assert (settled.width, settled.height, settled.mines) == board


def test_an_unusual_board_is_mined_as_densely_as_the_suggested_one():
    assert settle(Options(width=18, height=18), 2).mines == 40
    assert settle(Options(width=2, height=1), 2).mines == 1


def test_there_must_be_a_free_cell():
    assert settle(Options(width=2, height=2, mines=3), 2).mines == 3
    with pytest.raises(Refused):
        settle(Options(width=2, height=2, mines=4), 2)
    with pytest.raises(Refused):
        settle(Options(width=1, height=1), 2)


def test_a_board_must_fit_one_packet():
    assert settle(Options(width=26, height=26, mines=35), 2).mines == 35
    with pytest.raises(Refused):
        settle(Options(width=26, height=26, mines=36), 2)
