"""The common goal that only counts."""

from ludoteca.games.shelfie.state import Kinds


def eight_of_a_kind(kinds: Kinds) -> bool:
    """At least eight tiles of one type, anywhere.

         yes      no
        .....    .....
        .....    .....
        .....    .....
        .....    .....
        GGGGF    GGGGF
        GBGGG    GBGGB

    No: only seven games.
    """
    return any(cells.bit_count() >= 8 for cells in kinds)
