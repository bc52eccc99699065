"""Demeter: may build again, on another space."""

from ludoteca.games.santorini.data import BITS, EVERYWHERE
from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, _dome: bool) -> int:
    return ~BITS[state.turn.built] if state.turn.builds else EVERYWHERE


DEMETER = God(name="Demeter", steps=build_twice, builds_on=_builds_on)
