"""Demeter: may build again, on another space."""

from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, space: int, _dome: bool) -> bool:
    return not state.turn.builds or space != state.turn.built


DEMETER = God(name="Demeter", steps=build_twice, builds_on=_builds_on)
