"""`ludoteca verify`."""

import sys
from collections import Counter

import click

from ludoteca.server import repair as repairing
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.keeping import examine
from ludoteca.server.settings import Settings


@click.command(short_help="Re-execute every stored match and compare.")
@click.option("--data", default="", metavar="DIR", help="Folder of the journal.")
@click.option("--repair", is_flag=True, help="Set aside what is damaged, and say what was lost.")
def verify(data: str, repair: bool) -> None:
    """Re-execute every stored match from its inputs, and compare with what was written down.

    A match may come out otherwise than it did because the rules have another version now ("changed"), or
    may not be executable by them at all ("aside": kept, and served by a version that can): both are no
    faults of the journal. Ends with 1 when a record is damaged, or comes out otherwise under the very
    version that wrote it.

    With --repair, while the house is stopped, tables that are damaged are written to the folder `aside` and
    taken out of the journal, and a file that SQLite cannot read through is copied as far as it can be read;
    the damaged one is kept. Then everything that is left is verified.
    """
    folder = Settings(data=data).data_folder()
    if repair:
        lost = repairing.repair(folder, click.echo)
        click.echo(f"{lost} tables or deeds of hosts were lost" if lost else "nothing was lost")
    archive = JournalReader(folder)
    found: Counter[str] = Counter()
    records = 0
    for table in archive.ids():
        lines = archive.lines(table)
        records += len(lines)
        state, sentence = examine(lines, table)
        found[state] += 1
        if sentence:
            click.echo(f"{table}: {sentence}")
    total = found.total()
    rest = [
        f"{found[state]} {state}" for state in ("changed", "aside", "different", "damaged") if found[state]
    ]
    click.echo(", ".join([f"{found['ok']} of {total} tables verified", f"{records} records", *rest]))
    sys.exit(1 if found["damaged"] or found["different"] else 0)
