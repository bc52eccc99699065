"""The seed's protocol: JSON lines on port 2033, understood by clients of the seed and
by the original client."""

from ludoteca.games.santorini.wire.conversation import Conversation, Settings
from ludoteca.games.santorini.wire.expected import ALWAYS, EXPECTED
from ludoteca.games.santorini.wire.messages import ClientMessage, ServerMessage

__all__ = ["ALWAYS", "EXPECTED", "MESSAGES", "PORT", "Conversation", "Settings"]

PORT = 2033
# What clients say, and what the server says.
MESSAGES = (ClientMessage, ServerMessage)
