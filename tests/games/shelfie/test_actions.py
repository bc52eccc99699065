"""The lines that can be taken, which are worked out only when they are looked at."""

import pytest

from ludoteca.games.shelfie.actions import FillColumn, Takes, TakeTiles, bit_of
from ludoteca.games.shelfie.data import Cell

# An angle of four tiles: three in a row, the last of them above the fourth.
ANGLE = [Cell(4, 3), Cell(4, 4), Cell(4, 5), Cell(5, 5)]
FREE = sum(map(bit_of, ANGLE))
ONES = [TakeTiles((cell,)) for cell in ANGLE]
TWOS = [TakeTiles(tuple(ANGLE[start : start + 2])) for start in range(3)]
THREES = [TakeTiles(tuple(ANGLE[:3]))]


@pytest.mark.parametrize(
    ("length_max", "lines"),
    [(1, ONES), (2, ONES + TWOS), (3, ONES + TWOS + THREES), (6, ONES + TWOS + THREES)],
)
def test_takes_are_a_sequence_of_lines_the_shortest_first(length_max, lines):
    takes = Takes(FREE, length_max)
    assert list(takes) == lines
    assert len(takes) == len(lines)
    assert [takes[place] for place in range(len(lines))] == lines
    assert takes[-1] == lines[-1]
    assert takes[1:4] == lines[1:4]
    for place in (len(lines), -len(lines) - 1):
        with pytest.raises(IndexError):
            takes[place]


def test_they_hold_what_they_list_and_nothing_else():
    takes = Takes(FREE, 2)
    assert all(take in takes for take in takes)
    backwards = TakeTiles((Cell(4, 4), Cell(4, 3)))
    beside = TakeTiles((Cell(5, 4), Cell(5, 5)))
    outside = TakeTiles((Cell(-1, 99),))
    for other in (*THREES, backwards, beside, outside, TakeTiles(()), FillColumn(0, ("cat",)), None):
        assert other not in takes


def test_they_are_equal_when_the_same_can_be_taken():
    assert Takes(FREE, 3) == Takes(FREE, 3)
    assert hash(Takes(FREE, 3)) == hash(Takes(FREE, 3))
    assert Takes(FREE, 3) == Takes(FREE, 4)
    for other in (Takes(FREE, 2), Takes(FREE ^ bit_of(ANGLE[0]), 3), list(Takes(FREE, 3))):
        assert Takes(FREE, 3) != other
