"""The conversation with the original program, which handles each message in a thread of its own.

What follows another message at once may be handled before it. The program waits for what belongs together;
but its own server had only people at its tables, and so never two moves in the same moment.
"""

from collections import deque
from typing import Any

from ludoteca.core import Notice, Request
from ludoteca.core.requests import Reply
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.conversation import Conversation, Settings
from ludoteca.games.renaissance.wire.java.tongue import Objects
from ludoteca.games.renaissance.wire.messages import ActionName, FromClient

# Long enough to handle what one move brings about, and to draw it.
PAUSE_S = 0.05


class Original(Conversation):
    """One original: it is told of one move after the other, however quick others are."""

    def __init__(self, settings: Settings) -> None:
        self._alarm: float | None = None
        # What was told last, and what waits to be told: times and bytes. What is told together stays so.
        self._told_at = float("-inf")
        self._waiting: deque[tuple[float, bytes]] = deque()
        super().__init__(settings, Objects())

    # Two alarms in one: that of the conversation, and that of what waits.

    @property
    def alarm(self) -> float | None:
        """When `tick` wants to be called next."""
        if not self._waiting:
            return self._alarm
        due = max(self._told_at + PAUSE_S, self._waiting[0][0])
        return due if self._alarm is None else min(due, self._alarm)

    @alarm.setter
    def alarm(self, alarm: float | None) -> None:
        self._alarm = alarm

    def tick(self, now: float) -> list[Request]:
        """Tell of the next move; the rest is as ever."""
        requests: list[Request] = []
        if self._waiting and now >= self._told_at + PAUSE_S:
            moved_at, self._told_at = self._waiting[0][0], now
            while self._waiting and self._waiting[0][0] == moved_at:
                requests.append(Reply(self._waiting.popleft()[1]))
        if self._alarm is not None and now >= self._alarm:
            requests += super().tick(now)
        return requests

    def hear(self, message: FromClient, now: float) -> list[Request]:
        """A message of the client; whoever answers has handled what there was."""
        if not isinstance(message, messages.Pong):
            self._told_at = float("-inf")
        return super().hear(message, now)

    def send(self, notice: Notice, now: float) -> bytes:
        """The bytes for a notice, now or after a pause."""
        data = super().send(notice, now)
        if not data:
            return b""
        # Since the last move, or together with it.
        if not self._waiting and (now == self._told_at or now >= self._told_at + PAUSE_S):
            self._told_at = now
            return data
        self._waiting.append((now, data))
        return b""

    def reply(self, *said: Any) -> Reply:
        """Say this at once, but for the order: objects refer to those before them."""
        reply = super().reply(*said)
        if not self._waiting:
            return reply
        self._waiting.append((self._waiting[-1][0], reply.data))
        return Reply(b"")

    def _choose(self, action: ActionName) -> list[Request]:
        """A turn ends when the program says so again: only then is it ready for what Lorenzo does."""
        if action == "ENDTURN" and action in self._possible_actions():
            return [self.reply(messages.ActionResponse(action))]
        return super()._choose(action)
