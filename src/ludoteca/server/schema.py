"""The journal's file, which a writer and readers share: its place, its shape, and how an older one becomes
today's.

`user_version` counts the steps that a file has been through. A step is never changed once it has been
released: whatever the file needs next is a new one at the end.
"""

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from ludoteca.core import LudotecaError

BUSY_S = 1.0


class StoreError(LudotecaError):
    """The journal cannot be used; the text says why."""


def journal_in(folder: Path) -> Path:
    """The journal's file in a data folder."""
    return folder / "ludoteca.sqlite3"


def connect(path: Path) -> sqlite3.Connection:
    """A connection; WAL mode is a property of the file."""
    return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)


STEPS: Sequence[tuple[str, ...]] = (
    # Files from before there were steps look so already.
    (
        """CREATE TABLE IF NOT EXISTS tables (
            id TEXT PRIMARY KEY,
            game TEXT NOT NULL,
            fate TEXT NOT NULL,
            opened_ms INTEGER NOT NULL,
            closed_ms INTEGER NOT NULL,
            summary BLOB NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX IF NOT EXISTS tables_by_end ON tables (fate, closed_ms)",
        """CREATE TABLE IF NOT EXISTS records (
            position INTEGER PRIMARY KEY,
            table_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            line BLOB NOT NULL,
            UNIQUE (table_id, number)
        )""",
    ),
    # The list of matches leaves out private ones without looking at each.
    (
        "ALTER TABLE tables ADD COLUMN private INTEGER NOT NULL DEFAULT 0",
        """UPDATE tables SET private = 1 WHERE instr(CAST(summary AS TEXT), '"private":true')""",
        "DROP INDEX tables_by_end",
        "CREATE INDEX tables_by_end ON tables (fate, private, closed_ms)",
    ),
    # One sheet for each commit instead of a row for each record, whose index grew with the tables (see
    # `sheets`). What is in `records` stays there: it is read first, and nothing is added to it. `last_sheet`
    # and `last_number` are known of tables that are over. The list of one game's matches has an index.
    (
        "CREATE TABLE sheets (number INTEGER PRIMARY KEY, lines BLOB NOT NULL)",
        "CREATE TABLE bookmark (id INTEGER PRIMARY KEY, sheet INTEGER NOT NULL, lasts BLOB NOT NULL)",
        "ALTER TABLE tables ADD COLUMN last_sheet INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN last_number INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX tables_by_game ON tables (fate, private, game, closed_ms)",
    ),
    # The house's own log: what hosts did, who was invited, what was reported.
    ("CREATE TABLE deeds (number INTEGER PRIMARY KEY, line BLOB NOT NULL)",),
    # What must be known of live tables before they are back (see `hall/slip.py`).
    ("CREATE TABLE slips (id TEXT PRIMARY KEY, number INTEGER NOT NULL, slip BLOB NOT NULL) WITHOUT ROWID",),
    # Live tables after one of their records (see `hall/snapshot.py`).
    ("CREATE TABLE snapshots (id TEXT PRIMARY KEY, number INTEGER NOT NULL, snapshot BLOB NOT NULL)",),
)
# The steps from which on private tables are marked, there are sheets, deeds, and slips.
PRIVATE, SHEETS, DEEDS, SLIPS = 2, 3, 4, 5
# What stands in the log for a deed that nobody needs any more: it is no loss.
WEEDED = b"-"


def check(path: Path, steps: Sequence[tuple[str, ...]] = STEPS) -> None:
    """Raise StoreError when a newer version has written the file, which is not touched by looking at it."""
    if not path.exists():
        return
    # Who died while the file was made leaves beside it what only somebody who may write can take back.
    mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        found = version(connection)
    if found > len(steps):
        raise StoreError(
            f"{path} was written by a newer version of Ludoteca"
            f" (schema {found}; this one knows {len(steps)});"
            " start that version, or restore a copy from before it"
        )


def migrate(connection: sqlite3.Connection, steps: Sequence[tuple[str, ...]] = STEPS) -> None:
    """Bring the file to the newest shape, in one transaction: wholly or not at all."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in steps[version(connection) :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        # When the disk is full SQLite has rolled back by itself.
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def version(connection: sqlite3.Connection) -> int:
    """How many steps a file has been through."""
    (steps,) = connection.execute("PRAGMA user_version").fetchone()
    return int(steps)


def deeds(connection: sqlite3.Connection) -> list[bytes]:
    """The house's own log, in order."""
    rows = connection.execute("SELECT line FROM deeds ORDER BY number")
    return [line for (line,) in rows if line != WEEDED]
