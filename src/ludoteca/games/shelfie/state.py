"""What stands on a table of My Shelfie."""

from typing import Annotated

import msgspec

from ludoteca.core import Outcome, Question, Seat
from ludoteca.games.shelfie.actions import Action
from ludoteca.games.shelfie.data import Tile

# Five columns, each from the bottom up: a tile at index 0 lies on the floor of the bookshelf.
Shelf = list[tuple[Tile, ...]]


class Options(msgspec.Struct, frozen=True):
    """What can be agreed on before a match."""

    open_points: Annotated[
        bool,
        msgspec.Meta(
            description="Points shown during the match include the personal goal, so that the others can "
            "follow it. Otherwise it stays out of them until the end."
        ),
    ] = True


class State(msgspec.Struct):
    """One match.

    `room` has a place for each of the 81 cells in reading order, None where no tile lies. The bag is drawn
    from its end. `tokens` holds by seat what was taken for each of the two common goals, 0 for nothing yet,
    and `stacks` what is left of them, top first. `points` are the totals as last announced. `choices` are the
    legal answers to the pending question; the rules renew them after every action.
    """

    seats: int
    open_points: bool
    room: list[Tile | None]
    bag: list[Tile]
    shelves: list[Shelf]
    commons: tuple[int, ...]
    stacks: list[tuple[int, ...]]
    tokens: list[tuple[int, ...]]
    cards: tuple[int, ...]
    points: list[int]
    first: int
    turn: int
    hand: tuple[Tile, ...] = ()
    # Who filled a bookshelf first and has the end-game token.
    filled: int | None = None
    choices: tuple[Action, ...] = ()
    outcome: Outcome | None = None

    @property
    def questions(self) -> dict[Seat, Question]:
        """The tiles to take, or the column to fill with them; nothing once the match is over."""
        if self.outcome is not None:
            return {}
        return {Seat(self.turn): Question("fill" if self.hand else "take", self.choices)}

    def clone(self) -> "State":
        """An independent copy."""
        return State(
            self.seats,
            self.open_points,
            self.room.copy(),
            self.bag.copy(),
            [shelf.copy() for shelf in self.shelves],
            self.commons,
            self.stacks.copy(),
            self.tokens.copy(),
            self.cards,
            self.points.copy(),
            self.first,
            self.turn,
            self.hand,
            self.filled,
            self.choices,
            self.outcome,
        )
