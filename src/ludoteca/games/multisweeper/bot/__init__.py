"""Players of Multisweeper."""

from ludoteca.games.multisweeper.bot.players import BOTS, FORMER

__all__ = ["BOTS", "FORMER"]
