"""What a player or spectator of Eriantys may know: everything but the dice, so there is one view for all."""

from ludoteca.core import Dice, Seat
from ludoteca.games.eriantys.events import Event
from ludoteca.games.eriantys.state import State, Tabletop, happen

View = Tabletop


def view(state: State, _seat: Seat | None) -> View:
    """What anybody may know."""
    return state.tabletop


def update(picture: View, event: Event) -> View:
    """The view after an event."""
    return happen(picture, event)


def redeal(state: State, _seat: Seat | None, dice: Dice) -> State:
    """The same table with other luck to come."""
    other = state.clone()
    other.dice = dice.fork()
    return other
