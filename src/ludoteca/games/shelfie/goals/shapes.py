"""Common goals that look for one shape."""

from ludoteca.games.shelfie.data import SHELF_COLUMNS, SHELF_ROWS
from ludoteca.games.shelfie.state import NEXT_COLUMN, Kinds, bit

CORNERS = sum(bit(column, height) for column in (0, SHELF_COLUMNS - 1) for height in (0, SHELF_ROWS - 1))


def _slanted(first: int, step: int) -> list[int]:
    """The heights of all columns, from the left."""
    return [first + step * column for column in range(SHELF_COLUMNS)]


# Up and down, each on one of two heights.
_HEIGHTS = [_slanted(0, 1), _slanted(1, 1), _slanted(SHELF_ROWS - 2, -1), _slanted(SHELF_ROWS - 1, -1)]
DIAGONALS = tuple(sum(bit(column, top) for column, top in enumerate(tops)) for tops in _HEIGHTS)
# What lies on such a diagonal and below it.
STAIRS = tuple(
    sum(bit(column, height) for column, top in enumerate(tops) for height in range(top + 1))
    for tops in _HEIGHTS
)


def four_corners(kinds: Kinds) -> bool:
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
    return any(cells & CORNERS == CORNERS for cells in kinds)


def x_of_five(kinds: Kinds) -> bool:
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
    for cells in kinds:
        # Two with one between them, in a column, in the next but one, and the middle.
        left = cells & cells >> 2
        if left & left >> 2 * NEXT_COLUMN & cells >> NEXT_COLUMN + 1:
            return True
    return False


def diagonal(kinds: Kinds) -> bool:
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
    occupied = sum(kinds)
    full = [line for line in DIAGONALS if occupied & line == line]
    return any(cells & line == line for line in full for cells in kinds)


def staircase(kinds: Kinds) -> bool:
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
    return sum(kinds) in STAIRS
