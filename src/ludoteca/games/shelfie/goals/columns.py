"""Common goals that look at full columns."""

from ludoteca.games.shelfie.state import COLUMNS, ROWS, Kinds


def _full_columns(kinds: Kinds, least: int) -> list[int]:
    """How many types each full column shows; nothing where fewer than so many are full."""
    # What lies in the top row lies on a full column.
    tops = sum(kinds) & ROWS[-1]
    if tops.bit_count() < least:
        return []
    return [sum([cells & column > 0 for cells in kinds]) for column in COLUMNS if tops & column]


def two_columns_all_different(kinds: Kinds) -> bool:
    """At least two full columns in which each of the six types appears once.

         yes      no
        C..P.    C..P.
        B..T.    B..T.
        G..F.    G..F.
        F..G.    F..G.
        T..B.    T..B.
        P..C.    P..P.

    No: the second column shows two plants.
    """
    return _full_columns(kinds, 2).count(len(kinds)) >= 2


def three_columns_max_three(kinds: Kinds) -> bool:
    """At least three full columns of one, two or three types each; the types may differ
    from column to column.

         yes      no
        C.C.B    C.C.B
        C.B.B    C.B.B
        B.G.B    B.G.B
        B.C.F    B.C.F
        G.B.F    G.B.T
        G.G.P    G.G.P

    No: the last column shows four types.
    """
    return sum([types <= 3 for types in _full_columns(kinds, 3)]) >= 3
