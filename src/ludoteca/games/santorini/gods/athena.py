"""Athena: after she went up, rivals cannot, until her next turn."""

from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _stops(state: State, owner: int, source: int) -> int:
    return ~state.low[state.towers[source]] if state.risen[owner] else 0


ATHENA = God(name="Athena", stops=_stops)
