"""A node's own copy of the journal: a file like that of a house on one machine, which says up to where it has
followed the stream.

Everything is read from it, and every command that looks at a house's folder finds one there. It can be thrown
away: it is then made anew from the stream.
"""

import contextlib
import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludoteca.hall.post import Entry
from ludoteca.server import schema
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.lock import OURS_ALONE
from ludoteca.server.schema import StoreError
from ludoteca.server.secret import SECRET_NAME


class Mark(NamedTuple):
    """How far a copy is: the last message of the stream that is in it, and the epoch it was written in."""

    sequence: int
    epoch: int


class Copy:
    """The copy in one folder of the stream of one house. `durable(count)` is told how many of the entries
    that were added are in it, from a thread of its own."""

    def __init__(
        self,
        folder: Path,
        house: str,
        secret: bytes,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
    ) -> None:
        self.mark = prepare(folder, house, secret)
        # Marks that are true when so many entries are in the copy, for its thread to write down.
        self._guard = threading.Lock()
        self._marks: deque[tuple[int, Mark]] = deque()
        self._writer = JournalWriter(folder, durable, trouble, durability="normal", stamp=self._stamp)
        self.archive = self._writer.archive
        self.secret = self._writer.secret
        self.note = self._writer.note
        self.added = 0

    def add(self, entries: list[Entry], sequence: int, epoch: int) -> None:
        """What stands in the stream up to this message is known now."""
        assert sequence > self.mark.sequence, "a stream is followed in its order"
        self.mark = Mark(sequence, epoch)
        self.added += len(entries)
        with self._guard:
            if self._marks and self._marks[-1][0] == self.added:
                # Nothing to write between the two.
                self._marks.pop()
            self._marks.append((self.added, self.mark))
        if entries:
            self._writer.append(entries)

    def _stamp(self, connection: sqlite3.Connection, count: int) -> None:
        """In the transaction of the records themselves: whatever happens, the mark is theirs."""
        with self._guard:
            while len(self._marks) > 1 and self._marks[1][0] <= count:
                self._marks.popleft()
            added, mark = self._marks[0]
        if added <= count:
            connection.execute("UPDATE copy SET sequence = ?, epoch = ?", mark)

    def last_number(self, table: str) -> int:
        """The number of the last record of a table that goes on; 0 where none is known."""
        return self._writer.last_number(table)

    def close(self) -> None:
        """Write what is left and stop."""
        self._writer.close()


def mark_in(folder: Path) -> tuple[str, Mark] | None:
    """The house that a folder has a copy of, and how far; None where there is none. Raises StoreError."""
    path = schema.journal_in(folder)
    if not path.exists():
        return None
    try:
        with contextlib.closing(schema.connect(path)) as connection:
            if not _has_table(connection, "copy"):
                return None
            row = connection.execute("SELECT house, sequence, epoch FROM copy").fetchone()
            return (row[0], Mark(row[1], row[2])) if row is not None else None
    except sqlite3.Error as error:
        raise StoreError(f"the journal in {folder} cannot be read: {error}") from None


def prepare(folder: Path, house: str, secret: bytes) -> Mark:
    """Make the folder one of a copy of this house, where it is nothing else. Raises StoreError."""
    known = mark_in(folder)
    if known is not None and known[0] != house:
        raise StoreError(f"{folder} has the copy of another house: choose another folder with --data")
    path = schema.journal_in(folder)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.closing(schema.connect(path)) as connection:
            if known is None:
                if _has_table(connection, "tables") and _is_used(connection):
                    raise StoreError(
                        f"{folder} has a house of its own: `ludoteca cluster import` takes it to the cluster,"
                        " --data chooses another folder"
                    )
                connection.execute("BEGIN IMMEDIATE")
                connection.execute("CREATE TABLE copy (house TEXT, sequence INTEGER, epoch INTEGER)")
                connection.execute("INSERT INTO copy VALUES (?, 0, 0)", (house,))
                connection.execute("COMMIT")
        path.chmod(OURS_ALONE)
        fresh = folder / f"{SECRET_NAME}.new"
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OURS_ALONE), "wb") as file:
            file.write(secret)
        fresh.replace(folder / SECRET_NAME)
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"cannot keep a copy in {folder}: {error}") from None
    return known[1] if known is not None else Mark(0, 0)


def _has_table(connection: sqlite3.Connection, name: str) -> bool:
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
    return found.fetchone() is not None


def _is_used(connection: sqlite3.Connection) -> bool:
    """Whether anything is in a journal."""
    deeds = _has_table(connection, "deeds") and connection.execute("SELECT 1 FROM deeds LIMIT 1").fetchone()
    return bool(deeds) or connection.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None
