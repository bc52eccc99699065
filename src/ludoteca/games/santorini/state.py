"""What is on the table. Every field is immutable, so a copy shares them all; rules.py replaces them."""

from collections.abc import Mapping
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from ludoteca.core import Outcome, Question, Seat
from ludoteca.games.santorini.actions import Action, Move
from ludoteca.games.santorini.data import NOWHERE, SPACES, Catalogue, Colour, Phase

_T = TypeVar("_T")


def replaced(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    """The same tuple, but for one place."""
    return (*items[:place], item, *items[place + 1 :])


class Options(msgspec.Struct, frozen=True):
    """What a table of Santorini can be opened with."""

    gods: Annotated[
        Catalogue,
        Meta(
            title="Gods",
            description=(
                "Which gods the Challenger may offer: the 23 of the core, the 14 of the first client, all 26 "
                "(some of which cannot meet), or none at all."
            ),
        ),
    ] = "core"


class Preferences(msgspec.Struct, frozen=True):
    """What a seat brings along: the youngest player is the Challenger."""

    birth_date: Annotated[
        str,
        Meta(
            pattern=r"^\d{4}\.\d{2}\.\d{2}$",
            title="Date of birth",
            description="As yyyy.mm.dd. The youngest player chooses the gods and who begins.",
        ),
    ] = "2000.01.01"


class Turn(msgspec.Struct, frozen=True):
    """What has happened in the turn being played, as far as a god may ask. Workers as bits: 1 and 2."""

    mover: int = NOWHERE
    # Where the mover stood when the turn began.
    origin: int = NOWHERE
    # How many moves: 0, 1, or 2 for all numbers above, so that a turn has a limited number of situations.
    moves: int = 0
    moved: int = 0
    rose: bool = False
    # No move has changed the level so far.
    level: bool = True
    # How many builds since the last move; where and by whom the last was made; which workers have built.
    builds: int = 0
    built: int = NOWHERE
    builder: int = NOWHERE
    builders: int = 0
    # Decided when the turn began: workers that cannot move, and workers that must end near a rival.
    asleep: int = 0
    held: int = 0


class State(msgspec.Struct):
    """One match. `towers` and `workers` are numbered as in data.py."""

    options: Options
    # The seats as they sit around the table, the Challenger first.
    order: tuple[int, ...]
    phase: Phase
    # Who decides now.
    seat: int
    start: int
    offered: tuple[str, ...]
    gods: tuple[str, ...]
    colours: tuple[Colour | None, ...]
    towers: tuple[int, ...]
    workers: tuple[int, ...]
    out: tuple[bool, ...]
    tokens: tuple[int, ...]
    # Which seats went up in their latest turn.
    risen: tuple[bool, ...]
    turn: Turn
    # What may be answered now; rules.py keeps it up to date.
    choices: tuple[Action, ...]
    result: Outcome | None

    @classmethod
    def empty(cls, options: Options, order: tuple[int, ...]) -> "State":
        """The island before anything is decided."""
        seats = len(order)
        return cls(
            options=options,
            order=order,
            phase="gods",
            seat=order[0],
            start=order[0],
            offered=(),
            gods=("",) * seats,
            colours=(None,) * seats,
            towers=(0,) * SPACES,
            workers=(NOWHERE,) * (2 * seats),
            out=(False,) * seats,
            tokens=(0,) * seats,
            risen=(False,) * seats,
            turn=Turn(),
            choices=(),
            result=None,
        )

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """The one question that is open, or none when the match is over."""
        if self.result is not None:
            return {}
        return {Seat(self.seat): Question(self._kind(), self.choices)}

    def _kind(self) -> str:
        """In play: "move" or "build", or "step" where there is a choice between the two or to stop."""
        if self.phase != "play":
            return self.phase
        first, last = self.choices[0], self.choices[-1]
        if type(first) is not type(last):
            return "step"
        return "move" if type(first) is Move else "build"

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended."""
        return self.result

    def clone(self) -> "State":
        """An independent copy."""
        return State(
            self.options,
            self.order,
            self.phase,
            self.seat,
            self.start,
            self.offered,
            self.gods,
            self.colours,
            self.towers,
            self.workers,
            self.out,
            self.tokens,
            self.risen,
            self.turn,
            self.choices,
            self.result,
        )
