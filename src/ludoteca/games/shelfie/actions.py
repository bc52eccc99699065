"""What a player can choose in My Shelfie: which tiles to take, then where and in which order to put them."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import overload

import msgspec

from ludoteca.core import Choices
from ludoteca.core.bounds import Small
from ludoteca.games.shelfie.data import ROOM_COLUMNS, SHELF_COLUMNS, SPACES, TAKE_MAX, TILES, Cell, Tile


class TakeTiles(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Take these tiles, a straight line of one to three, from the living room."""

    cells: tuple[Cell, ...]


class FillColumn(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Drop the taken tiles into a column of the own bookshelf, the first of them lowest."""

    column: Small
    tiles: tuple[Tile, ...]


Action = TakeTiles | FillColumn


# Sets of cells are kept as bits of one integer, so that all neighbours are found with four shifts. A row
# takes one place more than it has columns: no cell is next to the first one of the next row. A cell takes two
# bits, of which it uses the first: a set of lines has a bit for the line that begins there and runs to the
# right, and the second for the one that runs down.
_RIGHT = 2
_DOWN = _RIGHT * (ROOM_COLUMNS + 1)


def bit_of(cell: Cell) -> int:
    """A cell as a bit."""
    return 1 << (cell.row * _DOWN + cell.column * _RIGHT)


def with_free_side(occupied: int) -> int:
    """The tiles that can be taken, by themselves."""
    surrounded = occupied >> _RIGHT & occupied << _RIGHT & occupied >> _DOWN & occupied << _DOWN
    return occupied & ~surrounded


def any_touch(occupied: int) -> bool:
    """Whether two tiles lie side by side; if not, the room is filled up."""
    return bool(occupied & (occupied >> _RIGHT | occupied >> _DOWN))


def _lines(seats: int, length: int) -> list[tuple[int, TakeTiles]]:
    spaces = set(SPACES[seats])
    lines = [
        tuple(Cell(cell.row + down * step, cell.column + right * step) for step in range(length))
        for cell in SPACES[seats]
        for down, right in ([(0, 1), (1, 0)] if length > 1 else [(0, 1)])
    ]
    return [(sum(map(bit_of, line)), TakeTiles(line)) for line in lines if spaces.issuperset(line)]


# Every line that could ever be taken, by number of players and length: its cells as bits, and the action.
LINES = {seats: tuple(_lines(seats, length) for length in range(1, TAKE_MAX + 1)) for seats in SPACES}
LINE_BITS = {take.cells: bits for lines in LINES[max(LINES)] for bits, take in lines}
EVERYWHERE = sum(map(bit_of, SPACES[max(SPACES)]))


def _begin(cells: tuple[Cell, ...]) -> int:
    return bit_of(cells[0]) << (cells[-1].row > cells[0].row)


# Where each begins, as a bit; and the same by length and this bit.
_BEGINS = {cells: _begin(cells) for cells in LINE_BITS}
_TAKES = tuple({_begin(take.cells): take for _, take in lines} for lines in LINES[max(LINES)])


class Takes(Sequence[TakeTiles]):
    """Every line of tiles with a free side, up to a length: the shortest first, then by where they begin.
    They are worked out only when looked at."""

    __slots__ = ("_lines",)

    def __init__(self, free: int, length_max: int) -> None:
        right, down = free & free >> _RIGHT, free & free >> _DOWN
        # By length, as bits of where they begin.
        self._lines = (
            free,
            right | down << 1 if length_max > 1 else 0,
            right & right >> _RIGHT | (down & down >> _DOWN) << 1 if length_max > 2 else 0,
        )

    def __len__(self) -> int:
        ones, twos, threes = self._lines
        return ones.bit_count() + twos.bit_count() + threes.bit_count()

    @overload
    def __getitem__(self, index: int) -> TakeTiles: ...
    @overload
    def __getitem__(self, index: slice) -> list[TakeTiles]: ...
    def __getitem__(self, index: int | slice) -> TakeTiles | list[TakeTiles]:
        if not isinstance(index, int) or index < 0:
            return list(self)[index]
        for length, lines in enumerate(self._lines):
            count = lines.bit_count()
            if index < count:
                for _ in range(index):
                    lines &= lines - 1
                return _TAKES[length][lines & -lines]
            index -= count
        raise IndexError("there are not so many lines")

    def __iter__(self) -> Iterator[TakeTiles]:
        for lines, takes in zip(self._lines, _TAKES, strict=True):
            while lines:
                first = lines & -lines
                lines ^= first
                yield takes[first]

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, TakeTiles):
            return False
        begin = _BEGINS.get(action.cells)
        return begin is not None and bool(begin & self._lines[len(action.cells) - 1])

    def __eq__(self, other: object) -> bool:
        return self._lines == other._lines if isinstance(other, Takes) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._lines)


_FILLS = {
    (column, tiles): FillColumn(column, tiles)
    for count in range(1, TAKE_MAX + 1)
    for tiles in product(TILES, repeat=count)
    for column in range(SHELF_COLUMNS)
}


def fills(hand: tuple[Tile, ...], columns: Sequence[int]) -> Choices[FillColumn]:
    """Every order of a hand in each of these columns."""
    orders = dict.fromkeys(permutations(sorted(hand)))
    return Choices([_FILLS[column, order] for column in columns for order in orders])
