"""The commands of the terminal client: play, watch and connect."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import click
import msgspec

from ludoteca import games
from ludoteca.clients import door, names, saved
from ludoteca.clients.address import Address, of_lines, parse
from ludoteca.clients.desks.seed import CallerDesk
from ludoteca.clients.run import Mode, desk_linear, fitting_mode, visit_linear
from ludoteca.clients.visit import Look, Play, Sit, Watch, Wish, check_options
from ludoteca.core import LudotecaError, Refused
from ludoteca.core.requests import Absence, WantedTerms


def _shown(command: Callable[..., None]) -> Callable[..., None]:
    """The options about how things are shown, the same for all commands."""
    for option in (
        click.option("--linear", is_flag=True, help="Line after line, for screen readers and pipes."),
        click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII signs only."),
        click.option(
            "--colours",
            type=click.Choice(["auto", "256", "16", "none"]),
            default="auto",
            help="How many colours the terminal has.  [auto]",
        ),
        click.option(
            "--ca",
            type=click.Path(exists=True, dir_okay=False),
            default=None,
            metavar="FILE",
            help="Trust the house whose certificate this file vouches for (PEM).",
        ),
    ):
        command = option(command)
    return command


_key = click.option(
    "--key",
    default="",
    metavar="KEY",
    help="For a house that is not open to all: a key, or the link of an invitation.  [LUDOTECA_KEY]",
)


def _mode(given: dict[str, Any]) -> Mode:
    return fitting_mode(
        wants_linear=given["linear"],
        wants_ascii=given["ascii_only"],
        colours=given["colours"],
        ca=given["ca"] or "",
    )


@click.command()
@click.argument("game", required=False, shell_complete=names.of_games)
@click.option("--server", default="", metavar="URL", help="Play in this house, not in a private one.")
@click.option("--as", "name", default="", metavar="NAME", help="Your name.  [the last one, or your login]")
@click.option("--bots", type=click.IntRange(0, 63), metavar="N", help="Open a table and seat N bots.")
@click.option(
    "--level",
    default="",
    metavar="LEVEL",
    help="How well the bots play.  [easy]",
    shell_complete=names.of_levels,
)
@click.option("--seats", type=click.IntRange(1, 64), metavar="N", help="Open a table for N players.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game, for a new table."
)
@click.option("--clock", type=click.IntRange(0, 30 * 24 * 3600), metavar="S", help="Seconds for each move.")
@click.option(
    "--absence",
    type=click.Choice(["wait", "bot", "end"]),
    help="When somebody is gone: wait, let a bot play on, or do not wait.",
)
@click.option("--private", "hidden", is_flag=True, help="A table that is found by its address only.")
@click.option("--label", default="", metavar="NAME", help="The name of the table, up to 12 letters.")
@click.option("--table", default="", metavar="TABLE", help="Sit down at this table: its id or its name.")
@click.option("--new", is_flag=True, help="Do not go back to a match that was not finished.")
@_key
@_shown
def play(
    game: str | None,
    server: str,
    name: str,
    bots: int | None,
    level: str,
    seats: int | None,
    options: tuple[str, ...],
    clock: int | None,
    absence: Absence | None,
    hidden: bool,
    label: str,
    table: str,
    new: bool,
    **given: Any,
) -> None:
    """Play GAME, or see what there is.

    With no --server a private house opens in this process and bots sit down, so one command plays a game.
    """
    wish: Wish = Look()
    if not server and (absence or hidden or label or table):
        raise Refused("a private house has one person: name the house with --server", "house")
    terms = _terms(clock, absence, hidden)
    if table:
        wish = Sit(table.rstrip("/").rpartition("/")[2])
    elif game is not None:
        wish = wish_to_play(
            game, bots=bots, level=level, seats=seats, options=options, new=new, private=not server
        )
        wish = msgspec.structs.replace(wish, terms=terms, label=label)
    elif bots is not None or seats is not None or options or terms or label:
        raise Refused("name the game that these options are for", "game")
    _run(server, name, wish, _mode(given), given["key"])


def _terms(clock: int | None, absence: Absence | None, hidden: bool) -> WantedTerms | None:
    """What a new table agrees on; None where nothing is said about it."""
    if clock is None and absence is None and not hidden:
        return None
    return WantedTerms(move_s=float(clock or 0), absence=absence or "wait", private=hidden)


def wish_to_play(
    game: str,
    *,
    bots: int | None = None,
    level: str = "",
    seats: int | None = None,
    options: tuple[str, ...] = (),
    new: bool = False,
    private: bool = True,
) -> Play:
    """What the options of `play` amount to. Raises Refused."""
    found = games.load(game)
    if private and bots is None:
        bots = max(1, found.seats[0] - 1) if seats is None else seats - 1
    wanted = seats or (bots + 1 if bots is not None else 0)
    if wanted and wanted not in found.seats:
        raise Refused(f"{found.title} is for {found.seats[0]} to {found.seats[-1]} players", "seats")
    from ludoteca.bots import levels, named

    if level and named(found, level) not in levels(found):
        raise Refused(f"there is no bot {level!r}; {found.title} has {', '.join(levels(found))}", "bot")
    pairs = dict(_pair(text) for text in options)
    return Play(game, bots, level, check_options(found.options, pairs), wanted, new)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Refused(f"{text!r} is not of the form KEY=VALUE", "options")
    return key.strip(), value.strip()


@click.command()
@click.argument("table")
@click.option("--server", default="127.0.0.1:8000", metavar="URL", help="The house.  [127.0.0.1:8000]")
@click.option("--as", "name", default="", metavar="NAME", help="Your name, for the chat.")
@_key
@_shown
def watch(table: str, server: str, name: str, **given: Any) -> None:
    """Look on at a TABLE: its id, or the name it has in the lobby."""
    _run(server, name, Watch(table), _mode(given), given["key"])


@click.command()
@click.argument("game", shell_complete=names.of_games)
@click.argument("address", metavar="HOST:PORT")
@click.option("--as", "name", default="", metavar="NAME", help="Your name.  [the last one, or your login]")
@_shown
def connect(game: str, address: str, name: str, **given: Any) -> None:
    """Play GAME at HOST:PORT in the game's own protocol, at any server that speaks it."""
    found = games.load(game)
    caller = games.load_client(game)(name or saved.load().name or saved.usual_name())
    mode = _mode(given)
    place = of_lines(address, found.protocol().port, mode.ca)
    if not mode.linear:
        from ludoteca.clients.app import DeskApplication

        app = DeskApplication(CallerDesk(found.title, caller, found.text), place, mode)
        app.run()
        sys.exit(app.return_code)
    try:
        asyncio.run(_connect(CallerDesk(found.title, caller), place, mode))
    except KeyboardInterrupt:
        click.echo()


async def _connect(desk: CallerDesk, place: Address, mode: Mode) -> None:
    running = asyncio.create_task(desk.run(place))
    # Whoever has nothing to say learns all the same whether there was anybody to say it to.
    await desk.connected.wait()
    if not desk.failed:
        await desk_linear(desk, mode)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    if desk.failed:
        raise LudotecaError(desk.failed)


def _run(server: str, name: str, wish: Wish, mode: Mode, key: str) -> None:
    if server:
        # Before the screen is taken: a password may have to be asked for.
        found = asyncio.run(door.key_for(parse(server, mode.ca), key, name))
        mode = msgspec.structs.replace(mode, key=found)
    if mode.linear:
        try:
            asyncio.run(visit_linear(server, name, wish, mode))
        except KeyboardInterrupt:
            click.echo()
        return
    from ludoteca.clients.app import Application

    app = Application(server, name, wish, mode)
    app.run()
    sys.exit(app.return_code)
