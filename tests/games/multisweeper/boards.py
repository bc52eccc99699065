"""Boards written as text: what is under every cell, rows between slashes, `*` a mine and `.` none."""

from typing import Any

from ludoteca.core import Seat, Setup
from ludoteca.games.multisweeper import rules
from ludoteca.games.multisweeper.data import Options
from ludoteca.games.multisweeper.state import State

# Section 9 of the protocol page: numbers 1 2 * 1 / 1 * 3 2 / 1 1 2 * / 0 0 1 1.
WORKED = "..*. / .*.. / ...* / ...."

A, B, C, D = (Seat(seat) for seat in range(4))


def layout(picture: str) -> int:
    """The mines of a picture, as bits."""
    cells = "".join(picture.split()).replace("/", "")
    return sum(1 << cell for cell, sign in enumerate(cells) if sign == "*")


def table(picture: str, seats: int = 2, **options: Any) -> State:
    """A tournament about to begin on this board, without first-click safety unless asked for."""
    rows = picture.split("/")
    chosen = {"safe_first_click": False, **options}
    settled = rules.settle(
        Options(width=len(rows[0].split()[0]), height=len(rows), mines=picture.count("*"), **chosen), seats
    )
    state, _ = rules.start(Setup(seats, 1, settled))
    state.mines = layout(picture)
    return state


def shown(state: State) -> str:
    """What everybody sees, row by row; `#` is closed, `*` a mine."""
    width = state.options.width
    signs = "".join("012345678#*"[value] for value in state.cells)
    return " / ".join(signs[start : start + width] for start in range(0, len(signs), width))
