"""Selene: her marked worker, the first one placed, may put a dome on any level, whoever moved."""

from ludoteca.games.santorini.data import EVERYWHERE
from ludoteca.games.santorini.gods.god import PAIR, God, Step, plain
from ludoteca.games.santorini.state import State


def _marked(state: State, worker: int) -> bool:
    return worker == PAIR[state.seat][0]


def _steps(state: State) -> Step:
    turn = state.turn
    return Step(builders=PAIR[state.seat]) if turn.moves and not turn.builds else plain(state)


def _builds_on(state: State, worker: int, dome: bool) -> int:
    return EVERYWHERE if worker == state.turn.mover or (dome and _marked(state, worker)) else 0


SELENE = God(name="Selene", steps=_steps, builds_on=_builds_on, caps=_marked)
