"""Common goals that look at full rows."""

from ludoteca.games.shelfie.data import SHELF_COLUMNS
from ludoteca.games.shelfie.state import Shelf

# zip stops at the lowest column, so zip(*shelf) yields exactly the full rows, from the bottom up.


def two_rows_all_different(shelf: Shelf) -> bool:
    """At least two full rows in which no type appears twice.

         yes      no
        .....    .....
        .....    .....
        .....    .....
        .....    .....
        CBGFT    CBGFC
        BGFTP    BGFTP

    No: the upper row shows two cats.
    """
    return sum(len(set(row)) == SHELF_COLUMNS for row in zip(*shelf, strict=False)) >= 2


def four_rows_max_three(shelf: Shelf) -> bool:
    """At least four full rows of one, two or three types each; the types may differ from row to row.

         yes      no
        .....    .....
        .....    .....
        CCBBG    CBGFF
        CCCCC    CCCCC
        FFTTP    FFTTP
        BGBGB    BGBGB

    No: the top row shows four types.
    """
    return sum(len(set(row)) <= 3 for row in zip(*shelf, strict=False)) >= 4
