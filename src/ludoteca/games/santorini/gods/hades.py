"""Hades: rivals cannot go down."""

from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _stops(state: State, _owner: int, source: int) -> int:
    level = state.towers[source]
    return state.low[level - 1] if level else 0


HADES = God(name="Hades", stops=_stops)
