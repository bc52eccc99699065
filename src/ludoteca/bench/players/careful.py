"""Clicks of Multisweeper as by a person who looks at the numbers: on what one of them proves safe, where
there is any, and never on what one proves a mine. Clicks at random end a match after five of them.
"""

import random
from functools import cache
from typing import Any

import msgspec

from ludoteca import games

CLOSED = 9


class _Event(msgspec.Struct):
    cells: list[tuple[int, int]] = []


class _Events(msgspec.Struct):
    events: list[_Event]


_events = msgspec.json.Decoder(_Events).decode


@cache
def _neighbours(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(
            y * width + x
            for y in range(max(0, row - 1), min(height, row + 2))
            for x in range(max(0, column - 1), min(width, column + 2))
            if (x, y) != (column, row)
        )
        for row in range(height)
        for column in range(width)
    )


class Board:
    """What a table of Multisweeper with its usual options shows."""

    __slots__ = ("_cells", "_width")

    def __init__(self) -> None:
        options: Any = games.load("multisweeper").setup().options
        self._width = options.width
        self._cells = bytearray([CLOSED]) * (options.width * options.height)

    def clear(self) -> None:
        """Another match begins."""
        self._cells[:] = bytes([CLOSED]) * len(self._cells)

    def hear(self, line: bytes) -> None:
        """Events over Ludoteca's own protocol."""
        for event in _events(line).events:
            for cell, number in event.cells:
                self._cells[cell] = number

    def click(self, dice: random.Random) -> tuple[int, int]:
        """The column and row of a closed cell."""
        cells = self._cells
        closed = {cell for cell, number in enumerate(cells) if number == CLOSED}
        edges = []
        mined: set[int] = set()
        for cell, around in enumerate(_neighbours(self._width, len(cells) // self._width)):
            number = cells[cell]
            if 0 < number < CLOSED:
                hidden = closed.intersection(around)
                edges.append((number, hidden))
                if len(hidden) == number:
                    mined |= hidden
        for number, hidden in edges:
            free = hidden - mined
            if free and len(hidden) - len(free) == number:
                return self._place(min(free))
        return self._place(dice.choice(sorted(closed - mined or closed)))

    def _place(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self._width)
        return column, row
