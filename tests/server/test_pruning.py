"""What a house on several machines gives up and gets back: old matches leave the stream and all copies, and a
copy that a node made brings all of it back."""

import asyncio
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from tests import jet, rig
from tests.server.test_storage import entry

from ludoteca.hall.post import Entry
from ludoteca.server import backup
from ludoteca.server.cluster import moving, pruning
from ludoteca.server.cluster.follower import Follower
from ludoteca.server.cluster.pruning import PRUNE, Gone, Wish, prune
from ludoteca.server.cluster.stream import Read
from ludoteca.server.cluster.writer import ClusterWriter, keep_in_cluster
from ludoteca.server.schema import StoreError, journal_in
from ludoteca.server.secret import secret_of
from ludoteca.server.settings import Settings

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jet.Servers]:
    with jet.Servers(tmp_path_factory.mktemp("nats"), 1) as made:
        yield made


async def test_old_matches_leave_the_stream_and_every_copy_and_all_else_stays(
    tmp_path: Path, servers: jet.Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pruning, "ASKED_MAX", 12)
    name = f"prune-{secrets.token_hex(3)}"

    def settings(node: str) -> Settings:
        return Settings(data=str(tmp_path / node), cluster_node=node, **servers.settings(name))

    serving, other = Follower(settings("one")), Follower(settings("two"))
    try:
        for follower in (serving, other):
            await follower.do(follower.open())
        stored: list[int] = [0]
        writer = await asyncio.to_thread(ClusterWriter, serving, stored.append, lambda _why: None)
        for follower, at_work in ((serving, writer), (other, None)):
            await follower.do(pruning.hear(follower, lambda at_work=at_work: at_work))  # type: ignore[misc]
        entries: list[Entry] = []
        for number in range(1, 31):
            game = "eriantys" if number == 30 else "santorini"
            entries.append(entry(f"t{number}", 1, "live", game=game))
            entries.append(entry(f"t{number}", 2, "over", game=game, closed_ms=number))
        entries += [
            entry("late", 1, "live"),
            entry("late", 2, "over", closed_ms=1000),
            entry("on", 1, "live"),
        ]
        await safe(writer, entries)
        await other.do(other.catch_up())

        assert await prune(settings("cli"), Wish(100, only_count=True)) == 30
        told: list[Gone] = []
        assert await prune(settings("cli"), Wish(30, "santorini"), told.append) == 29
        assert [gone.removed for gone in told] == [12, 12, 5]
        # Somebody plays on meanwhile, and the one who serves is the same.
        await safe(writer, [entry("on", 2)])
        await other.do(other.catch_up())

        for follower in (serving, other):
            assert sorted(follower.copy.archive.ids()) == ["late", "on", "t30"]
            with sqlite3.connect(journal_in(follower.settings.data_folder())) as connection:
                sheets = b"".join(row[0] for row in connection.execute("SELECT lines FROM sheets"))
            assert b"line 2 of late" in sheets
            assert b"line 1 of t1" not in sheets, "nothing is left of it, on no sheet"
        info = await serving.do(serving.stream.api("STREAM.INFO", {"subjects_filter": f"{name}.t.>"}))
        subjects = info["state"]["subjects"]
        assert {subjects[f"{name}.t.t{number}"] for number in range(1, 30)} == {1}, "that it is gone, no more"
        # Whoever has never seen any of it finds the same.
        found = await asyncio.to_thread(moving.take_out, settings("cli"), tmp_path / "out")
        assert found == moving.survey(serving.copy.archive) == moving.survey(other.copy.archive)

        client = await nats.connect(servers.settings(name)["cluster"])
        for nonsense in (b"", b"garbage", b'{"before_ms": "x"}', b'{"before_ms": 1e300}', b"[" * 10_000):
            answer = await client.request(f"{PRUNE}.{name}", nonsense, timeout=rig.PATIENCE_S)
            assert b'"removed":0' in answer.data
            assert b'"error":""' not in answer.data
        await client.close()
        assert await prune(settings("cli"), Wish(10**15, "no such game")) == 0
        await asyncio.to_thread(writer.close)
        monkeypatch.setattr(pruning, "STORED_S", 0.1)
        with pytest.raises(StoreError, match="try again later"):
            await prune(settings("cli"), Wish(2000))
    finally:
        for follower in (serving, other):
            await asyncio.to_thread(follower.close)


