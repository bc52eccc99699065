"""The same conversation with the original program, which sends Java objects."""

from ludoteca.games.renaissance.wire.conversation import Conversation, Settings
from ludoteca.games.renaissance.wire.java.tongue import Objects

__all__ = ["converse"]


def converse(settings: Settings) -> Conversation:
    """The conversation of one connection."""
    return Conversation(settings, Objects())
