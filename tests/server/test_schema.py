"""The shape of the journal's file: an older one is brought up to date, a newer one is left alone."""

import contextlib
import sqlite3
from pathlib import Path

import pytest

from ludoteca.server import schema
from ludoteca.server.journal_reader import JournalReader, StoreError
from ludoteca.server.journal_writer import JournalWriter

# As versions before 0.2.0 made it, with nothing said about a version.
OLD = """
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
INSERT INTO tables VALUES ('a', 'multisweeper', 'live', 1, 0, '{}'), ('b', 'shelfie', 'damaged', 2, 0, '{}');
INSERT INTO records (table_id, number, line) VALUES ('a', 1, 'one'), ('a', 2, 'two');
"""


def write(folder: Path, script: str) -> Path:
    """A journal's file made by this script, as a house leaves it."""
    path = folder / "ludoteca.sqlite3"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(script)
    return path


def ask(path: Path, question: str) -> list[object]:
    """The first column of what the file answers."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [row[0] for row in connection.execute(question)]


def start(folder: Path) -> JournalWriter:
    return JournalWriter(folder, lambda _count: None, lambda _reason: None)


def test_a_file_from_before_versions_is_taken_over_with_all_it_holds(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    store = start(tmp_path)
    assert store.archive.lines("a") == [b"one", b"two"]
    assert store.archive.live() == ["a", "b"], "what an older version set aside for good is tried again"
    store.close()
    assert ask(path, "PRAGMA user_version") == [len(schema.STEPS)]
    start(tmp_path).close()


def test_a_new_file_has_the_same_shape_as_one_that_was_brought_up_to_date(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    write(tmp_path / "old", OLD)
    shapes = []
    for folder in (tmp_path / "old", tmp_path / "new"):
        store = start(folder)
        store.close()
        shapes.append(
            ask(schema.journal_in(folder), "SELECT replace(sql, ' ', '') FROM sqlite_schema ORDER BY name")
        )
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize("crashed", [False, True])
def test_a_file_of_a_newer_version_is_refused_with_a_sentence_and_left_alone(
    tmp_path: Path, crashed: bool
) -> None:
    newer = len(schema.STEPS) + 1
    path = write(tmp_path, OLD)
    leaver = sqlite3.connect(path, isolation_level=None)
    leaver.execute(f"PRAGMA user_version = {newer}")
    if not crashed:
        leaver.close()
    before = path.read_bytes()
    for open_it in (start, JournalReader):
        with pytest.raises(StoreError, match=f"newer version of Ludoteca \\(schema {newer}; this one knows"):
            open_it(tmp_path)
    assert path.read_bytes() == before
    leaver.close()
    assert ask(path, "PRAGMA user_version") == [newer]
    assert ask(path, "SELECT fate FROM tables ORDER BY id") == ["live", "damaged"]


def test_steps_are_taken_in_order_and_each_once(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    more = (
        *schema.STEPS,
        ("ALTER TABLE tables ADD COLUMN size INTEGER NOT NULL DEFAULT 0", "UPDATE tables SET size = 1"),
        ("UPDATE tables SET size = size + 10",),
    )
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        schema.migrate(connection, more[:-1])
        schema.migrate(connection, more)
        schema.migrate(connection, more)
    assert ask(path, "SELECT size FROM tables") == [11, 11]
    assert ask(path, "PRAGMA user_version") == [len(schema.STEPS) + 2]


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = write(tmp_path, OLD)
    bad = (
        *schema.STEPS,
        ("UPDATE tables SET fate = 'gone'",),
        ("DROP TABLE records", "UPDATE nothing SET a = 1"),
    )
    connection = sqlite3.connect(path, isolation_level=None)
    with contextlib.closing(connection), pytest.raises(sqlite3.OperationalError):
        schema.migrate(connection, bad)
    assert ask(path, "PRAGMA user_version") == [0]
    assert ask(path, "SELECT fate FROM tables ORDER BY id") == ["live", "damaged"]
    assert ask(path, "SELECT count(*) FROM records") == [2]


def test_a_file_that_is_no_journal_is_said_so_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "ludoteca.sqlite3"
    path.write_bytes(b"a letter to grandmother, kept in the wrong place " * 100)
    before = path.read_bytes()
    for open_it in (start, JournalReader):
        with pytest.raises(StoreError, match="not a database"):
            open_it(tmp_path)
    assert path.read_bytes() == before


def test_private_matches_of_an_older_file_stay_out_of_the_list(tmp_path: Path) -> None:
    told = '{"table":{"label":"x\\"private\\":true","terms":{"move_s":0.0,"private":%s}}}'
    path = write(tmp_path, OLD)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        for name, private in (("c", "true"), ("d", "false"), ("e", "true")):
            row = (name, "shelfie", "over", 1, ord(name), (told % private).encode())
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?)", row)
    assert len(JournalReader(tmp_path).matches(private=True)) == 3, "also before a house has opened it"
    store = start(tmp_path)
    assert store.archive.matches() == [(told % "false").encode()]
    assert len(store.archive.matches(private=True)) == 3
    store.close()
