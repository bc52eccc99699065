"""Prometheus: may build before moving, and then cannot go up."""

from ludoteca.games.santorini.gods.god import MOVE_OR_BUILD, MOVE_WITH, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    if turn.moves:
        return plain(state)
    return MOVE_WITH[turn.builder] if turn.early else MOVE_OR_BUILD[state.seat]


def _treads(state: State, source: int, target: int) -> bool:
    return not state.turn.early or state.towers[target] <= state.towers[source]


PROMETHEUS = God(name="Prometheus", steps=_steps, treads=_treads)
