"""Coming into a house that is not open to all: with a key that is given or remembered, an invitation, or the
password."""

import sys
from typing import Any

import click
import msgspec

from ludoteca.clients import saved
from ludoteca.clients.address import Address
from ludoteca.core import LudotecaError

PATIENCE_S = 10.0
TRIES = 3


class DoorError(LudotecaError):
    """The house does not let us in; the text says why."""


async def key_for(address: Address, given: str, name: str = "") -> str:
    """The key to show at this house, "" where none is needed (or none can be asked for). Raises DoorError.

    `given` is a key or an invitation, as a link or its token. What a house gave is remembered.
    """
    memory, house = saved.load(), str(address)
    if address.lines:
        return given or memory.keys.get(house, "")
    token = given.rpartition("#")[2]
    for key in filter(None, (token, memory.keys.get(house, ""), address.key)):
        door = await _ask(address, "GET", key)
        if door is None or door["role"] != "guest":
            return key
    door = await _ask(address, "GET")
    if door is None:
        return ""
    if token:
        found = await _knock(address, {"invitation": token, "name": name})
    elif door["door"] == "open" or door["guests"] == "watch":
        return ""
    else:
        found = await _by_password(address, door, name)
    memory.unlock(house, found)
    return found


async def _by_password(address: Address, door: dict[str, Any], name: str) -> str:
    owner = f"belongs to {door['name']}" if door["name"] else "is not open to all"
    if door["door"] != "password" or not sys.stdin.isatty():
        raise DoorError(f"this house {owner}: come in with --key, which takes a key or an invitation's link")
    click.echo(f"This house {owner}.", err=True)
    for left in reversed(range(TRIES)):
        try:
            said = click.prompt("House password", hide_input=True, err=True)
            return await _knock(address, {"password": said, "name": name})
        except DoorError as error:
            if not left:
                raise
            click.echo(f"{error}.", err=True)
    raise AssertionError("the last try returns or raises")


async def _knock(address: Address, said: dict[str, str]) -> str:
    found = await _ask(address, "POST", said=said)
    if found is None:
        raise DoorError("the house does not answer at its door")
    return str(found["key"])


async def _ask(
    address: Address, method: str, key: str = "", said: dict[str, str] | None = None
) -> dict[str, Any] | None:
    """What the door answers; None where there is none (an older house), or nobody there. Raises DoorError."""
    import aiohttp

    headers = msgspec.structs.replace(address, key=key).headers if key.isalnum() and key.isascii() else {}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(PATIENCE_S)) as session,
            session.request(
                method,
                f"{address.page_url}/api/v1/door",
                json=said,
                headers=headers,
                ssl=address.tls() or True,
            ) as answer,
        ):
            told: dict[str, Any] = msgspec.json.decode(await answer.read())
            if answer.status == 200:
                return told
            if said is not None and "reason" in told:
                raise DoorError(str(told["reason"]))
            return None
    except (aiohttp.ClientError, OSError, TimeoutError, msgspec.DecodeError):
        # Whoever connects next says what is wrong.
        return None
