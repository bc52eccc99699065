"""Common goals that count groups, tiles of one type connected by sides."""

from functools import lru_cache

from ludoteca.games.shelfie.state import Kinds, parts


@lru_cache(maxsize=100_000)
def _groups_of_one(cells: int, size: int) -> int:
    return sum([part.bit_count() >= size for part in parts(cells)])


def _groups(kinds: Kinds, size: int) -> int:
    """How many groups are at least so large."""
    return sum([_groups_of_one(cells, size) for cells in kinds if cells.bit_count() >= size])


def four_groups_of_four(kinds: Kinds) -> bool:
    """At least four groups of four or more tiles, of any shape; several may be of one type.

         yes      no
        .....    .....
        .....    .....
        CCCC.    CCCC.
        BBBB.    CCCC.
        GGGG.    GGGG.
        FFFF.    FFFF.

    No: the eight cats are one group, so there are only three.
    """
    return _groups(kinds, 4) >= 4


def six_groups_of_two(kinds: Kinds) -> bool:
    """At least six groups of two or more tiles.

         yes      no
        .....    .....
        .....    .....
        P....    .....
        P....    CCCC.
        CBGFT    CCCC.
        CBGFT    CCCC.

    No: twelve cats, but one group.
    """
    return _groups(kinds, 2) >= 6
