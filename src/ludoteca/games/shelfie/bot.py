"""Players of My Shelfie."""

from ludoteca.core import Bot

BOTS: dict[str, Bot] = {}
