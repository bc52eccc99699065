"""Conversations of JSON objects, one a line: the framing that four of the five seeds and our own share."""

from typing import Any, ClassVar

import msgspec

from ludoteca.core import Notice, Request
from ludoteca.wire.lines import Lines, LineTooLong

_encoder = msgspec.json.Encoder()


class JsonConversation:
    """Turns lines into messages and messages into lines; what they mean is the subclass's business.

    A subclass names its decoder (strict, or lax for stringly typed peers) and answers `hear` (a message
    came), `garbled` (a line that is none) and `tell` (the messages for a notice). `hear` and `tell` know
    nothing of lines, so another transport (remote calls) can carry the same messages.
    """

    decoder: ClassVar[msgspec.json.Decoder[Any]]
    closing: bool
    alarm: float | None

    def __init__(self) -> None:
        self.closing = False
        self.alarm = None
        self._lines = Lines()

    def greet(self, now: float) -> list[Request]:
        """Nothing to say before the other side speaks, unless the subclass has something."""
        return []

    def receive(self, data: bytes, now: float) -> list[Request]:
        """Every complete line of these bytes, as requests; nothing is read after the
        conversation has closed."""
        try:
            lines = self._lines.feed(data)
        except LineTooLong as error:
            self.closing = True
            return self.garbled(b"", str(error), now)
        requests: list[Request] = []
        for line in lines:
            if self.closing:
                break
            if line:
                requests += self._read(line, now)
        return requests

    def _read(self, line: bytes, now: float) -> list[Request]:
        try:
            # The decoder skips over unknown keys without a look at their bytes.
            line.decode()
            message = self.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self.garbled(line, str(error), now)
        return self.hear(message, now)

    def decode(self, line: bytes) -> Any:
        """One line as a message; raises msgspec.DecodeError (of which ValidationError is a kind)."""
        return self.decoder.decode(line)

    def send(self, notice: Notice, now: float) -> bytes:
        """The lines for a notice."""
        return self.encode(self.tell(notice, now))

    @staticmethod
    def encode(messages: list[Any]) -> bytes:
        """Messages as lines."""
        return _encoder.encode_lines(messages)

    def tick(self, now: float) -> list[Request]:
        """No alarms, unless the subclass sets one."""
        return []

    def hear(self, message: Any, now: float) -> list[Request]:
        """What a message from the other side asks for."""
        raise NotImplementedError

    def tell(self, notice: Notice, now: float) -> list[Any]:
        """The messages that tell the other side about this."""
        raise NotImplementedError

    def garbled(self, line: bytes, reason: str, now: float) -> list[Request]:
        """What to do about a line that is no message of this protocol."""
        raise NotImplementedError
