"""The contract between the cluster's code and servers of NATS: what is tried here holds of real servers and
of the model of them that the simulation has: evenings are neither kinder nor crueller than the world."""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.errors import NoRespondersError
from nats.js.errors import KeyNotFoundError, KeyWrongLastSequenceError
from tests import jet
from tests.simulation.processes import Process, WorldLoop, library
from tests.simulation.servers import Servers

from ludoteca.core import Dice
from ludoteca.server.cluster.lease import LEASE_S, RELEASED, Lease, Leases
from ludoteca.server.cluster.stream import Fenced, Message, Stream, Unavailable
from ludoteca.server.settings import Settings

PATIENCE_S = 60.0


class House:
    """What a test is given: a name that nobody else has, and servers to kill."""

    def __init__(self, servers: Any, given: dict[str, Any]) -> None:
        self.servers = servers
        self.settings = Settings(**{**given, "cluster_sync": "trust"})
        self.name = self.settings.cluster_name

    async def client(self) -> Client:
        """Somebody who speaks to the servers."""
        return await nats.connect(self.settings.cluster, reconnect_time_wait=0.1, max_reconnect_attempts=-1)

    async def stream(self) -> Stream:
        """The house's stream."""
        return await Stream.connect(self.settings)


Trial = Callable[[House], Awaitable[None]]


def in_the_model(trial: Trial, seed: int = 1) -> Counter[str]:
    """Have it tried with servers that are made up; what was met."""
    loop, met = WorldLoop(), Counter[str]()
    servers = Servers(loop, Dice(seed), lambda what: met.update([what]))
    process = Process(loop, "client", Dice(seed + 1), servers.dial)
    house = House(servers, {"cluster": servers.urls, "cluster_name": "trial"})

    async def run() -> None:
        task = process.run(_closing(trial, house))
        while not task.done():
            await asyncio.sleep(0.1)
            assert not loop.failures
        task.result()

    try:
        with library(loop):
            loop.run_until_complete(run())
        assert not process.failures()
        assert not loop.failures
        return met
    finally:
        process.bury()
        loop.close()


async def _closing(trial: Trial, house: House) -> None:
    made: list[Client] = []
    connect = nats.connect

    async def remembered(*given: Any, **more: Any) -> Client:
        client = await connect(*given, **more)
        made.append(client)
        return client

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(nats, "connect", remembered)
        try:
            await trial(house)
        finally:
            for client in made:
                with contextlib.suppress(Exception):
                    await client.close()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jet.Servers]:
    with jet.Servers(tmp_path_factory.mktemp("nats"), 3) as made:
        yield made


@pytest.fixture(params=["model", pytest.param("real", marks=pytest.mark.slow)])
def hold(request: pytest.FixtureRequest) -> Callable[[Trial], None]:
    """Have something tried, with one kind of servers."""

    def with_real_ones(trial: Trial) -> None:
        servers: jet.Servers = request.getfixturevalue("real")
        house = House(servers, servers.settings(f"trial-{secrets.token_hex(4)}"))
        asyncio.run(_closing(trial, house))

    def with_the_model(trial: Trial) -> None:
        for seed in range(1, 4):
            in_the_model(trial, seed)

    return with_real_ones if request.param == "real" else with_the_model


Hold = Callable[[Trial], None]


def page(subject: str, data: bytes, fence: int | None) -> Message:
    """One message."""
    return Message(subject, data, fence)


