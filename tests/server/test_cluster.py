"""A house that several machines keep: real servers of NATS, killed and stopped, and nodes that take over."""

import asyncio
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from nats.aio.client import Client
from tests import jet, rig
from tests.server.test_storage import entry

from ludoteca.hall.post import Entry
from ludoteca.server.cluster import moving
from ludoteca.server.cluster.follower import Follower
from ludoteca.server.cluster.stream import Last, Message, Read, Stream
from ludoteca.server.cluster.writer import ClusterWriter, keep_in_cluster
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import StoreError, journal_in
from ludoteca.server.settings import Settings

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jet.Servers]:
    with jet.Servers(tmp_path_factory.mktemp("nats"), 3) as made:
        yield made


class Opened:
    """Writers of one house, each on its own machine."""

    def __init__(self, folder: Path, servers: jet.Servers) -> None:
        self._folder = folder
        self._servers = servers
        self._name = f"test-{secrets.token_hex(4)}"
        self._writers: list[ClusterWriter] = []
        self.counts: list[list[int]] = []
        self.troubles: list[list[str]] = []

    def settings(self, node: int, **more: object) -> Settings:
        given = {**self._servers.settings(self._name), **more}
        return Settings(data=str(self._folder / f"node-{node}"), cluster_node=f"node-{node}", **given)

    def open(self) -> ClusterWriter:
        """One more node takes over."""
        counts, troubles = list[int](), list[str]()
        writer = keep_in_cluster(self.settings(len(self._writers)), counts.append, troubles.append)
        self._writers.append(writer)
        self.counts.append(counts)
        self.troubles.append(troubles)
        return writer

    async def safe(self, writer: ClusterWriter, entries: list[Entry], patience_s: float = 60) -> None:
        """Append, and wait until it is called durable."""
        counts, ticket = self.counts[self._writers.index(writer)], writer.append(entries)
        async with asyncio.timeout(patience_s):
            while max(counts, default=0) < ticket:
                await asyncio.sleep(0.005)

    async def troubled(self, writer: ClusterWriter) -> str:
        """Wait until it says what is wrong."""
        troubles = self.troubles[self._writers.index(writer)]
        async with asyncio.timeout(rig.PATIENCE_S):
            while not troubles:
                await asyncio.sleep(0.005)
        return troubles[-1]

    async def close(self) -> None:
        for writer in self._writers:
            await asyncio.to_thread(writer.close)


@pytest.fixture
async def house(tmp_path: Path, servers: jet.Servers) -> AsyncIterator[Opened]:
    made = Opened(tmp_path, servers)
    yield made
    await made.close()


async def test_who_was_deposed_writes_nothing_whatever_it_tries(house: Opened) -> None:
    first = house.open()
    await house.safe(first, [entry("live", 1, "live"), entry("past", 1, "live"), Entry("", 1, b"deed")])
    await house.safe(first, [entry("past", 2, "over")])
    attempts = {
        "a move at a table that goes on": [entry("live", 2)],
        "the last words at one that is over": [entry("past", 3)],
        "a new table": [entry("new", 1, "live")],
        "what a host does": [Entry("", 2, b"another deed")],
        "and all of it together": [entry("live", 2), entry("past", 3), entry("new", 1, "live")],
    }
    old = first
    for attempt in attempts.values():
        new = house.open()
        old.append(attempt)
        assert "taken over" in await house.troubled(old)
        old = new
    assert [counts[-1] for counts in house.counts if counts] == [4], "nothing of it was called durable"
    last = house.open().archive
    assert last.ids() == ["live", "past"]
    assert last.records(["live", "past"]) == {
        "live": [b"line 1 of live"],
        "past": [b"line 1 of past", b"line 2 of past"],
    }
    assert last.deeds() == [b"deed"]


