"""The protocol in the tongue of the original program: Java's objects, which its unmodified clients speak."""

from ludoteca.games.shelfie.wire.java.conversation import JavaConversation
from ludoteca.games.shelfie.wire.java.table import TABLE

__all__ = ["TABLE", "JavaConversation"]
