"""The board in sentences, for who hears it: what is open, row by row, and where it ends."""

from collections.abc import Sequence

from ludoteca.games.multisweeper.data import CLOSED, MINE
from ludoteca.games.multisweeper.view import View


def speak(view: View, names: Sequence[str]) -> list[str]:
    """The size, who is left, and of each row the open cells; a row with none is not told."""
    closed = view.cells.count(CLOSED)
    order = ", ".join(names[seat] for seat in view.order)
    lines = [
        f"{view.width} columns and {view.height} rows, from 0; {view.mines} mines; {closed} cells closed.",
        f"Round {view.round}. The turns: {order}.",
    ]
    for row in range(view.height):
        cells = view.cells[row * view.width : (row + 1) * view.width]
        if all(cell == CLOSED for cell in cells):
            continue
        runs = _runs(cells)
        lines.append(f"Row {row}: {', '.join(f'{_columns(*run)} {_word(cell)}' for cell, run in runs)}.")
    return lines


def _runs(cells: Sequence[int]) -> list[tuple[int, tuple[int, int]]]:
    """Neighbours of one kind together: (cell, (first column, last column))."""
    runs: list[tuple[int, tuple[int, int]]] = []
    for column, cell in enumerate(cells):
        if runs and runs[-1][0] == cell:
            runs[-1] = (cell, (runs[-1][1][0], column))
        else:
            runs.append((cell, (column, column)))
    return runs


def _columns(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"


def _word(cell: int) -> str:
    return {CLOSED: "closed", MINE: "a mine", 0: "free"}.get(cell, f"next to {cell}")
