"""What `hall.storage` promises, tried with every storage there is: the journal's file, the one that several
machines keep, and the one that tests have."""

import asyncio
import contextlib
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec
import pytest
from msgspec.structs import replace
from tests import jet, rig
from tests.disk import Disk

from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall.post import Entry, Fate, Summary
from ludoteca.hall.storage import Reader, Storage
from ludoteca.server.cluster.writer import keep_in_cluster
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import journal_in
from ludoteca.server.settings import Settings
from ludoteca.server.world import keep_in_file

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


class Rig(Protocol):
    """One kind of storage, and what can happen to it."""

    counts: list[int]
    troubles: list[str]

    def open(self) -> Storage:
        """Open it, for the first time or again."""

    def break_down(self) -> None:
        """Nothing can be written from now on."""

    def repair(self) -> None:
        """It can again."""

    def crash(self) -> Reader:
        """The power fails; what is there afterwards."""

    def end(self) -> None:
        """Leave nothing behind."""


class FileRig:
    """The journal's file."""

    def __init__(self, folder: Path, _servers: "Lent") -> None:
        self.counts: list[int] = []
        self.troubles: list[str] = []
        self._folder = folder / "house"
        self._copy = folder / "copy"
        self._blocker: sqlite3.Connection | None = None
        self._store: Storage | None = None

    def open(self) -> Storage:
        settings = Settings(data=str(self._folder))
        self._store = keep_in_file(settings, self.counts.append, self.troubles.append)
        return self._store

    def break_down(self) -> None:
        self._blocker = sqlite3.connect(journal_in(self._folder), isolation_level=None)
        self._blocker.execute("BEGIN IMMEDIATE")

    def repair(self) -> None:
        if self._blocker is not None:
            self._blocker.close()

    def crash(self) -> Reader:
        """The file and its log as they are at this moment, without any farewell."""
        shutil.copytree(self._folder, self._copy, ignore=shutil.ignore_patterns("*-shm"))
        return JournalReader(self._copy)

    def end(self) -> None:
        self.repair()
        if self._store is not None:
            self._store.close()


class MemoryRig:
    """The storage of the simulation."""

    def __init__(self, _folder: Path, _servers: "Lent") -> None:
        self.counts: list[int] = []
        self.troubles: list[str] = []
        self._disk = Disk(lambda pause_s, call: asyncio.get_running_loop().call_later(pause_s, call))
        self._settings = Settings()

    def open(self) -> Storage:
        return self._disk.keep(self._settings, self.counts.append, self.troubles.append)

    def break_down(self) -> None:
        self._disk.broken = "the disk is full"

    def repair(self) -> None:
        self._disk.broken = ""

    def crash(self) -> Reader:
        self._disk.crash()
        return self._disk

    def end(self) -> None:
        self._disk.crash()


class ClusterRig:
    """A stream of NATS; one server is enough to see what is promised of the storage."""

    def __init__(self, folder: Path, servers: "Lent") -> None:
        self.counts: list[int] = []
        self.troubles: list[str] = []
        self._folder = folder
        self._servers = servers()
        self._name = f"test-{secrets.token_hex(4)}"
        self._opened: list[Storage] = []

    def _settings(self, folder: str) -> Settings:
        return Settings(data=str(self._folder / folder), **self._servers.settings(self._name))

    def open(self) -> Storage:
        self._opened.append(
            keep_in_cluster(self._settings("house"), self.counts.append, self.troubles.append)
        )
        return self._opened[-1]

    def break_down(self) -> None:
        self._servers.kill(0)

    def repair(self) -> None:
        if not self._servers.running(0):
            self._servers.start(0)

    def crash(self) -> Reader:
        """What another machine finds there."""
        self.break_down()
        self._close()
        self.repair()
        self._opened.append(keep_in_cluster(self._settings("another"), lambda _: None, lambda _: None))
        return self._opened[-1].archive

    def _close(self) -> None:
        while self._opened:
            self._opened.pop().close()

    def end(self) -> None:
        self.repair()
        self._close()


Lent = Callable[[], jet.Servers]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lent]:
    """The servers that all tests here share, once somebody needs them."""
    with contextlib.ExitStack() as stack:
        made: list[jet.Servers] = []

        def lend() -> jet.Servers:
            if not made:
                made.append(stack.enter_context(jet.Servers(tmp_path_factory.mktemp("nats"), 1)))
            return made[0]

        yield lend


@pytest.fixture(params=[FileRig, MemoryRig, ClusterRig], ids=["file", "memory", "cluster"])
def kind(request: pytest.FixtureRequest, tmp_path: Path, servers: Lent) -> Iterator[Rig]:
    made: Rig = request.param(tmp_path, servers)
    yield made
    made.end()


