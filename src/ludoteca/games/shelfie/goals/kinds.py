"""The common goal that only counts."""

from ludoteca.games.shelfie.data import TILES
from ludoteca.games.shelfie.state import Shelf


def eight_of_a_kind(shelf: Shelf) -> bool:
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
    tiles = [tile for column in shelf for tile in column]
    return any(tiles.count(tile) >= 8 for tile in TILES)
