"""The seed's protocol: 22 messages as JSON lines on port 8090, and the conversation that speaks it."""

from ludoteca.games.eriantys.wire.conversation import Conversation, Settings

__all__ = ["PORT", "Conversation", "Settings"]

PORT = 8090
