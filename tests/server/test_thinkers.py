"""Bots that think on other machines: those answer, or die, or lie, and at the table nobody notices."""

import asyncio
import contextlib
import math
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import nats
import pytest
from nats.aio.msg import Msg
from tests import jet, rig
from tests.server.nodes import told
from tests.server.test_thinking import PLAIN, levels, open_table, play, sample

from ludoteca import __version__, bots, games
from ludoteca.core import Seat, Setup
from ludoteca.server.cluster import minds, thinkers
from ludoteca.server.cluster.minds import Here, Question, Reply, mind_of, subject
from ludoteca.server.cluster.thinkers import Known, Thinkers
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings
from ludoteca.server.world import World

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[jet.Servers]:
    with jet.Servers(tmp_path_factory.mktemp("nats"), 1) as made:
        yield made


@contextlib.asynccontextmanager
async def house(folder: Path, servers: jet.Servers, name: str, **more: Any) -> AsyncIterator[Server]:
    """A house on one machine, which has others think where there are some."""
    elsewhere = Thinkers(Settings(**servers.settings(name)))
    given = {"bot_s": 0.05, "bot_wall_s": 0.3, "bot_workers": 1, **more}
    server = Server(rig.settings(folder, "house", **given), World(elsewhere=elsewhere))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@contextlib.asynccontextmanager
async def thinking(
    servers: jet.Servers, name: str, workers: int
) -> AsyncIterator[asyncio.subprocess.Process]:
    """`ludoteca think`, from when it is there."""
    options = [f"--set={key}={value}" for key, value in told(servers.settings(name)).items()]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ludoteca.cli", "think", "--workers", str(workers), *options),
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"thinking ")
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def until(server: Server, name: str, least: float, **labels: str) -> None:
    async with asyncio.timeout(rig.PATIENCE_S):
        while sample(server, name, **labels) < least:
            await asyncio.sleep(0.02)


def elsewhere(server: Server, how: str) -> float:
    return sample(server, "ludoteca_thoughts_elsewhere_total", how=how)


def question(level: str = "strong", **more: Any) -> Question:
    game = games.load("santorini")
    state, _ = game.start(Setup(2, 1, game.settle(game.options(**PLAIN), 2), (game.preferences(),) * 2))
    (seat,) = state.questions
    given = {
        "mind": mind_of("santorini", level),
        "game": "santorini",
        "level": level,
        "state": pickle.dumps(state, protocol=5),
        "seat": seat,
        "seed": 7,
        "cpu_s": 0.02,
        "wall_s": 1.0,
    }
    return Question(**given | more)


def hard_question() -> Question:
    """A first move, on which all the time goes that there is."""
    game, state = games.load("santorini"), pickle.loads(question().state)
    while -1 in state.workers:
        (seat,) = state.questions
        game.apply(state, seat, state.questions[seat].choices[0])
    (seat,) = state.questions
    return question(state=pickle.dumps(state, protocol=5), seat=seat, cpu_s=1.0, wall_s=30.0)


# Where all is well.


async def test_bots_think_elsewhere_while_somebody_is_there_and_at_home_after_it_was_killed(
    tmp_path: Path, servers: jet.Servers
) -> None:
    async with house(tmp_path, servers, "well") as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        await play(ada, 1)
        assert elsewhere(server, "answered") == 0, "nobody is there"
        assert rig.workers_below(os.getpid()), "so they think at home"
        async with thinking(servers, "well", 2) as process:
            await until(server, "ludoteca_thinkers", 1)
            while elsewhere(server, "answered") < 4:
                await play(ada, 1)
            assert sample(server, "ludoteca_thinker_workers") == 2
            process.kill()
            await process.wait()
            await play(ada, 2)
        assert set(levels(server)) <= {"", "strong"}, "whoever dies elsewhere is no bot's breakdown"
        assert sample(server, "ludoteca_bot_failures_total", game="santorini", level="strong") == 0


async def test_one_that_is_stopped_ends_what_it_began_and_is_asked_nothing_more(
    tmp_path: Path, servers: jet.Servers
) -> None:
    more = {"bot_s": 1.0, "bot_wall_s": 20.0}
    async with house(tmp_path, servers, "stop", **more) as server, thinking(servers, "stop", 1) as process:
        await until(server, "ludoteca_thinkers", 1)
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        playing = asyncio.create_task(play(ada, 1))
        client, busy = await nats.connect(servers.settings("stop")["cluster"]), 0
        async with asyncio.timeout(rig.PATIENCE_S):
            while not busy:
                roll = await client.request(subject("stop", "roll"), b"", timeout=rig.PATIENCE_S)
                busy = msgspec.msgpack.decode(roll.data, type=Here).busy
        await client.close()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), rig.PATIENCE_S) == 0
        await until(server, "ludoteca_thoughts_elsewhere_total", 1, how="answered")
        playing.cancel()
        assert sum(elsewhere(server, how) for how in ("late", "gone", "wrong", "failed")) == 0


