"""Players of Eriantys."""

from ludoteca.games.eriantys.bot.players import BOTS, opinion

__all__ = ["BOTS", "opinion"]
