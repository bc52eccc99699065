"""Who is really there: addresses as they are counted, and what trusted proxies say about those behind them.

Three ways to say it are understood: `Forwarded` (RFC 7239), `X-Forwarded-For`, and the PROXY protocol (1 and
2) in front of a line connection. Nothing of it is read from anybody whom the operator has not named.
"""

import asyncio
import re
import socket
import struct
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from ludoteca.core import LudotecaError

# Who has one IPv6 address has 2^64 of them.
IPV6_PREFIX = 64
# How much of a header is read; the hops that count are the last ones.
HOPS_LENGTH_MAX = 2048
# A PROXY header is as long as it says, up to this: addresses and a few notes about the TLS of the other side.
PROXY_BYTES_MAX = 2048
PROXY_LINE_BYTES_MAX = 107

_SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_PAIR = re.compile(r'(\w+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]+)')


class ProxyError(LudotecaError):
    """A trusted proxy did not say who is behind it."""


def parse(text: str) -> IPv4Address | IPv6Address | None:
    """An address, however it is dressed: with a port, in brackets, with a zone, IPv4 within IPv6.

    None for anything else.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        return address.ipv4_mapped or address
    return address


def counted(text: str) -> str:
    """An address as it is counted: all of one IPv6 network are one."""
    address = parse(text)
    if address is None:
        return text
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> IPV6_PREFIX << IPV6_PREFIX, IPV6_PREFIX)))
    return str(address)


class Networks:
    """The networks that the operator named, in the form 10.0.0.0/8 or 192.0.2.7. Raises ValueError."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._networks = [ip_network(text.strip(), strict=False) for text in texts]

    def __bool__(self) -> bool:
        return bool(self._networks)

    def __contains__(self, text: str) -> bool:
        if not self._networks:
            return False
        address = parse(text)
        return address is not None and any(address in network for network in self._networks)


def forwarded(lines: Iterable[str], proxies: Networks, *, is_standard: bool) -> str:
    """Who sent a request that came through a trusted proxy: the last hop that is not trusted itself; ""
    when none is named.

    `lines` are the values of the one header that the proxy writes: `Forwarded` (the standard), else
    `X-Forwarded-For`. What stands before that hop may have been invented by the sender.
    """
    text = ",".join(lines)[-HOPS_LENGTH_MAX:]
    if is_standard:
        hops = [value for key, value in _PAIR.findall(text) if key.lower() == "for"]
    else:
        hops = text.split(",")
    for hop in reversed(hops):
        address = parse(hop)
        if address is None:
            # "unknown", "_hidden", nonsense: what stands before it was not seen by anybody we trust.
            return ""
        if str(address) not in proxies:
            return str(address)
    return ""


async def read_proxy_header(connection: socket.socket) -> str:
    """The address that a PROXY header tells, "" when the proxy speaks for itself; nothing after
    the header is read.

    Raises ProxyError, OSError.
    """
    start = await _exactly(connection, len(_SIGNATURE))
    if start == _SIGNATURE:
        return await _read_version_2(connection)
    if start.startswith(b"PROXY "):
        return await _read_version_1(connection, start)
    raise ProxyError("a connection from a trusted proxy does not begin with a PROXY header")


async def _read_version_2(connection: socket.socket) -> str:
    version, family, size = struct.unpack("!BBH", await _exactly(connection, 4))
    if version not in (0x20, 0x21) or size > PROXY_BYTES_MAX:
        raise ProxyError("a PROXY header cannot be read")
    body = await _exactly(connection, size)
    if version == 0x20:
        return ""  # LOCAL: a look whether we are well.
    if family == 0x11 and size >= 12:
        return str(IPv4Address(body[:4]))
    if family == 0x21 and size >= 36:
        return str(IPv6Address(body[:16]))
    raise ProxyError("a PROXY header is about no TCP connection")


async def _read_version_1(connection: socket.socket, line: bytes) -> str:
    while not line.endswith(b"\r\n"):
        if len(line) >= PROXY_LINE_BYTES_MAX:
            raise ProxyError("a PROXY header is too long")
        line += await _exactly(connection, 1)
    words = line.decode("ascii", "replace").split()
    if words[1:2] == ["UNKNOWN"]:
        return ""
    if len(words) == 6 and words[1] in ("TCP4", "TCP6") and (address := parse(words[2])) is not None:
        return str(address)
    raise ProxyError("a PROXY header cannot be read")


async def _exactly(connection: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = b""
    while len(data) < size:
        more = await loop.sock_recv(connection, size - len(data))
        if not more:
            raise ProxyError("a connection ended within its PROXY header")
        data += more
    return data
