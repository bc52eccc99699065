"""A game's messages as Java objects: a tongue beside JSON lines, for programs that speak nothing else."""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from ludoteca.wire.java.reader import Reader
from ludoteca.wire.java.stream import MAGIC, Unreadable
from ludoteca.wire.java.table import Record, Table
from ludoteca.wire.java.writer import Writer, alone
from ludoteca.wire.tongue import Garbled


class JavaTongue:
    """Implements `wire.tongue.Tongue` but for the translation, which is the game's.

    A subclass has the `table` of the game's classes and says whether each message begins with a reset; it
    answers `understand` and `express`.
    """

    table: ClassVar[Table]
    resets: ClassVar[bool] = True

    def __init__(self) -> None:
        self._reader = Reader(self.table)
        self._writer = None if self.resets else Writer(self.table)
        # What `cut` has read ahead: so many bytes, and the message or the error that they ended with.
        self._ahead = 0
        self._found: list[Any] = []
        self._broken = False

    def open(self) -> bytes:
        """The other side reads nothing before it has this."""
        return MAGIC

    def cut(self, data: bytes, at: int) -> int:
        """Where the message that begins here ends, or 0. The end can only be found by reading."""
        end = self._feed(data, at)
        self._ahead += (end or len(data)) - at
        return end

    def read(self, data: bytes) -> Iterator[Any]:
        """The messages of these bytes, of which `cut` may have seen some already."""
        at = min(self._ahead, len(data))
        self._ahead -= at
        while True:
            found, self._found = self._found, []
            yield from found
            if at >= len(data):
                return
            at = self._feed(data, at) or len(data)

    def write(self, messages: list[Any]) -> bytes:
        """Messages of the server, as one object each, or several, or none."""
        records = [record for message in messages for record in self.express(message)]
        if self._writer is None:
            return b"".join(alone(self.table, record) for record in records)
        return b"".join(map(self._writer.message, records))

    def _feed(self, data: bytes, at: int) -> int:
        if self._broken:
            return len(data)
        try:
            end = self._reader.feed(data, at)
        except Unreadable as error:
            self._broken = True
            self._found.append(Garbled(b"", str(error), last=True))
            return len(data)
        if end:
            self._found.append(self._understood(self._reader.item))
        return end

    def _understood(self, item: Any) -> Any:
        try:
            if isinstance(item, Record):
                return self.understand(item)
        except msgspec.ValidationError as error:
            return Garbled(b"", str(error))
        return Garbled(b"", "no message is made like this")

    def understand(self, record: Record) -> Any:
        """A record of the client as the message that it is. Raises msgspec.ValidationError."""
        raise NotImplementedError

    def express(self, message: Any) -> list[Record]:
        """A message of the server as the records that say it, perhaps none."""
        raise NotImplementedError
