"""Artemis: may move twice with the same worker, but not back to where the turn began."""

from ludoteca.games.santorini.data import BITS
from ludoteca.games.santorini.gods.god import MOVE_OR_BUILD_WITH, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    return MOVE_OR_BUILD_WITH[turn.mover] if turn.moves == 1 and not turn.builds else plain(state)


ARTEMIS = God(name="Artemis", steps=_steps, treads=lambda state: ~BITS[state.turn.origin])
