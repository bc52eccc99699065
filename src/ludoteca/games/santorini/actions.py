"""What a player can choose: in the setup, and in a turn."""

from typing import TypeVar

import msgspec

from ludoteca.core.bounds import Small
from ludoteca.games.santorini.data import CELLS, Cell, Colour

_A = TypeVar("_A")


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


class _Among(dict[int, tuple[_A, ...]]):
    """By set of spaces: those of an action's forms that have their target there, in order.

    There are few sets around a space, and few of what the first workers leave free: these serve all matches.
    """

    def __init__(self, forms: tuple[_A, ...]) -> None:
        self._forms = forms

    def __missing__(self, spaces: int) -> tuple[_A, ...]:
        found = self[spaces] = tuple(form for space, form in enumerate(self._forms) if spaces >> space & 1)
        return found


# The same by set of spaces, or by source and set of targets.
PLACES_AMONG = _Among(PLACES)
MOVES_AMONG: tuple[_Among[Move], ...] = tuple(map(_Among, MOVES))
BLOCKS_AMONG: tuple[_Among[Build], ...] = tuple(map(_Among, BLOCKS))
