"""The conversation with the original program, which handles each message in a thread of its own.

What follows another message at once may be handled before it. The program waits for what it needs, but for
two things, which its own server never sent close together; nor do we.
"""

from typing import Any

from ludoteca.core import Notice, Request
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.conversation import Conversation, Settings
from ludoteca.games.renaissance.wire.java.tongue import Objects
from ludoteca.games.renaissance.wire.messages import ActionName

# Somebody who takes longer than this is no bot, and worth waiting for.
TURN_S = 0.3
# What does not end a turn that has begun.
_ASIDE = (messages.Ping, messages.Disconnection, messages.Reconnection)


class Original(Conversation):
    """One original."""

    def __init__(self, settings: Settings) -> None:
        self._alarm: float | None = None
        self._turn: tuple[float, messages.StartTurn] | None = None
        super().__init__(settings, Objects())

    # Two alarms in one: that of the conversation, and that of a turn which is not told yet.

    @property
    def alarm(self) -> float | None:
        """When `tick` wants to be called next."""
        times = [self._alarm, self._turn[0] if self._turn else None]
        return min((each for each in times if each is not None), default=None)

    @alarm.setter
    def alarm(self, alarm: float | None) -> None:
        self._alarm = alarm

    def tick(self, now: float) -> list[Request]:
        """Tell of a turn that lasts; the rest is as ever."""
        requests: list[Request] = []
        if self._turn is not None and now >= self._turn[0]:
            requests.append(self.reply(self._turn[1]))
            self._turn = None
        if self._alarm is not None and now >= self._alarm:
            requests += super().tick(now)
        return requests

    def tell(self, notice: Notice, now: float) -> list[Any]:
        """What happens; that another's turn begins is told when it lasts.

        To the program it means that nothing can be asked of it before it has heard of a move. If it handled
        this after the move, as it may when a bot makes one at once, it would wait for ever.
        """
        kept = []
        for message in super().tell(notice, now):
            if isinstance(message, messages.StartTurn) and message.username != self._name:
                self._turn = now + TURN_S, message
                continue
            if not isinstance(message, _ASIDE):
                self._turn = None
            kept.append(message)
        return kept

    def _choose(self, action: ActionName) -> list[Request]:
        """A turn ends when the program says so again: only then is it ready for what Lorenzo does."""
        if action == "ENDTURN" and action in self._possible_actions():
            return [self.reply(messages.ActionResponse(action))]
        return super()._choose(action)
