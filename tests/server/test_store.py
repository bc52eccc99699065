"""The journal's file: durable before acknowledged, and never more lost than what was being written."""

import shutil
import sqlite3
import tempfile
import threading
from pathlib import Path

import pytest

from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall.post import Entry, Fate, Summary
from ludoteca.server.archive import Archive, StoreError
from ludoteca.server.store import Store


class Watcher:
    """Waits for what the writer thread says."""

    def __init__(self) -> None:
        self.count = 0
        self.troubles: list[str] = []
        self._changed = threading.Condition()

    def durable(self, count: int) -> None:
        with self._changed:
            self.count = count
            self._changed.notify_all()

    def trouble(self, reason: str) -> None:
        with self._changed:
            self.troubles.append(reason)
            self._changed.notify_all()

    def wait(self, wanted: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.count >= wanted, 20)

    def wait_for_trouble(self) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.troubles, 20)


def entry(table: str, number: int, line: bytes = b"", fate: Fate | None = None) -> Entry:
    info = TableInfo(table, "multisweeper", "table-1", "open", (None, None), {}, Terms(), 5)
    return Entry(table, number, line or b"line %d" % number, fate, Summary(info, None, 9) if fate else None)


@pytest.fixture
def watcher() -> Watcher:
    return Watcher()


def open_store(folder: Path, watcher: Watcher) -> Store:
    return Store(folder, watcher.durable, watcher.trouble)


def test_what_was_called_durable_is_read_back_in_order(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    store.append([entry("a", 1, fate="live"), entry("b", 1, fate="live")])
    ticket = store.append([entry("a", 2), entry("a", 3)])
    watcher.wait(ticket)
    assert Archive(tmp_path).lines("a") == [b"line 1", b"line 2", b"line 3"]
    assert Archive(tmp_path).live() == ["a", "b"]
    store.close()


def test_a_finished_match_is_listed_and_a_forgotten_table_is_gone(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    store.append([entry("a", 1, fate="live"), entry("b", 1, fate="live")])
    watcher.wait(store.append([entry("a", 2, fate="over"), entry("b", 2, fate="forgotten")]))
    assert store.live() == []
    assert len(store.matches()) == 1
    assert store.summary("a") is not None
    assert store.lines("b") == []
    assert store.matches(game="chess") == []
    store.close()


def test_only_one_house_writes_a_journal(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    with pytest.raises(StoreError, match="another house"):
        open_store(tmp_path, watcher)
    store.close()
    open_store(tmp_path, watcher).close()


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path, watcher: Watcher) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot keep a journal"):
        open_store(tmp_path / "file", watcher)


def test_a_failing_write_is_tried_again_until_it_is_stored(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    blocker = sqlite3.connect(store.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    ticket = store.append([entry("a", 1, fate="live")])
    watcher.wait_for_trouble()
    assert watcher.count == 0
    blocker.execute("ROLLBACK")
    blocker.close()
    watcher.wait(ticket)
    assert store.lines("a") == [b"line 1"]
    store.close()


@pytest.mark.slow
def test_cut_at_any_byte_of_the_last_record_all_before_it_is_there(tmp_path: Path, watcher: Watcher) -> None:
    """The file as a power cut may leave it: the log ends anywhere within what the last commit wrote."""
    house = tmp_path / "house"
    store = open_store(house, watcher)
    for number in range(1, 4):
        watcher.wait(store.append([entry("a", number, fate="live" if number == 1 else None)]))
    log = store.path.with_name("ludoteca.sqlite3-wal")
    before = log.stat().st_size
    watcher.wait(store.append([entry("a", 4, b"the last record " * 8)]))
    after = log.stat().st_size
    assert after > before
    # In memory where the machine allows: thousands of copies are opened, and a disk would be synced for each.
    memory = Path("/dev/shm")
    copy = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    whole = log.read_bytes()
    base = store.path.read_bytes()
    for length in range(before, after + 1):
        (copy / "ludoteca.sqlite3").write_bytes(base)
        (copy / "ludoteca.sqlite3-wal").write_bytes(whole[:length])
        (copy / "ludoteca.sqlite3-shm").unlink(missing_ok=True)
        lines = Archive(copy).lines("a")
        assert lines[:3] == [b"line 1", b"line 2", b"line 3"]
        assert len(lines) == (4 if length == after else 3)
    store.close()
    shutil.rmtree(copy)
