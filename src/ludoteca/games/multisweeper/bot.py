"""Players of Multisweeper's own."""

from collections.abc import Callable, Mapping

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State


def safe(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    chances = Knowledge(state).chances(dice)
    least = min(chances.values())
    cell = dice.choice([cell for cell, chance in chances.items() if chance == least])
    row, column = divmod(cell, state.options.width)
    return Click(column, row)


BOTS: Mapping[str, Bot] = {"safe": safe}
