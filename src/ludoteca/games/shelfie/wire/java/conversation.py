"""The conversation with a client of the original program: the same as any, but it takes its time to end."""

from ludoteca.core import Notice, Request
from ludoteca.core.notices import Over
from ludoteca.core.requests import Reply
from ludoteca.games.shelfie.wire.conversation import Conversation, Settings
from ludoteca.games.shelfie.wire.java.tongue import Objects
from ludoteca.wire.tongue import Tongue

# The original hands each message to a pool of threads, which it shuts down when the stream ends: what comes
# right behind the last turn, or right before the end, may never be shown.
LAST_WORDS_S = 0.3
# It leaves by itself then; who does not is not waited for.
LEAVE_S = 5.0


class JavaConversation(Conversation):
    """One client of the original."""

    def __init__(self, settings: Settings, tongue: Tongue | None = None) -> None:
        super().__init__(settings, tongue or Objects())
        # What is held back for a moment at the end, and then nothing: the client is about to leave.
        self._last_words: bytes | None = None

    def send(self, notice: Notice, now: float) -> bytes:
        """The objects for a notice; the last ones wait."""
        said = super().send(notice, now)
        if not isinstance(notice, Over):
            return said
        self.closing = False
        self._last_words = said
        self.alarm = now + (LAST_WORDS_S if said else LEAVE_S)
        return b""

    def tick(self, now: float) -> list[Request]:
        """Pings, until the match is over; then the last words, and some time to leave."""
        if self._last_words is None:
            return super().tick(now)
        if self._last_words:
            said, self._last_words = self._last_words, b""
            self.alarm = now + LEAVE_S
            return [Reply(said)]
        self.closing, self.alarm = True, None
        return []
