"""Whether to play on: a bot between two that has had no hope for some of its turns may give up."""

from typing import Any

from ludoteca.core import Game, Seat

# Less than this is none, in so many of its turns in a row: one blunder of the other brings hope back.
NO_HOPE = 0.015
TURNS = 3
# Whoever plays against the weaker ones wants to see the end of it.
RESIGNING = ("strong", "master")
FAREWELL = "I cannot win this any more: it is yours. Well played!"


def hope(game: Game, state: Any, seat: Seat) -> float | None:
    """How likely the seat comes out ahead, in the game's own judgement; None where it has none now."""
    adviser = game.advice
    if adviser is None:
        return None
    return (adviser.hope or adviser.chance)(state, seat)


class Despair:
    """How many turns in a row a seat has had no hope."""

    __slots__ = ("_asked", "_turns")

    def __init__(self) -> None:
        self._turns = 0
        # The number of the last question: what is asked right after it belongs to the same turn.
        self._asked = -1

    def grows(self, number: int, hope: float | None) -> bool:
        """Take note of the hope at the question of this number, None where nobody looked; whether it is time
        to give up."""
        same_turn, self._asked = number <= self._asked + 1, number
        if hope is not None and hope >= NO_HOPE:
            self._turns = 0
        elif hope is not None and not (same_turn and self._turns):
            self._turns += 1
        return self._turns >= TURNS
