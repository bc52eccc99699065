"""Looking after a journal from outside the house: what is taken out of it, and what is brought in.

Matches that are over are nobody's any more, so they come and go while people play: in transactions that are
short enough for the house not to notice, and without a new sheet, whose number only the house may give.
Everything else needs the house to be stopped.
"""

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludoteca import games
from ludoteca.core import Damaged, JournalError
from ludoteca.hall.parcel import ID, Retraced
from ludoteca.hall.post import Summary
from ludoteca.hall.weeding import needless
from ludoteca.journal import damage
from ludoteca.journal import verify as verify_record
from ludoteca.server import schema, sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import held
from ludoteca.server.schema import StoreError
from ludoteca.server.sheets import NONE

# What one transaction takes out: the house waits no longer than for a few hundred rows.
SHEETS_MAX = 300
# How long we wait for the house, which writes many times a second.
WAIT_S = 20.0

_encode = msgspec.json.Encoder().encode


class Removed(NamedTuple):
    """What was taken out: matches, their records, and the bytes of these."""

    matches: int = 0
    records: int = 0
    size: int = 0

    def __add__(self, other: object) -> "Removed":
        assert isinstance(other, Removed)
        return Removed(self.matches + other.matches, self.records + other.records, self.size + other.size)


@contextlib.contextmanager
def writing(folder: Path) -> Iterator[sqlite3.Connection]:
    """A connection that writes beside the house. Raises StoreError."""
    path = schema.journal_in(folder)
    JournalReader(folder)
    try:
        with contextlib.closing(schema.connect(path)) as connection:
            connection.execute(f"PRAGMA busy_timeout={int(WAIT_S * 1000)}")
            if schema.version(connection) < len(schema.STEPS):
                raise StoreError(f"{path} has the form of an older version: start the house once before this")
            yield connection
    except sqlite3.Error as error:
        raise StoreError(f"the journal in {folder} cannot be changed: {error}") from None


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """While no house writes the journal. Raises HouseRunning, StoreError."""
    path = schema.journal_in(folder)
    if not path.exists():
        raise StoreError(f"there is no journal in {folder}")
    try:
        with held(folder, path):
            yield
    except OSError as error:
        raise StoreError(f"the journal in {folder} cannot be held: {error.strerror or error}") from None


# Out.


def old(folder: Path, before_ms: int, game: str = "") -> list[str]:
    """The matches that ended before this, oldest first. Raises StoreError."""
    wanted, values = ("AND game = ?", (game,)) if game else ("", ())
    with writing(folder) as connection:
        rows = connection.execute(
            f"SELECT id FROM tables WHERE fate = 'over' AND closed_ms < ? {wanted} ORDER BY closed_ms, id",
            (before_ms, *values),
        )
        return [row[0] for row in rows]


def prune(folder: Path, tables: list[str]) -> Removed:
    """Take matches that are over out of the journal, also while people play. Raises StoreError."""
    removed = Removed()
    with writing(folder) as connection:
        batch: list[str] = []
        touched: set[int] = set()
        for table in tables:
            batch.append(table)
            touched.update(
                number for number, _, _ in sheets.walk(connection, {table: _last(connection, table)})
            )
            if len(touched) >= SHEETS_MAX:
                removed += _remove(connection, batch, touched)
                batch, touched = [], set()
        return removed + _remove(connection, batch, touched)


def weed(folder: Path, before_ms: int, now: float) -> int:
    """Take old lines out of the house's log that nobody needs any more, also while people play; how many.
    Their numbers stay, so that a gap is still a loss. Raises StoreError, Damaged."""
    with writing(folder) as connection, _at_once(connection):
        found = sorted(needless(schema.deeds(connection), before_ms, now))
        connection.executemany(
            "UPDATE deeds SET line = ? WHERE number = ?", [(schema.WEEDED, number) for number in found]
        )
    return len(found)


