"""Where a house is: the addresses that people type, and what they mean."""

import os
import re
import ssl
from urllib.parse import urlsplit

import msgspec

from ludoteca.core import LudotecaError

HTTP_PORT, HOUSE_PORT = 8000, 8001
# What follows the house's own address where a link is pasted: an invitation, a replay.
_INSIDE = re.compile(r"/+((table|replay|rules|lessons)/.*|ws)?$")
_SECURE = {"https": True, "wss": True, "tls": True, "http": False, "ws": False, "tcp": False}


class AddressError(LudotecaError):
    """That is no address of a house."""


class Address(msgspec.Struct, frozen=True):
    """A house on the network: `lines` means JSON lines over TCP, otherwise HTTP with its WebSocket."""

    host: str
    port: int
    secure: bool = False
    lines: bool = False
    # A file of certificates that are trusted besides those of this machine.
    ca: str = ""
    # Where the house is on its site: "" or "/games".
    base: str = ""
    # What opens a house that is not open to all.
    key: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What a request says beside its path: the key of a house that is not open to all."""
        return {"X-Ludoteca-Key": self.key} if self.key else {}

    def tls(self) -> ssl.SSLContext | None:
        """How the house proves who it is; None where nothing is encrypted. Raises AddressError."""
        if not self.secure:
            return None
        context = ssl.create_default_context()
        if self.ca:
            try:
                context.load_verify_locations(self.ca)
            except (OSError, ssl.SSLError) as error:
                raise AddressError(f"{self.ca} holds no certificate: {error}") from None
        return context

    @property
    def socket_url(self) -> str:
        """The WebSocket of Ludoteca's own protocol."""
        return f"{'wss' if self.secure else 'ws'}://{self._authority}{self.base}/ws"

    @property
    def page_url(self) -> str:
        """Where the REST interface begins."""
        return f"{'https' if self.secure else 'http'}://{self._authority}{self.base}"

    @property
    def _authority(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        if self.lines:
            return f"{'tls' if self.secure else 'tcp'}://{self._authority}"
        return self.page_url


def parse(text: str, ca: str = "") -> Address:
    """An address as it is typed: "play.example:8000", "https://play.example/games", "tcp://play.example:8001".

    Without a scheme it means the port of the web page, since that is the address people hand around.
    """
    parts = urlsplit(text if "://" in text else f"http://{text}")
    if parts.scheme not in _SECURE:
        raise AddressError(f"{text!r}: an address begins with {', '.join(_SECURE)} or with the host itself")
    try:
        port = parts.port
    except ValueError as error:
        raise AddressError(f"{text!r}: {error}") from None
    if not parts.hostname:
        raise AddressError(f"{text!r} names no host")
    lines, secure = parts.scheme in ("tcp", "tls"), _SECURE[parts.scheme]
    if port is None:
        usual = {"https": 443, "wss": 443, "tcp": HOUSE_PORT, "tls": HOUSE_PORT}
        port = usual.get(parts.scheme, HTTP_PORT)
    base = "" if lines else _INSIDE.sub("", parts.path)
    key = os.environ.get("LUDOTECA_KEY", "")
    return Address(parts.hostname, port, secure, lines, ca, base, key)


def of_lines(text: str, usual_port: int, ca: str = "") -> Address:
    """ "HOST:PORT", "HOST" or "tls://HOST:PORT", for servers that speak a game's own protocol."""
    text = text if "://" in text else f"tcp://{text}"
    address = parse(text, ca)
    named = urlsplit(text).port
    return address if named is not None else msgspec.structs.replace(address, port=usual_port)


def host_and_port(text: str, usual_port: int) -> tuple[str, int]:
    """The same, for who needs no more."""
    address = of_lines(text, usual_port)
    return address.host, address.port
