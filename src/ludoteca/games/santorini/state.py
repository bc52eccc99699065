"""What is on the table, and what each event changes there.

The rules and the views follow the same events with the same function, `happen`. It changes the table in
place: bots search on the state, which is a tabletop with what the rules remember besides. Every field but
`towers` and `low` is immutable, so a copy shares them.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec import Meta

from ludoteca.core import Outcome, Question, Seat
from ludoteca.games.santorini import events
from ludoteca.games.santorini.actions import Action, Move
from ludoteca.games.santorini.data import (
    BITS,
    DOMED,
    EVERYWHERE,
    NOWHERE,
    NUMBERS,
    SPACES,
    TOP,
    Catalogue,
    Colour,
    Phase,
)

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


class Turn(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
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


class Table(msgspec.Struct, gc=False):
    """All that anybody sees, but for the island: its towers and workers are written down in two ways, as
    numbers for those who search (`Tabletop`), and as rows and cells for those who look (`view.View`).

    Lists of gods, colours, `out` and tokens have one entry for each seat.
    """

    phase: Phase
    # Who decides now.
    seat: int
    # The seats as they sit around the table, the Challenger first.
    order: tuple[int, ...]
    start: int
    offered: tuple[str, ...]
    gods: tuple[str, ...]
    colours: tuple[Colour | None, ...]
    out: tuple[bool, ...]
    tokens: tuple[int, ...]
    winner: int | None

    def stand(self, worker: int, space: int) -> None:
        """A worker stands on this space now; numbers as in data.py."""
        raise NotImplementedError

    def grow(self, space: int, dome: bool) -> None:
        """A tower got a block, or a dome."""
        raise NotImplementedError


class Tabletop(Table, gc=False):
    """The table, with `towers` and `workers` numbered as in data.py.

    The same as sets of spaces: `taken` by workers, and `low`, by level: where towers are at most so high and
    have no dome.
    """

    towers: bytearray
    workers: tuple[int, ...]
    taken: int
    low: list[int]

    def stand(self, worker: int, space: int) -> None:
        workers = list(self.workers)
        # While two change places both stand on one space; this way it comes out right in the end.
        self.taken ^= BITS[workers[worker]] ^ BITS[space]
        workers[worker] = space
        self.workers = tuple(workers)

    def grow(self, space: int, dome: bool) -> None:
        towers, low = self.towers, self.low
        level = towers[space]
        if dome:
            towers[space] = level + DOMED
            for height in range(level, TOP + 1):
                low[height] ^= BITS[space]
        else:
            towers[space] = level + 1
            low[level] ^= BITS[space]

    def survey(self) -> None:
        """Work out the sets of spaces, after a position was set up by hand."""
        self.taken = sum(BITS[space] for space in self.workers)
        self.low = [
            sum(BITS[space] for space, tower in enumerate(self.towers) if tower <= level)
            for level in range(TOP + 1)
        ]


class State(Tabletop, gc=False):
    """One match: the tabletop, and what the rules remember."""

    options: Options = Options()
    # Which seats went up in their latest turn.
    risen: tuple[bool, ...] = ()
    turn: Turn = Turn()
    # What may be answered now; rules.py keeps it up to date.
    choices: tuple[Action, ...] = ()
    outcome: Outcome | None = None

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
            towers=bytearray(SPACES),
            workers=(NOWHERE,) * (2 * seats),
            taken=0,
            low=[EVERYWHERE] * (TOP + 1),
            out=(False,) * seats,
            tokens=(0,) * seats,
            winner=None,
            options=options,
            risen=(False,) * seats,
        )

    @property
    def questions(self) -> Mapping[Seat, Question]:
        """The one question that is open, or none when the match is over."""
        if self.outcome is not None:
            return {}
        kind: str = self.phase
        choices = self.choices
        if kind == "play":
            # A move or a build, or a step where there is a choice between the two or to stop.
            first, last = type(choices[0]), type(choices[-1])
            kind = "step" if first is not last else "move" if first is Move else "build"
        asked: dict[Any, Question] = {self.seat: Question(kind, choices)}
        return asked

    def clone(self) -> "State":
        """An independent copy."""
        # As `copy.copy` does it, without a hop: bots play millions of moves.
        twin: State = self.__copy__()  # type: ignore[attr-defined]
        twin.towers = self.towers.copy()
        twin.low = self.low.copy()
        return twin


def happen(table: Table, event: events.Event) -> None:
    """Let an event change the table."""
    CHANGES[type(event)](table, event)


def turn_began(table: Table, event: events.TurnBegan) -> None:
    table.seat = event.seat
    table.phase = event.phase


def _god_offered(table: Table, event: events.GodOffered) -> None:
    table.offered += (event.god,)


def _god_taken(table: Table, event: events.GodTaken) -> None:
    table.gods = replaced(table.gods, event.seat, event.god)


def _start_chosen(table: Table, event: events.StartChosen) -> None:
    table.start = event.seat


def _colour_chosen(table: Table, event: events.ColourChosen) -> None:
    table.colours = replaced(table.colours, event.seat, event.colour)


def _placed(table: Table, event: events.Placed) -> None:
    table.stand(2 * event.seat + event.number - 1, NUMBERS[event.cell])


def moved(table: Table, event: events.Moved | events.Pushed) -> None:
    table.stand(2 * event.seat + event.number - 1, NUMBERS[event.target])


def built(table: Table, event: events.Built) -> None:
    table.grow(NUMBERS[event.target], event.dome)


def _tokens_counted(table: Table, event: events.TokensCounted) -> None:
    table.tokens = replaced(table.tokens, event.seat, event.tokens)


def _lost(table: Table, event: events.Lost) -> None:
    table.out = replaced(table.out, event.seat, True)
    for worker in (2 * event.seat, 2 * event.seat + 1):
        table.stand(worker, NOWHERE)


def _won(table: Table, event: events.Won) -> None:
    table.phase = "over"
    table.winner = event.seat


def _broken_off(table: Table, _event: events.BrokenOff) -> None:
    table.phase = "over"


CHANGES = cast(
    "dict[type[events.Event], Callable[[Table, Any], None]]",
    {
        events.TurnBegan: turn_began,
        events.GodOffered: _god_offered,
        events.GodTaken: _god_taken,
        events.StartChosen: _start_chosen,
        events.ColourChosen: _colour_chosen,
        events.Placed: _placed,
        events.TokensCounted: _tokens_counted,
        events.Pushed: moved,
        events.Moved: moved,
        events.Built: built,
        events.Lost: _lost,
        events.Won: _won,
        events.BrokenOff: _broken_off,
    },
)
