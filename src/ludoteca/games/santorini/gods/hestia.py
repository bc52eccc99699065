"""Hestia: may build again, but not on an edge space."""

from ludoteca.games.santorini.data import EDGE
from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, space: int, _dome: bool) -> bool:
    return not state.turn.builds or space not in EDGE


HESTIA = God(name="Hestia", steps=build_twice, builds_on=_builds_on)
