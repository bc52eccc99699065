"""The living room and the bookshelves in sentences, for who hears them."""

from collections.abc import Sequence

from ludoteca.games.shelfie.data import Cell, Tile
from ludoteca.games.shelfie.text import count, name_of, points_of
from ludoteca.games.shelfie.view import View


def speak(view: View, names: Sequence[str]) -> list[str]:
    """The tiles that lie there row by row, the goals, and each shelf column by column from below."""
    lines = []
    for row, tiles in enumerate(view.room):
        there = [f"{name_of(Cell(row, column))} {tile}" for column, tile in enumerate(tiles) if tile]
        lines += [f"On the table: {', '.join(there)}."] if there else []
    for common in view.commons:
        tokens = ", ".join(map(str, common.tokens)) or "none"
        lines.append(f"Common goal: {common.name}; tokens left: {tokens}.")
    open_wishes = [
        f"{wish.tile} in column {wish.cell.column + 1}, row {wish.cell.row + 1}"
        for wish in view.wishes
        if not wish.met
    ]
    if view.wishes:
        lines.append(f"Your own goal lacks: {', '.join(open_wishes) or 'nothing'}.")
    for seat, shelf in enumerate(view.shelves):
        lines.append(f"{names[seat]} has {points_of(view.points[seat])}.")
        lines += [
            f"  Column {column + 1}, from below: {_column(shelf, column)}." for column in range(len(shelf[0]))
        ]
    if view.hand:
        lines.append(f"In hand: {count(view.hand)}.")
    if view.filled is not None:
        lines.append(f"{names[view.filled]} filled a bookshelf first: this is the last round.")
    return lines


def _column(shelf: Sequence[Sequence[Tile | None]], column: int) -> str:
    tiles = [str(row[column]) for row in reversed(shelf) if row[column] is not None]
    return ", ".join(tiles) or "empty"
