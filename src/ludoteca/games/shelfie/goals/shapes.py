"""Common goals that look for one shape."""

from itertools import pairwise

from ludoteca.games.shelfie.data import SHELF_ROWS
from ludoteca.games.shelfie.state import Shelf


def four_corners(shelf: Shelf) -> bool:
    """The four corners of the bookshelf hold one type.

         yes      no
        P...P    P...P
        B...G    B...G
        B...G    B...G
        C...F    C...F
        C...F    C...F
        P...P    P...T

    No: the corner at the bottom right differs.
    """
    left, right = shelf[0], shelf[-1]
    if len(left) < SHELF_ROWS or len(right) < SHELF_ROWS:
        return False
    return left[0] == left[-1] == right[0] == right[-1]


def x_of_five(shelf: Shelf) -> bool:
    """In some 3x3 window the middle and the four corners hold one type; the other four cells do not matter.

         yes      no
        .....    .....
        .....    .....
        .....    .....
        FCF..    FCF..
        BFG..    BCG..
        FPF..    FPF..

    No: the middle differs.
    """
    for left, middle, right in zip(shelf, shelf[1:], shelf[2:], strict=False):
        for height in range(1, min(len(left) - 1, len(middle), len(right) - 1)):
            if (
                middle[height]
                == left[height - 1]
                == left[height + 1]
                == right[height - 1]
                == right[height + 1]
            ):
                return True
    return False


def diagonal(shelf: Shelf) -> bool:
    """Five tiles of one type on one of the four diagonals that cross all columns.

         yes      no
        .....    .....
        T....    B....
        BT...    BT...
        CBT..    CBT..
        FCBT.    FCBT.
        GFCBT    GFCBT

    No: only four in line.
    """
    for columns in (shelf, shelf[::-1]):
        for start in (0, 1):
            places = list(enumerate(columns, start))
            if all(len(column) > height for height, column in places) and (
                len({column[height] for height, column in places}) == 1
            ):
                return True
    return False


def staircase(shelf: Shelf) -> bool:
    """Column heights go up by one from column to column, or down, and no column is empty.

    Types do not matter.

         yes      no
        .....    ....C
        T....    ....B
        BT...    ...GF
        CBT..    ..TPC
        FCBT.    .BGFT
        GFCBT    PCBGF

    No: the last step is of two.
    """
    heights = [len(column) for column in shelf]
    steps = {right - left for left, right in pairwise(heights)}
    return min(heights) > 0 and steps in ({1}, {-1})
