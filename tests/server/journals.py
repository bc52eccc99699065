"""A real journal to do things to: matches of the newest corpus, written on sheets by a writer of today."""

import random
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from tests.journal.corpus.write import corpora, unpacked

from ludoteca import games
from ludoteca.hall import Entry
from ludoteca.hall.parcel import retrace
from ludoteca.hall.post import Summary
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter


@cache
def _matches() -> dict[str, tuple[list[bytes], Summary, bool]]:
    """Some tables of each game: their records, what is listed of them, whether they are over."""
    newest = max(corpora(), key=lambda path: path.name)
    with TemporaryDirectory() as folder:
        unpacked(newest, Path(folder))
        reader = JournalReader(Path(folder))
        found = {}
        for table in reader.ids()[::5]:
            lines = reader.lines(table)
            made = retrace(lines, games.load)
            found[table] = (lines, made.summary, made.fate == "over")
        return found


def write(folder: Path) -> dict[str, list[bytes]]:
    """Write a journal; the records of its tables."""
    dice = random.Random(20)
    written = threading.Semaphore(0)
    writer = JournalWriter(folder, lambda _: written.release(), lambda _: None, durability="off")
    waiting = {table: list(enumerate(lines, 1)) for table, (lines, _, _) in _matches().items()}
    while waiting:
        batch = []
        for table in dice.sample(sorted(waiting), min(len(waiting), dice.randint(1, 12))):
            number, line = waiting[table].pop(0)
            lines, summary, over = _matches()[table]
            last = number == len(lines)
            fate = "over" if last and over else "live" if number == 1 else None
            batch.append(Entry(table, number, line, fate, summary if fate else None))  # type: ignore[arg-type]
            if last:
                del waiting[table]
        # One commit for each batch, as on an evening when the disk keeps up.
        writer.append(batch)
        assert written.acquire(timeout=20)
    writer.close()
    return {table: lines for table, (lines, _, _) in _matches().items()}


def summary(folder: Path, table: str) -> Summary:
    found = JournalReader(folder).summary(table)
    assert found is not None
    return msgspec.json.decode(found, type=Summary)
