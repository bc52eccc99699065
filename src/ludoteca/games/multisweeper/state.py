"""What stands on a table of Multisweeper, and what each event changes there.

The rules and the views follow the same events with the same function, `happen`. It changes the tabletop in
place: boards are large, and bots search on the state, which is a tabletop with the mines under it.
"""

from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from functools import lru_cache
from itertools import compress, count
from typing import Any, NamedTuple, cast, overload

import msgspec

from ludoteca.core import Dice, Outcome, Question, Seat
from ludoteca.games.multisweeper import events
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED, MINE, Options


class Out(msgspec.Struct, frozen=True, gc=False):
    """Who lost which round."""

    seat: Seat
    round: int


class Last(msgspec.Struct, frozen=True, gc=False):
    """The latest click of a round."""

    seat: Seat
    column: int
    row: int


class Lost(msgspec.Struct, frozen=True, gc=False):
    """The board on which a round was lost, with its mines, and the fatal click (None: the loser left)."""

    cells: tuple[int, ...]
    last: Last | None


class Board(NamedTuple):
    """The geometry of a board: for each cell its eight neighbours, as a list and as bits, its four likewise,
    its own bit, and the click on it. Last, as the bytes of one integer, the cells that have a neighbour on
    their left, and those that have one on their right."""

    around: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    beside: tuple[tuple[int, ...], ...]
    beside_masks: tuple[int, ...]
    bits: tuple[int, ...]
    clicks: tuple[Click, ...]
    not_first: int
    not_last: int


@lru_cache(maxsize=64)
def board(width: int, height: int) -> Board:
    """The geometry of a board of this size."""
    around, beside = [], []
    for cell in range(width * height):
        row, column = divmod(cell, width)
        near = [
            (r, c)
            for r in range(max(0, row - 1), min(height, row + 2))
            for c in range(max(0, column - 1), min(width, column + 2))
            if (r, c) != (row, column)
        ]
        around.append(tuple(r * width + c for r, c in near))
        beside.append(tuple(r * width + c for r, c in near if r == row or c == column))
    masks, beside_masks = (
        tuple(sum(1 << cell for cell in cells) for cells in near) for near in (around, beside)
    )
    bits = tuple(1 << cell for cell in range(width * height))
    clicks = tuple(Click(column, row) for row in range(height) for column in range(width))
    rest = b"\1" * (width - 1)
    not_first = int.from_bytes((b"\0" + rest) * height, "little")
    not_last = int.from_bytes((rest + b"\0") * height, "little")
    return Board(tuple(around), masks, tuple(beside), beside_masks, bits, clicks, not_first, not_last)


# Turns a digit of a binary number into what it stands for, and whether a cell is closed into such a digit.
_IS_ONE = bytes(value == ord("1") for value in range(256))
_CLOSED_DIGIT = bytes(ord("1" if value == CLOSED else "0") for value in range(256))


def _flags(cells: int) -> bytes:
    """Bits of cells as bytes, up to the last that is set."""
    return f"{cells:b}"[::-1].encode().translate(_IS_ONE)


def cells_of(cells: int) -> tuple[int, ...]:
    """The numbers of cells that are given as bits."""
    return tuple(compress(count(), _flags(cells)))


def closed_bits(cells: bytes | bytearray) -> int:
    """The closed cells as bits."""
    return int(cells.translate(_CLOSED_DIGIT)[::-1], 2)


# Enough for the boards that are played on now; whoever comes back after more has them counted again.
@lru_cache(maxsize=256)
def numbers(mines: int, width: int, height: int) -> bytes:
    """For every cell, how many mines are around it: all at once, since the bytes of one integer are added
    together and none ever comes to more than nine."""
    geometry, cells = board(width, height), width * height
    here = int.from_bytes(_flags(mines), "little")
    row = here + ((here & geometry.not_last) << 8) + ((here & geometry.not_first) >> 8)
    around = row + (row << 8 * width) + (row >> 8 * width) - here
    # The row below the board was counted as well.
    return around.to_bytes(cells + width, "little")[:cells]


# Turns what a cell shows into whether it is closed.
_IS_CLOSED = bytes(value == CLOSED for value in range(256))


def closed_cells(cells: bytes | bytearray) -> list[int]:
    """The numbers of the closed cells."""
    return list(compress(range(len(cells)), cells.translate(_IS_CLOSED)))