# Bad neighbours who say that they think.

Lie = Callable[[Question, Msg], Awaitable[None]]


def _reply(asked: Question, **more: Any) -> bytes:
    choices = _choices(asked)
    return msgspec.msgpack.encode(Reply(**{"seed": asked.seed, "place": 0, "among": choices} | more))


def _choices(asked: Question) -> int:
    state = pickle.loads(asked.state)
    return len(state.questions[Seat(asked.seat)].choices)


async def _silent(_asked: Question, _message: Msg) -> None:
    """Says nothing."""


async def _late(asked: Question, message: Msg) -> None:
    await asyncio.sleep(asked.wall_s + thinkers.WAY_S + 0.5)
    await message.respond(_reply(asked))


async def _twice(asked: Question, message: Msg) -> None:
    await message.respond(_reply(asked))
    await message.respond(_reply(asked, place=1))


def _says(**more: Any) -> Lie:
    async def lie(asked: Question, message: Msg) -> None:
        await message.respond(_reply(asked, **more))

    return lie


def _sends(data: bytes) -> Lie:
    async def lie(_asked: Question, message: Msg) -> None:
        await message.respond(data)

    return lie


class _Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


LIES: dict[str, tuple[Lie, str]] = {
    "silent": (_silent, "late"),
    "late": (_late, "late"),
    "an illegal move": (_says(place=10_000), "wrong"),
    "no move": (_says(place=-1), "wrong"),
    "another question": (_says(seed=1), "wrong"),
    "another position": (_says(among=999), "wrong"),
    "garbage": (_sends(b"\xff\x00garbage"), "wrong"),
    "orders": (_sends(pickle.dumps(_Bomb())), "wrong"),
    "huge": (_sends(b"\x00" * 900_000), "wrong"),
    "nothing": (_sends(b""), "wrong"),
    "broken down": (_says(error="I have a bad day"), "failed"),
}
HARMLESS: list[Lie] = [_twice, _says(cpu_s=math.nan), _says(cpu_s=1e300)]


@contextlib.asynccontextmanager
async def liar(servers: jet.Servers, house: str, lie: Lie, **more: Any) -> AsyncIterator[list[Question]]:
    """Somebody who says to have many workers, and what it was asked."""
    client = await nats.connect(servers.settings(house)["cluster"])
    asked: list[Question] = []

    async def answer(message: Msg) -> None:
        asked.append(msgspec.msgpack.decode(message.data, type=Question))
        await lie(asked[-1], message)

    here = Here("liar", __version__, minds.WORKERS_MAX, 0, minds.known())
    here = msgspec.structs.replace(here, **more)

    async def say() -> None:
        while True:
            await client.publish(subject(house, "here"), msgspec.msgpack.encode(here))
            await asyncio.sleep(0.2)

    await client.subscribe(subject(house, "ask", here.name), cb=answer)
    saying = asyncio.create_task(say())
    try:
        yield asked
    finally:
        saying.cancel()
        await client.close()


async def test_whoever_lies_is_asked_once_and_nobody_notices(tmp_path: Path, servers: jet.Servers) -> None:
    async with house(tmp_path, servers, "lies", bot_workers=0) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        for number, (lie, how) in enumerate(LIES.values()):
            before = elsewhere(server, how)
            async with liar(servers, "lies", lie, name=f"liar-{number}") as asked:
                while elsewhere(server, how) == before:
                    await play(ada, 1)
                # Where bots break down is not shunned for that, but asked no more than a thought at a time.
                assert how == "failed" or len(asked) == 1, lie
        await play(ada, 1)
        assert elsewhere(server, "answered") == 0
        assert set(levels(server)) <= {"", "strong"}, "a liar's words are no bot's breakdown"
        for number, lie in enumerate(HARMLESS):
            async with liar(servers, "lies", lie, name=f"odd-{number}"):
                while elsewhere(server, "answered") <= number:
                    await play(ada, 1)
        assert set(levels(server)) <= {"", "strong"}
        assert 0 <= sample(server, "ludoteca_bot_thinking_seconds_total", game="santorini") < 600


async def test_what_a_seat_cannot_know_does_not_leave_the_house(tmp_path: Path, servers: jet.Servers) -> None:
    async with (
        house(tmp_path, servers, "secret", bot_wall_s=60.0) as server,
        liar(servers, "secret", _silent) as asked,
    ):
        await until(server, "ludoteca_thinkers", 1)
        ada = await rig.enter(server, "Ada")

        async def answer() -> None:
            await ada.send(
                {"type": "open", "game": "shelfie", "seats": 2}, {"type": "bot", "level": "strong"}
            )
            while True:
                message = await ada.until("question")
                await ada.send({"type": "act", "action": message["options"][0], "at": message["number"]})

        playing = asyncio.create_task(answer())
        async with asyncio.timeout(rig.PATIENCE_S):
            while not asked:
                await asyncio.sleep(0.01)
        playing.cancel()
        (table,) = server.house.hall.tables
        seat, game, imagined = Seat(asked[0].seat), table.game, pickle.loads(asked[0].state)
        assert game.view(imagined, seat) == game.view(table.match.state, seat)
        assert imagined.bag != table.match.state.bag


