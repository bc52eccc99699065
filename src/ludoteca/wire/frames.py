"""Frames of WebSocket (RFC 6455) as a server reads and writes them: bytes in, messages out, without waiting.

With `permessage-deflate` (RFC 7692) every message is packed for itself, so nothing is kept between them.
"""

import zlib
from functools import lru_cache

from ludoteca.core import RemoteError

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
# Why a connection ends (RFC 6455, 7.4.1).
NORMAL, GOING_AWAY, PROTOCOL_ERROR, NOT_TEXT, TOO_BIG, TRY_LATER = 1000, 1001, 1002, 1007, 1009, 1013
NOT_WELCOME = 1008

_FIN, _PACKED, _RESERVED, _OPCODE, _CONTROL = 0x80, 0x40, 0x70, 0x0F, 0x08
_MASKED = 0x80
_KNOWN = frozenset((CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG))
CONTROL_BYTES_MAX = 125
# What every packed message ends with, and therefore nobody sends.
_TAIL = b"\0\0\xff\xff"
# Packing 2 KB takes 5 us so, and 35 us with the usual 15, 8 and 6, which save two bytes in a hundred more.
WINDOW_BITS, _MEMORY, _LEVEL = 12, 5, 1
_WIDEST = 15
_SHORT_HEADS = tuple(bytes((_FIN | TEXT, size)) for size in range(126))


class Broken(RemoteError):
    """The other side broke the protocol; `code` is what it hears as the reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Frames:
    """What one client sends: bytes, cut anywhere, become messages of a limited size."""

    __slots__ = ("_at", "_begun", "_bytes_max", "_held", "_is_packed", "_kind", "_may_pack")

    def __init__(self, message_bytes_max: int, *, may_pack: bool = False) -> None:
        self._bytes_max = message_bytes_max
        self._may_pack = may_pack
        self._held = b""
        self._at = 0
        # The message whose fragments are coming: what it is, and what there is of it.
        self._kind = 0
        self._is_packed = False
        self._begun: bytearray | None = None

    def feed(self, data: bytes) -> None:
        """Bytes that came; `take` hands out what is in them."""
        self._held = self._held[self._at :] + data if self._held else data
        self._at = 0

    @property
    def waiting(self) -> int:
        """How many bytes nobody has taken."""
        return len(self._held) - self._at

    def take(self) -> tuple[int, bytes] | None:
        """The next message or control frame, None when more bytes are needed. Raises Broken.

        A fragment, of which nothing is known before the last one, is an empty CONTINUATION.
        """
        data, at = self._held, self._at
        if len(data) < at + 2:
            return None
        first, second = data[at], data[at + 1]
        size, start = second & 0x7F, at + 6
        if size > 125:
            start += 2 if size == 126 else 8
            if len(data) < start - 4:
                return None
            size = int.from_bytes(data[at + 2 : start - 4], "big")
        # Nearly all of them are whole texts.
        is_plain = first == _FIN | TEXT and self._begun is None
        if not is_plain or second < _MASKED or size > self._bytes_max:
            self._check(first, second, size)
        end = start + size
        if len(data) < end:
            return None
        payload = unmasked(data[start:end], data[start - 4 : start])
        if end == len(data):
            self._held, self._at = b"", 0
        else:
            self._at = end
        if is_plain:
            return TEXT, _text(payload)
        kind = first & _OPCODE
        if kind & _CONTROL:
            return kind, payload
        return self._gather(first, kind, payload)

    def _check(self, first: int, second: int, size: int) -> None:
        """Everything that a frame's head may not be; nothing more of such a frame is waited for."""
        kind = first & _OPCODE
        if kind not in _KNOWN:
            raise Broken(PROTOCOL_ERROR, "a frame of an unknown kind")
        if second < _MASKED:
            raise Broken(PROTOCOL_ERROR, "a frame without a mask")
        if kind & _CONTROL:
            if size > CONTROL_BYTES_MAX or not first & _FIN or first & _RESERVED:
                raise Broken(PROTOCOL_ERROR, "a control frame that is long, cut or packed")
            return
        if first & _RESERVED and (first & _RESERVED != _PACKED or not self._may_pack or not kind):
            raise Broken(PROTOCOL_ERROR, "a frame of an extension that was not agreed on")
        if (self._begun is None) is (kind == CONTINUATION):
            raise Broken(PROTOCOL_ERROR, "a fragment out of order")
        if size + (len(self._begun) if self._begun is not None else 0) > self._bytes_max:
            raise Broken(TOO_BIG, "a message that is too long")

    def _gather(self, first: int, kind: int, payload: bytes) -> tuple[int, bytes]:
        if kind != CONTINUATION:
            self._kind, self._is_packed = kind, bool(first & _PACKED)
        if not first & _FIN:
            if self._begun is None:
                self._begun = bytearray()
            self._begun += payload
            return CONTINUATION, b""
        if self._begun is not None:
            payload, self._begun = bytes(self._begun + payload), None
        if self._is_packed:
            payload = unpacked(payload, self._bytes_max)
        return self._kind, _text(payload) if self._kind == TEXT else payload


