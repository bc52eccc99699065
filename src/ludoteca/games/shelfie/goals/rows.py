"""Common goals that look at full rows."""

from ludoteca.games.shelfie.data import SHELF_COLUMNS
from ludoteca.games.shelfie.state import ROWS, Kinds


def _full_rows(kinds: Kinds, least: int) -> list[int]:
    """How many types each full row shows; nothing where fewer than so many are full."""
    occupied = sum(kinds)
    # Full rows lie on full rows: where this one is not, those above it are not either.
    if ~occupied & ROWS[least - 1]:
        return []
    full = [row for row in ROWS if occupied & row == row]
    return [sum([cells & row > 0 for cells in kinds]) for row in full]


def two_rows_all_different(kinds: Kinds) -> bool:
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
    return _full_rows(kinds, 2).count(SHELF_COLUMNS) >= 2


def four_rows_max_three(kinds: Kinds) -> bool:
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
    return sum([types <= 3 for types in _full_rows(kinds, 4)]) >= 4