def test_a_batch_is_stored_whole_in_order_and_its_end_is_told(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        a, b = stream.subject("t", "a"), stream.subject("t", "b")
        assert await stream.end() == 0
        assert (await stream.last(a)).sequence == 0
        assert await stream.append([page(a, b"1", 0), page(b, b"2", 0), page(a, b"3", None)], "one") == 3
        assert await stream.append([page(b, b"4", 2)], "two") == 4
        found = await stream.read(0)
        while len(found) < 4:
            found += await stream.read(len(found))
        assert [(one.sequence, one.subject, one.data) for one in found] == [
            (1, a, b"1"),
            (2, b, b"2"),
            (3, a, b"3"),
            (4, b, b"4"),
        ]
        assert await stream.last(a) == (3, "one", b"3")
        assert await stream.last(b) == (4, "two", b"4")
        assert await stream.end() == 4
        assert [one.sequence for one in await stream.read(2)][:1] == [3]
        assert await stream.read(4) == []

    hold(trial)


def test_what_a_stream_says_others_hear_and_it_does_not(hold: Hold) -> None:
    async def trial(house: House) -> None:
        first, second = await house.stream(), await house.stream()
        heard: list[tuple[str, bytes]] = []
        await first.hear(lambda data: heard.append(("first", data)))
        await second.hear(lambda data: heard.append(("second", data)))
        # A ping overtakes nothing that was said on the same connection, and the servers tell each other.
        for stream in (first, second):
            await stream.client.flush()
        while ("second", b"once") not in heard:
            await first.say(b"once")
            await asyncio.sleep(0.05)
        await second.say(b"back")
        while ("first", b"back") not in heard:
            await asyncio.sleep(0.05)
        assert set(heard) == {("second", b"once"), ("first", b"back")}

    hold(trial)


def test_one_fence_that_does_not_hold_refuses_the_whole_batch(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        a, b, c = (stream.subject("t", name) for name in "abc")
        await stream.append([page(a, b"1", 0), page(b, b"2", 0)], "one")
        for batch in (
            [page(a, b"x", 1), page(b, b"x", 1)],
            [page(a, b"x", 0), page(b, b"x", 2)],
            [page(c, b"x", 0), page(a, b"x", 2), page(b, b"x", 2)],
            [page(c, b"x", 3)],
        ):
            with pytest.raises(Fenced):
                await stream.append(batch, f"refused {len(batch)} {batch[0].fence}")
        assert await stream.end() == 2
        assert await stream.append([page(a, b"3", 1), page(b, b"4", 2), page(c, b"5", 0)], "three") == 5

    hold(trial)


def test_a_batch_of_which_a_message_was_lost_is_refused(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        subject = stream.subject("t", "a")
        for numbers in ((1, 3), (2,), (1, 2, 4)):
            batch = f"gap {numbers}"
            *parts, last = numbers
            for number in parts:
                headers = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(number)}
                await stream.client.publish(subject, b"part", headers=headers)
            headers = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(last), "Nats-Batch-Commit": "1"}
            answer = await stream.client.request(subject, b"last", timeout=5, headers=headers)
            assert b'"err_code":10176' in answer.data.replace(b" ", b"")
        assert await stream.end() == 0

    hold(trial)


def test_what_has_an_id_is_stored_once(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        context, subject = stream.client.jetstream(), stream.subject("t", "a")
        first = await context.publish(subject, b"1", headers={"Nats-Msg-Id": "one"})
        again = await context.publish(subject, b"1", headers={"Nats-Msg-Id": "one"})
        assert (first.seq, again.seq, bool(again.duplicate)) == (1, 1, True)
        assert (await context.publish(subject, b"2", headers={"Nats-Msg-Id": "two"})).seq == 2

    hold(trial)


def test_a_subject_can_be_cleared_but_for_its_last_and_numbers_go_on(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        a, b = stream.subject("t", "a"), stream.subject("t", "b")
        await stream.append([page(a, b"1", 0), page(b, b"2", 0), page(a, b"3", None)], "one")
        await stream.clear(a)
        await asyncio.sleep(0.2)
        assert [(one.sequence, one.data) for one in await stream.read(0)] == [(2, b"2"), (3, b"3")]
        assert await stream.append([page(a, b"4", 3)], "two") == 4
        assert await stream.end() == 4

    hold(trial)


def test_a_stream_that_is_there_is_found_again(hold: Hold) -> None:
    async def trial(house: House) -> None:
        first = await house.stream()
        await first.append([page(first.subject("about"), b"ours", 0)], "one")
        second = await house.stream()
        assert (await second.last(second.subject("about"))).data == b"ours"

    hold(trial)


def test_a_lease_is_had_by_one_renewed_left_and_forgotten(hold: Hold) -> None:
    async def trial(house: House) -> None:
        leases = [Leases(await house.stream(), 3) for _ in range(2)]
        mine, yours = (
            Lease(some, "house", value) for some, value in zip(leases, (b"me", b"you"), strict=True)
        )
        assert await mine.holder() is None
        assert await mine._take()
        assert not await yours._take()
        assert await yours.holder() == b"me"
        assert await mine.renew()
        assert not await yours.renew()
        await mine.release()
        assert await yours.holder() == RELEASED
        assert await yours._take()
        assert not await mine.renew()
        await asyncio.sleep(LEASE_S + 1.0)
        assert await mine.holder() is None, "nobody has said it again"
        assert not mine.regained
        assert await mine.renew(), "nobody else has it"
        assert mine.regained, "somebody may have had it meanwhile"
        assert not await yours.renew()

    hold(trial)


def test_who_is_about_to_go_leaves_a_lease_to_others_and_takes_it_where_there_are_none(
    hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoteca.server.cluster.lease.MODEST_S", 2.0)
    clock = SimpleNamespace(monotonic=lambda: asyncio.get_running_loop().time())
    monkeypatch.setattr("ludoteca.server.cluster.lease.time", clock)

    async def trial(house: House) -> None:
        leases = [Leases(await house.stream(), 3) for _ in range(2)]
        mine, yours = (
            Lease(some, "house", value) for some, value in zip(leases, (b"me", b"you"), strict=True)
        )
        await mine.wait_for()
        assert mine.held
        mine.be_modest(600.0)
        await mine.release()
        assert not mine.held
        waiting = asyncio.create_task(mine.wait_for())
        await yours.wait_for()
        assert yours.held
        assert not waiting.done()
        await yours.release()
        await waiting
        assert mine.held, "nobody else has wanted it"
        await mine.release()

        # Whoever is told to go while it becomes theirs gives it up.
        await yours.wait_for()
        await yours.release()
        take = yours._take

        async def told_to_go() -> bool:
            found = await take()
            yours.be_modest(600.0)
            return found

        monkeypatch.setattr(yours, "_take", told_to_go)
        waiting = asyncio.create_task(yours.wait_for())
        await asyncio.sleep(0.5)
        assert not yours.held
        await waiting

    hold(trial)


def test_a_key_is_changed_only_by_who_knows_what_it_says(hold: Hold) -> None:
    async def trial(house: House) -> None:
        bucket = await Leases(await house.stream(), 3).bucket()
        with pytest.raises(KeyNotFoundError):
            await bucket.get("place")
        first = await bucket.create("place", b"1")
        with pytest.raises(KeyWrongLastSequenceError):
            await bucket.create("place", b"2")
        second = await bucket.update("place", b"2", last=first)
        with pytest.raises(KeyWrongLastSequenceError):
            await bucket.update("place", b"3", last=first)
        assert (await bucket.get("place")).value == b"2"
        assert await bucket.put("place", b"3") > second > first
        await bucket.delete("place")
        with pytest.raises(KeyNotFoundError) as gone:
            await bucket.get("place")
        assert gone.value.op == "DEL"
        assert await bucket.create("place", b"4")

    hold(trial)


def test_all_keys_are_told_but_those_that_were_left_or_forgotten(hold: Hold) -> None:
    async def trial(house: House) -> None:
        leases = Leases(await house.stream(), 3)
        assert await leases.all() == {}
        await leases.say("node.first", b"1")
        mine = Lease(leases, "house", b"me")
        assert await mine._take()
        assert await leases.all() == {"node.first": b"1", "house": b"me"}
        await mine.release()
        assert await leases.all() == {"node.first": b"1"}
        await asyncio.sleep(LEASE_S / 2)
        await leases.say("node.second", b"2")
        await asyncio.sleep(LEASE_S / 2 + 0.7)
        assert await leases.all() == {"node.second": b"2"}

    hold(trial)


def test_what_is_said_is_heard_in_order_by_all_who_listen_and_by_one_of_a_group(hold: Hold) -> None:
    async def trial(house: House) -> None:
        clients = [await house.client() for _ in range(3)]
        heard: list[list[bytes]] = [[], [], []]
        group: list[bytes] = []
        for client, mine in zip(clients, heard, strict=True):

            async def hear(message: Any, mine: list[bytes] = mine) -> None:
                mine.append(message.data)

            async def share(message: Any) -> None:
                group.append(message.data)

            await client.subscribe(f"say.{house.name}.*", cb=hear)
            await client.subscribe(f"say.{house.name}.*", queue="some", cb=share)
            await client.flush()
        # The servers tell each other who listens.
        await asyncio.sleep(0.3)
        wanted = [b"%d" % number for number in range(100)]
        for data in wanted:
            await clients[0].publish(f"say.{house.name}.all", data)
        await clients[0].publish(f"say.{house.name}", b"not for these")
        async with asyncio.timeout(PATIENCE_S):
            while min(map(len, heard)) < 100 or len(group) < 100:
                await asyncio.sleep(0.02)
        assert heard == [wanted] * 3
        assert sorted(group) == sorted(wanted)
        with pytest.raises(NoRespondersError):
            await clients[1].request(f"nobody.{house.name}", b"?", timeout=5)

    hold(trial)


def test_the_death_of_a_server_costs_time_and_nothing_that_was_acknowledged(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        subject = stream.subject("t", "a")
        fence = await _append(stream, subject, b"before", 0)
        for number in range(3):
            house.servers.kill(number)
            fence = await _append(stream, subject, b"without %d" % number, fence)
            house.servers.start(number)
            fence = await _append(stream, subject, b"with %d" % number, fence)
        found = [one.data for one in await _all(stream, fence)]
        wanted = [b"before", *(b"%s %d" % (how, one) for one in range(3) for how in (b"without", b"with"))]
        assert found == wanted

    hold(trial)


def test_without_a_majority_nothing_is_acknowledged_and_all_goes_on_afterwards(hold: Hold) -> None:
    async def trial(house: House) -> None:
        stream = await house.stream()
        subject = stream.subject("t", "a")
        fence = await _append(stream, subject, b"before", 0)
        house.servers.kill(0)
        house.servers.kill(1)
        for number in range(3):
            with pytest.raises(Unavailable):
                await stream.append([page(subject, b"never", fence)], f"in vain {number}")
            await asyncio.sleep(0.3)
        house.servers.start(0)
        house.servers.start(1)
        fence = await _append(stream, subject, b"after", fence)
        found = [one.data for one in await _all(stream, fence)]
        assert [data for data in found if data != b"never"] == [b"before", b"after"]

    hold(trial)


async def _append(stream: Stream, subject: str, data: bytes, fence: int) -> int:
    """Store it, however long that takes, as the journal's writer does: once. Its number."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await stream.append([page(subject, data, fence)], f"{secrets.token_hex(4)}")
            except Fenced:
                with contextlib.suppress(Unavailable):
                    last = await stream.last(subject)
                    if last.data == data:
                        return last.sequence
                    fence = last.sequence
            except Unavailable:
                pass
            await asyncio.sleep(0.2)


async def _all(stream: Stream, end: int) -> list[Any]:
    found: list[Any] = []
    async with asyncio.timeout(PATIENCE_S):
        while not found or found[-1].sequence < end:
            with contextlib.suppress(Unavailable):
                found += await stream.read(found[-1].sequence if found else 0)
            await asyncio.sleep(0.05)
    return found
