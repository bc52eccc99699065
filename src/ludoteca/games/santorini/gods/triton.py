"""Triton: whenever his worker arrives on an edge space it may move again."""

from ludoteca.games.santorini.data import EDGE
from ludoteca.games.santorini.gods.god import MOVE_OR_BUILD_WITH, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    if turn.moves and not turn.builds and state.workers[turn.mover] in EDGE:
        return MOVE_OR_BUILD_WITH[turn.mover]
    return plain(state)


TRITON = God(name="Triton", steps=_steps)
