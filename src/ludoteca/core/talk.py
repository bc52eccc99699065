"""A conversation: one connection's side of a protocol, without any I/O."""

from typing import Protocol

from ludoteca.core.notices import Notice
from ludoteca.core.requests import Request


class Conversation(Protocol):
    """Bytes in, requests out; notices in, bytes out.

    The shell that owns the socket calls these and does what they return. Anything that must be answered
    without the house (a pong, an error about a broken line) is a `Reply` request. `now` is in seconds.
    """

    # True once nothing more will be said: the shell sends what it has and closes.
    closing: bool
    # When tick() wants to be called next, or None.
    alarm: float | None

    def greet(self, now: float) -> list[Request]:
        """The connection stands; what to do before the other side speaks."""

    def receive(self, data: bytes, now: float) -> list[Request]:
        """The other side sent these bytes, cut anywhere."""

    def send(self, notice: Notice, now: float) -> bytes:
        """The bytes that tell the other side about this, perhaps none."""

    def tick(self, now: float) -> list[Request]:
        """The alarm went off: pings, time-outs, what was held back."""
