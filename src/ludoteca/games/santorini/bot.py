"""Players for Santorini."""

from ludoteca.core import Bot

BOTS: dict[str, Bot] = {}
