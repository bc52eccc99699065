"""What a player can choose in My Shelfie: which tiles to take, then where and in which order to put them."""

import msgspec

from ludoteca.core.bounds import Small
from ludoteca.games.shelfie.data import Cell, Tile


class TakeTiles(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Take these tiles, a straight line of one to three, from the living room."""

    cells: tuple[Cell, ...]


class FillColumn(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Drop the taken tiles into a column of the own bookshelf, the first of them lowest."""

    column: Small
    tiles: tuple[Tile, ...]


Action = TakeTiles | FillColumn
