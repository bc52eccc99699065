"""The same conversation with the original program, which sends Java objects."""

from ludoteca.games.renaissance.wire.java.conversation import Original

__all__ = ["Original"]
