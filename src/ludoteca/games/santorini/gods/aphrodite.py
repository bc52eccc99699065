"""Aphrodite: a rival worker that begins its turn beside hers must end its movement beside hers."""

from ludoteca.games.santorini.data import NEAR, NOWHERE
from ludoteca.games.santorini.gods.god import BOTH, PAIR, God
from ludoteca.games.santorini.state import State


def _beside(state: State, owner: int, workers: int) -> int:
    """Which of these workers, as bits, stand beside one of hers."""
    mine, other = PAIR[owner]
    beside = 0
    for bit, worker in zip((1, 2), PAIR[state.seat], strict=True):
        if workers & bit and (space := state.workers[worker]) != NOWHERE:
            near = NEAR[space]
            if state.workers[mine] in near or state.workers[other] in near:
                beside |= bit
    return beside


def _demands(state: State, owner: int) -> int:
    # A worker that does not move is free.
    bound = state.turn.held & state.turn.moved
    return bound & ~_beside(state, owner, bound)


APHRODITE = God(name="Aphrodite", holds=lambda state, owner: _beside(state, owner, BOTH), demands=_demands)
