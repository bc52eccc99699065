"""The tongue that four of the five seeds and our own protocol share: JSON objects, one a line."""

from collections.abc import Callable
from typing import Any

import msgspec

from ludoteca.wire.lines import LINE_BYTES_MAX, Lines, LineTooLong, end_of_line
from ludoteca.wire.once import Once
from ludoteca.wire.tongue import Garbled

_encoder = msgspec.json.Encoder()


class JsonLines:
    """Turns lines into messages and messages into lines.

    `decode` reads one line as a message; it raises msgspec.DecodeError (of which ValidationError is a kind).
    """

    __slots__ = ("_decode", "_lines")

    def __init__(self, decode: Callable[[bytes], Any]) -> None:
        self._decode = decode
        self._lines = Lines()

    def open(self) -> bytes:
        """Lines need no introduction."""
        return b""

    # A message is a line.
    cut = staticmethod(end_of_line)

    def read(self, data: bytes) -> list[Any]:
        """The messages of all complete lines; empty lines are passed over."""
        # One whole line: so they come from whoever cuts them already. The blank at its end means nothing.
        if data.find(b"\n") == len(data) - 1 < LINE_BYTES_MAX and not self._lines.rest and data.isascii():
            try:
                return [self._decode(data)]
            except (msgspec.DecodeError, RecursionError):
                pass  # What is wrong with it is said below, in its own words.
        messages: list[Any] = []
        try:
            lines = self._lines.feed(data)
        except LineTooLong as error:
            return [Garbled(b"", str(error), last=True)]
        for line in lines:
            if line:
                try:
                    # The decoder skips over unknown keys without a look at their bytes.
                    line.decode()
                    messages.append(self._decode(line))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    messages.append(Garbled(line, str(error)))
        return messages

    # Messages as lines.
    write: Callable[[list[Any]], bytes] = staticmethod(_encoder.encode_lines)


class SharedLines(JsonLines):
    """The same where everybody at a table is told the very same messages: each is written once for all."""

    __slots__ = ()

    @staticmethod
    def write(messages: list[Any]) -> bytes:
        """Messages as lines."""
        return _line(messages[0]) if len(messages) == 1 else _encoder.encode_lines(messages)


# In a list: of anything else the encoder (msgspec 0.22) leaves an iterator behind for ever.
_line = Once(lambda message: _encoder.encode_lines([message]))
