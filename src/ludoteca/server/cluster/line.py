"""A line between two nodes: what is sent arrives once and in order, or the line has ended.

Below it messages may get lost, when a server of NATS dies for example. So they are numbered, kept until the
other side says that it has heard them, and sent again from where it has not. Nothing here does I/O.
"""

from collections import deque

import msgspec

from ludoteca.core import LudotecaError

# A message has so many bytes of items at most, unless one of them is larger: servers of NATS take a megabyte.
MESSAGE_BYTES_MAX = 256 << 10
# So much may be on its way that the other side has not said it has heard.
UNHEARD_BYTES_MAX = 64 << 20


class Overrun(LudotecaError):
    """The other side has not heard what was said for too long."""


class Head(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What stands before the items of a message. `number` counts messages that have items, 0 is one without;
    `sent` is the last number so far, `heard` the last that came from the other side.

    `back` is where answers go, for a gate; `told` is the last message of the gate whose consequences it has
    heard; `behind` are guests who do not read what they are told. With `again` all after `heard` is wanted
    once more, with `over` there is no such line (any more).
    """

    line: str
    number: int = 0
    sent: int = 0
    heard: int = 0
    told: int = 0
    back: str = ""
    behind: tuple[int, ...] = ()
    again: bool = False
    over: bool = False


_decode_head = msgspec.json.Decoder(Head).decode
_encode = msgspec.json.Encoder().encode


def split(data: bytes) -> tuple[Head, list[bytes]]:
    """A message. Raises msgspec.DecodeError."""
    head, *items = data.split(b"\n")
    return _decode_head(head), items


class Line:
    """One side of a line; `messages` are those that are to be sent now, in order."""

    def __init__(self, name: str, back: str = "", bytes_max: int = UNHEARD_BYTES_MAX) -> None:
        self.name = name
        self.back = back
        self.sent = 0
        self.heard = 0
        self.told = 0
        self.behind: tuple[int, ...] = ()
        self.messages: list[bytes] = []
        self._bytes_max = bytes_max
        self._unheard: deque[tuple[int, bytes]] = deque()
        self._unheard_bytes = 0
        # The `told` of what was sent last.
        self._told_of = 0
        # Up to where it has been asked for what is missing.
        self._asked_at = -1

    def _head(self, number: int, *, again: bool = False) -> bytes:
        head = Head(self.name, number, self.sent, self.heard, self.told, self.back, self.behind, again=again)
        return _encode(head)

    def send(self, items: list[bytes]) -> None:
        """Say these, in as many messages as it takes. Raises Overrun."""
        # What came of the other side's messages has been told when it has all of these.
        told, self.told = self.told, self._told_of
        start = size = 0
        for place, item in enumerate(items):
            if size and size + len(item) > MESSAGE_BYTES_MAX:
                self._send(items[start:place])
                start, size = place, 0
            size += len(item) + 1
        self.told = self._told_of = told
        self._send(items[start:])

    def _send(self, items: list[bytes]) -> None:
        self.sent += 1
        data = b"\n".join([self._head(self.sent), *items])
        self._unheard.append((self.sent, data))
        self._unheard_bytes += len(data)
        if self._unheard_bytes > self._bytes_max:
            raise Overrun(f"{self._unheard_bytes} bytes were not heard")
        self.messages.append(data)

    def beat(self) -> None:
        """Say what was heard, and what should have been."""
        self._asked_at = -1
        self.messages.append(self._head(0))

    def receive(self, head: Head, items: list[bytes]) -> list[bytes]:
        """A message has come: its items, if it is their turn."""
        while self._unheard and self._unheard[0][0] <= head.heard:
            self._unheard_bytes -= len(self._unheard.popleft()[1])
        if head.again:
            self.messages += [data for _, data in self._unheard]
        if head.number == self.heard + 1:
            self.heard = head.number
            return items
        if max(head.number, head.sent) > self.heard and self._asked_at != self.heard:
            self._asked_at = self.heard
            self.messages.append(self._head(0, again=True))
        return []
