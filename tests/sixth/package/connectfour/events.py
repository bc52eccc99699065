"""What can happen. Nothing of it is secret."""

import msgspec

from connectfour.data import Cell
from ludoteca.core import Seat


class Dropped(msgspec.Struct, frozen=True, tag=True):
    """A disc fell to the lowest free cell of a column; the other player is on turn."""

    seat: Seat
    column: int


class Won(msgspec.Struct, frozen=True, tag=True):
    """Somebody has a line of four (none of its cells: the other one left), which ends the game."""

    seat: Seat
    line: tuple[Cell, ...]


class Filled(msgspec.Struct, frozen=True, tag=True):
    """The grid is full, which ends the game without a winner."""


Event = Dropped | Won | Filled
