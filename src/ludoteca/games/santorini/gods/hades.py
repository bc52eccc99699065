"""Hades: rivals cannot go down."""

from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _stops(state: State, _owner: int, source: int, target: int) -> bool:
    return state.towers[target] < state.towers[source]


HADES = God(name="Hades", stops=_stops)