async def safe(writer: ClusterWriter, entries: list[Entry]) -> None:
    ticket = writer.append(entries)
    async with asyncio.timeout(rig.PATIENCE_S):
        while not writer.has_stored(ticket):
            await asyncio.sleep(0.005)


async def test_a_copy_that_a_node_made_brings_the_whole_house_back_into_another_cluster(
    tmp_path: Path, servers: jet.Servers
) -> None:
    def settings(node: str, name: str) -> Settings:
        return Settings(data=str(tmp_path / node), cluster_node=node, **servers.settings(name))

    first, again = (f"copy-{secrets.token_hex(3)}" for _ in range(2))
    follower = Follower(settings("node", first))
    try:
        await follower.do(follower.open())
        writer = await asyncio.to_thread(ClusterWriter, follower, lambda _count: None, lambda _why: None)
        entries = [entry("live", 1, "live"), entry("past", 1, "live"), entry("past", 2, "over", closed_ms=5)]
        await safe(writer, [*entries, Entry("", 1, b"a deed")])
        (tmp_path / "copies").mkdir()
        # People play on: a copy is of one moment.
        made, about = await asyncio.to_thread(backup.backup, tmp_path / "node", tmp_path / "copies")
        kept = moving.survey(writer.archive)
        await safe(writer, [entry("live", 2)])
        await asyncio.to_thread(writer.close)
    finally:
        await asyncio.to_thread(follower.close)
    assert (about.tables, about.records) == (2, 3)
    backup.restore(made, tmp_path / "house")
    arrived = await asyncio.to_thread(moving.take_in, settings("cli", again), tmp_path / "house")
    assert (arrived.digest, arrived.records) == (kept.digest, kept.records)
    assert secret_of(tmp_path / "house") == secret_of(tmp_path / "node"), "seats are known by their addresses"
    out = await asyncio.to_thread(moving.take_out, settings("cli", again), tmp_path / "out")
    assert out == arrived
    # It is no copy of the cluster that it came from: that went on meanwhile.
    with pytest.raises(StoreError, match="a house of its own"):
        await asyncio.to_thread(keep_in_cluster, settings("house", first), lambda _count: None, print)


async def test_whoever_takes_over_has_ended_following_even_where_the_library_does_not_hear_that(
    tmp_path: Path, servers: jet.Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"deaf-{secrets.token_hex(3)}"
    follower = Follower(Settings(data=str(tmp_path), cluster_node="one", **servers.settings(name)))
    try:
        await follower.do(follower.open())
        read, deaf = follower.stream.read, threading.Event()

        async def hard_of_hearing(after: int) -> list[Read]:
            try:
                await asyncio.sleep(0.01)
                return await read(after)
            except asyncio.CancelledError:
                if deaf.is_set():
                    raise
                deaf.set()
                return []

        monkeypatch.setattr(follower.stream, "read", hard_of_hearing)
        monkeypatch.setattr("ludoteca.server.cluster.follower.FOLLOW_S", 0.0)
        following = asyncio.run_coroutine_threadsafe(follower.follow(), follower.loop)
        async with asyncio.timeout(rig.PATIENCE_S):
            while not deaf.is_set():
                following.cancel()
                await asyncio.sleep(0.02)
                if not deaf.is_set():
                    following = asyncio.run_coroutine_threadsafe(follower.follow(), follower.loop)
                    await asyncio.sleep(0.02)
        writer = await asyncio.to_thread(ClusterWriter, follower, lambda _count: None, lambda _why: None)
        still = [repr(task.get_coro()) for task in asyncio.all_tasks(follower.loop)]
        assert not any("Follower.follow" in one for one in still), "two would add the same to the copy"
        await safe(writer, [entry("on", 1, "live")])
        await asyncio.to_thread(writer.close)
    finally:
        await asyncio.to_thread(follower.close)
