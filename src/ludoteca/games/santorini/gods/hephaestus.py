"""Hephaestus: may put a second block on the one just built."""

from ludoteca.games.santorini.gods.god import God, build_twice
from ludoteca.games.santorini.state import State


def _builds_on(state: State, _worker: int, space: int, dome: bool) -> bool:
    # After a dome, or a block that made level 3, there is no such second block, and the turn ends by itself.
    return not state.turn.builds or (space == state.turn.built and not dome)


HEPHAESTUS = God(name="Hephaestus", steps=build_twice, builds_on=_builds_on)
