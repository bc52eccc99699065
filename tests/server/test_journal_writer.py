"""The journal's file: who may write and read it, and disks that fail.

What any storage promises: test_storage.py.
"""

import contextlib
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import needs

from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall.post import Entry, Fate, Summary
from ludoteca.server import journal_writer, schema
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.lock import HouseRunning
from ludoteca.server.schema import StoreError, journal_in

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


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


def open_store(folder: Path, watcher: Watcher) -> JournalWriter:
    return JournalWriter(folder, watcher.durable, watcher.trouble)


# Two houses.


def test_only_one_house_writes_a_journal(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    with pytest.raises(HouseRunning, match="another house"):
        open_store(tmp_path, watcher)
    store.close()
    open_store(tmp_path, watcher).close()


@pytest.mark.parametrize("taken", ["house.lock", "ludoteca.sqlite3", "*"])
def test_d17_whatever_is_removed_from_the_folder_the_house_keeps_it(
    tmp_path: Path, watcher: Watcher, taken: str
) -> None:
    store = open_store(tmp_path, watcher)
    for file in tmp_path.glob(taken):
        file.unlink()
    with pytest.raises(HouseRunning):
        open_store(tmp_path, watcher)
    store.close()


def test_d17_a_journal_that_is_moved_away_takes_its_lock_along(tmp_path: Path, watcher: Watcher) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    store = open_store(tmp_path / "old", watcher)
    journal_in(tmp_path / "old").rename(journal_in(tmp_path / "new"))
    with pytest.raises(HouseRunning):
        open_store(tmp_path / "new", watcher)
    store.close()
    open_store(tmp_path / "new", watcher).close()


def test_d17_a_folder_that_is_moved_or_linked_is_the_same_folder(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path / "old", watcher)
    (tmp_path / "old").rename(tmp_path / "new")
    (tmp_path / "link").symlink_to(tmp_path / "new")
    for name in ("new", "link"):
        with pytest.raises(HouseRunning):
            open_store(tmp_path / name, watcher)
    store.close()


START = """
import sys, time
from pathlib import Path
from ludoteca.server.lock import HouseRunning
from ludoteca.server.journal_writer import JournalWriter
folder, moment = Path(sys.argv[1]), float(sys.argv[2])
time.sleep(max(0, moment - time.time()))
try:
    store = JournalWriter(folder, print, print)
except HouseRunning:
    print("refused", flush=True)
else:
    print("runs", flush=True)
    sys.stdin.read()
"""


def test_d17_of_houses_that_start_at_once_exactly_one_runs(tmp_path: Path) -> None:
    for trial in range(3):
        moment = str(time.time() + 2)
        houses = [
            subprocess.Popen(
                [sys.executable, "-c", START, str(tmp_path / str(trial)), moment],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(4)
        ]
        said = [house.stdout.readline().strip() for house in houses if house.stdout]
        for house in houses:
            # Without a farewell: the lock dies with the process.
            house.kill()
            house.communicate()
        assert sorted(said) == ["refused", "refused", "refused", "runs"]
        JournalWriter(tmp_path / str(trial), print, print).close()


def test_those_who_read_need_no_lock(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path, watcher)
    watcher.wait(store.append([entry("a", 1, fate="live")]))
    assert JournalReader(tmp_path).lines("a") == [b"line 1"]
    with (
        contextlib.closing(sqlite3.connect(journal_in(tmp_path))) as source,
        contextlib.closing(sqlite3.connect(tmp_path / "copy.sqlite3")) as copy,
    ):
        source.backup(copy)
        assert copy.execute("SELECT count(*) FROM sheets").fetchone() == (1,)
    watcher.wait(store.append([entry("a", 2)]))
    # A reader in the house's own process has come and gone, and the house still holds its journal.
    with pytest.raises(HouseRunning):
        open_store(tmp_path, watcher)
    store.close()


# Who may look.


def modes(folder: Path) -> dict[str, str]:
    return {file.name: oct(file.stat().st_mode & 0o777) for file in (folder, *folder.iterdir())}


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_nobody_else_on_the_machine_reads_the_journal(tmp_path: Path, watcher: Watcher) -> None:
    store = open_store(tmp_path / "house", watcher)
    watcher.wait(store.append([entry("a", 1, fate="live")]))
    assert modes(tmp_path / "house") == {
        "house": "0o700",
        "house.secret": "0o600",
        "ludoteca.sqlite3": "0o600",
        "ludoteca.sqlite3-shm": "0o600",
        "ludoteca.sqlite3-wal": "0o600",
    }
    store.close()


@pytest.mark.usefixtures("open_umask")
def test_a_journal_that_was_open_to_all_is_closed_to_them(tmp_path: Path, watcher: Watcher) -> None:
    """As a house of old, killed without a farewell, leaves it."""
    connection = sqlite3.connect(tmp_path / "ludoteca.sqlite3", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE old (number INTEGER)")
    assert set(modes(tmp_path).values()) & {"0o644", "0o666"}
    store = open_store(tmp_path, watcher)
    found = modes(tmp_path)
    found.pop(tmp_path.name)
    assert set(found.values()) == {"0o600"}
    assert len(found) == 4
    store.close()
    connection.close()


# Disks.


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path: Path, watcher: Watcher) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot keep a journal in .*file: File exists"):
        open_store(tmp_path / "file", watcher)


@pytest.mark.parametrize("earlier", [False, True])
@pytest.mark.parametrize("room", [0, 4096, 16_384])
def test_d15_a_full_disk_is_called_so_at_start(
    tmp_path: Path, watcher: Watcher, room: int, earlier: bool
) -> None:
    with needs.small_disk(tmp_path, 1 << 20):
        if earlier:
            store = open_store(tmp_path, watcher)
            watcher.wait(store.append([entry("a", 1, fate="live")]))
            store.close()
        fill(tmp_path, room)
        with pytest.raises(StoreError, match="the disk is full"):
            open_store(tmp_path, watcher)
        (tmp_path / "filling").unlink()
        # And nothing of the failed start is in the way.
        open_store(tmp_path, watcher).close()


def fill(folder: Path, room: int) -> None:
    with (folder / "filling").open("wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while file.write(b"x" * 4096) == 4096:
                pass
        file.truncate(file.tell() - room)


def test_d15_a_disk_that_cannot_be_written_is_called_so_at_start(tmp_path: Path, watcher: Watcher) -> None:
    with needs.small_disk(tmp_path, 1 << 20):
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path)], check=True)
        with pytest.raises(StoreError, match="Read-only file system"):
            open_store(tmp_path, watcher)


