"""Players of Masters of Renaissance."""

from ludoteca.games.renaissance.bot.players import BOTS

__all__ = ["BOTS"]
