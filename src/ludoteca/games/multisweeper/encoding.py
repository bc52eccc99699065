"""Clicks and boards as numbers, for those who learn to play."""

from ludoteca.core import Seat
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import MINE, Options
from ludoteca.games.multisweeper.state import board
from ludoteca.games.multisweeper.view import View

# For each thing that a cell can show, which cells show it.
_PLANES = tuple(bytes(value == shown for value in range(256)) for shown in range(MINE + 1))


def vocabulary(options: Options, _seats: int) -> tuple[Click, ...]:
    """A click on every cell, row by row."""
    return board(options.width, options.height).clicks


def tensor(view: View, seat: Seat) -> bytes:
    """Eleven planes of cells (0 to 8, closed, mine); then for each seat from the own one on whether it is in,
    and whether it is on turn; then the number of mines."""
    cells = bytes(view.cells)
    parts = [cells.translate(plane) for plane in _PLANES]
    seats = len(view.order) + len(view.out)
    around = [(seat + place) % seats for place in range(seats)]
    parts.append(bytes(other in view.order for other in around))
    parts.append(bytes(other == view.mover for other in around))
    parts.append(bytes((min(view.mines, 255),)))
    return b"".join(parts)
