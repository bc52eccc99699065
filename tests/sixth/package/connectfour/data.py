"""The grid, and every line of four on it. A cell is its column and its row, from 0 at the bottom left."""

from collections.abc import Iterator
from itertools import product

COLUMNS = 7
ROWS = 6
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]


def _lines() -> Iterator[tuple[Cell, ...]]:
    for column, row, (right, up) in product(range(COLUMNS), range(ROWS), DIRECTIONS):
        line = tuple((column + step * right, row + step * up) for step in range(4))
        if line[-1][0] < COLUMNS and 0 <= line[-1][1] < ROWS:
            yield line


LINES = tuple(_lines())
