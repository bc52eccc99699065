"""The rules: what a disc brings about."""

from connectfour.actions import Action
from connectfour.data import LINES, ROWS, Cell
from connectfour.events import Dropped, Event, Filled, Won
from connectfour.state import State, Tabletop, happen
from ludoteca.core import Dice, Outcome, Refused, Seat, Setup


def start(setup: Setup) -> tuple[State, list[Event]]:
    """An empty grid; chance says who begins."""
    return State(Tabletop(turn=Seat(Dice(setup.seed).below(2)))), []


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """Drop a disc, and see whether that was the end."""
    if seat != state.tabletop.turn:
        raise Refused("it is not your turn", "turn")
    if action not in state.tabletop.choices():
        raise Refused(f"column {action.column + 1} is full")
    events: list[Event] = [Dropped(seat, action.column)]
    state.tabletop = happen(state.tabletop, events[0])
    line = four(state.tabletop, (action.column, len(state.tabletop.columns[action.column]) - 1))
    if line:
        events.append(_end(state, Won(seat, line), "four in a line"))
    elif all(len(discs) == ROWS for discs in state.tabletop.columns):
        events.append(_end(state, Filled(), "the grid is full"))
    return events


def leave(state: State, seat: Seat) -> list[Event]:
    """Who leaves has lost."""
    if state.outcome is not None:
        return []
    return [_end(state, Won(Seat(1 - seat), ()), "the other player left")]


def four(tabletop: Tabletop, cell: Cell) -> tuple[Cell, ...]:
    """A line of four through this cell, all of one player; nothing when there is none."""
    owner = tabletop.columns[cell[0]][cell[1]]
    for line in LINES:
        if cell in line and all(tabletop.columns[c][r : r + 1] == (owner,) for c, r in line):
            return line
    return ()


def _end(state: State, event: Won | Filled, reason: str) -> Event:
    state.tabletop = happen(state.tabletop, event)
    ranks = (1, 1) if isinstance(event, Filled) else ((1, 2) if event.seat == 0 else (2, 1))
    state.outcome = Outcome(ranks, reason)
    return event
