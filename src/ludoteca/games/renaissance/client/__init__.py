"""A player's side of the seed's protocol, for any server that speaks it."""

from ludoteca.games.renaissance.client.player import Client

__all__ = ["Client"]
