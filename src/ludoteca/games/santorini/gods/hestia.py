"""Hestia: may build again, but not on an edge space."""

from ludoteca.games.santorini.data import EDGES, EVERYWHERE
from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, _dome: bool) -> int:
    return ~EDGES if state.turn.builds else EVERYWHERE


HESTIA = God(name="Hestia", steps=build_twice, builds_on=_builds_on)
