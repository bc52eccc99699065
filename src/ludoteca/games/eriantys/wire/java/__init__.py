"""The protocol in the tongue of the original program: Java's objects, which its unmodified clients speak."""

from ludoteca.games.eriantys.wire.conversation import Conversation, Settings
from ludoteca.games.eriantys.wire.java.table import TABLE
from ludoteca.games.eriantys.wire.java.tongue import Objects

__all__ = ["TABLE", "Objects", "converse"]


def converse(settings: Settings) -> Conversation:
    """Begin to talk with a client of the original."""
    return Conversation(settings, Objects())
