"""Limus: rivals cannot build beside him, except the dome that completes a tower."""

from ludoteca.games.santorini.data import AROUND, TOP
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State


def _guards(state: State, owner: int, dome: bool) -> int:
    first, second = PAIR[owner]
    near = AROUND[state.workers[first]] | AROUND[state.workers[second]]
    # The wording of the base box; a later one lets every dome through.
    return near & (~state.low[TOP] | state.low[TOP - 1]) if dome else near


LIMUS = God(name="Limus", guards=_guards)
