"""The common goal of the squares."""

from ludoteca.games.shelfie.data import SHELF_COLUMNS, SHELF_ROWS
from ludoteca.games.shelfie.state import NEXT_COLUMN, Kinds, bit

# Squares by their lowest cell on the left, with those of all squares that share a cell with it.
NEAR = {
    bit(column, height): sum(
        bit(other, place)
        for other in range(max(0, column - 1), column + 2)
        for place in range(max(0, height - 1), height + 2)
    )
    for column in range(SHELF_COLUMNS - 1)
    for height in range(SHELF_ROWS - 1)
}


def two_squares(kinds: Kinds) -> bool:
    """Two 2x2 squares that share no cell, each of one type; the two may differ in type, and may touch.

         yes      no
        .....    .....
        .....    .....
        .....    .....
        CC...    .....
        CCBB.    CCC..
        PGBBF    CCC..

    No: the two squares of a 2x3 block overlap.
    """
    squares = 0
    for cells in kinds:
        pairs = cells & cells >> 1
        squares |= pairs & pairs >> NEXT_COLUMN
    # Every pair is tried: a third square that overlaps both must not hide them.
    return squares > 0 and any(squares & square and squares & ~near for square, near in NEAR.items())