class Clicks(Sequence[Click]):
    """A click on every closed cell, worked out only when looked at; boards of different
    rounds are never equal."""

    __slots__ = ("_cells", "_round", "_width")

    def __init__(self, cells: bytes, width: int, round: int) -> None:
        self._cells = cells
        self._width = width
        self._round = round

    def __len__(self) -> int:
        return self._cells.count(CLOSED)

    @overload
    def __getitem__(self, index: int) -> Click: ...
    @overload
    def __getitem__(self, index: slice) -> list[Click]: ...
    def __getitem__(self, index: int | slice) -> Click | list[Click]:
        if not isinstance(index, int) or index < 0:
            return list(self)[index]
        cells = self._cells
        # So many closed cells come before it. Where some of these are open it lies further on by as many at
        # least, and is reached when none is missing any more.
        cell, count = index, cells.count
        while missing := index + 1 - count(CLOSED, 0, cell + 1):
            cell += missing
            if cell >= len(cells):
                raise IndexError("there are not so many closed cells")
        return board(self._width, len(cells) // self._width).clicks[cell]

    def __iter__(self) -> Iterator[Click]:
        cells, width = self._cells, self._width
        # The same clicks for all matches on boards of this size.
        return compress(board(width, len(cells) // width).clicks, cells.translate(_IS_CLOSED))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Click) or not 0 <= action.column < self._width or action.row < 0:
            return False
        cell = action.row * self._width + action.column
        return cell < len(self._cells) and self._cells[cell] == CLOSED

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Clicks):
            return self._cells == other._cells and self._round == other._round and self._width == other._width
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self._cells, self._round))


class Tabletop(msgspec.Struct, gc=False):
    """All that anybody sees. `cells` are numbered row by row (see data.py); `order` are the players still in.

    `turn` counts from 1 in every round; `mover` is on turn, None when the tournament is over; `lost` is how
    the round before ended.
    """

    cells: MutableSequence[int]
    order: tuple[Seat, ...]
    turn: int
    mover: Seat | None
    round: int
    out: tuple[Out, ...]
    last: Last | None
    lost: Lost | None


class State(Tabletop, gc=False):
    """One tournament: the tabletop, and the mines under it, as the bits of the mined cells."""

    cells: bytearray
    options: Options
    dice: Dice
    mines: int = 0
    outcome: Outcome | None = None

    @property
    def questions(self) -> dict[Seat, Question]:
        """The player on turn is asked for a click on any closed cell."""
        if self.mover is None:
            return {}
        return {self.mover: Question("click", Clicks(bytes(self.cells), self.options.width, self.round))}

    def clone(self) -> "State":
        """An independent copy."""
        return State(
            self.cells[:],
            self.order,
            self.turn,
            self.mover,
            self.round,
            self.out,
            self.last,
            self.lost,
            self.options,
            Dice(self.dice.state),
            self.mines,
            self.outcome,
        )


def happen(tabletop: Tabletop, event: events.Event) -> None:
    """Let an event change the tabletop."""
    CHANGES[type(event)](tabletop, event)


def _opened(tabletop: Tabletop, event: events.Opened) -> None:
    cells, order, turn = tabletop.cells, tabletop.order, tabletop.turn
    for cell, number in event.cells:
        cells[cell] = number
    tabletop.mover = order[turn % len(order)]
    tabletop.turn = turn + 1
    tabletop.last = Last(event.seat, event.column, event.row)


def _exploded(tabletop: Tabletop, event: events.Exploded) -> None:
    show_mines(tabletop.cells, event.mines)
    tabletop.last = Last(event.seat, event.column, event.row)


def _forfeited(tabletop: Tabletop, event: events.Forfeited) -> None:
    show_mines(tabletop.cells, event.mines)
    tabletop.last = None


def _eliminated(tabletop: Tabletop, event: events.Eliminated) -> None:
    loser = event.seat
    tabletop.order = tuple([seat for seat in tabletop.order if seat != loser])
    tabletop.out += (Out(loser, event.round),)


def _round_begun(tabletop: Tabletop, event: events.RoundBegun) -> None:
    order = event.order
    tabletop.lost = Lost(tuple(tabletop.cells), tabletop.last)
    tabletop.cells[:] = bytes([CLOSED]) * len(tabletop.cells)
    tabletop.round, tabletop.order = event.round, order
    tabletop.turn, tabletop.mover, tabletop.last = 1, order[0], None


def _over(tabletop: Tabletop, _event: events.Won | events.BrokenOff) -> None:
    tabletop.mover = None


CHANGES = cast(
    "dict[type[events.Event], Callable[[Tabletop, Any], None]]",
    {
        events.Opened: _opened,
        events.Exploded: _exploded,
        events.Forfeited: _forfeited,
        events.Eliminated: _eliminated,
        events.RoundBegun: _round_begun,
        events.Won: _over,
        events.BrokenOff: _over,
    },
)


def show_mines(cells: MutableSequence[int], mines: Iterable[int]) -> None:
    """Show these mines; other closed cells stay closed (A19)."""
    for cell in mines:
        cells[cell] = MINE
