"""The journal's file: SQLite in WAL mode, one writer thread, group commit.

`append` never waits. The writer takes all that has come together since its last commit, writes it in one
transaction and only then calls `durable`. When a write fails it calls `trouble` and tries the same rows again
until they are stored: what has not been acknowledged waits, and what has been is safe.
"""

import contextlib
import shutil
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from ludoteca.hall import Entry
from ludoteca.server import schema
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import held
from ludoteca.server.schema import StoreError
from ludoteca.server.secret import secret_of

RETRY_S = 0.5
# What SQLite needs to open a journal: a page of the log and the log's index.
ROOM_BYTES_MIN = 65_536

_encode = msgspec.json.Encoder().encode


class JournalWriter:
    """The one writer of an SQLite file: a `hall.storage.Storage`. `durable` and `trouble` are called from its
    thread."""

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
        # The writer sleeps on the bell, a plain lock that it cannot get until somebody releases it: the
        # cheapest way to wake a thread (a Condition or a Queue takes two to four locks). It is rung only when
        # the writer sleeps; under load it finds new entries after every commit and never does.
        self._guard = threading.Lock()
        self._bell = threading.Lock()
        self._bell.acquire()
        self._asleep = False
        synchronous = {"full": "FULL", "normal": "NORMAL", "off": "OFF"}[durability]
        path = schema.journal_in(folder)
        with contextlib.ExitStack() as starting:
            try:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                starting.enter_context(held(folder, path))
                schema.check(path)
                # The writer's connection is made here, where it can still be said that it cannot be made.
                connection = starting.enter_context(contextlib.closing(schema.connect(path)))
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute(f"PRAGMA synchronous={synchronous}")
                schema.migrate(connection)
                self.secret = secret_of(folder)
                self.archive = JournalReader(folder)
            except (OSError, sqlite3.Error) as error:
                raise StoreError(f"cannot keep a journal in {folder}: {_why(error, folder)}") from None
            self._held = starting.pop_all()
        self._thread = threading.Thread(
            target=self._write_for_ever, args=(connection,), name="journal", daemon=True
        )
        self._thread.start()

    # Writing.

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries; once `durable` was called with the returned number or a higher one, they are
        safe."""
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
        self._held.close()

    def _ring(self) -> None:
        if self._asleep:
            self._asleep = False
            self._bell.release()

    def _take(self) -> list[Entry]:
        """Everything that has come together, after a sleep if there is nothing; empty when the store
        closes."""
        while True:
            with self._guard:
                if self._pending or self._closing:
                    batch, self._pending = self._pending, []
                    return batch
                self._asleep = True
            self._bell.acquire()

    def _write_for_ever(self, connection: sqlite3.Connection) -> None:
        while batch := self._take():
            while not self._write(connection, batch):
                if self._closing:
                    return
                threading.Event().wait(RETRY_S)
            self._written += len(batch)
            self._durable(self._written)
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

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
            "INSERT OR REPLACE INTO tables (id, game, fate, opened_ms, closed_ms, summary, private)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                entry.table,
                table.game,
                entry.fate,
                table.opened_ms,
                closed_ms,
                _encode(entry.summary),
                table.terms.private,
            ),
        )


def _why(error: OSError | sqlite3.Error, folder: Path) -> str:
    """What went wrong, for an operator. SQLite calls most of what a disk does "disk I/O error"."""
    if isinstance(error, OSError):
        return f"{error.strerror}: {error.filename}" if error.filename else str(error)
    # The lowest byte is the kind of the error, what is above says more about it.
    kind = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "another program holds the journal locked"
    full = kind in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and (
        shutil.disk_usage(folder).free < ROOM_BYTES_MIN
    )
    return "the disk is full" if full or kind == sqlite3.SQLITE_FULL else str(error)
