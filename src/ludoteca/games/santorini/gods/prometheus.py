"""Prometheus: may build before moving, and then cannot go up."""

from ludoteca.games.santorini.gods.god import MOVE_OR_BUILD, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    if turn.moves:
        return plain(state)
    return Step(movers=(turn.builder,), rise=0) if turn.builds else MOVE_OR_BUILD[state.seat]


PROMETHEUS = God(name="Prometheus", steps=_steps)
