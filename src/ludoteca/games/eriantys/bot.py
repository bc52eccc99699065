"""Players of Eriantys that are programs."""

from collections.abc import Callable, Mapping

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.state import State


def easy(game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    return dice.choice(state.options)


BOTS: Mapping[str, Bot] = {"easy": easy}
