"""Chronus: also wins when five complete towers stand, whoever finished them."""

from ludoteca.games.santorini.data import DOMED, TOP, TOWERS_FOR_CHRONUS
from ludoteca.games.santorini.gods.god import God

CHRONUS = God(name="Chronus", claims=lambda state: state.towers.count(TOP + DOMED) >= TOWERS_FOR_CHRONUS)
