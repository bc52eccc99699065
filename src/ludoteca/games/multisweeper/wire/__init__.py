"""The line protocol of the seed (001_de00b737af858fbf.txt): what goes over the line, and when.

Decisions are numbered as in the README of this folder.
"""

from ludoteca.games.multisweeper.wire.conversation import Conversation, Settings
from ludoteca.games.multisweeper.wire.expected import ALWAYS, EXPECTED, Line

__all__ = ["ALWAYS", "EXPECTED", "LINES", "PORT", "Conversation", "Settings"]

PORT = 1337
# What clients say.
LINES = Line
