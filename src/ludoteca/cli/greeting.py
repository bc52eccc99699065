"""What `serve` says to people when the doors are open: where the page is, for this machine and for others."""

import socket
import sys
from collections.abc import Iterator

import click

from ludoteca.clients import invitation
from ludoteca.server.hosts import page_url
from ludoteca.server.settings import Settings

# Nothing is sent there: the system only says from which of its addresses it would be.
_ELSEWHERE = {"0.0.0.0": (socket.AF_INET, "192.0.2.1"), "::": (socket.AF_INET6, "2001:db8::1")}


def greet(settings: Settings, host: str, port: int, token: str = "", *, browse: bool) -> None:
    """Say where the page is, and the host's by a link that is good once; with `browse` open it in this
    machine's browser."""
    here = page_url(settings, host, port)
    if token:
        click.echo(f"Host's page, good once and for an hour: {here}/house#{token}")
    click.echo(f"Open {here}")
    for address in _addresses(host):
        there = page_url(settings, address, port)
        click.echo(f"Others in your network open {there}")
        if sys.stdout.isatty():
            click.echo("\n".join(invitation.code(there, light=True)))
    sys.stdout.flush()
    if browse and click.launch(here) != 0:
        click.echo(f"No browser could be opened here: open {here} yourself.", err=True)


def _addresses(host: str) -> Iterator[str]:
    """How other machines reach a house that listens at `host`; nothing for one that only hears its own."""
    if host in _ELSEWHERE:
        family, elsewhere = _ELSEWHERE[host]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((elsewhere, 9))
            except OSError:
                return  # Not connected to anything.
            address: str = probe.getsockname()[0]
            yield address
    elif not host.startswith("127.") and host not in ("::1", "localhost"):
        yield host
