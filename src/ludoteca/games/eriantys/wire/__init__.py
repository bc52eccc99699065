"""The seed's protocol: 22 messages as JSON lines on port 8090, and the conversation that speaks it."""

from ludoteca.games.eriantys.wire.conversation import Conversation, Settings
from ludoteca.games.eriantys.wire.expected import ALWAYS, EXPECTED
from ludoteca.games.eriantys.wire.java import converse as converse_in_java
from ludoteca.games.eriantys.wire.messages import ClientMessage, ServerMessage

__all__ = ["ALWAYS", "EXPECTED", "MESSAGES", "PORT", "Conversation", "Settings", "converse_in_java"]

PORT = 8090
# What clients say, and what the server says.
MESSAGES = (ClientMessage, ServerMessage)