def test_d15_a_disk_that_fails_is_called_so_at_start(tmp_path: Path, watcher: Watcher) -> None:
    """No file may grow: to SQLite that is a write that fails for a reason it does not know."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(StoreError, match="disk I/O error"):
            open_store(tmp_path, watcher)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_d15_a_folder_of_somebody_else_is_called_so_at_start(tmp_path: Path, watcher: Watcher) -> None:
    tmp_path.chmod(0o500)
    before = os.geteuid()
    if before == 0:
        # Root may do everything, so it is nobody who tries.
        tmp_path.chmod(0o555)
        for parent in tmp_path.parents[:3]:
            parent.chmod(0o755)
        os.seteuid(65534)
    try:
        with pytest.raises(StoreError, match="Permission denied"):
            open_store(tmp_path, watcher)
    finally:
        os.seteuid(before)


def test_d15_a_journal_that_another_program_locked_is_called_so_at_start(
    tmp_path: Path, watcher: Watcher
) -> None:
    open_store(tmp_path, watcher).close()
    with contextlib.closing(sqlite3.connect(tmp_path / "ludoteca.sqlite3", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="another program holds the journal locked"):
            open_store(tmp_path, watcher)
    open_store(tmp_path, watcher).close()


@pytest.mark.slow
def test_cut_at_any_byte_of_the_last_record_all_before_it_is_there(tmp_path: Path, watcher: Watcher) -> None:
    """The file as a power cut may leave it: the log ends anywhere within what the last commit wrote."""
    house = tmp_path / "house"
    store = open_store(house, watcher)
    for number in range(1, 4):
        watcher.wait(store.append([entry("a", number, fate="live" if number == 1 else None)]))
    log = house / "ludoteca.sqlite3-wal"
    before = log.stat().st_size
    watcher.wait(store.append([entry("a", 4, b"the last record " * 8)]))
    after = log.stat().st_size
    assert after > before
    # In memory where the machine allows: thousands of copies are opened, and a disk would be synced for each.
    memory = Path("/dev/shm")
    copy = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else tmp_path))
    whole = log.read_bytes()
    base = journal_in(house).read_bytes()
    for length in range(before, after + 1):
        (copy / "ludoteca.sqlite3").write_bytes(base)
        (copy / "ludoteca.sqlite3-wal").write_bytes(whole[:length])
        (copy / "ludoteca.sqlite3-shm").unlink(missing_ok=True)
        lines = JournalReader(copy).lines("a")
        assert lines[:3] == [b"line 1", b"line 2", b"line 3"]
        assert len(lines) == (4 if length == after else 3)
    store.close()
    shutil.rmtree(copy)


def sheet_count(folder: Path) -> int:
    with contextlib.closing(sqlite3.connect(journal_in(folder))) as connection:
        (count,) = connection.execute("SELECT count(*) FROM sheets").fetchone()
    return int(count)


def test_records_that_come_together_wait_for_company(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept = threading.Event()
    monkeypatch.setattr(time, "sleep", lambda _seconds: slept.wait(20))
    store = open_store(tmp_path, watcher)
    store.append([entry("one", 1, fate="live"), entry("two", 1, fate="live")])
    watcher.wait(2)
    for number in range(2, 6):
        store.append([entry("one", number)])
    slept.set()
    watcher.wait(6)
    assert sheet_count(tmp_path) == 2
    store.close()


def test_where_dozens_come_together_the_next_commit_waits_twice_as_long(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(journal_writer, "COMPANY_S", 1000.0)
    monkeypatch.setattr(time, "sleep", slept.append)
    store = open_store(tmp_path, watcher)
    few = [entry(f"few{number}", 1, fate="live") for number in range(2)]
    many = [entry(f"many{number}", 1, fate="live") for number in range(journal_writer.DOZENS)]
    store.append(few)
    watcher.wait(len(few))
    store.append(many)
    watcher.wait(len(few) + len(many))
    store.append([entry("few0", 2)])
    watcher.wait(len(few) + len(many) + 1)
    store.close()
    assert [round(seconds / 1000) for seconds in slept] == [1, 2]


def test_moves_alone_are_one_statement_and_all_else_is_one_transaction(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    connect = schema.connect

    def listen(path: Path) -> sqlite3.Connection:
        connection = connect(path)
        connection.set_trace_callback(lambda statement: said.append(" ".join(statement.split()[:3])))
        return connection

    monkeypatch.setattr(schema, "connect", listen)
    store = open_store(tmp_path, watcher)
    store.append([entry("one", 1, fate="live"), entry("two", 1, fate="live")])
    watcher.wait(2)
    assert said[-1] == "COMMIT"
    said.clear()
    store.append([entry("one", 2), entry("two", 2), entry("one", 3)])
    watcher.wait(5)
    assert said == ["INSERT INTO sheets"]
    said.clear()
    # One that nobody knows yet has to be looked up, in the same transaction.
    store.append([entry("two", 3), entry("three", 1)])
    watcher.wait(7)
    assert (said[0], said[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
    store.close()
    assert [len(JournalReader(tmp_path).lines(table)) for table in ("one", "two", "three")] == [3, 3, 1]


def test_of_a_match_that_ends_before_its_snapshot_is_written_nothing_is_noted(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    noted: list[tuple[str, str]] = []
    slept = threading.Event()
    monkeypatch.setattr(time, "sleep", lambda _seconds: slept.wait(20))
    monkeypatch.setattr(JournalWriter, "_write_notes", lambda _self, _connection, notes: noted.extend(notes))
    store = open_store(tmp_path, watcher)
    store.append([entry("one", 1, fate="live"), entry("two", 1, fate="live"), entry("three", 1, fate="live")])
    watcher.wait(3)
    # The writer waits for company now, and so do notes.
    store.note("snapshot", {"one": (1, b"picture"), "two": (1, b"picture")})
    store.append([entry("one", 2, fate="over"), entry("three", 2, fate="over")])
    slept.set()
    watcher.wait(5)
    store.close()
    assert noted == [("snapshot", "two")]


def test_a_record_that_comes_alone_is_not_held_up(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_writer, "COMPANY_S", 1000.0)
    store = open_store(tmp_path, watcher)
    store.append([entry("one", 1, fate="live")])
    for number in range(2, 6):
        watcher.wait(number - 1)
        store.append([entry("one", number)])
    watcher.wait(5)
    assert sheet_count(tmp_path) == 5
    store.close()


def test_the_log_is_put_into_the_file_behind_the_commit_that_makes_it_long(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves of that commit were told only when it had been put away, dozens of milliseconds later."""
    monkeypatch.setattr(journal_writer, "LOG_COMMITS", 3)
    file, seen = journal_in(tmp_path), list[bool]()

    def durable(count: int) -> None:
        seen.append(b"what was played" in file.read_bytes())
        watcher.durable(count)

    store = JournalWriter(tmp_path, durable, watcher.trouble)
    store.append([entry("a", 1, fate="live")])
    watcher.wait(1)
    for number in (2, 3):
        store.append([entry("a", number, b"what was played")])
        watcher.wait(number)
    end_s = time.monotonic() + 20
    while b"what was played" not in file.read_bytes():
        assert time.monotonic() < end_s
        time.sleep(0.005)
    assert seen == [False, False, False]
    store.close()


def test_how_many_commits_fill_the_log_is_learned_and_never_believed_for_long(
    tmp_path: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After thousands of small commits so many large ones were waited for that SQLite put the log away
    itself, within a commit, again and again."""
    monkeypatch.setattr(journal_writer, "LOG_COMMITS", 3)
    monkeypatch.setattr(journal_writer, "LOG_PAGES", 100)
    learned = []
    store = open_store(tmp_path, watcher)
    for number in range(1, 10):
        line = b"small" if number <= 6 else b"l" * 60 * 4096
        store.append([entry("a", number, line, fate="live" if number == 1 else None)])
        watcher.wait(number)
        if number % 3 == 0:
            end_s = time.monotonic() + 20
            while store._logged:
                assert time.monotonic() < end_s
                time.sleep(0.005)
            learned.append(store._logged_max)
    store.close()
    assert learned == [3, 3, 1]
