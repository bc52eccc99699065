"""Reading the journal's file: recovery, finished matches, the commands that look at a house from outside."""

import contextlib
import heapq
import itertools
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ludoteca.server import schema, sheets
from ludoteca.server.schema import StoreError
from ludoteca.server.sheets import NONE, Last, Line

__all__ = ["JournalReader", "StoreError"]


class JournalReader:
    """The tables of one data folder: a `hall.storage.Reader`. SQLite lets readers work beside the writer.

    `lasts` are the last lines of tables that are not over, as the writer knows them; whoever reads from
    outside finds them in the file.
    """

    def __init__(self, folder: Path, lasts: Mapping[str, Last] | None = None) -> None:
        self._lasts = lasts
        self._finder = sheets.Finder()
        self._held: dict[int, sqlite3.Connection] = {}
        self._path = schema.journal_in(folder)
        if not self._path.exists():
            raise StoreError(f"there is no journal in {folder}")
        try:
            schema.check(self._path)
        except sqlite3.Error as error:
            raise StoreError(f"the journal in {folder} cannot be read: {error}") from None

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """One connection for all that this thread reads meanwhile: to open one takes longer than a look."""
        me = threading.get_ident()
        if me in self._held:
            yield
            return
        # Where there is none, each who reads finds that out.
        with contextlib.suppress(sqlite3.Error):
            self._held[me] = schema.connect(self._path)
        try:
            yield
        finally:
            if me in self._held:
                self._held.pop(me).close()

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        held = self._held.get(threading.get_ident())
        if held is not None:
            yield held
            return
        try:
            with contextlib.closing(schema.connect(self._path)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"the journal in {self._path.parent} cannot be read: {error}") from None

    def live(self) -> list[str]:
        """The tables that were open or playing, oldest first.

        Versions before 0.2.0 called those damaged which they could not bring back; nothing of the kind is for
        good.
        """
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT id FROM tables WHERE fate IN ('live', 'damaged') ORDER BY opened_ms, id"
            )
            return [row[0] for row in rows]

    def slips(self) -> dict[str, bytes]:
        """What is noted of tables that are live: the last slip of each."""
        with self._reading() as connection:
            if schema.version(connection) < schema.SLIPS:
                return {}
            return dict(connection.execute("SELECT id, slip FROM slips"))

    def ids(self) -> list[str]:
        """All tables whose record is kept."""
        with self._reading() as connection:
            return [row[0] for row in connection.execute("SELECT id FROM tables ORDER BY opened_ms, id")]

    def lines(self, table: str) -> list[bytes]:
        """A table's records in order."""
        return self.records([table])[table]

    def records(
        self, tables: Sequence[str], since: Mapping[str, int] | None = None
    ) -> dict[str, list[bytes]]:
        """The records of several tables, each in order; what they share is read once. Of those in `since`
        only from the record of that number on, where that is on a sheet."""
        # Before anything is read: what the writer knows now is there, and what it forgets when a table is
        # over stands in the table's row by then.
        known = self._lasts
        lasts = {table: known.get(table, NONE).sheet if known is not None else 0 for table in tables}
        with self._reading() as connection, _one_moment(connection):
            found = {table: self._rows(connection, table) for table in tables}
            if schema.version(connection) < schema.SHEETS:
                return found
            if known is None:
                outside = self._finder.look(connection)
                lasts = {table: outside.get(table, NONE).sheet for table in tables}
            for table in tables:
                row = connection.execute("SELECT last_sheet FROM tables WHERE id = ?", (table,)).fetchone()
                if row is not None:
                    lasts[table] = max(lasts[table], row[0])
            parts: dict[str, list[list[Line]]] = {table: [] for table in tables}
            for _, _, lines_of in sheets.walk(connection, lasts, since or {}):
                for table, lines in lines_of.items():
                    parts[table].append(lines)
        for table, backwards in parts.items():
            first = (since or {}).get(table, 0)
            later = [line.record for part in reversed(backwards) for line in part if line.number >= first]
            found[table] = found[table] + later if not first else later
        return found

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        """The last snapshots of these tables, as far as there are any."""
        with self._reading() as connection:
            rows = (
                connection.execute("SELECT id, snapshot FROM snapshots WHERE id = ?", (table,)).fetchone()
                for table in tables
            )
            return dict(row for row in rows if row is not None)

    @staticmethod
    def _rows(connection: sqlite3.Connection, table: str) -> list[bytes]:
        """What was written of a table before there were sheets."""
        rows = connection.execute(
            "SELECT CAST(line AS BLOB) FROM records WHERE table_id = ? ORDER BY number", (table,)
        )
        return [row[0] for row in rows]

    def matches(
        self,
        game: str = "",
        before_ms: int = 1 << 62,
        count: int = 50,
        *,
        private: bool = False,
        before: str = "",
    ) -> list[bytes]:
        """The summaries of finished matches as JSON, newest first; those of private tables only where
        wanted. Of those that ended at `before_ms` itself, those whose id comes before `before`."""
        wanted, values = ("AND game = ?", (game,)) if game else ("", ())
        kinds = ("AND private = 0", "AND private = 1") if private else ("AND private = 0",)
        with self._reading() as connection:
            if private and schema.version(connection) < schema.PRIVATE:
                kinds = ("",)
            # Each list comes in order from an index; of a million matches nobody waits for the others.
            lists = [
                connection.execute(
                    f"SELECT closed_ms, summary FROM tables WHERE fate = 'over' {kind} {wanted}"
                    " AND (closed_ms, id) < (?, ?) ORDER BY closed_ms DESC, id DESC LIMIT ?",
                    (*values, before_ms, before, count),
                ).fetchall()
                for kind in kinds
            ]
        newest = heapq.merge(*lists, key=lambda row: -int(row[0]))
        return [summary for _, summary in itertools.islice(newest, count)]

    def summary(self, table: str) -> bytes | None:
        """One finished match's summary as JSON; None for one that runs or never was."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT summary FROM tables WHERE id = ? AND fate = 'over'", (table,)
            ).fetchone()
            return row[0] if row else None

    def deeds(self) -> list[bytes]:
        """The house's own log, in order."""
        with self._reading() as connection:
            if schema.version(connection) < schema.DEEDS:
                return []
            return schema.deeds(connection)


@contextlib.contextmanager
def _one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is read here is of one moment."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
