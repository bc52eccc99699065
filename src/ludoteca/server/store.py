"""The journal's file: SQLite in WAL mode, one writer thread, group commit.

`append` never waits. The writer takes all that has come together since its last commit, writes it in one
transaction and only then calls `durable`. When a write fails it calls `trouble` and tries the same rows again until they are
stored: what has not been acknowledged waits, and what has been is safe.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ludoteca.core import LudotecaError
from ludoteca.hall import Entry

RETRY_S = 0.5
BUSY_S = 1.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    fate TEXT NOT NULL,
    opened_ms INTEGER NOT NULL,
    closed_ms INTEGER NOT NULL,
    summary BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tables_by_end ON tables (fate, closed_ms);
CREATE TABLE IF NOT EXISTS records (
    position INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    line BLOB NOT NULL,
    UNIQUE (table_id, number)
);
"""
_encode = msgspec.json.Encoder().encode


class StoreError(LudotecaError):
    """The journal cannot be opened; the text says why."""


class Store:
    """One SQLite file. `durable(count)` and `trouble(reason)` are called from the writer thread."""

    def __init__(
        self,
        folder: Path,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
        *,
        durability: str = "full",
    ) -> None:
        self._durable = durable
        self._trouble = trouble
        self._pending: list[Entry] = []
        self._written = 0
        self._appended = 0
        self._wake = threading.Condition()
        self._closing = False
        self._synchronous = {"full": "FULL", "normal": "NORMAL", "off": "OFF"}[durability]
        self.path = folder / "ludoteca.sqlite3"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _only_one(folder)
            with contextlib.closing(self._connect()) as connection:
                connection.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot keep a journal in {folder}: {error}") from None
        self._thread = threading.Thread(target=self._write_for_ever, name="journal", daemon=True)
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        return connection

    # Writing.

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries; once `durable` was called with the returned number or a higher one, they are safe."""
        with self._wake:
            self._pending += entries
            self._appended += len(entries)
            self._wake.notify()
            return self._appended

    def close(self) -> None:
        """Write what is left and stop."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        self._lock.close()

    def _write_for_ever(self) -> None:
        connection = self._connect()
        while True:
            with self._wake:
                while not self._pending and not self._closing:
                    self._wake.wait()
                batch, self._pending = self._pending, []
            if not batch:
                break
            while not self._write(connection, batch):
                if self._closing:
                    return
                threading.Event().wait(RETRY_S)
            self._written += len(batch)
            self._durable(self._written)
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()

    def _write(self, connection: sqlite3.Connection, batch: list[Entry]) -> bool:
        """One transaction for the whole batch; False, with nothing of it stored, when that failed."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT INTO records (table_id, number, line) VALUES (?, ?, ?)",
                [(entry.table, entry.number, entry.line) for entry in batch],
            )
            for entry in batch:
                if entry.fate is not None:
                    self._decide(connection, entry)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            self._trouble(str(error))
            return False
        return True

    @staticmethod
    def _decide(connection: sqlite3.Connection, entry: Entry) -> None:
        """What becomes of a table's record: listed as live, kept as over, or forgotten if it never began."""
        if entry.fate == "forgotten":
            connection.execute("DELETE FROM records WHERE table_id = ?", (entry.table,))
            connection.execute("DELETE FROM tables WHERE id = ?", (entry.table,))
            return
        assert entry.summary is not None
        table = entry.summary.table
        closed_ms = entry.summary.closed_ms if entry.fate == "over" else 0
        connection.execute(
            "INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?)",
            (entry.table, table.game, entry.fate, table.opened_ms, closed_ms, _encode(entry.summary)),
        )

    # Reading, on a connection of its own: SQLite lets readers and the writer work side by side.

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(self._connect()) as connection:
            yield connection

    def live(self) -> list[str]:
        """The tables that were open or playing, oldest first."""
        with self._reading() as connection:
            rows = connection.execute("SELECT id FROM tables WHERE fate = 'live' ORDER BY opened_ms, id")
            return [row[0] for row in rows]

    def ids(self) -> list[str]:
        """All tables whose record is kept."""
        with self._reading() as connection:
            return [row[0] for row in connection.execute("SELECT id FROM tables ORDER BY opened_ms, id")]

    def lines(self, table: str) -> list[bytes]:
        """A table's records in order."""
        with self._reading() as connection:
            rows = connection.execute("SELECT line FROM records WHERE table_id = ? ORDER BY number", (table,))
            return [row[0] for row in rows]

    def matches(self, game: str = "", before_ms: int = 1 << 62, count: int = 50) -> list[bytes]:
        """The summaries of finished matches as JSON, newest first."""
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT summary FROM tables WHERE fate = 'over' AND closed_ms < ? AND (game = ? OR ? = '')"
                " ORDER BY closed_ms DESC LIMIT ?",
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

    def quarantine(self, table: str) -> None:
        """Set a damaged table aside: kept for a look, never served again."""
        with self._reading() as connection:
            connection.execute("UPDATE tables SET fate = 'damaged' WHERE id = ?", (table,))


def _only_one(folder: Path) -> sqlite3.Connection:
    """Hold a lock that dies with the process: two houses must not write one journal."""
    lock = sqlite3.connect(folder / "house.lock", timeout=0, isolation_level=None, check_same_thread=False)
    try:
        lock.execute("PRAGMA locking_mode=EXCLUSIVE")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise StoreError(f"another house is running on {folder}") from None
    return lock
