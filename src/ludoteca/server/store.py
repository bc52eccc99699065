"""The journal's file: SQLite in WAL mode, one writer thread, group commit.

`append` never waits. The writer takes all that has come together since its last commit, writes it in one
transaction and only then calls `durable`. When a write fails it calls `trouble` and tries the same rows again until they are
stored: what has not been acknowledged waits, and what has been is safe.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from ludoteca.hall import Entry
from ludoteca.server import schema
from ludoteca.server.archive import Archive
from ludoteca.server.schema import StoreError

RETRY_S = 0.5

_encode = msgspec.json.Encoder().encode


class Store(Archive):
    """One SQLite file with its one writer. `durable(count)` and `trouble(reason)` are called from its thread."""

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
        self._closing = False
        # The writer sleeps on the bell, a plain lock: the cheapest way to wake a thread, and needed only when it
        # sleeps, which under load it does not.
        self._guard = threading.Lock()
        self._bell = threading.Lock()
        self._bell.acquire()
        self._asleep = False
        self._synchronous = {"full": "FULL", "normal": "NORMAL", "off": "OFF"}[durability]
        self.path = folder / "ludoteca.sqlite3"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = _only_one(folder)
            schema.check(self.path)
            with contextlib.closing(self._open()) as connection:
                schema.migrate(connection)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot keep a journal in {folder}: {error}") from None
        self._thread = threading.Thread(target=self._write_for_ever, name="journal", daemon=True)
        self._thread.start()

    def _open(self) -> sqlite3.Connection:
        connection = self.connect()
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={self._synchronous}")
        return connection

    # Writing.

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries; once `durable` was called with the returned number or a higher one, they are safe."""
        with self._guard:
            self._pending += entries
            self._appended += len(entries)
            self._ring()
            return self._appended

    def close(self) -> None:
        """Write what is left and stop."""
        with self._guard:
            self._closing = True
            self._ring()
        self._thread.join()
        self._lock.close()

    def _ring(self) -> None:
        if self._asleep:
            self._asleep = False
            self._bell.release()

    def _take(self) -> list[Entry]:
        """Everything that has come together, after a sleep if there is nothing; empty when the store closes."""
        while True:
            with self._guard:
                if self._pending or self._closing:
                    batch, self._pending = self._pending, []
                    return batch
                self._asleep = True
            self._bell.acquire()

    def _write_for_ever(self) -> None:
        connection = self._open()
        while batch := self._take():
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
