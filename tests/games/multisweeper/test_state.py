"""The list of clicks, which is worked out only when it is looked at, and sets of cells as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.state import Clicks, board, cells_of, numbers

BOARD = bytes([CLOSED, 1, CLOSED, 0, CLOSED, CLOSED])  # three columns, two rows


def test_lists_of_clicks_are_equal_when_the_board_the_round_and_the_width_are():
    clicks = Clicks(BOARD, 3, 1)
    assert clicks == Clicks(BOARD, 3, 1)
    assert hash(clicks) == hash(Clicks(BOARD, 3, 1))
    for other in (Clicks(BOARD[::-1], 3, 1), Clicks(BOARD, 2, 1), Clicks(BOARD, 3, 2)):
        assert clicks != other
    assert (clicks == list(clicks)) is False


def test_they_are_a_sequence_of_the_closed_cells_in_reading_order():
    clicks = Clicks(BOARD, 3, 1)
    assert list(clicks) == [Click(0, 0), Click(2, 0), Click(1, 1), Click(2, 1)]
    assert len(clicks) == 4
    assert clicks[-1] == Click(2, 1)
    assert clicks[1:3] == [Click(2, 0), Click(1, 1)]
    assert Click(1, 1) in clicks
    for outside in (Click(1, 0), Click(0, 1), Click(3, 0), Click(0, 2), "click"):
        assert outside not in clicks


def test_they_hold_what_they_list_and_nothing_around_the_board():
    everything = Clicks(bytes([CLOSED]) * 6, 3, 1)
    around = [Click(column, row) for column in range(-2, 5) for row in range(-2, 4)]
    assert {(click.column, click.row) for click in around if click in everything} == {
        (column, row) for column in range(3) for row in range(2)
    }


@given(st.lists(st.sampled_from([CLOSED, 0, 1, 8]), min_size=1, max_size=40))
def test_each_is_found_by_its_place_without_looking_at_all(cells: list[int]):
    clicks = Clicks(bytes(cells), len(cells), 1)
    assert [clicks[place] for place in range(len(clicks))] == list(clicks)
    for place in (len(clicks), len(cells), len(cells) + 1):
        with pytest.raises(IndexError):
            clicks[place]


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0))
def test_the_mines_around_all_cells_are_counted_at_once(width: int, height: int, mines: int):
    mines &= (1 << width * height) - 1
    around = board(width, height).masks
    assert [*numbers(mines, width, height)] == [(mines & near).bit_count() for near in around]


@given(st.sets(st.integers(0, 200)))
def test_bits_of_cells_and_their_numbers_are_the_same(cells: set[int]):
    assert cells_of(sum(1 << cell for cell in cells)) == tuple(sorted(cells))
