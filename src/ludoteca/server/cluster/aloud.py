"""What a node has stored it says to all others, in one message with all its pages: whoever follows need not
read them from the stream one by one.

Nothing depends on it. What was said is in the stream, at the very numbers that are said, and whoever follows
adds it to the copy in the stream's order, where and when it would have read it; what got lost on its way is
read.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from ludoteca.server.cluster.stream import Message, Read

# So many bytes of pages are kept whose turn has not come; and what is larger is not said.
AHEAD_BYTES_MAX, ALOUD_BYTES_MAX = 16 << 20, 500_000


class _Stored(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Pages with their subjects, which have the numbers from `first` on."""

    first: int
    pages: tuple[tuple[str, bytes], ...]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Stored).decode


def aloud(messages: Sequence[Message], end: int) -> bytes:
    """A batch that is stored up to this message, as it is said; nothing where it is too large for that."""
    if sum(len(message.data) for message in messages) > ALOUD_BYTES_MAX:
        return b""
    return _encode(_Stored(end - len(messages) + 1, tuple((one.subject, one.data) for one in messages)))


class Ahead:
    """What others have said that they have stored, until it is its turn."""

    def __init__(self) -> None:
        self._stored: dict[int, _Stored] = {}
        self._bytes = 0
        self._rang = asyncio.Event()

    def __bool__(self) -> bool:
        return bool(self._stored)

    def hear(self, data: bytes) -> None:
        """Somebody says this. Raises msgspec.DecodeError."""
        said = _decode(data)
        if said.first not in self._stored and self._bytes < AHEAD_BYTES_MAX:
            self._stored[said.first] = said
            self._bytes += _weight(said)
            self._rang.set()

    def take(self, after: int) -> list[Read]:
        """What follows this number, as far as it is known; what does not any more is forgotten."""
        found: list[Read] = []
        while (said := self._stored.pop(after + 1, None)) is not None:
            self._bytes -= _weight(said)
            found += [Read(number, *page) for number, page in enumerate(said.pages, said.first)]
            after += len(said.pages)
        for first in [first for first in self._stored if first <= after]:
            self._bytes -= _weight(self._stored.pop(first))
        return found

    async def more(self, patience_s: float) -> bool:
        """Whether something more was said since this was asked last, or is within this time."""
        if patience_s > 0:
            try:
                async with asyncio.timeout(patience_s):
                    await self._rang.wait()
            except TimeoutError:
                return False
        rang = self._rang.is_set()
        self._rang.clear()
        return rang


def _weight(said: _Stored) -> int:
    return sum(len(data) for _, data in said.pages)
