"""Hermes: walks on the level as far as he likes with both workers, then either of them builds."""

from ludoteca.games.santorini.gods.god import BUILD_WITH, DONE, MOVE_OR_BUILD, God, Step
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    if turn.builds:
        return DONE
    return MOVE_OR_BUILD[state.seat] if turn.level else BUILD_WITH[turn.mover]


def _treads(state: State, source: int, target: int) -> bool:
    # Going up or down is an ordinary turn: it must be the only step.
    return not state.turn.moves or state.towers[source] == state.towers[target]


HERMES = God(name="Hermes", steps=_steps, treads=_treads)
