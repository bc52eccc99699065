"""Who knows what: everybody everything."""

from connectfour.events import Event
from connectfour.state import State, Tabletop, happen
from ludoteca.core import Dice, Seat


def view(state: State, _seat: Seat | None) -> Tabletop:
    """The grid, for all alike."""
    return state.tabletop


def update(tabletop: Tabletop, event: Event) -> Tabletop:
    """The grid after an event."""
    return happen(tabletop, event)


def redeal(state: State, _seat: Seat | None, _dice: Dice) -> State:
    """There is nothing hidden that could be otherwise."""
    return state.clone()
