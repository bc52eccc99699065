"""The seed's protocol: JSON lines on port 2033, understood by clients of the seed and by the original client."""

from ludoteca.games.santorini.wire.conversation import Conversation, Settings

__all__ = ["PORT", "Conversation", "Settings"]

PORT = 2033
