"""A journal as older versions wrote it: what an operator has who starts this one on it for the first time."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from tests.disk import Disk

from ludoteca import games
from ludoteca.core import Dice, JournalError
from ludoteca.journal import encode
from ludoteca.journal.records import decode
from ludoteca.journal.replay import begin, execute
from ludoteca.journal.seal import CHAIN_START, combined
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import DEEDS, SHEETS, SLIPS, STEPS

# By how many steps a file has been through: what undoes the next one.
SHAPES = {
    SLIPS: "DROP TABLE snapshots",
    DEEDS: "DROP TABLE slips",
    SHEETS: "DROP TABLE deeds",
    SHEETS - 1: """DROP TABLE sheets; DROP TABLE bookmark; DROP INDEX tables_by_game;
        ALTER TABLE tables DROP COLUMN last_sheet; ALTER TABLE tables DROP COLUMN last_number""",
}


def before_seals(lines: list[bytes]) -> list[bytes]:
    """Records as versions before 0.2.0 wrote them: one digest for inputs and events, no version of the rules.
    What is damaged stays as it is."""
    try:
        match, _ = begin(lines, games.load)
        digest, aged = CHAIN_START, []
        for number, line in enumerate(lines, 1):
            _, events = execute(match, line, number)
            _, body, _ = decode(line)
            if number == 1:
                body = body.replace(b',"version":%d' % match.version, b"")
            digest = combined(digest, body, events)
            aged.append(encode(body, digest))
    except JournalError:
        return lines
    return aged


def age_disk(disk: Disk, dice: Dice) -> str:
    """What a storage in memory has is of an older version; what that is called."""
    disk._slips.clear()
    disk._snapshots.clear()
    if dice.below(2):
        for table in disk.ids():
            disk._records[table] = dict(enumerate(before_seals(disk.lines(table)), 1))
        return "before seals"
    return "before slips"


def age_file(connection: sqlite3.Connection, reader: JournalReader, dice: Dice) -> str:
    """The same of a journal's file, of any of the shapes that it has had."""
    wanted = dice.choice(list(SHAPES))
    lines = {table: reader.lines(table) for table in reader.ids()} if wanted < SHEETS else {}
    if wanted < SHEETS and dice.below(2):
        lines = {table: before_seals(found) for table, found in lines.items()}
    for steps in range(len(STEPS) - 1, wanted - 1, -1):
        for statement in SHAPES[steps].split(";"):
            connection.execute(statement)
    for table, found in lines.items():
        connection.execute("DELETE FROM records WHERE table_id = ?", (table,))
        connection.executemany(
            "INSERT INTO records (table_id, number, line) VALUES (?, ?, ?)",
            [(table, number, line) for number, line in enumerate(found, 1)],
        )
    connection.execute(f"PRAGMA user_version = {wanted}")
    return f"shape {wanted}"


@contextmanager
def newer(connection: sqlite3.Connection) -> Iterator[None]:
    """A version that nobody knows yet has been at the file."""
    connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA user_version = {len(STEPS)}")
