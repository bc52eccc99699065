"""`ludoteca verify`."""

import sys
from collections import Counter

import click

from ludoteca import games
from ludoteca.core import Damaged, JournalError
from ludoteca.journal import damage
from ludoteca.journal import verify as verify_record
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.settings import Settings


@click.command(short_help="Re-execute every stored match and compare.")
@click.option("--data", default="", metavar="DIR", help="Folder of the journal.")
def verify(data: str) -> None:
    """Re-execute every stored match from its inputs, and compare with what was written down.

    A match may come out otherwise than it did because the rules have another version now ("changed"), or
    may not be executable by them at all ("aside": kept, and served by a version that can): both are no
    faults of the journal. Ends with 1 when a record is damaged, or comes out otherwise under the very
    version that wrote it.
    """
    archive = JournalReader(Settings(data=data).data_folder())
    found: Counter[str] = Counter()
    records = 0
    for table in archive.ids():
        lines = archive.lines(table)
        records += len(lines)
        state, sentence = examine(lines)
        found[state] += 1
        if sentence:
            click.echo(f"{table}: {sentence}")
    total = found.total()
    rest = [
        f"{found[state]} {state}" for state in ("changed", "aside", "different", "damaged") if found[state]
    ]
    click.echo(", ".join([f"{found['ok']} of {total} tables verified", f"{records} records", *rest]))
    sys.exit(1 if found["damaged"] or found["different"] else 0)


def examine(lines: list[bytes]) -> tuple[str, str]:
    """What is to be said about a table's record: one word, and a sentence unless all is well."""
    try:
        match = verify_record(lines, games.load)
    except JournalError as error:
        found = error if isinstance(error, Damaged) else damage(lines)
        return ("damaged", f"damaged: {found}") if found else ("aside", f"set aside: {error}")
    if match.unexplained:
        return "different", f"different: record {match.unexplained} comes out otherwise under the same rules"
    if match.changed:
        now = match.game.version
        return "changed", f"changed: record {match.changed} comes out otherwise since rules of version {now}"
    return "ok", ""
