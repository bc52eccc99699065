"""The personal goals: six cells of the own bookshelf, each wanting a tile of its own type."""

from ludoteca.games.shelfie.data import PERSONAL_GOALS, PERSONAL_POINTS, SHELF_ROWS
from ludoteca.games.shelfie.state import Shelf

# The cells as places of a Shelf: column, height from the bottom, wanted tile.
_WANTED = {
    card: tuple((cell.column, SHELF_ROWS - 1 - cell.row, tile) for cell, tile in cells)
    for card, cells in PERSONAL_GOALS.items()
}


def in_place(card: int, shelf: Shelf) -> int:
    """How many of the card's six cells hold the tile they want."""
    return sum(
        [
            len(shelf[column]) > height and shelf[column][height] == tile
            for column, height, tile in _WANTED[card]
        ]
    )


def personal_points(card: int, shelf: Shelf) -> int:
    """The points of the card for this bookshelf."""
    return PERSONAL_POINTS[in_place(card, shelf)]
