"""Terpsichore: both workers must move, then both must build."""

from ludoteca.games.santorini.data import NOWHERE
from ludoteca.games.santorini.gods.god import DONE, PAIR, God, Step
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    turn = state.turn
    present = [worker for worker in PAIR[state.seat] if state.workers[worker] != NOWHERE]
    if movers := tuple(worker for worker in present if not turn.moved & (1 << (worker & 1))):
        return Step(movers=movers)
    if builders := tuple(worker for worker in present if not turn.builders & (1 << (worker & 1))):
        return Step(builders=builders)
    return DONE


TERPSICHORE = God(name="Terpsichore", steps=_steps)
