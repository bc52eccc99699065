"""A tongue for tests that says everything twice: the client sees JSON, and each message went through Java's
objects, both ways, and came out the same."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from ludoteca.wire.java import HEADER, Reader, Record, Table, Writer
from ludoteca.wire.jsonl import JsonLines
from ludoteca.wire.tongue import Garbled, Tongue

Message = dict[str, Any]


class Compared:
    """The tongue under test between two translations that are written down apart from it.

    `object_of` makes a client's JSON message the object that an original would send, or None if it cannot
    say that; `message_of` makes a server's object the JSON message it stands for, and `known` leaves in a
    server's JSON message what the original is told (None: nothing).
    """

    def __init__(
        self,
        messages: Any,
        table: Table,
        java: Tongue,
        object_of: Callable[[Message], Record | None],
        message_of: Callable[[Any], Message],
        known: Callable[[Message], Message | None],
        reset: bool = True,
    ) -> None:
        self._json = JsonLines(msgspec.json.Decoder(messages).decode)
        self._java = java
        self._object_of = object_of
        self._message_of = message_of
        self._known = known
        self._reset = reset
        self._writer = Writer(table)
        self._reader = Reader(table, message_bytes_max=65_536)
        self._begun = False
        self._cut = 1

    def open(self) -> bytes:
        """The header is the tongue's own affair."""
        assert self._java.open() == HEADER
        assert self._reader.feed(HEADER) == 0
        return b""

    def read(self, data: bytes) -> Iterator[Any]:
        """The client's messages, after a way through objects."""
        for message in self._json.read(data):
            yield message if type(message) is Garbled else self._through(message)

    def _through(self, message: Any) -> Any:
        said = self._object_of(_json(message))
        if said is None:
            return message
        data = self._writer.message(said, reset=self._reset)
        if not self._begun:
            data, self._begun = HEADER + data, True
        # Cut at another place each time.
        self._cut = (self._cut * 5 + 1) % len(data)
        pieces = data[: self._cut], data[self._cut :]
        heard = [each for piece in pieces for each in self._java.read(piece)]
        assert heard == [message]
        return heard[0]

    def cut(self, data: bytes, at: int) -> int:
        """Lines, as the client sees it."""
        return self._json.cut(data, at)

    def write(self, messages: list[Any]) -> bytes:
        """The server's messages, compared."""
        data = self._java.write(messages)
        heard, at = [], 0
        while at < len(data):
            at = self._reader.feed(data, at)
            assert at, "half a message"
            heard.append(self._message_of(self._reader.item))
        told = [self._known(_json(message)) for message in messages]
        assert heard == [message for message in told if message is not None]
        return self._json.write(messages)


def _json(message: Any) -> Message:
    found: Message = msgspec.json.decode(msgspec.json.encode(message))
    return found