async def test_who_takes_over_goes_on_where_the_other_was(house: Opened) -> None:
    first = house.open()
    many = [entry(f"t{number}", 1, "live") for number in range(1200)]
    await house.safe(first, many)
    second = house.open()
    assert second.secret == first.secret
    # Whoever is answered late asks once more, and that is another epoch.
    assert second.epoch > first.epoch
    assert second.archive.live() == first.archive.live()
    await house.safe(second, [entry(f"t{number}", 2) for number in range(1200)])
    assert second.archive.lines("t1199") == [b"line 1 of t1199", b"line 2 of t1199"]
    assert first.archive.lines("t1199") == [b"line 1 of t1199"], "a copy is one's own"


async def test_who_follows_hears_what_was_stored_and_reads_what_it_did_not_hear(
    house: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(_data: bytes) -> None:
        pass

    async def unread(_after: int) -> list[Read]:
        raise AssertionError("that was said")

    first = house.open()
    await house.safe(first, [entry("a", 1, "live"), entry("b", 1, "live")])
    follower = Follower(house.settings(9))
    told = list[tuple[str, int]]()
    try:
        for step in (follower.open, follower.catch_up):
            await follower.do(step())
        follower.heard.append(lambda table, sequence, _page: told.append((table, sequence)))
        before = follower.copy.mark.sequence
        with monkeypatch.context() as patched:
            patched.setattr(follower.stream, "read", unread)
            await house.safe(first, [entry("a", 2), entry("b", 2)])
            await rig.becomes(lambda: bool(follower._ahead))
            assert follower.copy.mark.sequence == before, "it comes when it would have been read"
            await follower.do(follower.catch_up())
        with monkeypatch.context() as patched:
            patched.setattr(first._follower.stream, "say", lost)
            await house.safe(first, [entry("a", 3)])
        await house.safe(first, [entry("b", 3)])
        await rig.becomes(lambda: bool(follower._ahead))
        await follower.do(follower.catch_up())
        for table in ("a", "b"):
            assert follower.copy.archive.lines(table) == first.archive.lines(table)
        # Whoever follows looks by itself, too.
        following = asyncio.create_task(follower.do(follower.follow()))
        await house.safe(first, [entry("a", 4)])
        await rig.becomes(lambda: follower.copy.mark.sequence == before + 5)
        await follower.do(follower._rest())
        with pytest.raises(asyncio.CancelledError):
            await following
    finally:
        await asyncio.to_thread(follower.close)
    assert told == [(table, before + number) for number, table in enumerate("ababa", 1)]


async def test_who_takes_over_while_another_does_begins_an_epoch_of_its_own(
    house: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open()
    one, other = Follower(house.settings(8)), Follower(house.settings(9))
    epochs = list[int]()
    try:
        for follower in (one, other):
            await follower.do(follower.open())
        ask = one.stream.last

        async def last(subject: str) -> Last:
            if not epochs:
                taken = asyncio.run_coroutine_threadsafe(other.take_over(), other.loop)
                epochs.append((await asyncio.wrap_future(taken)).epoch)
                # As the writer of this node's room would.
                await one.catch_up()
            return await ask(subject)

        monkeypatch.setattr(one.stream, "last", last)
        epochs.append((await one.do(one.take_over())).epoch)
    finally:
        for follower in (one, other):
            await asyncio.to_thread(follower.close)
    assert epochs[1] > epochs[0]


async def test_what_does_not_fit_one_message_is_several_and_stays_together(house: Opened) -> None:
    first = house.open()
    lines = [bytes([number]) * 300_000 for number in range(5)]
    await house.safe(
        first, [entry("a", 1, "live"), *(Entry("a", n, line) for n, line in enumerate(lines, 2))]
    )
    await house.safe(first, [entry("a", 7)])
    assert house.open().archive.lines("a") == [b"line 1 of a", *lines, b"line 7 of a"]


async def test_what_was_forgotten_is_gone_from_the_stream_too(house: Opened) -> None:
    first = house.open()
    await house.safe(first, [entry("a", 1, "live"), entry("b", 1, "live")])
    await house.safe(first, [entry("a", 2, "forgotten")])
    second = house.open()
    assert second.archive.ids() == ["b"]
    found = await asyncio.to_thread(second._follower.call, second._follower.stream.read(0))
    assert not [read for read in found if b"line 1 of a" in read.data]


async def test_servers_that_come_and_go_cost_time_and_nothing_else(
    house: Opened, servers: jet.Servers
) -> None:
    """One is killed, then two are away at once, then all answer too late: each record is there once."""
    writer, number = house.open(), 1
    await house.safe(writer, [entry("a", number, "live")])
    for away in ((0,), (1, 2), (0, 1, 2)):
        for one in away:
            servers.kill(one) if len(away) < 3 else servers.pause(one)
        tickets = []
        for _ in range(3):
            number += 1
            tickets.append(writer.append([entry("a", number)]))
        if len(away) > 1:
            await house.troubled(writer)
            assert max(house.counts[0]) < tickets[0], "without a majority nothing is safe"
        for one in away:
            servers.start(one) if len(away) < 3 else servers.go_on(one)
        number += 1
        await house.safe(writer, [entry("a", number)])
        house.troubles[0].clear()
    wanted = [b"line %d of a" % one for one in range(1, number + 1)]
    assert writer.archive.lines("a") == house.open().archive.lines("a") == wanted


async def test_what_the_servers_lose_is_noticed_and_given_back(house: Opened) -> None:
    """The same house under another name stands for one whose last messages are lost."""
    writer = house.open()
    await house.safe(writer, [entry("a", 1, "live"), entry("b", 1, "live"), entry("c", 1, "live")])
    kept = await asyncio.to_thread(writer._follower.call, writer._follower.stream.read(0))
    await house.safe(writer, [replace(entry("a", 2), slip=b"slip"), entry("b", 2, "over")])
    await house.safe(writer, [entry("c", 2, "forgotten"), entry("d", 1, "live"), Entry("", 1, b"deed")])
    before, folder = moving.survey(writer.archive), house.settings(0).data_folder()
    await asyncio.to_thread(writer.close)
    with pytest.raises(StoreError, match="nothing to repair"):
        await asyncio.to_thread(moving.repair, house.settings(0), folder)

    shorter = house.settings(0, cluster_name=f"less-{secrets.token_hex(4)}")
    stream = await Stream.connect(shorter)
    for number, read in enumerate(kept):
        _, _, rest = read.subject.partition(".")
        await stream.append([Message(stream.subject(rest), read.data, None)], str(number))
    await stream.close()
    with pytest.raises(StoreError, match="the cluster has lost records"):
        await asyncio.to_thread(keep_in_cluster, shorter, lambda _: None, lambda _: None)
    assert await asyncio.to_thread(moving.repair, shorter, folder) == before
    found = msgspec.structs.replace(shorter, data=str(folder.with_name("fresh")))
    again = await asyncio.to_thread(keep_in_cluster, found, lambda _: None, lambda _: None)
    assert moving.survey(again.archive) == before
    assert again.archive.slips() == {"a": b"slip"}
    await asyncio.to_thread(again.close)


async def test_what_went_on_in_another_way_is_not_repaired(house: Opened) -> None:
    writer = house.open()
    await house.safe(writer, [entry("a", 1, "live"), entry("a", 2), entry("b", 1, "live")])
    await asyncio.to_thread(writer.close)
    await house.safe(house.open(), [entry("a", 3)])
    folder = house.settings(0).data_folder()
    with sqlite3.connect(journal_in(folder)) as connection:
        connection.execute("UPDATE copy SET sequence = 1000")
    connection.close()
    with pytest.raises(StoreError, match="table a went on in another way in the cluster"):
        await asyncio.to_thread(moving.repair, house.settings(0), folder)
    assert house.open().archive.lines("a") == [b"line 1 of a", b"line 2 of a", b"line 3 of a"]


async def test_a_folder_with_a_house_of_its_own_is_not_written_over(house: Opened, tmp_path: Path) -> None:
    async with rig.house(tmp_path / "node-0", "house") as server:
        await rig.enter(server, "Anna")
        anna = await rig.enter(server, "Ada")
        await anna.send({"type": "open", "game": "santorini", "seats": 2})
        await anna.until("seated")
    with pytest.raises(StoreError, match="has a house of its own"):
        house.open()


async def test_a_house_moves_to_the_cluster_and_back_with_every_record(house: Opened, tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    async with rig.house(old, "house", bot_workers=0, bot_s=0.01) as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        await anna.send(
            {"type": "open", "game": "multisweeper", "seats": 2}, {"type": "bot", "level": "easy"}
        )
        token = (await anna.until("seated"))["token"]
        await anna.until("question")
        bruno = await rig.enter(server, "Bruno")
        await bruno.send(
            {"type": "open", "game": "santorini", "seats": 2},
            {"type": "bot"},
            {"type": "say", "text": "ciao"},
        )
        await bruno.until("said")
        await bruno.send({"type": "leave"})
        with pytest.raises(StoreError, match="another house is running"):
            await asyncio.to_thread(moving.take_in, house.settings(0), old)
    there = moving.survey(JournalReader(old))
    assert there.tables == 2
    moved = await asyncio.to_thread(moving.take_in, house.settings(0), old)
    assert moved == there
    with pytest.raises(StoreError, match="has a house"):
        await asyncio.to_thread(moving.take_in, house.settings(0), old)
    assert house.open().archive.slips() == JournalReader(old).slips()
    assert await asyncio.to_thread(moving.take_out, house.settings(0), new) == there
    with pytest.raises(StoreError, match="already"):
        await asyncio.to_thread(moving.take_out, house.settings(0), new)
    async with rig.house(new, "house", bot_workers=0, bot_s=0.01) as server:
        back = await rig.connect(server, "house")
        await back.send({"type": "return", "token": token, "since": 0})
        assert (await back.until("seated"))["table"]["game"] == "multisweeper"


async def test_servers_that_acknowledge_too_early_are_not_trusted(tmp_path: Path) -> None:
    def attempt(folder: str, **more: object) -> None:
        given = {**careless.settings("careless"), **more}
        settings = Settings(data=str(tmp_path / folder), **given)
        keep_in_cluster(settings, lambda _: None, lambda _: None).close()

    with jet.Servers(tmp_path, 1, sync_interval="2m") as careless:
        with pytest.raises(StoreError, match="acknowledges before its disk has it"):
            attempt("a")
        with pytest.raises(StoreError, match="system account"):
            attempt("b", cluster_system=[])
        attempt("c", cluster_system=[], cluster_sync="trust")


async def test_whoever_stops_speaking_to_a_server_that_is_gone_fails_for_no_other_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Evening 7162 of Masters of Renaissance: a node that was not answered at its start ended with a lost
    connection instead of saying so."""

    async def lost(_self: Client) -> None:
        raise ConnectionResetError("Connection lost")

    async def found(_self: Client, *_given: object, **_more: object) -> None:
        pass

    async def silent(_self: Stream, _replicas: int) -> None:
        raise StoreError("no answer in time")

    monkeypatch.setattr(Client, "close", lost)
    monkeypatch.setattr(Client, "connect", found)
    monkeypatch.setattr(Stream, "_prepare", silent)
    with pytest.raises(StoreError, match="no answer in time"):
        await Stream.connect(Settings(cluster=["nats://127.0.0.1:9"], cluster_sync="trust"))


def test_a_house_on_one_machine_needs_no_library_for_several() -> None:
    code = "import sys, ludoteca.cli.serve; sys.exit('nats' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
