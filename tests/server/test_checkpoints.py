"""The log is put into the journal beside the writer: nobody waits for it, it does not grow for ever, and what
was called safe is safe meanwhile, too."""

import sqlite3
import threading
from pathlib import Path

import pytest

from ludoteca.hall.post import Entry
from ludoteca.server import checkpoints
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.schema import connect, journal_in

# A commit of these is three pages and a bit.
LINE = b"x" * 3000
WAIT_S = 20


class Book:
    """A journal whose commits are waited for one by one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stored = threading.Semaphore(0)
        self.store = JournalWriter(folder, lambda _count: self._stored.release(), print)
        self.lines: list[bytes] = []

    def commit(self, count: int) -> None:
        for _ in range(count):
            self.lines.append(b"%d " % len(self.lines) + LINE)
            self.store.append([Entry("table", len(self.lines), self.lines[-1])])
            assert self._stored.acquire(timeout=WAIT_S)

    def log_bytes(self) -> int:
        return journal_in(self.folder).with_name("ludoteca.sqlite3-wal").stat().st_size

    def close(self) -> None:
        self.store.close()
        assert JournalReader(self.folder).lines("table") == self.lines


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if thousands had moved, after very few commits."""
    monkeypatch.setattr(checkpoints, "LOG_BYTES", 16 * checkpoints.PAGE_BYTES)
    monkeypatch.setattr(checkpoints, "LOG_BYTES_MAX", 64 * checkpoints.PAGE_BYTES)


@pytest.mark.usefixtures("short")
def test_no_commit_waits_for_the_log_to_be_put_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, let_go = threading.Event(), threading.Event()
    put_away = checkpoints.put_away

    def slowly(connection: sqlite3.Connection) -> int:
        begun.set()
        assert let_go.wait(WAIT_S)
        return put_away(connection)

    monkeypatch.setattr(checkpoints, "put_away", slowly)
    book = Book(tmp_path)
    book.commit(40)
    assert begun.is_set()
    before = journal_in(tmp_path).stat().st_size
    book.commit(40)
    # Nothing of it is in the file yet, and all of it can be read.
    assert journal_in(tmp_path).stat().st_size == before
    assert JournalReader(tmp_path, book.store._lasts).lines("table") == book.lines
    let_go.set()
    book.close()
    assert journal_in(tmp_path).stat().st_size > before + 80 * len(LINE)


@pytest.mark.usefixtures("short")
def test_the_log_begins_anew_however_closely_commits_follow_each_other(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.commit(400)
    # It would have 400 times a page at least.
    assert book.log_bytes() < 200 * checkpoints.PAGE_BYTES
    book.close()


@pytest.mark.usefixtures("short")
def test_somebody_who_reads_for_long_keeps_the_log_and_holds_up_nobody(tmp_path: Path) -> None:
    book = Book(tmp_path)
    book.commit(1)
    reader = connect(journal_in(tmp_path))
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM sheets").fetchone() == (1,)
    book.commit(100)
    assert reader.execute("SELECT count(*) FROM sheets").fetchone() == (1,)
    assert book.log_bytes() > 100 * checkpoints.PAGE_BYTES
    reader.close()
    # From now on it is put away again.
    grown = book.log_bytes()
    book.commit(300)
    assert book.log_bytes() < grown + 200 * checkpoints.PAGE_BYTES
    book.close()


def test_what_cannot_be_put_away_stays_in_the_log(tmp_path: Path) -> None:
    connection = connect(tmp_path / "file")
    connection.close()
    assert checkpoints.put_away(connection) == 0
