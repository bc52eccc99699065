"""Common goals that count groups, tiles of one type connected by sides."""

from ludoteca.games.shelfie.state import Kinds, parts


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
    return sum([part.bit_count() >= 4 for cells in kinds for part in parts(cells)]) >= 4


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
    return sum([part.bit_count() >= 2 for cells in kinds for part in parts(cells)]) >= 6
