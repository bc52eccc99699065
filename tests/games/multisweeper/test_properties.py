"""Random games: what never changes, whatever is clicked."""

from hypothesis import given, settings
from hypothesis import strategies as st

from ludoteca import games
from ludoteca.core import Dice, Refused, Setup
from ludoteca.games.multisweeper.data import CLOSED, MINE, Options
from ludoteca.games.multisweeper.events import Eliminated, Exploded, Opened
from ludoteca.games.multisweeper.state import State, board

GAME = games.load("multisweeper")


@st.composite
def tables(draw: st.DrawFn) -> Setup:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    seats = draw(st.integers(2, 5))
    options = Options(
        width=width,
        height=height,
        mines=draw(st.integers(1, max(1, width * height - 1))),
        spread=draw(st.sampled_from(["eight", "four"])),
        safe_first_click=draw(st.booleans()),
        lost_player=draw(st.sampled_from(["abort", "forfeit"])),
        rotate_start=draw(st.booleans()),
    )
    try:
        settled = GAME.settle(options, seats)
    except Refused:  # a single cell has no room for a mine
        settled = GAME.settle(Options(width=2, height=1, mines=1), seats)
    return Setup(seats, draw(st.integers(0, 2**63 - 1)), settled)


def check_board(state: State) -> None:
    masks = board(state.options.width, state.options.height).masks
    assert state.mines.bit_count() == state.options.mines
    for cell, value in enumerate(state.cells):
        if value == MINE:
            assert state.mines >> cell & 1
        elif value != CLOSED:
            assert not state.mines >> cell & 1
            assert value == (state.mines & masks[cell]).bit_count()


@settings(max_examples=150, derandomize=True, deadline=None)
@given(tables(), st.integers(0, 2**32))
def test_the_numbers_are_true_and_each_round_takes_one_player_out(setup, seed):
    dice = Dice(seed)
    state, _ = GAME.start(setup)
    cells = setup.options.width * setup.options.height
    clicks = 0
    while state.mover is not None:
        check_board(state)
        assert len(state.order) == setup.seats - len(state.out) == setup.seats - state.round + 1
        closed = state.cells.count(CLOSED)
        seat, first = state.mover, state.turn == 1
        first_event, *others = GAME.apply(state, seat, dice.choice(state.questions[seat].choices))
        clicks += 1
        if isinstance(first_event, Opened):
            assert not others
            assert state.cells.count(CLOSED) == closed - len(first_event.cells)
        else:
            assert isinstance(first_event, Exploded)
            assert not (first and setup.options.safe_first_click)
            assert others[0] == Eliminated(seat, len(state.out))
    check_board(state)
    assert clicks <= cells * (setup.seats - 1)
    assert sorted(state.outcome.ranks) == list(range(1, setup.seats + 1))
    assert state.outcome.winners == state.order


@settings(max_examples=60, derandomize=True, deadline=None)
@given(tables(), st.integers(0, 2**32))
def test_every_redealt_board_fits_what_is_seen(setup, seed):
    dice = Dice(seed)
    state, _ = GAME.start(setup)
    for _ in range(dice.below(8)):
        if state.mover is not None:
            GAME.apply(state, state.mover, dice.choice(state.questions[state.mover].choices))
    other = GAME.redeal(state, None, dice)
    assert other.cells == state.cells
    check_board(other)
