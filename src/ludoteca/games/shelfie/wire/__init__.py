"""The protocol of the seed: its messages, and the conversation of one connection."""

from ludoteca.games.shelfie.wire.conversation import Conversation, Settings
from ludoteca.games.shelfie.wire.expected import ALWAYS, EXPECTED
from ludoteca.games.shelfie.wire.java import JavaConversation
from ludoteca.games.shelfie.wire.messages import ClientMessage, ServerMessage

__all__ = ["ALWAYS", "EXPECTED", "MESSAGES", "PORT", "Conversation", "JavaConversation", "Settings"]

PORT = 11500
# What clients say, and what the server says.
MESSAGES = (ClientMessage, ServerMessage)
