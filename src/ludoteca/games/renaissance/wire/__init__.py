"""The protocol of the seed (002_5dcf75bf8abc1650.txt): messages, their translation, and the conversation."""

from ludoteca.games.renaissance.wire import java
from ludoteca.games.renaissance.wire.conversation import Conversation, Settings
from ludoteca.games.renaissance.wire.expected import ALWAYS, EXPECTED
from ludoteca.games.renaissance.wire.messages import FromClient, FromServer

__all__ = ["ALWAYS", "EXPECTED", "MESSAGES", "PORT", "Conversation", "Settings", "java"]

PORT = 4000
# What clients say, and what the server says.
MESSAGES = (FromClient, FromServer)
