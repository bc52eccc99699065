"""What a player can choose: in the setup, and in a turn."""

import msgspec

from ludoteca.core.bounds import Small
from ludoteca.games.santorini.data import CELLS, Cell, Colour


class _Action(msgspec.Struct, frozen=True, tag=True, gc=False):
    pass


class OfferGod(_Action, frozen=True):
    """The Challenger puts a god on the table; as many as there are players, one after the other."""

    god: str


class TakeGod(_Action, frozen=True):
    """Play under this god, one of those on the table."""

    god: str


class ChooseStart(_Action, frozen=True):
    """The Challenger names the seat that begins."""

    seat: Small


class ChooseColour(_Action, frozen=True):
    """Take the workers of this colour."""

    colour: Colour


class Place(_Action, frozen=True):
    """Put the next of the two workers on a free space."""

    cell: Cell


class Move(_Action, frozen=True):
    """Walk with the worker that stands on `source`."""

    source: Cell
    target: Cell


class Build(_Action, frozen=True):
    """Build with the worker that stands on `source`: a block, or a dome."""

    source: Cell
    target: Cell
    dome: bool = False


class Finish(_Action, frozen=True):
    """End the turn without what could still be built."""


Action = OfferGod | TakeGod | ChooseStart | ChooseColour | Place | Move | Build | Finish

# Every action with spaces, made once: [source][target] or [space].
PLACES: tuple[Place, ...] = tuple(Place(cell) for cell in CELLS)
MOVES: tuple[tuple[Move, ...], ...] = tuple(tuple(Move(a, b) for b in CELLS) for a in CELLS)
BLOCKS: tuple[tuple[Build, ...], ...] = tuple(tuple(Build(a, b) for b in CELLS) for a in CELLS)
DOMES: tuple[tuple[Build, ...], ...] = tuple(tuple(Build(a, b, True) for b in CELLS) for a in CELLS)
FINISH = Finish()
