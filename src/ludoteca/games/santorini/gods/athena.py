"""Athena: after she went up, rivals cannot, until her next turn."""

from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _stops(state: State, owner: int, source: int, target: int) -> bool:
    return state.risen[owner] and state.towers[target] > state.towers[source]


ATHENA = God(name="Athena", stops=_stops)