def entry(
    table: str,
    number: int,
    fate: Fate | None = None,
    *,
    game: str = "santorini",
    private: bool = False,
    opened_ms: int = 5,
    closed_ms: int = 9,
) -> Entry:
    info = TableInfo(
        table, game, "table-1", "open", (None, None), {}, Terms(private=private), opened_ms=opened_ms
    )
    summary = Summary(info, None, closed_ms) if fate else None
    return Entry(table, number, b"line %d of %s" % (number, table.encode()), fate, summary)


async def safe(kind: Rig, count: int) -> None:
    """Wait until so many records were called durable."""
    async with asyncio.timeout(rig.PATIENCE_S):
        while max(kind.counts, default=0) < count:
            await asyncio.sleep(0.002)


async def troubled(kind: Rig) -> None:
    """Wait until it was said that nothing can be written."""
    async with asyncio.timeout(rig.PATIENCE_S):
        while not kind.troubles:
            await asyncio.sleep(0.002)


async def test_what_was_called_durable_is_read_back_in_order(kind: Rig) -> None:
    storage = kind.open()
    storage.append([entry("b", 1, "live", opened_ms=3), entry("a", 1, "live", opened_ms=7)])
    await safe(kind, storage.append([entry("a", 2), entry("b", 2), entry("a", 3)]))
    archive = storage.archive
    assert archive.lines("a") == [b"line 1 of a", b"line 2 of a", b"line 3 of a"]
    assert archive.lines("b") == [b"line 1 of b", b"line 2 of b"]
    assert archive.lines("c") == []
    assert archive.records(["b", "c", "a"]) == {"b": archive.lines("b"), "c": [], "a": archive.lines("a")}
    assert archive.live() == archive.ids() == ["b", "a"], "oldest first"


async def test_the_log_of_the_house_is_kept_beside_the_tables_and_is_none_of_them(kind: Rig) -> None:
    storage = kind.open()
    storage.append([Entry("", 1, b"first"), entry("a", 1, "live")])
    await safe(kind, storage.append([entry("a", 2), Entry("", 2, b"second")]))
    assert storage.archive.deeds() == [b"first", b"second"]
    assert storage.archive.ids() == ["a"]
    assert kind.crash().deeds() == [b"first", b"second"]


async def test_a_deed_shares_the_fate_of_its_batch_and_no_number_is_given_twice(kind: Rig) -> None:
    storage = kind.open()
    await safe(kind, storage.append([Entry("", 1, b"first")]))
    kind.break_down()
    storage.append([entry("a", 1, "live"), Entry("", 2, b"second")])
    await troubled(kind)
    assert (storage.archive.deeds(), storage.archive.ids()) == ([b"first"], [])
    kind.repair()
    await safe(kind, 3)
    assert (storage.archive.deeds(), storage.archive.ids()) == ([b"first", b"second"], ["a"])
    kind.troubles.clear()
    storage.append([Entry("", 2, b"again")])
    await troubled(kind)
    assert storage.archive.deeds() == [b"first", b"second"]


async def test_records_are_counted_from_the_first_one_after_opening(kind: Rig) -> None:
    for number in (1, 4):
        kind.counts.clear()
        storage = kind.open()
        assert storage.append([entry("a", number, "live"), entry("a", number + 1)]) == 2
        assert storage.append([entry("a", number + 2)]) == 3
        await safe(kind, 3)
        assert kind.counts == sorted(set(kind.counts))
        assert max(kind.counts) == 3, "never more than was handed over"
        storage.close()


async def test_a_finished_match_is_listed_and_a_forgotten_table_is_gone(kind: Rig) -> None:
    storage = kind.open()
    storage.append([entry("a", 1, "live"), entry("b", 1, "live"), entry("c", 1, "live")])
    await safe(kind, storage.append([entry("a", 2, "over"), entry("b", 2, "forgotten")]))
    archive = storage.archive
    assert archive.live() == ["c"]
    assert archive.ids() == ["a", "c"]
    assert archive.lines("b") == []
    found = archive.summary("a")
    assert found is not None
    assert msgspec.json.decode(found)["table"]["id"] == "a"
    assert archive.matches() == [found]
    assert archive.summary("b") is archive.summary("c") is archive.summary("d") is None


async def test_what_is_known_of_a_live_table_changes_with_its_records(kind: Rig) -> None:
    storage = kind.open()
    slips = [replace(entry(table, 1, "live"), slip=b"first") for table in ("a", "b", "c")]
    await safe(kind, storage.append([*slips, replace(entry("a", 2), slip=b"second"), entry("a", 3)]))
    assert storage.archive.slips() == {"a": b"second", "b": b"first", "c": b"first"}
    kind.break_down()
    storage.append([replace(entry("b", 2), slip=b"never stored")])
    await troubled(kind)
    assert storage.archive.slips()["b"] == b"first"
    kind.repair()
    await safe(kind, storage.append([entry("a", 4, "over"), entry("c", 2, "forgotten")]))
    assert storage.archive.slips() == {"b": b"never stored"}


