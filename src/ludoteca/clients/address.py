"""Where a house is: the addresses that people type, and what they mean."""

from urllib.parse import urlsplit

import msgspec

from ludoteca.core import LudotecaError

HTTP_PORT, HOUSE_PORT = 8000, 8001
_SECURE = {"https": True, "wss": True, "tls": True, "http": False, "ws": False, "tcp": False}


class AddressError(LudotecaError):
    """That is no address of a house."""


class Address(msgspec.Struct, frozen=True):
    """A house on the network: `lines` means JSON lines over TCP, otherwise HTTP with its WebSocket."""

    host: str
    port: int
    secure: bool = False
    lines: bool = False

    @property
    def socket_url(self) -> str:
        """The WebSocket of Ludoteca's own protocol."""
        return f"{'wss' if self.secure else 'ws'}://{self._authority}/ws"

    @property
    def page_url(self) -> str:
        """Where the REST interface begins."""
        return f"{'https' if self.secure else 'http'}://{self._authority}"

    @property
    def _authority(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        if self.lines:
            return f"{'tls' if self.secure else 'tcp'}://{self._authority}"
        return self.page_url


def parse(text: str) -> Address:
    """An address as it is typed: "play.example:8000", "https://play.example", "tcp://play.example:8001".

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
    return Address(parts.hostname, port, secure, lines)


def host_and_port(text: str, usual_port: int) -> tuple[str, int]:
    """ "HOST:PORT" or "HOST", for servers that speak a game's own protocol."""
    address = parse(text if "://" in text else f"tcp://{text}")
    named = urlsplit(text if "://" in text else f"tcp://{text}").port
    return address.host, usual_port if named is None else address.port
