"""Poseidon: the worker that stayed put, when on the ground, may build up to three times at the end."""

from ludoteca.games.santorini.data import EXTRA_BUILDS_OF_POSEIDON, NOWHERE
from ludoteca.games.santorini.gods.god import DONE, MAYBE_BUILD_WITH, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    if not turn.builds:
        return plain(state)
    other = turn.mover ^ 1
    space = state.workers[other]
    if space == NOWHERE or state.towers[space] or turn.builds > EXTRA_BUILDS_OF_POSEIDON:
        return DONE
    return MAYBE_BUILD_WITH[other]


POSEIDON = God(name="Poseidon", steps=_steps)
