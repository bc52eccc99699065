"""What the journal's file costs: a record, with few tables and with many, and a list out of a million
matches."""

import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from ludoteca.bench.figures import Figure
from ludoteca.core import Dice
from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall.post import Entry, Summary
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import connect, journal_in

SECTION = "The journal"
RECORDS = 20_000
TOGETHER = 50
# A click of Multisweeper.
LINE = (
    b'5d1f00c2 0f63d1c29b10b6a7 8c1e02d4 {"number":12,"at_ms":1767225600000,'
    b'"input":{"type":"Acted","seat":0,"actions":[{"column":3,"row":4}]}}'
)
# One match in a thousand is of this game, and none of them is recent.
RARE = "renaissance"


class _Writer:
    """Writes and waits, commit by commit."""

    def __init__(self, folder: Path) -> None:
        self._done = threading.Semaphore(0)
        self._numbers: dict[str, int] = {}
        self.store = JournalWriter(folder, lambda _count: self._done.release(), self._fail)

    def _fail(self, reason: str) -> None:
        raise RuntimeError(reason)

    def commit(self, tables: list[str]) -> None:
        """One more record of each of these."""
        entries = []
        for table in tables:
            number = self._numbers[table] = self._numbers.get(table, 0) + 1
            info = TableInfo(table, "multisweeper", "", "open", (None, None), {}, Terms(), 1)
            fate, summary = ("live", Summary(info)) if number == 1 else (None, None)
            entries.append(Entry(table, number, LINE, fate, summary))  # type: ignore[arg-type]
        self.store.append(entries)
        self._done.acquire()


def _written() -> tuple[int, int]:
    """Bytes and calls that this process has written with."""
    lines = Path("/proc/self/io").read_text().splitlines()
    facts = dict(line.split(": ") for line in lines)
    return int(facts["wchar"]), int(facts["syscw"])


def record_figures(records: int = RECORDS) -> Iterator[Figure]:
    """A record on its way to the disk, with full durability."""
    for tables in (50, 10_000):
        dice = Dice(1)
        ids = [f"{dice.below(1 << 48):012x}" for _ in range(tables)]
        with tempfile.TemporaryDirectory() as folder:
            writer = _Writer(Path(folder))
            for first in range(0, tables, 1000):
                writer.commit(ids[first : first + 1000])
            batches = [[dice.choice(ids) for _ in range(TOGETHER)] for _ in range(records // TOGETHER)]
            began_s, (bytes_before, calls_before) = time.process_time(), _written()
            for batch in batches:
                writer.commit(batch)
            used_us = (time.process_time() - began_s) / records * 1e6
            size, calls = _written()
            began_s = time.process_time()
            for table in ids[:50]:
                writer.store.archive.lines(table)
            read_us = (time.process_time() - began_s) / 50 * 1e6
            writer.store.close()
        note = (
            f"{(size - bytes_before) / records:.0f} bytes and {(calls - calls_before) / records:.2f} calls"
            f" written for {len(LINE)}; a table is read in {read_us:.0f} us"
        )
        yield Figure(
            SECTION, f"a record, {tables:,} tables, {TOGETHER} together", used_us, "us CPU", note=note
        )


def fill(folder: Path, matches: int) -> None:
    """A journal with so many finished matches: their rows, not their records, in some seconds."""
    JournalWriter(folder, lambda _count: None, lambda _reason: None).close()
    connection = connect(journal_in(folder))
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("BEGIN")
    connection.execute(
        "WITH RECURSIVE match (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM match WHERE n + 1 < ?)"
        " INSERT INTO tables (id, game, fate, opened_ms, closed_ms, summary)"
        # Ids come in order, or making a million would take minutes.
        " SELECT printf('%012x', n),"
        " CASE WHEN n % 1000 = 1 AND n < ? / 2 THEN ? ELSE 'multisweeper' END, 'over', n, n, ?"
        " FROM match",
        (matches, matches, RARE, b"{}".ljust(270)),
    )
    connection.execute("COMMIT")
    connection.close()


def list_figures(matches: int) -> Iterator[Figure]:
    """Lists out of very many finished matches."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), matches)
        reader = JournalReader(Path(folder))
        for name, game, private in (
            ("the newest fifty", "", False),
            ("the newest fifty, private ones too", "", True),
            ("the newest fifty of a rare game", RARE, False),
            ("of a game that was never played", "chess", False),
        ):
            took = []
            for _ in range(20):
                began_s = time.process_time()
                found = reader.matches(game, private=private)
                took.append(time.process_time() - began_s)
            note = f"{len(found)} of {matches:,} finished matches"
            yield Figure(SECTION, name, sorted(took)[10] * 1e3, "ms CPU", 5.0, note=note)
        began_s = time.process_time()
        JournalWriter(Path(folder), lambda _count: None, lambda _reason: None).close()
        used_s = time.process_time() - began_s
        yield Figure(SECTION, "opening the journal", used_s, "s CPU", 0.5, note=f"{matches:,} matches in it")
