"""`ludoteca backup` and `ludoteca restore`."""

from pathlib import Path

import click

from ludoteca.server import backup as copies
from ludoteca.server.settings import Settings

_data = click.option("--data", default="", metavar="DIR", help="Folder of the journal.")


@click.command(short_help="Copy a house, also while people play.")
@click.argument("target", type=click.Path(path_type=Path))
@click.option(
    "--keep", default=0, metavar="N", type=click.IntRange(0), help="In a folder: keep the newest N."
)
@_data
def backup(target: Path, keep: int, data: str) -> None:
    """Copy journal and secret of a house to TARGET: one file, made at one moment while people play.

    When TARGET is a folder the copy gets a name with the time in it. The copy is looked through before it
    gets its name.
    """
    made, about = copies.backup(Settings(data=data).data_folder(), target, keep)
    click.echo(f"{made}: {about.tables} tables, {about.records} records, looked through")
    for table in about.damaged:
        click.echo(f"{table}: damaged, in the house as well: see ludoteca verify", err=True)


@click.command(short_help="Bring a copy of a house back.")
@click.argument("copy", type=click.Path(path_type=Path))
@_data
def restore(copy: Path, data: str) -> None:
    """Bring back what `ludoteca backup` made, into a folder that has no journal: nothing is written over."""
    folder = Settings(data=data).data_folder()
    about = copies.restore(copy, folder)
    click.echo(f"{folder}: {about.tables} tables, {about.records} records, as they were at {about.made}")
