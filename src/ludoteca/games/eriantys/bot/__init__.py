"""Players of Eriantys."""

from ludoteca.games.eriantys.bot.judge import opinion
from ludoteca.games.eriantys.bot.players import BOTS

__all__ = ["BOTS", "opinion"]
