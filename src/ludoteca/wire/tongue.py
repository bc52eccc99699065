"""Conversations of typed messages, and the tongues in which those can be said.

What a message means is the conversation's business, how it is written that of its tongue: JSON lines
(`wire/jsonl.py`), or whatever else reads and writes the same messages.
"""

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ludoteca.core import Notice, Request
from ludoteca.core.requests import Reply


class Garbled(NamedTuple):
    """What came instead of a message, as far as it is known; after the `last` nothing more can be read."""

    line: bytes
    reason: str
    last: bool = False


class Tongue(Protocol):
    """One connection's way to write messages. It does no I/O, and keeps what is only half there."""

    def open(self) -> bytes:
        """What goes out before anything is said, perhaps nothing."""

    def cut(self, data: bytes, at: int) -> int:
        """Where the message that begins at `at` ends, or 0: for whoever passes them on one by one."""

    def read(self, data: bytes) -> Iterable[Any]:
        """The client's messages that are complete with these bytes, cut anywhere.

        In the place of what cannot be read comes a `Garbled`. Whoever does not ask for the next one wants to
        hear nothing more.
        """

    def write(self, messages: list[Any]) -> bytes:
        """Messages of the server."""


# What the client says, and what the server says.
C = TypeVar("C")
S = TypeVar("S")


class MessageConversation(Generic[C, S]):
    """Implements `core.talk.Conversation` but for what the messages mean.

    A subclass answers `hear` (a message came), `garbled` (something that is none) and `tell` (the messages
    for a notice), and says at once what is no business of the house with `reply`. All that is read and
    written goes through `tongue`.
    """

    closing: bool
    alarm: float | None

    def __init__(self, tongue: Tongue) -> None:
        self.closing = False
        # Why nothing more can be read, for the operator.
        self.complaint = ""
        self.alarm = None
        self.tongue = tongue
        self.cut = tongue.cut

    def greet(self, now: float) -> list[Request]:
        """What the tongue must say first. A subclass that has something to say adds it."""
        opening = self.tongue.open()
        return [Reply(opening)] if opening else []

    def receive(self, data: bytes, now: float) -> list[Request]:
        """Every complete message of these bytes, as requests; none after the conversation has closed."""
        requests: list[Request] = []
        if self.closing:
            return requests
        for message in self.tongue.read(data):
            if type(message) is Garbled:
                line, reason, self.closing = message
                self.complaint = reason if message.last else ""
                requests += self.garbled(line, reason, now)
            else:
                requests += self.hear(message, now)
            if self.closing:
                break
        return requests

    def send(self, notice: Notice, now: float) -> bytes:
        """The bytes for a notice."""
        return self.tongue.write(self.tell(notice, now))

    def reply(self, *messages: S) -> Reply:
        """Say this at once; the house has no part in it."""
        return Reply(self.tongue.write([*messages]))

    def tick(self, now: float) -> list[Request]:
        """No alarms, unless the subclass sets one."""
        return []

    def hear(self, message: C, now: float) -> list[Request]:
        """What a message from the other side asks for."""
        raise NotImplementedError

    def tell(self, notice: Notice, now: float) -> list[S]:
        """The messages that tell the other side about this."""
        raise NotImplementedError

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """What to do about something that is no message of this protocol."""
        raise NotImplementedError
