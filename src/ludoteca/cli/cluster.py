"""`ludoteca cluster`: looking after a house on several machines."""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ludoteca.cli.data import Age, size_of
from ludoteca.cli.house import show
from ludoteca.server import settings
from ludoteca.server.settings import Settings, SettingsError

_config = click.option(
    "--config", type=click.Path(dir_okay=False, path_type=Path), help="Settings from a TOML file."
)
_set = click.option("--set", "more", multiple=True, metavar="KEY=VALUE", help="As given to `serve`.")
_json = click.option("--json", "as_json", is_flag=True, help="As JSON.")


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The settings that say where the cluster is."""
    return _config(_set(command))


def configured(config: Path | None, more: tuple[str, ...], servers: tuple[str, ...] = ()) -> Settings:
    """As `serve` would find them. Raises SettingsError."""
    given = settings.pairs(more) | ({"cluster": list(servers)} if servers else {})
    found = settings.load(config, os.environ, given)
    if not found.cluster:
        raise SettingsError(
            "where is the cluster? Say --set cluster=nats://HOST:PORT, or name a file with it"
        )
    try:
        import nats
    except ModuleNotFoundError:
        raise SettingsError("several machines need a package: pip install 'ludoteca[cluster]'") from None
    del nats
    return found


@click.group(short_help="Look after a house on several machines.")
def cluster() -> None:
    """Look after a house that several machines keep (docs/cluster.md).

    \b
    ludoteca cluster status --set cluster=nats://10.0.0.1:4222
    ludoteca cluster import OLD --config house.toml
    """


@cluster.command(short_help="Say which machines there are, and how they are.")
@set_options
@_json
def status(config: Path | None, more: tuple[str, ...], as_json: bool) -> None:
    """Say which machines there are, which one serves, how far the others are behind, and whether the servers
    of NATS are all there.

    Ends with 1 when nobody serves, or a server is missing.
    """
    from ludoteca.server.cluster.status import look

    found = asyncio.run(look(configured(config, more)))
    if as_json:
        show(found)
    else:
        click.echo(
            f"The journal ends at {found.end}, in epoch {found.epoch}; leader {found.leader or 'none'}."
        )
        click.echo(f"It has {found.messages} messages, {size_of(found.bytes)} on each server.")
        for name, well in found.servers.items():
            click.echo(f"server {name}: {'up to date' if well else 'missing or behind'}")
        for node in found.nodes:
            state = "serves" if node.serves else f"waits, {found.behind[node.node]} behind"
            tables = f", {node.tables} tables" if node.room or node.tables else ""
            click.echo(f"node {node.node}: {state}{tables}, version {node.version}")
        for one in found.thinkers:
            state = f"thinks, {one.busy} of {one.workers} workers busy" if one.workers else "leaves"
            use = "" if one.useful else ", with other code than this machine's"
            click.echo(f"thinker {one.name}: {state}, version {one.version}{use}")
        if not found.quorum:
            click.echo("Most servers are missing: nothing can be stored.")
        if not found.serving:
            click.echo("Nobody serves.")
    sys.exit(0 if found.well else 1)


@cluster.command(short_help="Have other machines do what one does, before it is stopped.")
@click.argument("node")
@set_options
def drain(node: str, config: Path | None, more: tuple[str, ...]) -> None:
    """Have another machine take the tables, if the machine NODE has them, and tell balancers to send nobody
    there for ten minutes. Everybody stays connected; stop it when most have gone."""
    from ludoteca.server.cluster.status import drain as ask

    asyncio.run(ask(configured(config, more), node))
    click.echo(f"{node} has no tables any more, and balancers are told to send nobody there.")


@cluster.command(short_help="Remove finished matches that are old from all machines.")
@click.option("--older-than", "age_s", type=Age(), required=True, metavar="AGE", help="12h, 90d or 52w.")
@click.option("--game", default="", help="Only matches of this game.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@set_options
def prune(age_s: int, game: str, dry_run: bool, config: Path | None, more: tuple[str, ...]) -> None:
    """Remove finished matches that ended long ago from the cluster's journal and from the copies of all
    machines, also while people play. Whoever serves does it, some at a time."""
    from ludoteca.server.cluster.pruning import Wish
    from ludoteca.server.cluster.pruning import prune as ask

    wish = Wish(int((time.time() - age_s) * 1000), game, dry_run)
    count = asyncio.run(ask(configured(config, more), wish))
    click.echo(f"{count} finished matches {'would be ' if dry_run else ''}removed")


@cluster.command("import", short_help="Move a house from one machine to the cluster.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@set_options
def import_(folder: Path, config: Path | None, more: tuple[str, ...]) -> None:
    """Take the house in FOLDER, which must not be running, to a cluster that has none yet, and compare what
    has arrived. The folder is not changed."""
    from ludoteca.server.cluster.moving import take_in

    moved = take_in(configured(config, more), folder)
    click.echo(
        f"{moved.tables} tables, {moved.records} records, digest {moved.digest}: all of it has arrived"
    )


@cluster.command(short_help="Make a house on one machine of the cluster's.")
@click.argument("folder", type=click.Path(path_type=Path))
@set_options
def export(folder: Path, config: Path | None, more: tuple[str, ...]) -> None:
    """Write the house that the cluster keeps to FOLDER, as `ludoteca serve --data FOLDER` wants it. To move
    for good, stop all machines first."""
    from ludoteca.server.cluster.moving import take_out

    moved = take_out(configured(config, more), folder)
    click.echo(
        f"{moved.tables} tables, {moved.records} records, digest {moved.digest}: all of it is in {folder}"
    )
    for table in moved.damaged:
        click.echo(f"damaged: {table}", err=True)


@cluster.command(short_help="Give the cluster back what its servers have lost.")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@set_options
def repair(folder: Path, config: Path | None, more: tuple[str, ...]) -> None:
    """Give the servers back records that they have lost, and that the copy in FOLDER has: the data folder of
    the node that says so. All nodes must be stopped.

    Nothing is changed where a table went on in another way since."""
    from ludoteca.server.cluster.moving import repair as give_back

    moved = give_back(configured(config, more), folder)
    click.echo(
        f"{moved.tables} tables, {moved.records} records, digest {moved.digest}: all of it is there again"
    )
    click.echo(f"{folder} is a copy of what was: start this node with an empty folder.")
