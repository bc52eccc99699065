"""Hera: rivals cannot win by moving onto an edge space."""

from ludoteca.games.santorini.data import EDGE
from ludoteca.games.santorini.gods.god import God

HERA = God(name="Hera", denies=lambda _state, target: target in EDGE)
