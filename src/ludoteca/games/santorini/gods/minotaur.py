"""Minotaur: shoves a rival one space straight on, to any height."""

from ludoteca.games.santorini.data import BEYOND, DOMED
from ludoteca.games.santorini.gods.god import God
from ludoteca.games.santorini.state import State


def _shoves(state: State, source: int, target: int) -> int | None:
    beyond = BEYOND.get((source, target))
    if beyond is None or state.towers[beyond] >= DOMED or beyond in state.workers:
        return None
    return beyond


MINOTAUR = God(name="Minotaur", shoves=_shoves)
