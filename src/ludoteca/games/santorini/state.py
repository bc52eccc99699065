"""What is on the table, and what each event changes there.

The rules and the views follow the same events with the same function, `happen`. It changes the tabletop in
place: bots search on the state, which is a tabletop with what the rules remember besides. Every field is
immutable, so a copy shares them all.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

from ludoteca.core import Outcome, Question, Seat
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import Action, Move
from ludoteca.games.santorini.data import DOMED, NOWHERE, NUMBERS, SPACES, Catalogue, Colour, Phase

_T = TypeVar("_T")


def replaced(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    """The same tuple, but for one place."""
    changed = list(items)
    changed[place] = item
    return tuple(changed)


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


class Tabletop(msgspec.Struct):
    """All that anybody sees. `towers` and `workers` are numbered as in data.py."""

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
    winner: int | None


class State(Tabletop):
    """One match: the tabletop, and what the rules remember."""

    options: Options
    # Which seats went up in their latest turn.
    risen: tuple[bool, ...]
    turn: Turn
    # What may be answered now; rules.py keeps it up to date.
    choices: tuple[Action, ...]
    outcome: Outcome | None

    @classmethod
    def empty(cls, options: Options, order: tuple[int, ...]) -> "State":
        """The island before anything is decided."""
        seats = len(order)
        return cls(
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
            winner=None,
            options=options,
            risen=(False,) * seats,
            turn=Turn(),
            choices=(),
            outcome=None,
        )

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """The one question that is open, or none when the match is over."""
        if self.outcome is not None:
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

    def clone(self) -> "State":
        """An independent copy."""
        return State(
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
            self.winner,
            self.options,
            self.risen,
            self.turn,
            self.choices,
            self.outcome,
        )


def happen(tabletop: Tabletop, event: events.Event) -> None:
    """Let an event change the tabletop."""
    _CHANGES[type(event)](tabletop, event)


def _turn_began(tabletop: Tabletop, event: events.TurnBegan) -> None:
    tabletop.seat = event.seat
    tabletop.phase = event.phase


def _god_offered(tabletop: Tabletop, event: events.GodOffered) -> None:
    tabletop.offered += (event.god,)


def _god_taken(tabletop: Tabletop, event: events.GodTaken) -> None:
    tabletop.gods = replaced(tabletop.gods, event.seat, event.god)


def _start_chosen(tabletop: Tabletop, event: events.StartChosen) -> None:
    tabletop.start = event.seat


def _colour_chosen(tabletop: Tabletop, event: events.ColourChosen) -> None:
    tabletop.colours = replaced(tabletop.colours, event.seat, event.colour)


def _placed(tabletop: Tabletop, event: events.Placed) -> None:
    _put(tabletop, event.seat, event.number, NUMBERS[event.cell])


def _moved(tabletop: Tabletop, event: events.Moved | events.Pushed) -> None:
    _put(tabletop, event.seat, event.number, NUMBERS[event.target])


def _put(tabletop: Tabletop, seat: int, number: int, space: int) -> None:
    tabletop.workers = replaced(tabletop.workers, 2 * seat + number - 1, space)


def _built(tabletop: Tabletop, event: events.Built) -> None:
    space = NUMBERS[event.target]
    tower = tabletop.towers[space] + (DOMED if event.dome else 1)
    tabletop.towers = replaced(tabletop.towers, space, tower)


def _tokens_counted(tabletop: Tabletop, event: events.TokensCounted) -> None:
    tabletop.tokens = replaced(tabletop.tokens, event.seat, event.tokens)


def _lost(tabletop: Tabletop, event: events.Lost) -> None:
    tabletop.out = replaced(tabletop.out, event.seat, True)
    for number in (1, 2):
        _put(tabletop, event.seat, number, NOWHERE)


def _won(tabletop: Tabletop, event: events.Won) -> None:
    tabletop.phase = "over"
    tabletop.winner = event.seat


def _broken_off(tabletop: Tabletop, _event: events.BrokenOff) -> None:
    tabletop.phase = "over"


_CHANGES = cast(
    "dict[type[events.Event], Callable[[Tabletop, Any], None]]",
    {
        events.TurnBegan: _turn_began,
        events.GodOffered: _god_offered,
        events.GodTaken: _god_taken,
        events.StartChosen: _start_chosen,
        events.ColourChosen: _colour_chosen,
        events.Placed: _placed,
        events.TokensCounted: _tokens_counted,
        events.Pushed: _moved,
        events.Moved: _moved,
        events.Built: _built,
        events.Lost: _lost,
        events.Won: _won,
        events.BrokenOff: _broken_off,
    },
)
