"""The journal's file: SQLite in WAL mode, one writer thread, group commit.

`append` never waits. The writer takes all that has come together since its last commit, writes it in one
transaction, as one sheet (see `sheets`), and only then calls `durable`. When a write fails it calls `trouble`
and tries the same again until it is stored: what has not been acknowledged waits, and what has been is safe.
"""

import contextlib
import itertools
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from ludoteca.hall import Entry
from ludoteca.hall.storage import NoteKind
from ludoteca.server import schema, sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.lock import held
from ludoteca.server.schema import StoreError
from ludoteca.server.secret import secret_of
from ludoteca.server.sheets import BOOKMARK_SHEETS, NONE, Last, Lasts, Line

RETRY_S = 0.5
# So many notes are written together: a record that comes meanwhile waits for no more.
NOTES_MAX = 64
# Where several records come together, the next commit begins so much later than the last, and where dozens
# do, twice that. A commit costs as much as fifty records in it: hurrying would cost a busy house a fifth of
# its processor. Alone, nobody waits.
COMPANY_S = 0.003
DOZENS = 12
# About so many pages of its log SQLite puts into the file at a time, as long as dozens of commits take.
# By itself it does so within a commit, whose moves would wait for it: so we do it behind one, and leave it to
# SQLite only where the log is several times as long.
LOG_PAGES = 1000
LOG_PAGES_MAX = 4 * LOG_PAGES
# After so many commits at the latest; after fewer, as soon as it is known how many pages they take. More
# would be too many where commits that had been small become large: SQLite would step in before that was
# noticed.
LOG_COMMITS = 100
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
        stamp: Callable[[sqlite3.Connection, int], None] | None = None,
    ) -> None:
        self._durable = durable
        self._trouble = trouble
        # What is written with every batch, told how many records there are then.
        self._stamp = stamp
        self._pending: list[Entry] = []
        self._notes: dict[tuple[NoteKind, str], tuple[int, bytes]] = {}
        # The tables of which a snapshot is stored.
        self._pictured: set[str] = set()
        self._written = 0
        self._appended = 0
        self._closing = False
        # How many commits are in the log, and how many are to be.
        self._logged = 0
        self._logged_max = LOG_COMMITS
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
                connection.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES_MAX}")
                schema.migrate(connection)
                self.secret = secret_of(folder)
                self._find(connection)
                self.archive = JournalReader(folder, self._lasts)
            except (OSError, sqlite3.Error) as error:
                raise StoreError(f"cannot keep a journal in {folder}: {_why(error, folder)}") from None
            self._held = starting.pop_all()
        self._begin(connection)

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Write from now on, in a thread of its own."""
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

    def note(self, kind: NoteKind, notes: Mapping[str, tuple[int, bytes]]) -> None:
        """Keep what is known of live tables, when there is nothing else to write."""
        with self._guard:
            self._notes.update({(kind, table): note for table, note in notes.items()})
            self._ring()

    def last_number(self, table: str) -> int:
        """The number of the last record of a table that goes on, as far as it is written; 0 where none is."""
        return self._lasts.get(table, NONE).number

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

    def _take(self, connection: sqlite3.Connection, wait_s: float) -> list[Entry]:
        """Everything that has come together, after a wait for company, and after a sleep if there is nothing;
        empty when the store closes."""
        if wait_s > 0 and not self._closing:
            time.sleep(wait_s)
        while True:
            with self._guard:
                if self._pending or (self._closing and not self._notes):
                    batch, self._pending = self._pending, []
                    return batch
                notes = {key: self._notes.pop(key) for key in list(itertools.islice(self._notes, NOTES_MAX))}
                self._asleep = not notes
            if notes:
                self._write_notes(connection, notes)
            else:
                self._bell.acquire()

    def _write_notes(
        self, connection: sqlite3.Connection, notes: dict[tuple[NoteKind, str], tuple[int, bytes]]
    ) -> None:
        """Notes are no records: where they cannot be written they are lost. What was written of a table since
        is newer, and a table that is over needs none. Each statement may have to wait for the loop, and a
        record for all of them; so there is one for all that is noted."""
        kinds: dict[NoteKind, list[tuple[str, int, bytes]]] = {}
        for (kind, table), note in notes.items():
            kinds.setdefault(kind, []).append((table, *note))
        try:
            connection.execute("BEGIN IMMEDIATE")
            for kind, noted in kinds.items():
                connection.execute(
                    f"INSERT INTO {kind}s SELECT * FROM (VALUES {', '.join(['(?, ?, ?)'] * len(noted))})"
                    " WHERE EXISTS (SELECT 1 FROM tables WHERE id = column1 AND fate != 'over')"
                    f" ON CONFLICT DO UPDATE SET number = excluded.number, {kind} = excluded.{kind}"
                    f" WHERE {kind}s.number <= excluded.number",
                    [value for note in noted for value in note],
                )
                connection.execute(
                    f"DELETE FROM {kind}s WHERE id IN ({', '.join('?' * len(noted))})"
                    f" AND (NOT length({kind}) OR NOT EXISTS"
                    f" (SELECT 1 FROM tables WHERE id = {kind}s.id AND fate != 'over'))",
                    [table for table, _, _ in noted],
                )
            connection.execute("COMMIT")
        except sqlite3.Error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        else:
            for (what, table), (_, snapshot) in notes.items():
                if what == "snapshot":
                    (self._pictured.add if snapshot else self._pictured.discard)(table)

    def _write_for_ever(self, connection: sqlite3.Connection) -> None:
        wait_s = 0.0
        while batch := self._take(connection, wait_s):
            began_s = time.monotonic()
            while not self._write(connection, batch):
                if self._closing:
                    return
                threading.Event().wait(RETRY_S)
            self._written += len(batch)
            self._durable(self._written)
            self._put_away(connection)
            company_s = COMPANY_S * ((len(batch) > 1) + (len(batch) >= DOZENS))
            wait_s = company_s - (time.monotonic() - began_s)
        self._finish(connection)

    def _put_away(self, connection: sqlite3.Connection) -> None:
        """Put the log into the file where it has become long; what cannot be put there stays in the log."""
        self._logged += 1
        if self._logged >= self._logged_max:
            with contextlib.suppress(sqlite3.Error):
                _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                self._logged_max = max(1, min(LOG_COMMITS, self._logged * LOG_PAGES // max(1, pages)))
            self._logged = 0

    def _finish(self, connection: sqlite3.Connection) -> None:
        """All is written: leave the file as the next start likes it best."""
        with contextlib.suppress(sqlite3.Error):
            if self._sheet > self._marked:
                sheets.bookmark(connection, self._sheet, self._lasts)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _find(self, connection: sqlite3.Connection) -> None:
        """Where the last line of every table stands that goes on."""
        finder = sheets.Finder()
        found = finder.look(connection)
        # A cache: where it cannot be read, there is nothing to be cleared away either.
        with contextlib.suppress(sqlite3.Error):
            self._pictured.update(table for (table,) in connection.execute("SELECT id FROM snapshots"))
        rows = connection.execute("SELECT id FROM tables WHERE fate IN ('live', 'damaged')")
        self._lasts: Lasts = {table: found[table] for (table,) in rows if table in found}
        self._sheet = finder.sheet
        self._marked = finder.marked

    def _write(self, connection: sqlite3.Connection, batch: list[Entry]) -> bool:
        """One transaction for the whole batch; False, with nothing of it stored, when that failed."""
        try:
            lasts = self._store(connection, batch)
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            self._trouble(str(error))
            return False
        self._sheet += 1
        self._lasts.update(lasts)
        for entry in batch:
            if entry.fate in ("over", "forgotten"):
                self._lasts.pop(entry.table, None)
                self._drop_snapshot(entry.table)
        return True

    def _drop_snapshot(self, table: str) -> None:
        """Its match is over. Not with the record: no record depends on what becomes of snapshots. Notes wait
        as long as a house is busy, so none is made of the many short matches that never had one."""
        with self._guard:
            self._notes.pop(("snapshot", table), None)
            if table in self._pictured:
                self._notes["snapshot", table] = 0, b""

    def _store(self, connection: sqlite3.Connection, batch: list[Entry]) -> Lasts:
        """Where the tables of this batch have their last lines now. Raises sqlite3.Error."""
        sheet, lasts, lines = self._sheet + 1, Lasts(), []
        # What changes more than a table's record: no move does.
        news = [entry for entry in batch if entry.fate is not None or entry.slip]
        forgotten = [entry.table for entry in news if entry.fate == "forgotten"]
        mark = sheet - self._marked >= BOOKMARK_SHEETS
        # Moves alone are one statement, which is a transaction by itself: each statement lets the loop go on
        # meanwhile, and must then wait for its turn again.
        is_one = (
            not news
            and not mark
            and self._stamp is None
            and self._lasts.keys() >= {entry.table for entry in batch}
        )
        if not is_one:
            connection.execute("BEGIN IMMEDIATE")
        # Those that were over before, and about which something is added all the same: the last chat.
        over: list[str] = []
        for entry in batch:
            table, number = entry.table, entry.number
            if not table:
                connection.execute("INSERT INTO deeds VALUES (?, ?)", (number, entry.line))
                continue
            before = lasts.get(table) or self._lasts.get(table) or self._look_up(connection, table, over)
            if number <= before.number:
                raise sqlite3.IntegrityError("there is a record of this number already")
            lasts[table] = Last(sheet, number)
            if table not in forgotten:
                lines.append(Line(table, number, before.sheet, entry.line).encode())
        connection.execute("INSERT INTO sheets VALUES (?, ?)", (sheet, b"\n".join(lines)))
        for entry in news:
            if entry.fate is not None:
                self._decide(connection, entry, lasts[entry.table])
        self._note_slips(connection, news)
        for table in over:
            connection.execute(
                "UPDATE tables SET last_sheet = ?, last_number = ? WHERE id = ?", (*lasts.pop(table), table)
            )
        if mark:
            sheets.bookmark(connection, self._sheet, self._lasts)
        if self._stamp is not None:
            self._stamp(connection, self._written + len(batch))
        if not is_one:
            connection.execute("COMMIT")
        if mark:
            self._marked = self._sheet
        return lasts

    @staticmethod
    def _note_slips(connection: sqlite3.Connection, batch: list[Entry]) -> None:
        """What is known of live tables changes with their records, or not at all."""
        news = {entry.table: entry for entry in batch if entry.slip or entry.fate in ("over", "forgotten")}
        for table, entry in news.items():
            if entry.slip:
                connection.execute(
                    "INSERT OR REPLACE INTO slips VALUES (?, ?, ?)", (table, entry.number, entry.slip)
                )
            else:
                connection.execute("DELETE FROM slips WHERE id = ?", (table,))

    def _look_up(self, connection: sqlite3.Connection, table: str, over: list[str]) -> Last:
        """The last line of a table about which nothing was written since the start, or that is over."""
        row = connection.execute(
            "SELECT last_sheet, last_number, fate FROM tables WHERE id = ?", (table,)
        ).fetchone()
        if row is None:
            return NONE
        if row[2] == "over":
            over.append(table)
        (number,) = connection.execute(
            "SELECT coalesce(max(number), 0) FROM records WHERE table_id = ?", (table,)
        ).fetchone()
        return Last(row[0], max(row[1], number))

    def _decide(self, connection: sqlite3.Connection, entry: Entry, last: Last) -> None:
        """What becomes of a table's record: listed as live, kept as over, or forgotten if it never began."""
        if entry.fate == "forgotten":
            self._forget(connection, entry.table)
            return
        assert entry.summary is not None
        table = entry.summary.table
        over = entry.fate == "over"
        connection.execute(
            "INSERT OR REPLACE INTO tables"
            " (id, game, fate, opened_ms, closed_ms, summary, private, last_sheet, last_number)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                entry.table,
                table.game,
                entry.fate,
                table.opened_ms,
                entry.summary.closed_ms if over else 0,
                _encode(entry.summary),
                table.terms.private,
                *(last if over else NONE),
            ),
        )

    def _forget(self, connection: sqlite3.Connection, table: str) -> None:
        """Nothing is left of a table, on no sheet."""
        last = self._lasts.get(table)
        if last is None:
            # It was over before, and is pruned by whoever keeps it with others.
            row = connection.execute("SELECT last_sheet FROM tables WHERE id = ?", (table,)).fetchone()
            last = Last(row[0], 0) if row is not None else NONE
        for number, sheet, _ in list(sheets.walk(connection, {table: last.sheet})):
            connection.execute(
                "UPDATE sheets SET lines = ? WHERE number = ?", (sheets.without(sheet, table), number)
            )
        connection.execute("DELETE FROM records WHERE table_id = ?", (table,))
        connection.execute("DELETE FROM tables WHERE id = ?", (table,))


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