async def test_a_noted_slip_gives_way_to_newer_ones_and_is_kept_of_live_tables_only(kind: Rig) -> None:
    storage = kind.open()
    await safe(kind, storage.append([entry("a", 1, "live"), entry("b", 1, "live"), entry("c", 1, "over")]))
    storage.note("slip", {"a": (1, b"old"), "b": (1, b"of b"), "c": (1, b"of c"), "d": (1, b"of d")})
    await safe(kind, storage.append([replace(entry("a", 2), slip=b"new")]))
    storage.note("slip", {"a": (1, b"old")})
    storage.close()
    assert kind.open().archive.slips() == {"a": b"new", "b": b"of b"}


async def test_matches_are_listed_newest_first_by_game_and_page(kind: Rig) -> None:
    storage = kind.open()
    entries = [entry(f"s{number}", 1, "over", closed_ms=number) for number in range(4)]
    entries.append(entry("e", 1, "over", game="eriantys", closed_ms=8))
    entries.append(entry("p", 1, "over", private=True, closed_ms=9))
    await safe(kind, storage.append(entries))
    archive = storage.archive

    def ids(found: list[bytes]) -> list[str]:
        return [msgspec.json.decode(line)["table"]["id"] for line in found]

    assert ids(archive.matches()) == ["e", "s3", "s2", "s1", "s0"]
    assert ids(archive.matches(private=True))[0] == "p"
    assert ids(archive.matches("santorini", before_ms=3, count=2)) == ["s2", "s1"]
    assert ids(archive.matches("chess")) == []


async def test_of_matches_that_ended_together_none_is_left_out_between_two_pages(kind: Rig) -> None:
    storage = kind.open()
    entries = [entry(f"m{number}", 1, "over", closed_ms=number // 4) for number in range(12)]
    await safe(kind, storage.append(entries))
    found: list[str] = []
    before_ms, before = 1 << 62, ""
    while page := storage.archive.matches("", before_ms, 3, before=before):
        last = msgspec.json.decode(page[-1])
        before_ms, before = last["closed_ms"], last["table"]["id"]
        found += [msgspec.json.decode(line)["table"]["id"] for line in page]
    assert found == sorted(found, key=lambda id: (int(id[1:]) // 4, id), reverse=True)
    assert len(found) == 12


async def test_while_it_cannot_be_written_nothing_is_called_durable_and_then_it_goes_on(kind: Rig) -> None:
    storage = kind.open()
    await safe(kind, storage.append([entry("a", 1, "live")]))
    kind.break_down()
    storage.append([entry("a", 2)])
    await troubled(kind)
    ticket = storage.append([entry("a", 3)])
    assert kind.counts == [1]
    assert storage.archive.lines("a") == [b"line 1 of a"]
    kind.repair()
    await safe(kind, ticket)
    assert len(storage.archive.lines("a")) == 3


async def test_a_crash_takes_nothing_that_was_called_durable(kind: Rig) -> None:
    storage = kind.open()
    await safe(kind, storage.append([entry("a", 1, "live"), entry("a", 2)]))
    kind.break_down()
    storage.append([entry("a", 3)])
    await troubled(kind)
    left = kind.crash()
    assert left.live() == ["a"]
    assert left.lines("a") == [b"line 1 of a", b"line 2 of a"], "and what was not is not half there"


async def test_closing_writes_what_is_left(kind: Rig) -> None:
    storage = kind.open()
    ticket = storage.append([entry("a", 1, "live"), entry("a", 2)])
    storage.close()
    assert kind.counts[-1] == ticket
    assert len(kind.open().archive.lines("a")) == 2


async def test_closing_ends_also_when_nothing_can_be_written(kind: Rig) -> None:
    storage = kind.open()
    kind.break_down()
    storage.append([entry("a", 1, "live")])
    await troubled(kind)
    async with asyncio.timeout(rig.PATIENCE_S):
        await asyncio.to_thread(storage.close)
    assert kind.counts == []
    kind.repair()
    assert kind.open().archive.lines("a") == []


async def test_a_record_is_never_written_over(kind: Rig) -> None:
    storage = kind.open()
    await safe(kind, storage.append([entry("a", 1, "live")]))
    storage.append([Entry("a", 1, b"another"), entry("a", 2)])
    await troubled(kind)
    assert kind.counts == [1]
    assert storage.archive.lines("a") == [b"line 1 of a"]


async def test_the_secret_stays_the_same(kind: Rig) -> None:
    secrets = []
    for _ in range(2):
        storage = kind.open()
        secrets.append(storage.secret)
        storage.close()
    assert secrets[0] == secrets[1]
    assert len(secrets[0]) >= 32
