"""Reading the journal's file: recovery, finished matches, the commands that look at a house from outside."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ludoteca.server import schema
from ludoteca.server.schema import StoreError

__all__ = ["JournalReader", "StoreError"]


class JournalReader:
    """The tables of one data folder: a `hall.storage.Reader`. SQLite lets readers work beside the writer."""

    def __init__(self, folder: Path) -> None:
        self._path = schema.journal_in(folder)
        if not self._path.exists():
            raise StoreError(f"there is no journal in {folder}")
        try:
            schema.check(self._path)
        except sqlite3.Error as error:
            raise StoreError(f"the journal in {folder} cannot be read: {error}") from None

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
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

    def ids(self) -> list[str]:
        """All tables whose record is kept."""
        with self._reading() as connection:
            return [row[0] for row in connection.execute("SELECT id FROM tables ORDER BY opened_ms, id")]

    def lines(self, table: str) -> list[bytes]:
        """A table's records in order."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT CAST(line AS BLOB) FROM records WHERE table_id = ? ORDER BY number", (table,)
            )
            return [row[0] for row in rows]

    def matches(
        self, game: str = "", before_ms: int = 1 << 62, count: int = 50, *, private: bool = False
    ) -> list[bytes]:
        """The summaries of finished matches as JSON, newest first; those of private tables only where
        wanted."""
        public = "" if private else "AND private = 0"
        with self._reading() as connection:
            rows = connection.execute(
                f"SELECT summary FROM tables WHERE fate = 'over' {public} AND closed_ms < ?"
                " AND (game = ? OR ? = '') ORDER BY closed_ms DESC LIMIT ?",
                (before_ms, game, game, count),
            )
            return [row[0] for row in rows]

    def summary(self, table: str) -> bytes | None:
        """One finished match's summary as JSON; None for one that runs or never was."""
        with self._reading() as connection:
            row = connection.execute(
                "SELECT summary FROM tables WHERE id = ? AND fate = 'over'", (table,)
            ).fetchone()
            return row[0] if row else None