@contextlib.contextmanager
def _at_once(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction: wholly or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _last(connection: sqlite3.Connection, table: str) -> int:
    row = connection.execute("SELECT last_sheet FROM tables WHERE id = ?", (table,)).fetchone()
    return int(row[0]) if row else 0


def _remove(
    connection: sqlite3.Connection, tables: list[str], touched: set[int], fate: str = "over"
) -> Removed:
    """One transaction: the rows of these tables and all that is on these sheets about them."""
    count = size = gone = 0
    with _at_once(connection):
        for table in tables:
            # Only those that are still what they were when they were chosen.
            deleted = connection.execute(
                "DELETE FROM tables WHERE id = ? AND fate = ?", (table, fate)
            ).rowcount
            gone += deleted
            (old_count, old_size) = connection.execute(
                "SELECT count(*), coalesce(sum(length(line)), 0) FROM records WHERE table_id = ?", (table,)
            ).fetchone()
            connection.execute("DELETE FROM records WHERE table_id = ?", (table,))
            if deleted:
                connection.execute("DELETE FROM slips WHERE id = ?", (table,))
                connection.execute("DELETE FROM snapshots WHERE id = ?", (table,))
            count, size = count + old_count, size + old_size
        names = set(tables)
        for number in sorted(touched):
            (sheet,) = connection.execute("SELECT lines FROM sheets WHERE number = ?", (number,)).fetchone()
            kept = [
                line
                for line in sheet.split(b"\n")
                if line.split(b" ", 1)[0].decode(errors="replace") not in names
            ]
            count += sheet.count(b"\n") + 1 - len(kept)
            after = b"\n".join(kept)
            size += len(sheet) - len(after)
            connection.execute("UPDATE sheets SET lines = ? WHERE number = ?", (after, number))
        # Empty ones go, but for the newest: its number must not be given twice.
        connection.execute(
            "DELETE FROM sheets WHERE lines = x'' AND number < (SELECT max(number) FROM sheets)"
            " AND number BETWEEN ? AND ?",
            (min(touched, default=0), max(touched, default=0)),
        )
    return Removed(gone, count, size)


def shrink(folder: Path) -> tuple[int, int]:
    """Give room that nothing needs back to the disk; the size of the file before and after.

    Raises HouseRunning while a house is there: it would have to wait for all of it.
    """
    path = schema.journal_in(folder)
    with alone(folder), writing(folder) as connection:
        before = path.stat().st_size
        if shutil.disk_usage(folder).free > before:
            connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return before, path.stat().st_size


def drop(folder: Path, table: str) -> Removed:
    """Take a table out that nobody can play at: one that is over, set aside or damaged. Raises StoreError."""
    reader = JournalReader(folder)
    if reader.summary(table) is not None:
        return prune(folder, [table])
    with alone(folder), writing(folder) as connection:
        row = connection.execute("SELECT fate FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            raise StoreError(f"there is no table {table!r}")
        state, _ = examine(reader.lines(table), table)
        if state in ("ok", "changed", "different"):
            raise StoreError(f"{table} can be played at: it is not dropped")
        return take_out(connection, table, row[0])


def take_out(connection: sqlite3.Connection, table: str, fate: str) -> Removed:
    """Take any table out, wherever its lines are; nobody else may write meanwhile."""
    last = max(sheets.Finder().look(connection).get(table, NONE).sheet, _last(connection, table))
    touched = {number for number, _, _ in sheets.walk(connection, {table: last})}
    return _remove(connection, [table], touched, fate)


def examine(lines: list[bytes], table: str) -> tuple[str, str]:
    """What is to be said about a table's record: one word, and a sentence unless all is well."""
    found = damage(lines, table)
    if found is not None:
        return "damaged", f"damaged: {found}"
    try:
        match = verify_record(lines, games.load)
    except JournalError as error:
        state = "damaged" if isinstance(error, Damaged) else "aside"
        return state, f"damaged: {error}" if state == "damaged" else f"set aside: {error}"
    if match.unexplained:
        return "different", f"different: record {match.unexplained} comes out otherwise under the same rules"
    if match.changed:
        now = match.game.version
        return "changed", f"changed: record {match.changed} comes out otherwise since rules of version {now}"
    return "ok", ""


# In.


def take_in(folder: Path, lines: list[bytes], match: Retraced) -> bool:
    """Add a match from elsewhere to the journal, also while people play; False when it is there already.

    Raises StoreError when another one has its name.
    """
    table = match.summary.table.id
    assert ID.fullmatch(table)
    reader = JournalReader(folder)
    known = reader.lines(table)
    if known:
        if reader.summary(table) == _encode(match.summary) or known == lines:
            return False
        raise StoreError(f"there is another table {table} here already")
    with writing(folder) as connection, _at_once(connection):
        put(connection, match.summary, "over")
        # As files from before there were sheets have them: the house reads these first.
        connection.executemany(
            "INSERT INTO records (table_id, number, line) VALUES (?, ?, ?)",
            [(table, number, line) for number, line in enumerate(lines, 1)],
        )
    return True


def put(connection: sqlite3.Connection, summary: Summary, fate: str, last: tuple[int, int] = NONE) -> None:
    """A table's row."""
    table = summary.table
    connection.execute(
        "INSERT INTO tables (id, game, fate, opened_ms, closed_ms, summary, private, last_sheet, last_number)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            table.id,
            table.game,
            fate,
            table.opened_ms,
            summary.closed_ms,
            _encode(summary),
            table.terms.private,
            *last,
        ),
    )
