"""Urania: opposite edges and corners of the island touch."""

from ludoteca.games.santorini.data import ROUND
from ludoteca.games.santorini.gods.god import God

URANIA = God(name="Urania", neighbours=ROUND)
