"""Morpheus: saves a token each turn, and builds as often as he spends one."""

from ludoteca.games.santorini.events import Event, TokensCounted
from ludoteca.games.santorini.gods.god import DONE, MAYBE_BUILD_WITH, God, Step, plain
from ludoteca.games.santorini.state import State


def _steps(state: State) -> Step:
    if not state.turn.moves:
        return plain(state)
    return MAYBE_BUILD_WITH[state.turn.mover] if state.tokens[state.seat] else DONE


def _count(state: State, change: int) -> Event:
    return TokensCounted(state.seat, state.tokens[state.seat] + change)


MORPHEUS = God(
    name="Morpheus",
    steps=_steps,
    begins=lambda state: _count(state, 1),
    pays=lambda state: _count(state, -1),
)
