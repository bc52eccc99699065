"""Aphrodite: a rival worker that begins its turn beside hers must end its movement beside hers."""

from ludoteca.games.santorini.data import NEAR, NOWHERE
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State


def _beside(state: State, owner: int, worker: int) -> bool:
    space = state.workers[worker]
    return space != NOWHERE and any(state.workers[mine] in NEAR[space] for mine in PAIR[owner])


def _holds(state: State, owner: int) -> int:
    return sum(bit for bit, worker in zip((1, 2), PAIR[state.seat], strict=True) if _beside(state, owner, worker))


def _demands(state: State, owner: int) -> bool:
    strays = state.turn.held & state.turn.moved
    return all(
        _beside(state, owner, worker)
        for bit, worker in zip((1, 2), PAIR[state.seat], strict=True)
        if strays & bit
    )


APHRODITE = God(name="Aphrodite", holds=_holds, demands=_demands)