async def test_who_has_other_code_is_not_asked_and_nonsense_is_not_counted(
    tmp_path: Path, servers: jet.Servers
) -> None:
    other = {"name": "other", "minds": tuple("0" * 16 for _ in range(30))}
    async with (
        house(tmp_path, servers, "other", bot_workers=0) as server,
        liar(servers, "other", _silent, **other) as asked,
    ):
        client = await nats.connect(servers.settings("other")["cluster"])
        for nonsense in (
            b"garbage",
            msgspec.msgpack.encode({"name": "x" * 10_000, "version": "1", "workers": 1}),
            msgspec.msgpack.encode({"name": "a.b", "version": "1", "workers": 1}),
            msgspec.msgpack.encode({"name": "greedy", "version": "1", "workers": 10**9}),
            msgspec.msgpack.encode({"name": "minds", "version": "1", "workers": 1, "minds": ["a"] * 2000}),
        ):
            await client.publish(subject("other", "here"), nonsense)
        await client.flush()
        await until(server, "ludoteca_thinkers", 1)
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        await play(ada, 2)
        assert asked == []
        assert sample(server, "ludoteca_thinkers") == 1
        for number in range(2 * thinkers.THINKERS_MAX):
            one = Here(f"one-{number}", "1", 1)
            await client.publish(subject("other", "here"), msgspec.msgpack.encode(one))
        await until(server, "ludoteca_thinkers", thinkers.THINKERS_MAX)
        await play(ada, 1)
        assert sample(server, "ludoteca_thinkers") <= thinkers.THINKERS_MAX
        await client.close()


def test_who_is_new_or_was_wrong_has_one_thought_and_every_good_answer_brings_one_more() -> None:
    known = Known(Here("a", "1", workers=3))
    known.heard = 100.0
    assert known.free(100.0) == 1
    for _ in range(5):
        known.good()
    assert known.free(100.0) == 3, "no more than it has workers"
    known.asked = 2
    assert known.free(100.0) == 1
    known.hurry_less()
    assert known.free(100.0) == 1
    known.shun(100.0)
    assert known.free(100.0) == 0
    known.heard, known.asked = 115.0, 0
    assert known.free(115.0) == 1, "it may try again"
    known.shun(115.0)
    known.heard = 130.0
    assert known.free(130.0) == 0, "later, if it is wrong again"
    known.heard = 150.0
    assert known.free(150.0) == 1
    assert known.free(150.0 + thinkers.GONE_S + 0.1) == 0, "and not at all when it is gone"


# Bad neighbours who ask.


async def test_a_thinker_takes_no_orders_and_goes_on_after_any_question(
    tmp_path: Path, servers: jet.Servers
) -> None:
    client = await nats.connect(servers.settings("asked")["cluster"])
    proof = tmp_path / "proof"

    class Order:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (proof,)

    async with thinking(servers, "asked", 1):
        roll = await client.request(subject("asked", "roll"), b"", timeout=rig.PATIENCE_S)
        here = msgspec.msgpack.decode(roll.data, type=Here)
        assert (here.workers, here.version) == (1, __version__)
        assert mind_of("santorini", "strong") in here.minds

        async def ask(data: bytes) -> Reply:
            answer = await client.request(subject("asked", "ask", here.name), data, timeout=60)
            return msgspec.msgpack.decode(answer.data, type=Reply)

        well = msgspec.msgpack.encode(question())
        assert (await ask(well)).error == ""
        for bad in (
            b"",
            b"garbage",
            b"\x00" * 900_000,
            msgspec.msgpack.encode(question(state=pickle.dumps(Order()))),
            msgspec.msgpack.encode(question(state=b"garbage")),
            msgspec.msgpack.encode(question(mind="0" * 16)),
            msgspec.msgpack.encode(question(seat=9)),
            msgspec.msgpack.encode(question(cpu_s=1e9)),
            msgspec.msgpack.encode(question(wall_s=-1.0)),
        ):
            assert (await ask(bad)).error != "", bad
        assert not proof.exists()
        hard = msgspec.msgpack.encode(hard_question())
        replies = await asyncio.gather(*(ask(hard) for _ in range(5)))
        assert sum(reply.error == "" for reply in replies) >= 1
        assert sum(reply.error == minds.BUSY for reply in replies) >= 1, "nothing is queued there"
        reply = await ask(well)
        assert (reply.error, reply.seed) == ("", 7)
        assert 0 <= reply.place < reply.among
    await client.close()


def test_every_bot_of_every_game_is_a_mind_of_its_own() -> None:
    found = minds.known()
    assert len(found) == sum(len(bots.levels(games.load(name))) for name in games.names())
    assert len(set(found)) == len(found)
