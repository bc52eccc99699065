"""What stands on a table: the grid, which everybody sees whole, and how it ended."""

from collections.abc import Mapping

import msgspec

from connectfour.actions import Action, Drop
from connectfour.data import COLUMNS, ROWS, Cell
from connectfour.events import Dropped, Event, Filled, Won
from ludoteca.core import Outcome, Question, Seat


class Tabletop(msgspec.Struct, frozen=True):
    """The columns from the left, each the seats whose discs lie in it from the bottom up; who is
    on turn; the line."""

    columns: tuple[tuple[Seat, ...], ...] = ((),) * COLUMNS
    turn: Seat | None = None
    line: tuple[Cell, ...] = ()

    def choices(self) -> tuple[Action, ...]:
        """A disc in any column that is not full."""
        return tuple(Drop(column) for column, discs in enumerate(self.columns) if len(discs) < ROWS)


class State(msgspec.Struct):
    """The true state: there is nothing that a spectator does not see."""

    tabletop: Tabletop
    outcome: Outcome | None = None

    @property
    def questions(self) -> Mapping[Seat, Question[Action]]:
        """A column is asked of whoever is on turn."""
        turn = self.tabletop.turn
        return {} if turn is None else {turn: Question("column", self.tabletop.choices())}

    def clone(self) -> "State":
        """A copy; boards do not change."""
        return State(self.tabletop, self.outcome)


def happen(tabletop: Tabletop, event: Event) -> Tabletop:
    """The tabletop after an event: the only place where it changes, for the rules as for whoever looks on."""
    match event:
        case Dropped(seat, column):
            columns = list(tabletop.columns)
            columns[column] = (*columns[column], seat)
            return Tabletop(tuple(columns), Seat(1 - seat))
        case Won(_, line):
            return Tabletop(tabletop.columns, None, line)
        case Filled():
            return Tabletop(tabletop.columns)
