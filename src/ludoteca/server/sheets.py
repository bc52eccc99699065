"""How records lie in the journal's file: one sheet for each commit, with the lines of all tables that shared
it, each behind its table, its number and the sheet that has the table's line before:

    3fa94c21d07e 12 4711 5d1f00c2 0f63d1c29b10b6a7 8c1e02d4 {"number":12,...}

Sheets are only ever added. A table's record is read backwards from its last line; where that is stands in the
table's row once it is over, and for all others in the bookmark, with what was added since (decision 20).
"""

import contextlib
import heapq
import sqlite3
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec

# Of so many tables the lines are looked for on a sheet one by one; for more, all of it is cut.
FEW = 8
# The bookmark is renewed after so many sheets: no more have to be read to find the last lines of all tables.
BOOKMARK_SHEETS = 1000


class Last(NamedTuple):
    """A table's last line: its sheet, and its number. Neither where there is none (yet)."""

    sheet: int
    number: int


NONE = Last(0, 0)
Lasts = dict[str, Last]

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(dict[str, Last]).decode


class Line(NamedTuple):
    """A record as it lies on its sheet; `before` is the sheet of the table's line before, 0 for its first."""

    table: str
    number: int
    before: int
    record: bytes

    def encode(self) -> bytes:
        """As it is written."""
        return b"%b %d %d %b" % (self.table.encode(), self.number, self.before, self.record)


def lines_on(sheet: bytes, table: str = "") -> list[Line]:
    """What can be read on a sheet, of one table or of all."""
    found = []
    for line in _lines_of(sheet, table.encode() + b" ") if table else sheet.split(b"\n"):
        parts = line.split(b" ", 3)
        if len(parts) == 4 and parts[1].isdigit() and parts[2].isdigit():
            name = table or parts[0].decode(errors="replace")
            found.append(Line(name, int(parts[1]), int(parts[2]), parts[3]))
    return found


def _lines_of(sheet: bytes, key: bytes) -> Iterator[bytes]:
    """The lines that begin so. They are few among many: looking for them is quicker than cutting all."""
    at = 0 if sheet.startswith(key) else sheet.find(b"\n" + key) + 1
    while at or sheet.startswith(key):
        end = sheet.find(b"\n", at)
        if end < 0:
            yield sheet[at:]
            return
        yield sheet[at:end]
        at = sheet.find(b"\n" + key, end) + 1
        if not at:
            return


def without(sheet: bytes, table: str) -> bytes:
    """A sheet as if the table had never been."""
    key = table.encode() + b" "
    return b"\n".join(line for line in sheet.split(b"\n") if not line.startswith(key))


def walk(
    connection: sqlite3.Connection, lasts: Mapping[str, int], since: Mapping[str, int] = MappingProxyType({})
) -> Iterator[tuple[int, bytes, dict[str, list[Line]]]]:
    """The sheets of some tables, each once, from the last one back: number, all of it, and the lines of
    these tables on it. `lasts` says where the last line of each stands; tables in `since` are followed back
    to the record of that number only."""
    due: dict[int, list[str]] = {}
    for table, at in lasts.items():
        due.setdefault(at, []).append(table)
    order = [-at for at in due]
    heapq.heapify(order)
    while order and (at := -heapq.heappop(order)):
        row = connection.execute("SELECT lines FROM sheets WHERE number = ?", (at,)).fetchone()
        sheet = row[0] if row is not None else b""
        tables = due.pop(at)
        found = _sorted_out(sheet, tables)
        if found:
            yield at, sheet, found
        for table in tables:
            lines = found.get(table)
            if lines and lines[0].number <= since.get(table, 0):
                continue
            before = lines[0].before if lines and lines[0].before < at else _below(connection, table, at)
            if before not in due:
                due[before] = []
                heapq.heappush(order, -before)
            due[before].append(table)


def _sorted_out(sheet: bytes, tables: list[str]) -> dict[str, list[Line]]:
    """What can be read of these tables on a sheet, by table. To look for one is quicker than to cut all."""
    if len(tables) <= FEW:
        each = ((table, lines_on(sheet, table)) for table in tables)
        return {table: lines for table, lines in each if lines}
    found: dict[str, list[Line]] = {table: [] for table in tables}
    for line in lines_on(sheet):
        if line.table in found:
            found[line.table].append(line)
    return {table: lines for table, lines in found.items() if lines}


def _below(connection: sqlite3.Connection, table: str, at: int) -> int:
    """The next sheet with lines of a table, where what should lead to it is damaged: all are looked at."""
    rows = connection.execute("SELECT number, lines FROM sheets WHERE number < ? ORDER BY number DESC", (at,))
    return next((number for number, sheet in rows if lines_on(sheet, table)), 0)


def bookmark(connection: sqlite3.Connection, sheet: int, lasts: Lasts) -> None:
    """Note the last lines of all tables that are not over, as they are with this sheet."""
    connection.execute("INSERT OR REPLACE INTO bookmark VALUES (1, ?, ?)", (sheet, _encode(lasts)))


def marked(connection: sqlite3.Connection) -> Lasts | None:
    """The last lines that the bookmark knows; None where it cannot be read."""
    with contextlib.suppress(msgspec.DecodeError, sqlite3.DatabaseError):
        row = connection.execute("SELECT lasts FROM bookmark").fetchone()
        return _decode(row[0]) if row is not None else None
    return None


class Finder:
    """Finds the last lines of tables that are not over; what it has read it need not read again."""

    def __init__(self) -> None:
        # Up to where it has read, and where it found the bookmark.
        self.sheet = self.marked = 0
        self.lasts: Lasts = {}

    def look(self, connection: sqlite3.Connection) -> Lasts:
        """The last lines of tables, of all that are not over and of some others."""
        if not self.sheet:
            row = connection.execute("SELECT sheet, lasts FROM bookmark").fetchone()
            # One that cannot be read is none: then all sheets are read.
            with contextlib.suppress(msgspec.DecodeError):
                if row is not None:
                    self.lasts = _decode(row[1])
                    self.sheet = self.marked = row[0]
        rows = connection.execute(
            "SELECT number, lines FROM sheets WHERE number > ? ORDER BY number", (self.sheet,)
        )
        for self.sheet, lines in rows:
            for line in lines_on(lines):
                self.lasts[line.table] = Last(self.sheet, line.number)
        return self.lasts
