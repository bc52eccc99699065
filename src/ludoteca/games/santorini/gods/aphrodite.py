"""Aphrodite: a rival worker that begins its turn beside hers must end its movement beside hers."""

from ludoteca.games.santorini.data import AROUND, BITS, EVERYWHERE
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State


def _near(state: State, owner: int) -> int:
    """What lies around her workers, as a set of spaces."""
    first, second = PAIR[owner]
    return AROUND[state.workers[first]] | AROUND[state.workers[second]]


def _beside(state: State, owner: int) -> int:
    """Which of the workers of `state.seat`, as bits, stand beside one of hers."""
    near = _near(state, owner)
    first, second = PAIR[state.seat]
    one, two = BITS[state.workers[first]], BITS[state.workers[second]]
    return (1 if near & one else 0) | (2 if near & two else 0)


def _demands(state: State, owner: int) -> int:
    # A worker that does not move is free.
    bound = state.turn.held & state.turn.moved
    return bound & ~_beside(state, owner) if bound else 0


def _wants(state: State, owner: int, worker: int) -> int:
    return _near(state, owner) if state.turn.held & 1 << (worker & 1) else EVERYWHERE


APHRODITE = God(name="Aphrodite", holds=_beside, demands=_demands, wants=_wants)
