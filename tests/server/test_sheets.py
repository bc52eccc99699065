"""Records on sheets: found again by the way back, from inside and outside, whatever is missing."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.test_journal_writer import Watcher, entry, open_store
from tests.server.test_schema import OLD, ask, write

from ludoteca.hall.post import Entry
from ludoteca.server import journal_writer, sheets
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import journal_in
from ludoteca.server.sheets import Line

# Real disks: left out of make check.
pytestmark = pytest.mark.slow


class Book:
    """A journal that is written, closed, spoiled and opened again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._watcher = Watcher()
        self.store = open_store(folder, self._watcher)

    def commit(self, *entries: Entry) -> None:
        """One sheet."""
        self._watcher.wait(self.store.append(list(entries)))

    def open_again(self) -> None:
        self.store.close()
        self._watcher = Watcher()
        self.store = open_store(self.folder, self._watcher)

    def change(self, statement: str, *values: object) -> None:
        """Do something to the file, and open it again."""
        self.store.close()
        with contextlib.closing(sqlite3.connect(journal_in(self.folder))) as connection, connection:
            connection.execute(statement, values)
        self._watcher = Watcher()
        self.store = open_store(self.folder, self._watcher)

    def both(self, table: str) -> list[bytes]:
        """What the house reads, and everybody else."""
        inside = self.store.archive.lines(table)
        assert JournalReader(self.folder).lines(table) == inside
        return inside


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    made = Book(tmp_path)
    yield made
    made.store.close()


def numbers(count: int, first: int = 1) -> list[bytes]:
    return [b"line %d" % number for number in range(first, count + 1)]


def test_a_line_is_read_as_it_was_written_and_nothing_is_made_of_what_is_none() -> None:
    line = Line("3fa94c21d07e", 12, 4711, b'5d1f00c2 0f63 8c1e {"number": 12}')
    sheet = b"\n".join([line.encode(), b"", b"nonsense", b"a b c d", Line("b", 1, 0, b"x").encode()])
    assert sheets.lines_on(sheet) == [line, Line("b", 1, 0, b"x")]
    assert sheets.lines_on(sheet, "b") == [Line("b", 1, 0, b"x")]
    assert sheets.lines_on(sheet, "3fa9") == [], "half an id is nobody's"
    assert sheets.without(sheet, "b").endswith(b"a b c d")


