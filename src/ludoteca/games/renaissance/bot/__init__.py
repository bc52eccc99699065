"""Players of Masters of Renaissance."""

from ludoteca.games.renaissance.bot.players import BOTS, opinion

__all__ = ["BOTS", "opinion"]
