"""What is left of a damaged journal, and what is lost: tables whose records do not hold together any more are
written to files beside it and taken out; a file that SQLite itself cannot read through is copied row by row.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from ludoteca import games
from ludoteca.core import JournalError
from ludoteca.hall.acts import Deed
from ludoteca.hall.parcel import ID, retrace
from ludoteca.hall.post import Summary
from ludoteca.journal.records import sitters
from ludoteca.server import schema, sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.keeping import alone, examine, put, take_out, writing
from ludoteca.server.lock import OURS_ALONE
from ludoteca.server.schema import StoreError
from ludoteca.server.sheets import NONE, Last

ASIDE = "aside"
# No page of the file has more sheets or records than this.
ROWS_PER_PAGE_MAX = 64


def repair(folder: Path, say: Callable[[str], None]) -> int:
    """Set aside what is damaged, and say what was lost; how much that was. The house must be stopped.

    Raises StoreError, HouseRunning.
    """
    with alone(folder):
        lost = 0
        # One that SQLite finds whole is changed in its place.
        if not _whole(folder):
            lost += _copy_what_is_left(folder, say)
        lost += _set_aside_damaged(folder, say)
        return lost


def _whole(folder: Path) -> bool:
    """Whether SQLite can read all of the file. Raises StoreError where it cannot even find its tables."""
    with contextlib.closing(schema.connect(schema.journal_in(folder))) as connection:
        try:
            if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise sqlite3.DatabaseError("it has no tables")
            steps = schema.version(connection)
        except sqlite3.DatabaseError as error:
            raise StoreError(
                f"the journal in {folder} cannot be read at all ({error}): bring a copy back with"
                " `ludoteca restore`"
            ) from None
        if steps < len(schema.STEPS):
            schema.migrate(connection)
        try:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
        except sqlite3.DatabaseError:
            return False


# A file that cannot be read through.


def _copy_what_is_left(folder: Path, say: Callable[[str], None]) -> int:
    """A new journal with every row that can still be read, in place of the damaged one, which is kept."""
    path = schema.journal_in(folder)
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with contextlib.closing(schema.connect(path)) as source, contextlib.closing(_empty(fresh)) as target:
        # Bytes that are no text any more are still bytes.
        source.text_factory = lambda text: text.decode(errors="replace")
        target.execute("BEGIN")
        # Slips and the bookmark are made again from the rest.
        for name, key, columns in (
            ("sheets", "number", "*"),
            ("records", "position", "*"),
            ("deeds", "number", "*"),
        ):
            found = 0
            for row in _rows(source, name, key, columns):
                marks = ", ".join("?" * len(row))
                found += target.execute(f"INSERT OR IGNORE INTO {name} VALUES ({marks})", row).rowcount
            say(f"{found} {name} could be read")
        for row in _table_rows(source):
            target.execute("INSERT OR IGNORE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        lost = _say_which_deeds_are_missing(target, say) + _bring_rows_back(target, say)
        _say_what_ends_early(source, target, say)
        target.execute("COMMIT")
    kept = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    for tail in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path.with_name(path.name + tail), kept.with_name(kept.name + tail))
    os.replace(fresh, path)
    say(f"the damaged file is kept as {kept.name}")
    return lost


def _say_which_deeds_are_missing(target: sqlite3.Connection, say: Callable[[str], None]) -> int:
    """What hosts did is counted from 1 without a gap; that the last are gone nobody can know."""
    numbers = {row[0] for row in target.execute("SELECT number FROM deeds")}
    missing = [number for number in range(1, max(numbers, default=0)) if number not in numbers]
    for number in missing:
        say(_deed(number))
    return len(missing)


def _deed(number: int) -> str:
    return (
        f"deed {number} in the log of what hosts did is lost: look at who may come in"
        " (`ludoteca admin status`) before you open the house to others"
    )


def _empty(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE))
    connection = schema.connect(path)
    schema.migrate(connection)
    return connection


def _rows(source: sqlite3.Connection, name: str, key: str, columns: str) -> Iterator[tuple[object, ...]]:
    """All rows that can be read, found by halves: what is on a broken page is lost, and nothing beside it."""
    try:
        (last,) = source.execute(f"SELECT coalesce(max({key}), 0) FROM {name}").fetchone()
    except sqlite3.DatabaseError:
        (pages,) = source.execute("PRAGMA page_count").fetchone()
        last = pages * ROWS_PER_PAGE_MAX
    ranges = [(1, last)] if isinstance(last, int) else []
    while ranges:
        low, high = ranges.pop()
        try:
            found = source.execute(
                f"SELECT {columns} FROM {name} WHERE {key} BETWEEN ? AND ? ORDER BY {key}", (low, high)
            ).fetchall()
        except sqlite3.DatabaseError:
            if low < high:
                middle = (low + high) // 2
                ranges += [(middle + 1, high), (low, middle)]
            continue
        yield from found


def _table_rows(source: sqlite3.Connection) -> Iterator[tuple[object, ...]]:
    """The rows of tables from both ends up to what is broken; what lies between is found by its records."""
    for order in ("", "DESC"):
        with contextlib.suppress(sqlite3.DatabaseError):
            yield from source.execute(
                "SELECT id, game, fate, opened_ms, closed_ms, summary, private, last_sheet, last_number"
                f" FROM tables ORDER BY id {order}"
            )


def _bring_rows_back(target: sqlite3.Connection, say: Callable[[str], None]) -> int:
    """Rows of tables whose lines are there: made again from them, by executing them."""
    known = {row[0] for row in target.execute("SELECT id FROM tables")}
    lasts = sheets.Finder().look(target)
    old = {row[0] for row in target.execute("SELECT DISTINCT table_id FROM records")}
    lost = 0
    for table in sorted((set(lasts) | old) - known):
        lines = _lines(target, table, lasts.get(table, NONE))
        try:
            found = retrace(lines, games.load)
        except JournalError as error:
            say(f"{table}: its entry is lost, and so is the match: {error}")
            lost += 1
            continue
        if found.fate != "forgotten" and found.summary.table.id == table and ID.fullmatch(table):
            put(target, found.summary, found.fate, lasts.get(table, NONE) if found.fate == "over" else NONE)
            more = "" if found.fate == "over" else "; if others followed, it goes on from before them"
            say(f"{table}: its entry was lost, and was made again from its {len(lines)} records{more}")
    return lost


def _say_what_ends_early(
    source: sqlite3.Connection, target: sqlite3.Connection, say: Callable[[str], None]
) -> None:
    """Running matches whose last records are gone go on from before them; nothing but the bookmark, which may
    be old, knows how many there were."""
    (last,) = target.execute("SELECT coalesce(max(number), 0) FROM sheets").fetchone()
    numbers = {row[0] for row in target.execute("SELECT number FROM sheets")}
    missing = [number for number in range(1, last + 1) if number not in numbers]
    if missing:
        say(f"{len(missing)} sheets are missing between {missing[0]} and {missing[-1]}")
    found = sheets.Finder().look(target)
    known = sheets.marked(source)
    if known is None:
        say("the bookmark cannot be read: running matches may have lost their last records")
        return
    for (table,) in target.execute("SELECT id FROM tables WHERE fate != 'over'").fetchall():
        before, after = known.get(table, NONE).number, found.get(table, NONE).number
        if 0 < after < before:
            say(f"{table}: its records {after + 1} to {before} are lost: it goes on from before them")


def _lines(connection: sqlite3.Connection, table: str, last: Last) -> list[bytes]:
    rows = connection.execute("SELECT line FROM records WHERE table_id = ? ORDER BY number", (table,))
    parts = [lines[table] for _, _, lines in sheets.walk(connection, {table: last.sheet})]
    return [row[0] for row in rows] + [line.record for part in reversed(parts) for line in part]


# Tables whose records do not hold together.


def _set_aside_damaged(folder: Path, say: Callable[[str], None]) -> int:
    reader = JournalReader(folder)
    with writing(folder) as connection:
        lost = _set_deeds_aside(folder, connection, say)
        rows = connection.execute("SELECT id, fate, summary, last_number FROM tables").fetchall()
        for table, fate, summary, number in rows:
            lines = reader.lines(table)
            state, sentence = examine(lines, table)
            if fate == "over" and state != "damaged" and len(lines) < number:
                state, sentence = "damaged", f"damaged: {len(lines)} of its {number} records are left"
            if state == "damaged":
                file = _write(folder, table, lines)
                removed = take_out(connection, table, fate)
                say(
                    f"{table}: {sentence}. {_about(lines, fate)} is lost; what can be read of it,"
                    f" {removed.records} records, is in {file.relative_to(folder)}"
                )
                lost += 1
            elif state != "aside" and not _is_summary(summary, table):
                _renew(connection, table, lines)
                say(f"{table}: its entry was damaged, and was made again from its records")
        return lost


def _set_deeds_aside(folder: Path, connection: sqlite3.Connection, say: Callable[[str], None]) -> int:
    """Deeds that cannot be read would keep the house from opening, as they must; now somebody looks."""
    lost = []
    for number, line in connection.execute("SELECT number, line FROM deeds ORDER BY number").fetchall():
        try:
            if line == schema.WEEDED or msgspec.json.decode(line, type=Deed).number == number:
                continue
        except (msgspec.DecodeError, RecursionError, TypeError):
            pass
        lost.append((number, line))
    if lost:
        _write(folder, "deeds", [line if isinstance(line, bytes) else b"" for _, line in lost])
    for number, _ in lost:
        connection.execute("DELETE FROM deeds WHERE number = ?", (number,))
        say(_deed(number))
    return len(lost)


def _write(folder: Path, table: str, lines: list[bytes]) -> Path:
    """The lines of a table as they are, under a name that is no path, and never over another file."""
    (folder / ASIDE).mkdir(mode=0o700, exist_ok=True)
    name = table if ID.fullmatch(table) else table.encode().hex()[:64]
    for number in range(1000):
        file = folder / ASIDE / f"{name}{f'-{number}' if number else ''}.lines"
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ALONE)
            with os.fdopen(descriptor, "wb") as written:
                written.write(b"".join(line + b"\n" for line in lines))
                written.flush()
                os.fsync(written.fileno())
            return file
    raise StoreError(f"there are too many files of {name} in {folder / ASIDE}")


def _about(lines: list[bytes], fate: str) -> str:
    """Whose match it was, as far as that can be read."""
    names = " and ".join(str(sitter.get("name")) for sitter in sitters(lines)) or "nobody who can be named"
    return f"The {'finished' if fate == 'over' else 'running'} match of {names}"


def _is_summary(summary: bytes, table: str) -> bool:
    try:
        return msgspec.json.decode(summary, type=Summary).table.id == table
    except (msgspec.DecodeError, RecursionError):
        return False


def _renew(connection: sqlite3.Connection, table: str, lines: list[bytes]) -> None:
    found = retrace(lines, games.load)
    connection.execute(
        "UPDATE tables SET summary = ? WHERE id = ?", (msgspec.json.encode(found.summary), table)
    )
