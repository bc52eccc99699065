"""Hypnus: the higher of a rival's workers sleeps through the turn."""

from ludoteca.games.santorini.data import NOWHERE
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State


def _lulls(state: State, _owner: int) -> int:
    # A worker that is not there is lower than any other: who has only one worker left cannot move it.
    first, second = (
        state.towers[space] if (space := state.workers[worker]) != NOWHERE else -1
        for worker in PAIR[state.seat]
    )
    if first == second:
        return 0
    return 1 if first > second else 2


HYPNUS = God(name="Hypnus", lulls=_lulls)
