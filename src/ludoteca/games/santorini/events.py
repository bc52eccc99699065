"""What can happen; nothing in this game is secret.

`number` is the worker's, 1 or 2, in the order of placing.
"""

import msgspec

from ludoteca.games.santorini.data import Cell, Colour, Phase


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class TurnBegan(_Event, frozen=True):
    """This seat is to decide now, in the setup as well as in play."""

    seat: int
    phase: Phase


class GodOffered(_Event, frozen=True):
    """The Challenger put a god on the table."""

    seat: int
    god: str


class GodTaken(_Event, frozen=True):
    """A seat plays under this god."""

    seat: int
    god: str


class StartChosen(_Event, frozen=True):
    """This seat takes the first turn."""

    seat: int


class ColourChosen(_Event, frozen=True):
    """A seat took the workers of this colour."""

    seat: int
    colour: Colour


class Placed(_Event, frozen=True):
    """A worker was put on the island."""

    seat: int
    number: int
    cell: Cell


class TokensCounted(_Event, frozen=True):
    """A seat has this many tokens now (Morpheus)."""

    seat: int
    tokens: int


class Pushed(_Event, frozen=True):
    """A worker was forced to another space, by the `Moved` that follows. It has not moved by itself."""

    seat: int
    number: int
    source: Cell
    target: Cell


class Moved(_Event, frozen=True):
    """A worker walked."""

    seat: int
    number: int
    source: Cell
    target: Cell


class Built(_Event, frozen=True):
    """The worker on `source` put a block or a dome on `target`."""

    seat: int
    number: int
    source: Cell
    target: Cell
    dome: bool


class Lost(_Event, frozen=True):
    """A seat is out, and its workers have left the island."""

    seat: int
    reason: str


class Won(_Event, frozen=True):
    """A seat has won the match."""

    seat: int
    reason: str


class BrokenOff(_Event, frozen=True):
    """A player left for good: nobody wins."""

    seat: int


Event = (
    TurnBegan
    | GodOffered
    | GodTaken
    | StartChosen
    | ColourChosen
    | Placed
    | TokensCounted
    | Pushed
    | Moved
    | Built
    | Lost
    | Won
    | BrokenOff
)
