"""Players of My Shelfie."""

from ludoteca.games.shelfie.bot.players import BOTS, opinion

__all__ = ["BOTS", "opinion"]
