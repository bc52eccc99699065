"""What can happen in a tournament.

All of it is public: where the mines are is told only when a round is over.

A cell is numbered row * width + column, as the line protocol lists them.
"""

import msgspec

from ludoteca.core import Seat


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class RoundBegun(_Event, frozen=True, gc=False):
    """A new board, all closed; `order` are the players still in, the first one to click first."""

    round: int
    order: tuple[Seat, ...]


class Opened(_Event, frozen=True, gc=False):
    """A click found no mine.

    `cells` are all cells that opened, each with its number; the next player is on turn.
    """

    seat: Seat
    column: int
    row: int
    cells: tuple[tuple[int, int], ...]


class Exploded(_Event, frozen=True, gc=False):
    """A click found a mine, which ends the round; `mines` are the cells of all mines."""

    seat: Seat
    column: int
    row: int
    mines: tuple[int, ...]


class Forfeited(_Event, frozen=True, gc=False):
    """A player left, which ends the round as a mine does, where the table agreed on that."""

    seat: Seat
    mines: tuple[int, ...]


class Eliminated(_Event, frozen=True, gc=False):
    """The loser of a round is out, and looks on from now."""

    seat: Seat
    round: int


class Won(_Event, frozen=True, gc=False):
    """The last player left has won the tournament."""

    seat: Seat


class BrokenOff(_Event, frozen=True, gc=False):
    """A player left, and the tournament is over for everybody."""

    seat: Seat


Event = RoundBegun | Opened | Exploded | Forfeited | Eliminated | Won | BrokenOff
