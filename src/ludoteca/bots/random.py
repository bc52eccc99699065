"""A player without any idea of the game."""

from collections.abc import Callable
from typing import Any

from ludoteca.core import Dice, Game, Seat


def play_at_random(_game: Game, state: Any, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Any:
    """Any choice, each equally likely."""
    return dice.choice(state.questions[seat].choices)