def unmasked(payload: bytes, mask: bytes) -> bytes:
    """The payload as it was before its sender masked it; masking is its own opposite."""
    size = len(payload)
    key = int.from_bytes((mask * ((size + 3) // 4))[:size], "little")
    return (int.from_bytes(payload, "little") ^ key).to_bytes(size, "little")


def _text(payload: bytes) -> bytes:
    if not payload.isascii():
        try:
            payload.decode()
        except UnicodeDecodeError:
            raise Broken(NOT_TEXT, "a text that is not UTF-8") from None
    return payload


def unpacked(payload: bytes, bytes_max: int) -> bytes:
    """A packed message as it was. Raises Broken, before more than the limit is made of it."""
    unpack = zlib.decompressobj(-_WIDEST)
    try:
        data = unpack.decompress(payload + _TAIL, bytes_max + 1)
    except zlib.error:
        raise Broken(PROTOCOL_ERROR, "a packed message that cannot be read") from None
    if len(data) > bytes_max:
        raise Broken(TOO_BIG, "a message that is too long")
    return data


@lru_cache(maxsize=16)
def _packed(payload: bytes) -> bytes:
    """Packed for itself; kept for a moment, because others at the table are often told the same."""
    pack = zlib.compressobj(_LEVEL, wbits=-WINDOW_BITS, memLevel=_MEMORY)
    return (pack.compress(payload) + pack.flush(zlib.Z_SYNC_FLUSH)).removesuffix(_TAIL)


def text(payload: bytes, pack_from: int = 0) -> bytes:
    """A frame with a whole text; from so many bytes on it is packed where that saves something
    (0: never)."""
    size = len(payload)
    if size < 126:
        return _SHORT_HEADS[size] + payload
    if pack_from and size >= pack_from:
        less = _packed(payload)
        if len(less) < size:
            return frame(_FIN | _PACKED | TEXT, less)
    return frame(_FIN | TEXT, payload)


def lines(data: bytes, pack_from: int = 0) -> bytes:
    """Lines, each as a frame of its own."""
    if data.find(b"\n") == len(data) - 1:
        return text(data[:-1], pack_from)
    return b"".join([text(line, pack_from) for line in data.removesuffix(b"\n").split(b"\n")])


def control(kind: int, payload: bytes = b"") -> bytes:
    """A control frame."""
    return frame(_FIN | kind, payload)


def close(code: int) -> bytes:
    """A frame that ends the connection."""
    return frame(_FIN | CLOSE, code.to_bytes(2, "big") if code else b"")


def frame(first: int, payload: bytes) -> bytes:
    """A frame whose head begins with this byte."""
    size = len(payload)
    if size < 126:
        return bytes((first, size)) + payload
    if size < 1 << 16:
        return bytes((first, 126)) + size.to_bytes(2, "big") + payload
    return bytes((first, 127)) + size.to_bytes(8, "big") + payload


def answer(closing: bytes) -> int:
    """The code that answers a close frame with this payload; 0 for none. Raises Broken."""
    if not closing:
        return 0
    code = int.from_bytes(closing[:2], "big")
    if len(closing) < 2 or not (code in _SAID or 3000 <= code < 5000):
        raise Broken(PROTOCOL_ERROR, "an end for a reason that is none")
    _text(closing[2:])
    return code


# The codes that may be said; others are only for those who look at a connection that has ended.
_SAID = frozenset((1000, 1001, 1002, 1003, *range(1007, 1015)))
