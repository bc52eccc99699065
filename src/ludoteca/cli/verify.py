"""`ludoteca verify`."""

import sys

import click

from ludoteca import games
from ludoteca.core import LudotecaError
from ludoteca.journal import verify as verify_record
from ludoteca.server.archive import Archive
from ludoteca.server.settings import Settings


@click.command(short_help="Re-execute every stored match and compare.")
@click.option("--data", default="", metavar="DIR", help="Folder of the journal.")
def verify(data: str) -> None:
    """Re-execute every stored match from its inputs and compare all digests with the ones written down.

    Ends with 1 when any record is damaged or comes out differently.
    """
    archive = Archive(Settings(data=data).data_folder())
    bad = records = 0
    tables = archive.ids()
    for table in tables:
        lines = archive.lines(table)
        records += len(lines)
        try:
            verify_record(lines, games.load)
        except LudotecaError as error:
            bad += 1
            click.echo(f"{table}: {error}")
    click.echo(f"{len(tables) - bad} of {len(tables)} tables verified, {records} records")
    sys.exit(1 if bad else 0)
