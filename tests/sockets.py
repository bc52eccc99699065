"""WebSockets as a tester needs them: any frame, right or wrong, over a raw connection."""

import asyncio
import base64
from typing import Any, NamedTuple

from tests import rig

MASK = b"\x37\xfa\x21\x3d"


def masked(payload: bytes, mask: bytes = MASK) -> bytes:
    """As a client masks it, byte for byte as RFC 6455 (5.3) says."""
    return bytes(byte ^ mask[number % 4] for number, byte in enumerate(payload))


def frame(payload: bytes = b"", first: int = 0x81, mask: bytes | None = MASK, wide: int = 0) -> bytes:
    """A frame whose head begins with this byte; its length is written in two (8) more bytes where `wide` says
    so."""
    size, flag = len(payload), 0x80 if mask is not None else 0
    wide = wide or (0 if size < 126 else 2 if size < 65536 else 8)
    short = {0: size, 2: 126, 8: 127}[wide]
    head = bytes((first, flag | short)) + (size.to_bytes(wide, "big") if wide else b"")
    return head + (mask + masked(payload, mask) if mask is not None else payload)


def closing(code: int, reason: bytes = b"") -> bytes:
    """A close frame."""
    return frame(code.to_bytes(2, "big") + reason, 0x88)


class Heard(NamedTuple):
    """A frame of the house."""

    first: int
    payload: bytes

    @property
    def code(self) -> int:
        """Why a close frame closes."""
        assert self.first == 0x88, self
        return int.from_bytes(self.payload[:2], "big")


class Raw:
    """A WebSocket that sends whatever it is told to."""

    def __init__(self, client: rig.Client) -> None:
        self.client = client
        self.head = b""

    async def send(self, *data: bytes) -> None:
        """These bytes in one packet, where TCP allows."""
        await self.client.send(b"".join(data))

    async def hear(self) -> Heard | None:
        """The next frame, None at the end of the connection."""
        reader = self.client.reader
        async with asyncio.timeout(rig.PATIENCE_S):
            try:
                first, size = await reader.readexactly(2)
                assert size < 0x80, "a house does not mask"
                if size > 125:
                    size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
                return Heard(first, await reader.readexactly(size))
            except (asyncio.IncompleteReadError, ConnectionError):
                return None

    async def end(self) -> int:
        """The code with which the house ends the connection, and that it does; 0 for none."""
        code = 0
        while (heard := await self.hear()) is not None:
            if heard.first == 0x88:
                assert not code, "said twice"
                code = heard.code
        return code


async def connect(
    server: Any, path: str = "/ws", *headers: str, early: bytes = b"", address: str = ""
) -> Raw:
    """A WebSocket of this house; `early` is sent together with the request."""
    raw = Raw(await rig.connect(server, "http", address))
    host, port = server.addresses["http"]
    key = base64.b64encode(b"0123456789abcdef").decode()
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: keep-alive, Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {key}",
        *headers,
    )
    await raw.send("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n" + early)
    raw.head = await raw.client.reader.readuntil(b"\r\n\r\n")
    assert raw.head.startswith(b"HTTP/1.1 101 "), raw.head
    return raw
