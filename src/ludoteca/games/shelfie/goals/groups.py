"""Groups, tiles of one type connected by sides: their points, and the common goals that count them."""

from ludoteca.games.shelfie.data import GROUP_POINTS, SHELF_ROWS, Tile
from ludoteca.games.shelfie.state import Shelf

# Places are numbered column by column, with one that always stays empty between two columns.
_NEXT_COLUMN = SHELF_ROWS + 1


def groups(shelf: Shelf) -> list[tuple[Tile, int]]:
    """The type and the size of every group, single tiles included."""
    tiles = {
        column * _NEXT_COLUMN + height: tile
        for column, stack in enumerate(shelf)
        for height, tile in enumerate(stack)
    }
    found = []
    while tiles:
        place, tile = tiles.popitem()
        size = 0
        edge = [place]
        while edge:
            place = edge.pop()
            size += 1
            for near in (place + 1, place - 1, place + _NEXT_COLUMN, place - _NEXT_COLUMN):
                if tiles.get(near) == tile:
                    del tiles[near]
                    edge.append(near)
        found.append((tile, size))
    return found


def group_points(shelf: Shelf) -> int:
    """The points for all groups of three and more."""
    largest = len(GROUP_POINTS) - 1
    return sum([GROUP_POINTS[size if size < largest else largest] for _, size in groups(shelf)])


def four_groups_of_four(shelf: Shelf) -> bool:
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
    return sum(size >= 4 for _, size in groups(shelf)) >= 4


def six_groups_of_two(shelf: Shelf) -> bool:
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
    return sum(size >= 2 for _, size in groups(shelf)) >= 6
