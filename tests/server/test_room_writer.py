"""Tables that one node gives to another: whose each of them is the stream says, and what is stored is what
was written by whoever had it then. With a real server of NATS."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests import jet, rig
from tests.server.test_storage import entry

from ludoteca.server.cluster.follower import Follower, patiently
from ludoteca.server.cluster.lease import Leases
from ludoteca.server.cluster.node import Node
from ludoteca.server.cluster.room_writer import RoomWriter
from ludoteca.server.cluster.stream import Message, Unavailable
from ludoteca.server.cluster.writer import ClusterWriter
from ludoteca.server.settings import Settings

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jet.Servers]:
    with jet.Servers(tmp_path_factory.mktemp("nats"), 1) as made:
        yield made


class Machine:
    """One node without doors: it follows, has a room, and perhaps the desk."""

    def __init__(self, settings: Settings) -> None:
        self.follower = Follower(settings)
        self.follower.call(self.follower.open())
        self.life = f"{self.follower.node}.{self.follower.run_id}"
        # What the room hears: ("came" | "lost" | "went", table) or how many records are safe.
        self.heard: list[tuple[str, Any]] = []
        self.troubles: list[str] = []
        self.deposed = False
        self.room = RoomWriter(
            self.follower,
            lambda count: self.heard.append(("safe", count)),
            self.troubles.append,
            self.life,
            self._came,
            lambda table: self.heard.append(("lost", table)),
            lambda table: self.heard.append(("went", table)),
        )
        self.desk: ClusterWriter | None = None
        self._following = asyncio.run_coroutine_threadsafe(self.follower.follow(), self.follower.loop)

    def _came(self, table: str, tenure: int) -> None:
        self.room.wake(table, tenure)
        self.heard.append(("came", table))

    def take_over(self, *rooms: "Machine") -> ClusterWriter:
        """Have the desk."""
        taken = self.follower.call(
            patiently(lambda: self.follower.take_over([machine.life for machine in rooms]))
        )
        self._following = asyncio.run_coroutine_threadsafe(self.follower.follow(), self.follower.loop)
        self.safe = list[int]()
        self.desk = ClusterWriter(
            self.follower, self.safe.append, self.troubles.append, self._depose, taken=taken
        )
        return self.desk

    def _depose(self) -> None:
        self.deposed = True

    async def until(self, *heard: tuple[str, Any], times: int = 1) -> None:
        """Wait until all of this was heard so often."""
        async with asyncio.timeout(rig.PATIENCE_S):
            while any(self.heard.count(one) < times for one in heard):
                await asyncio.sleep(0.005)

    async def safely(self, *entries: Any) -> None:
        """The desk writes, and it is stored."""
        assert self.desk is not None
        ticket = self.desk.append(list(entries))
        async with asyncio.timeout(rig.PATIENCE_S):
            while max(self.safe, default=0) < ticket:
                await asyncio.sleep(0.005)

    async def lines(self, table: str) -> list[bytes]:
        """What the copy says when it is where the stream is."""
        await self.follower.do(self.follower.catch_up())
        return self.follower.copy.archive.lines(table)

    def cut_off(self) -> None:
        """Nothing that is appended gets there, and nothing is heard."""
        self._following.cancel()
        append = self.follower.stream.append

        async def unheard(_messages: Sequence[Message], _batch: str) -> int:
            raise Unavailable("cut off")

        def mend() -> None:
            self.follower.stream.append = append  # type: ignore[method-assign]
            self._following = asyncio.run_coroutine_threadsafe(self.follower.follow(), self.follower.loop)

        self.mend = mend
        self.follower.stream.append = unheard  # type: ignore[method-assign, assignment]

    def lose_next_answer(self, meanwhile: Any) -> None:
        """What is appended next is stored, and nobody says so; something else happens before it is known."""
        append = self.follower.stream.append

        async def unsaid(messages: Sequence[Message], batch: str) -> int:
            self.follower.stream.append = append  # type: ignore[method-assign]
            await append(messages, batch)
            await meanwhile()
            raise Unavailable("no answer in time")

        self.follower.stream.append = unsaid  # type: ignore[method-assign]

    def close(self) -> None:
        self._following.cancel()
        if self.desk is not None:
            self.desk.close()
        self.room.close()
        self.follower.close()


@pytest.fixture
async def machines(tmp_path: Path, servers: jet.Servers) -> AsyncIterator[list[Machine]]:
    name = f"test-{secrets.token_hex(4)}"
    made = [
        await asyncio.to_thread(
            Machine,
            Settings(
                data=str(tmp_path / node),
                cluster_node=node,
                **servers.settings(name, cluster_sync="trust"),
            ),
        )
        for node in ("desk", "one", "other")
    ]
    await asyncio.to_thread(made[0].take_over)
    yield made
    for machine in reversed(made):
        await asyncio.to_thread(machine.close)


async def test_a_table_is_given_on_and_each_writes_while_it_has_it(machines: list[Machine]) -> None:
    desk, one, other = machines
    assert desk.desk is not None
    await desk.safely(entry("t", 1, "live"))
    desk.desk.give("t", one.life, "desk")
    await one.until(("came", "t"))
    one.room.append([entry("t", 2)])
    await one.until(("safe", 1))
    # It gives the table up, after what it has written; whoever has the desk gives it on.
    one.room.append([entry("t", 3)])
    one.room.give("t", "", one.life)
    await one.until(("safe", 2), ("went", "t"))
    desk.desk.give("t", other.life, "")
    await other.until(("came", "t"))
    other.room.append([entry("t", 4)])
    await other.until(("safe", 1))
    # Who thinks that it is another's than it is gives nothing.
    desk.desk.give("t", "desk", one.life)
    desk.desk.give("t", one.life, "desk")
    await desk.safely(entry("u", 1, "live"))
    other.room.append([entry("t", 5)])
    await other.until(("safe", 2))
    desk.desk.give("t", "desk", other.life)
    await other.until(("lost", "t"))
    await desk.safely(entry("t", 6))
    for machine in machines:
        assert await machine.lines("t") == [b"line %d of t" % number for number in range(1, 7)]
    assert not desk.deposed
    assert one.heard.count(("lost", "t")) == other.heard.count(("went", "t")) == 0


async def test_a_table_that_was_given_and_missed_while_nothing_could_be_stored_is_given_on(
    machines: list[Machine],
) -> None:
    """A soak with real nodes: a room was lost while the servers had no leader. The desk wanted the table back
    in the very batch that gave it away, took it for its own although that was refused, and was never given it
    again."""
    desk, one, _ = machines
    assert desk.desk is not None
    await desk.safely(entry("t", 1, "live"))
    desk.cut_off()
    desk.desk.append([entry("t", 2)])
    async with asyncio.timeout(rig.PATIENCE_S):
        while not desk.troubles:
            await asyncio.sleep(0.005)
    desk.desk.give("t", one.life, "desk")
    desk.desk.give("t", "desk", one.life)
    desk.mend()
    await one.until(("came", "t"))
    desk.desk.give("t", "desk", one.life)
    await one.until(("lost", "t"))
    await desk.safely(entry("t", 3))
    assert await one.lines("t") == [b"line %d of t" % number for number in range(1, 4)]
    assert not desk.deposed


async def test_what_was_written_before_a_table_was_another_s_is_not_stored_when_it_comes_again(
    machines: list[Machine],
) -> None:
    """A node that was cut off hears of all of it at once: the table was another's, went on there, and is its
    own again. Then what it had not stored is of the same numbers as what is there."""
    desk, one, other = machines
    assert desk.desk is not None
    await desk.safely(entry("t", 1, "live"))
    desk.desk.give("t", one.life, "desk")
    await one.until(("came", "t"))
    one.cut_off()
    one.room.append([entry("t", 2), entry("t", 3)])
    async with asyncio.timeout(rig.PATIENCE_S):
        while not one.troubles:
            await asyncio.sleep(0.005)
    desk.desk.give("t", other.life, one.life)
    await other.until(("came", "t"))
    other.room.append([entry("t", 2)])
    await other.until(("safe", 1))
    desk.desk.give("t", one.life, other.life)
    await other.until(("lost", "t"))
    one.mend()
    await one.until(("lost", "t"))
    await one.until(("came", "t"), times=2)
    # Nobody is told of what is not stored: the table was lost before it was called safe.
    await one.until(("safe", 2))
    assert one.heard.index(("lost", "t")) < one.heard.index(("safe", 2))
    one.room.append([entry("t", 3)])
    await one.until(("safe", 3))
    for machine in machines:
        assert await machine.lines("t") == [b"line %d of t" % number for number in range(1, 4)]
    assert not other.troubles


async def test_a_batch_is_known_again_although_another_node_has_written_about_its_last_table_since(
    machines: list[Machine],
) -> None:
    desk, one, _ = machines
    assert desk.desk is not None
    await desk.safely(entry("s", 1, "live"), entry("t", 1, "live"))

    async def go_on() -> None:
        await one.until(("came", "t"))
        one.room.append([entry("t", 3)])
        await one.until(("safe", 1))

    desk.lose_next_answer(go_on)
    writer = desk.desk

    async def hand_over() -> int:
        # In the writer's thread: then it is one batch.
        ticket = writer.append([entry("s", 2), entry("t", 2)])
        writer.give("t", one.life, "desk")
        return ticket

    ticket = await desk.follower.do(hand_over())
    async with asyncio.timeout(rig.PATIENCE_S):
        while max(desk.safe, default=0) < ticket:
            await asyncio.sleep(0.005)
    await desk.safely(entry("s", 3))
    assert not desk.deposed
    assert await one.lines("t") == [b"line %d of t" % number for number in range(1, 4)]
    assert await one.lines("s") == [b"line %d of s" % number for number in range(1, 4)]


async def test_who_takes_over_leaves_tables_to_rooms_that_are_there(machines: list[Machine]) -> None:
    desk, one, other = machines
    assert desk.desk is not None
    await desk.safely(*(entry(table, 1, "live") for table in ("s", "t", "u")))
    desk.desk.give("s", one.life, "desk")
    desk.desk.give("t", other.life, "desk")
    await one.until(("came", "s"))
    await other.until(("came", "t"))
    # The room of `one` is not known to whoever takes over.
    await asyncio.to_thread(other.take_over, other)
    assert other.desk is not None
    assert other.desk.placed == {"t": other.life}
    await one.until(("lost", "s"))
    await other.safely(entry("s", 2), entry("u", 2))
    other.room.append([entry("t", 2)])
    await other.until(("safe", 1))
    # What the old desk wants is not done any more, whatever it is.
    desk.desk.give("t", "desk", other.life)
    async with asyncio.timeout(rig.PATIENCE_S):
        while not desk.deposed:
            await asyncio.sleep(0.005)
    other.room.append([entry("t", 3)])
    await other.until(("safe", 2))
    assert await one.lines("t") == [b"line %d of t" % number for number in range(1, 4)]


async def test_no_room_is_known_while_there_is_a_node_whose_gate_finds_none(machines: list[Machine]) -> None:
    follower = machines[0].follower
    node = Node.__new__(Node)
    node._leases = leases = Leases(follower.stream, 1)

    async def say(name: str, **more: Any) -> None:
        said = {"node": name, "version": "0", "serves": False, "at": 0, "epoch": 0, **more}
        await leases.say(f"node.{name}", msgspec.json.encode(said))

    async def look() -> tuple[dict[str, int], dict[str, int]]:
        await say("one", room="one.life", tables=3, finds_rooms=True)
        await say("two", finds_rooms=True)
        alike = await node._look()
        # As the version before would say it.
        await say("old")
        return alike, await node._look()

    assert await follower.do(look()) == ({"one.life": 3}, {})
