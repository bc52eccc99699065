"""Damage to a journal that no house holds, done by hand."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from ludoteca.server import sheets
from ludoteca.server.schema import journal_in

# What becomes of a record of this number; None: it is gone.
Change = Callable[[int, bytes], bytes | None]


def spoil(folder: Path, table: str, change: Change, *, snapshots: bool = False) -> int:
    """Change records of a table as they lie on their sheets; how many were. Snapshots, with which old records
    are not needed, are gone unless they are wanted."""
    changed = 0
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection, connection:
        for sheet, lines in connection.execute("SELECT number, lines FROM sheets").fetchall():
            kept = []
            for line in sheets.lines_on(lines):
                after = change(line.number, line.record) if line.table == table else line.record
                changed += after != line.record
                if after is not None:
                    kept.append(line._replace(record=after).encode())
            connection.execute("UPDATE sheets SET lines = ? WHERE number = ?", (b"\n".join(kept), sheet))
        if not snapshots:
            connection.execute("DELETE FROM snapshots WHERE id = ?", (table,))
    return changed
