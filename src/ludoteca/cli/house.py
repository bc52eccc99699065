"""`ludoteca tables` and `ludoteca status`: a house on the network, looked at from outside."""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Any

import click
import msgspec

from ludoteca import games
from ludoteca.clients import names
from ludoteca.clients.address import Address, parse
from ludoteca.clients.replays import RecordsError, fetch, fetch_part
from ludoteca.core.notices import Counts, TableInfo
from ludoteca.core.requests import LISTED_MAX

_decode = msgspec.json.Decoder(tuple[TableInfo, ...]).decode


def _at_a_house(command: Callable[..., None]) -> Callable[..., None]:
    """The options about which house, and in which form."""
    for option in (
        click.option(
            "--server", default="127.0.0.1:8000", metavar="URL", help="The house.  [127.0.0.1:8000]"
        ),
        click.option(
            "--ca", default="", metavar="FILE", help="Trust what this certificate vouches for (PEM)."
        ),
        click.option("--json", "as_json", is_flag=True, help="As JSON."),
    ):
        command = option(command)
    return command


def show(value: Any) -> None:
    """A list or a record as JSON, for other programs."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)))


@click.command(short_help="List the tables of a house.")
@click.argument("game", required=False, shell_complete=names.of_games)
@_at_a_house
def tables(game: str | None, server: str, ca: str, as_json: bool) -> None:
    """List the public tables of a house, of one GAME or of all."""
    if game is not None:
        games.load(game)
    found = asyncio.run(_tables(parse(server, ca), game or ""))
    if as_json:
        show(found)
        return
    for info in found:
        people = ", ".join(name or "free" for name in info.names)
        click.echo(f"{info.id}  {info.label}: {info.game}, {info.phase}: {people}")
    if not found:
        click.echo("There is no table.", err=True)


async def _tables(address: Address, game: str) -> tuple[TableInfo, ...]:
    """All of them, however many parts the list has."""
    found: tuple[TableInfo, ...] = ()
    query = f"game={game}&count={LISTED_MAX}"
    while query:
        part, query = await fetch_part(address, f"/api/v1/tables?{query}")
        found += _decode(part)
    return found


class _Counted(msgspec.Struct):
    counts: Counts


class Status(msgspec.Struct, frozen=True):
    """How a house is. `tables` counts by phase, `people` who sits at them and is there."""

    house: str
    well: bool
    reason: str
    answer_ms: float
    games: tuple[str, ...]
    tables: dict[str, int]
    people: int
    bots: int


@click.command(short_help="Say how a house is.")
@_at_a_house
def status(server: str, ca: str, as_json: bool) -> None:
    """Say how a house is: whether it answers and can store moves, and who is there.

    Ends with 1 when it cannot be reached or cannot store anything.
    """
    found = asyncio.run(_status(parse(server, ca)))
    if as_json:
        show(found)
    else:
        state = "is well" if found.well else f"is in trouble: {found.reason}"
        click.echo(f"{found.house} {state} and answers within {found.answer_ms:.0f} ms.")
        click.echo(f"Games: {', '.join(found.games)}.")
        counts = ", ".join(f"{count} {phase}" for phase, count in sorted(found.tables.items()))
        click.echo(f"Public tables: {counts or 'none'}; at them {found.people} people and {found.bots} bots.")
    sys.exit(0 if found.well else 1)


async def _status(address: Address) -> Status:
    began = time.monotonic()
    known = msgspec.json.decode(await fetch(address, "/api/v1/games"))
    answer_ms = (time.monotonic() - began) * 1000
    reason = ""
    found = Counts()
    try:
        await fetch(address, "/healthz")
        found = msgspec.json.decode(await fetch(address, "/api/v1/lobby"), type=_Counted).counts
    except RecordsError as error:
        reason = str(error)
    phases = {"open": found.open, "playing": found.playing, "over": found.over}
    return Status(
        str(address),
        not reason,
        reason,
        round(answer_ms, 1),
        tuple(game["name"] for game in known),
        {phase: count for phase, count in phases.items() if count},
        found.people,
        found.bots,
    )
