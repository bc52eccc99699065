"""Hephaestus: may put a second block on the one just built."""

from ludoteca.games.santorini.data import BITS, EVERYWHERE
from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, dome: bool) -> int:
    if not state.turn.builds:
        return EVERYWHERE
    # After a dome, or a block that made level 3, there is no such second block, and the turn ends by itself.
    return 0 if dome else BITS[state.turn.built]


HEPHAESTUS = God(name="Hephaestus", steps=build_twice, builds_on=_builds_on)
