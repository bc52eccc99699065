"""Eros: starts on opposite edges, and also wins by bringing his workers together on level 1."""

from ludoteca.games.santorini.data import EDGE, NEAR, NOWHERE, SIDE
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State

_LAST = SIDE - 1


def _places(state: State, owner: int, space: int) -> bool:
    first = state.workers[PAIR[owner][0]]
    if first == NOWHERE:
        return space in EDGE
    # A corner belongs to two sides, and its opposite may lie on either of the two others.
    rows, columns = {first // SIDE, space // SIDE}, {first % SIDE, space % SIDE}
    return rows == {0, _LAST} or columns == {0, _LAST}


def _wins(state: State, worker: int, _source: int, target: int) -> bool:
    other = state.workers[worker ^ 1]
    if other not in NEAR[target]:
        return False
    level = state.towers[target]
    return level == state.towers[other] and (level == 1 or len(state.order) == 3)


EROS = God(name="Eros", places=_places, wins=_wins)
