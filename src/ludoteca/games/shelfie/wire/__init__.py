"""The protocol of the seed: its messages, and the conversation of one connection."""

from ludoteca.games.shelfie.wire.conversation import Conversation, Settings

__all__ = ["Conversation", "Settings"]
