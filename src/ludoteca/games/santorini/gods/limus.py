"""Limus: rivals cannot build beside him, except the dome that completes a tower."""

from ludoteca.games.santorini.data import NEAR, TOP
from ludoteca.games.santorini.gods.god import PAIR, God
from ludoteca.games.santorini.state import State


def _guards(state: State, owner: int, space: int, dome: bool) -> bool:
    # The wording of the base box; a later one lets every dome through.
    if dome and state.towers[space] == TOP:
        return False
    near = NEAR[space]
    return any(state.workers[worker] in near for worker in PAIR[owner])


LIMUS = God(name="Limus", guards=_guards)
