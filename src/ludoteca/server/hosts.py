"""The names a house answers to.

A page of another site that has its own name point here (DNS rebinding) is nobody's guest.
"""

import re
import socket
from ipaddress import ip_address

from ludoteca.core import Refused
from ludoteca.server.settings import Settings

_AUTHORITY = re.compile(r"(?:\[(?P<digits>[^\]]*)\]|(?P<name>[^\[\]:/?#@\s]+))(?::\d*)?")
_EVERYWHERE = ("", "0.0.0.0", "::")


class Hosts:
    """Loopback names, addresses in digits, the name the house is bound to, and what the operator added."""

    def __init__(self, settings: Settings) -> None:
        self._names = {_plain(_on_the_wire(name)) for name in settings.hosts}
        if settings.host not in _EVERYWHERE:
            self._names.add(_plain(settings.host))
        else:
            # Bound to every address of the machine, it is bound to the machine's name;
            # neighbours say NAME.local.
            own = _plain(socket.gethostname())
            self._names |= {own, own.partition(".")[0] + ".local"}

    def check(self, authority: str) -> None:
        """The host of a request, with or without a port. Raises Refused."""
        if _is_address(authority):
            return
        found = _AUTHORITY.fullmatch(authority)
        if found is None or (found["name"] is None and not _is_address(found["digits"])):
            raise Refused("the request names no host", "message")
        if found["name"] is not None and not self._know(_plain(found["name"])):
            raise Refused(
                f"this house does not answer to {found['name'][:100]!r}: if that is its name, add it to hosts"
                " (see docs/hosting.md)",
                "host",
            )

    def _know(self, name: str) -> bool:
        if "*" in self._names or name in self._names:
            return True
        return name == "localhost" or name.endswith(".localhost") or _is_address(name)


def page_url(settings: Settings, host: str, port: int) -> str:
    """Where this machine finds the page of a house that listens at `host`."""
    here = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(host, host)
    scheme = "https" if settings.tls_cert else "http"
    return f"{scheme}://{f'[{here}]' if ':' in here else here}:{port}{settings.base}"


def _plain(name: str) -> str:
    """As names are compared: case does not matter, nor does the dot of the root at the end."""
    return name.lower().removesuffix(".")


def _on_the_wire(name: str) -> str:
    """A name as browsers write it: "bücher.example" is "xn--bcher-kva.example" there."""
    try:
        return name.encode("idna").decode()
    except UnicodeError:
        return name


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
