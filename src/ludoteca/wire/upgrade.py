"""How an HTTP connection becomes a WebSocket (RFC 6455, 4.2), and which packing is agreed on (RFC 7692)."""

import base64
import binascii
from collections.abc import Mapping
from hashlib import sha1

from ludoteca.core import Refused
from ludoteca.wire.frames import WINDOW_BITS

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_VERSION = "13"
_OFFERS_LENGTH_MAX = 1024


def agree(headers: Mapping[str, str], *, may_pack: bool) -> dict[str, str]:
    """The headers that answer a request for a WebSocket. Raises Refused.

    There are no sub-protocols: a client that insists on one sees that none was chosen.
    """
    if headers.get("Upgrade", "").strip().lower() != "websocket":
        raise Refused("this is a WebSocket, and the request does not ask for one", "message")
    if headers.get("Sec-WebSocket-Version", "").strip() != _VERSION:
        raise Refused(f"WebSockets of version {_VERSION} are spoken here", "message")
    key = headers.get("Sec-WebSocket-Key", "").strip()
    if not _is_key(key):
        raise Refused("a Sec-WebSocket-Key is 16 bytes in base64", "message")
    answer = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Accept": base64.b64encode(sha1(key.encode() + _GUID).digest()).decode(),
    }
    if may_pack and (packing := _packing(headers.get("Sec-WebSocket-Extensions", ""))):
        answer["Sec-WebSocket-Extensions"] = packing
    return answer


def head(headers: Mapping[str, str]) -> bytes:
    """What is sent before the first frame."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 101 Switching Protocols\r\n{lines}\r\n".encode("ascii")


def _is_key(text: str) -> bool:
    try:
        return len(base64.b64decode(text, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False


def _packing(offers: str) -> str:
    """The first offer that we can take; "" for none, which every client has to bear."""
    for offer in offers[:_OFFERS_LENGTH_MAX].lower().split(","):
        name, *wishes = (part.strip() for part in offer.split(";"))
        if name == "permessage-deflate" and (more := _terms(wishes)) is not None:
            # Nothing is kept between messages, on either side: that would be the memory of a connection.
            return f"{name}; server_no_context_takeover; client_no_context_takeover{more}"
    return ""


def _terms(wishes: list[str]) -> str | None:
    """What has to be said about these wishes of a client, None if we cannot have it so."""
    found = {
        name.strip(): value.strip().strip('"') for name, _, value in (wish.partition("=") for wish in wishes)
    }
    if len(found) < len(wishes):
        return None  # Somebody who says one thing twice.
    more = ""
    for name, value in found.items():
        if name in ("server_no_context_takeover", "client_no_context_takeover") and not value:
            continue
        # How far a client looks back is its own affair; we can read everything.
        if name == "client_max_window_bits" and (not value or _bits(value)):
            continue
        if name == "server_max_window_bits" and _bits(value) >= WINDOW_BITS:
            more = f"; server_max_window_bits={WINDOW_BITS}"
            continue
        return None
    return more


def _bits(text: str) -> int:
    """How wide a window is, 0 for what is no width."""
    return int(text) if text in ("8", "9", *map(str, range(10, 16))) else 0
