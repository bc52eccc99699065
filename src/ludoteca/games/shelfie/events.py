"""What can happen in My Shelfie."""

import msgspec

from ludoteca.core import Outcome
from ludoteca.games.shelfie.data import Cell, Tile


class Started(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The living room is full and the goals are dealt; `first` begins."""

    first: int
    commons: tuple[int, ...]


class TilesTaken(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Tiles left the living room for a player's hand."""

    seat: int
    cells: tuple[Cell, ...]
    tiles: tuple[Tile, ...]


class ColumnFilled(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The tiles in hand dropped into a column, the first of them lowest."""

    seat: int
    column: int
    tiles: tuple[Tile, ...]


class TokenTaken(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A bookshelf shows a common goal: its owner takes the top token."""

    seat: int
    goal: int
    value: int


class ShelfFilled(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The first full bookshelf: its owner takes the end-game token, and the last round begins."""

    seat: int


class RoomRefilled(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Tiles from the bag came into the empty spaces of the living room."""

    cells: tuple[Cell, ...]
    tiles: tuple[Tile, ...]


class TurnEnded(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A turn is over.

    `points` is what the table may know of the mover's total; nobody is next after the last.
    """

    seat: int
    points: int
    next: int | None


class Finished(msgspec.Struct, frozen=True, tag=True, gc=False):
    """The match is over: the personal goals, by seat, are turned up and counted."""

    cards: tuple[int, ...]
    outcome: Outcome


class BrokenOff(msgspec.Struct, frozen=True, tag=True, gc=False):
    """A player has left for good, which ends the match for all, without a result."""

    seat: int
    outcome: Outcome


Event = (
    Started
    | TilesTaken
    | ColumnFilled
    | TokenTaken
    | ShelfFilled
    | RoomRefilled
    | TurnEnded
    | Finished
    | BrokenOff
)
