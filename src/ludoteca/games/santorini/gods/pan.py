"""Pan: also wins by stepping down two levels or more."""

from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _wins(state: State, _worker: int, source: int, target: int) -> bool:
    return state.towers[source] - state.towers[target] >= 2


PAN = God(name="Pan", wins=_wins)
