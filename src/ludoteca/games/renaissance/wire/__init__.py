"""The protocol of the seed (002_5dcf75bf8abc1650.txt): messages, their translation, and the conversation."""

from ludoteca.games.renaissance.wire.conversation import Conversation, Settings

__all__ = ["Conversation", "Settings"]