def test_tables_that_share_sheets_are_read_apart(book: Book) -> None:
    book.commit(entry("a", 1, fate="live"), entry("a", 2), entry("b", 1, fate="live"))
    for number in range(3, 30):
        book.commit(entry("a", number), *([entry("b", number // 5 + 1)] if number % 5 == 0 else []))
    assert book.both("a") == numbers(29)
    assert book.both("b") == numbers(6)
    book.open_again()
    assert book.both("a") == numbers(29)
    book.commit(entry("a", 30))
    assert book.both("a") == numbers(30)


def test_many_tables_are_read_together_as_each_alone_and_no_sheet_twice(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [f"table{number}" for number in range(10)]
    book.commit(*(entry(table, 1, fate="live") for table in tables))
    for number in range(2, 9):
        # Sheets with all, with some and with one of them, and of a table that nobody asks for.
        book.commit(
            *(entry(table, number) for table in tables[:: number - 1]), entry("x", number, fate="live")
        )
    alone = {table: book.both(table) for table in [*tables, "nobody"]}
    assert len(alone["table0"]) == 8
    read: list[int] = []
    walk = sheets.walk
    monkeypatch.setattr(
        sheets,
        "walk",
        lambda *given: (read.append(found[0]) or found for found in walk(*given)),  # type: ignore[func-returns-value]
    )
    for archive in (book.store.archive, JournalReader(book.folder)):
        read.clear()
        assert archive.records([*tables, "nobody"]) == alone
        assert sorted(read) == sorted(set(read)) == list(range(1, 9))
    book.change("UPDATE sheets SET lines = ? WHERE number = 3", b"nonsense")
    damaged = {table: book.both(table) for table in tables}
    assert book.store.archive.records(tables) == damaged, "also where the way back is broken"
    assert len(damaged["table0"]) == 7


def test_what_is_said_after_the_end_belongs_to_the_record_also_after_a_restart(book: Book) -> None:
    book.commit(entry("a", 1, fate="live"), entry("a", 2, fate="over"), entry("a", 3))
    book.commit(entry("a", 4), entry("a", 5))
    assert book.both("a") == numbers(5)
    book.open_again()
    book.commit(entry("a", 6))
    assert book.both("a") == numbers(6)


def test_nothing_is_left_of_what_never_began(book: Book) -> None:
    book.commit(entry("a", 1, b"the secret of Anna", fate="live"), entry("b", 1, fate="live"))
    book.commit(entry("a", 2, b"and of Bruno"))
    book.commit(entry("a", 3, b"which is gone", fate="forgotten"), entry("b", 2))
    assert book.both("a") == []
    assert book.both("b") == numbers(2)
    book.store.close()
    left = str(ask(journal_in(book.folder), "SELECT CAST(lines AS TEXT) FROM sheets"))
    assert "line 2" in left
    assert not [word for word in ("Anna", "Bruno", "gone") if word in left]


def test_the_bookmark_bounds_what_is_read_to_find_all_tables(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_writer, "BOOKMARK_SHEETS", 5)
    book.commit(entry("quiet", 1, fate="live"), entry("over", 1, fate="live"))
    book.commit(entry("over", 2, fate="over"))
    for number in range(1, 18):
        book.commit(entry("a", number, fate="live" if number == 1 else None))
        (marked,) = ask(journal_in(book.folder), "SELECT coalesce(max(sheet), 0) FROM bookmark")
        assert number + 2 - int(str(marked)) <= 5
        assert JournalReader(book.folder).lines("quiet") == numbers(1)
    assert book.both("a") == numbers(17)
    book.change("UPDATE bookmark SET lasts = x'c1'")
    assert book.both("a") == numbers(17)
    assert book.both("quiet") == numbers(1)
    assert book.both("over") == numbers(2)


def test_where_the_way_back_is_damaged_all_that_is_left_is_found(book: Book) -> None:
    book.commit(entry("a", 1, fate="live"), entry("b", 1, fate="live"))
    for number in range(2, 8):
        book.commit(entry("a", number))
    book.change("DELETE FROM sheets WHERE number = 4")
    assert book.both("a") == [*numbers(3), *numbers(7, 5)]
    circle = Line("a", 6, 7, b"line 6").encode()
    book.change("UPDATE sheets SET lines = ? WHERE number = 6", circle)
    assert book.both("a") == [*numbers(3), *numbers(7, 5)]
    book.change("UPDATE sheets SET lines = x'ff00ff20ff' WHERE number = 6")
    assert book.both("a") == [*numbers(3), b"line 5", b"line 7"]
    assert book.both("b") == numbers(1)


def test_a_match_of_the_old_form_goes_on_on_sheets(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    book = Book(tmp_path)
    book.commit(entry("a", 3))
    assert book.both("a") == [b"one", b"two", b"line 3"]
    book.open_again()
    book.commit(entry("a", 4, fate="over"))
    book.commit(entry("a", 5))
    assert book.both("a") == [b"one", b"two", *numbers(5, 3)]
    assert book.store.archive.live() == ["b"]
    book.store.close()


def test_a_number_is_given_once_also_where_the_old_form_has_it(tmp_path: Path) -> None:
    write(tmp_path, OLD)
    watcher = Watcher()
    store = open_store(tmp_path, watcher)
    store.append([entry("a", 2)])
    watcher.wait_for_trouble()
    assert watcher.troubles[0] == "there is a record of this number already"
    store.close()
    assert JournalReader(tmp_path).lines("a") == [b"one", b"two"]


def written(tables: int, folder: Path) -> int:
    """How much fifty records of different tables add to the log, where so many are being played."""
    watcher = Watcher()
    store = open_store(folder, watcher)
    ids = [f"{number * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFF:012x}" for number in range(tables)]
    watcher.wait(store.append([entry(table, 1, fate="live") for table in ids]))
    log = folder / "ludoteca.sqlite3-wal"
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    line = b'5d1f00c2 0f63d1c29b10b6a7 8c1e02d4 {"number":12,"input":{"type":"Acted","actions":[{}]}}'
    watcher.wait(store.append([entry(ids[number * 7 % tables], 2, line) for number in range(50)]))
    size = log.stat().st_size
    store.close()
    return size


def test_what_a_commit_writes_does_not_grow_with_the_tables(tmp_path: Path) -> None:
    few, many = written(60, tmp_path / "few"), written(3000, tmp_path / "many")
    assert many <= few
    assert many < 50 * 400, "a plain file would take half of it"


def test_the_matches_of_a_game_come_from_an_index(tmp_path: Path) -> None:
    JournalWriter(tmp_path, lambda _count: None, lambda _reason: None).close()
    asked: list[str] = []

    class Listening(sqlite3.Connection):
        def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
            if "closed_ms" in statement:
                plan = super().execute(f"EXPLAIN QUERY PLAN {statement}", *more)  # type: ignore[arg-type]
                asked.extend(row[3] for row in plan)
            return super().execute(statement, *more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "ludoteca.server.schema.connect",
            lambda path: sqlite3.connect(path, isolation_level=None, factory=Listening),
        )
        reader = JournalReader(tmp_path)
        for game in ("", "santorini"):
            for private in (False, True):
                reader.matches(game, private=private)
    assert len(asked) == 6
    assert all(line.startswith("SEARCH tables USING INDEX tables_by_") for line in asked), asked
    assert sum("game=?" in line for line in asked) == 3


@given(
    st.lists(
        st.sampled_from([b"a 1 2 x", b"b 1 2 y z", b"ab 3 4 q", b"a 1", b"", b"a x 2 c", b"a 5 6 a 7 8 d"]),
        max_size=8,
    )
)
def test_the_lines_of_one_table_are_those_among_all_that_are_its_own(lines: list[bytes]) -> None:
    sheet = b"\n".join(lines)
    everything = sheets.lines_on(sheet)
    for table in ("a", "b", "ab"):
        assert sheets.lines_on(sheet, table) == [line for line in everything if line.table == table]
