"""Hermes: walks on the level as far as he likes with both workers, then either of them builds."""

from ludoteca.games.santorini.gods.god import BUILD_WITH, DONE, MOVE_OR_BUILD, PAIR, God, Step
from ludoteca.games.santorini.state import State

_ON_THE_LEVEL = tuple(Step(movers=pair, builders=pair, rise=0, drop=0) for pair in PAIR)


def _steps(state: State) -> Step:
    turn = state.turn
    if turn.builds:
        return DONE
    if not turn.moves:
        return MOVE_OR_BUILD[state.seat]
    # Going up or down is an ordinary turn: it must be the only step.
    return _ON_THE_LEVEL[state.seat] if turn.level else BUILD_WITH[turn.mover]


HERMES = God(name="Hermes", steps=_steps)
