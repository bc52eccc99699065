"""The list of clicks, which is worked out only when it is looked at."""

from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.state import Clicks

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
