"""Bots' time to think: shared fairly, counted in processor time, and a bot that breaks down harms nobody."""

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from tests import rig

from ludoteca import bots, games
from ludoteca.bots import hope
from ludoteca.core import Setup
from ludoteca.server import child, workshop
from ludoteca.server.fair import Line, Place
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings
from ludoteca.server.worker import Thought
from ludoteca.server.workers import Breakdown, ProcessWorker, ThreadWorker, Worker

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

PLAIN = {"gods": "none"}

# A worker whose bots have a bad day. The house thinks that they are Santorini's own.
FAULTY = """
import sys
sys.path = sys.argv[2:]
from ludoteca import bots
from ludoteca.server import worker

def fails(*_):
    raise ValueError("a bad day")

def hangs(*_):
    while True:
        pass

def lies(*_):
    print("this is not an answer")
    return "a dome on the moon"

found = bots.find
faulty = {"strong": fails, "medium": hangs, "easy": lies}
bots.find = lambda game, level: faulty.get(level) or found(game, level)
worker.main()
"""


async def open_table(client: rig.Client, *levels: str, **more: Any) -> dict[str, Any]:
    """A table of Santorini with these bots."""
    seats = len(levels) + 1
    opening = {"type": "open", "game": "santorini", "seats": seats, "options": PLAIN, **more}
    await client.send(opening, *({"type": "bot", "level": level} for level in levels))
    return await client.until("seated")


async def play(client: rig.Client, turns: int) -> None:
    """Answer questions at once with the first option, for so many turns after the opening."""
    moves = 0
    while moves < turns + 2:
        message = await client.until(lambda one: one["type"] in ("question", "over"))
        if message["type"] == "over":
            await client.send({"type": "leave"})
            await open_table(client, "strong")
            continue
        moves += message["kind"] == "move"
        await client.send({"type": "act", "action": message["options"][0], "at": message["number"]})


def sample(server: Server, name: str, **labels: str) -> float:
    return server.house.metrics.registry.get_sample_value(name, labels) or 0.0


class Watched(Line[Any]):
    """A line that notes how many others came first, of each item, and how many were left waiting."""

    def __init__(self, ranks: int, at_once_max: int) -> None:
        super().__init__(ranks, at_once_max)
        self.begun = 0
        self.overtaken: list[tuple[str, int, int]] = []

    def push(self, place: Place, item: Any) -> None:
        super().push(place, (self.begun, item))

    def pop(self) -> tuple[Place, Any] | None:
        found = super().pop()
        if found is None:
            return None
        place, (before, item) = found
        self.overtaken.append((place.address, self.begun - before, len(self)))
        self.begun += 1
        return place, item

    def of(self, address: str) -> list[int]:
        """How many came before each item of an address, when there were others to choose from."""
        return [came for owner, came, left in self.overtaken if owner == address and left >= 8]


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Watched:
    watched = Watched(2, 1)
    monkeypatch.setattr(workshop, "Line", lambda *_, **__: watched)
    return watched


# Fair shares.


async def test_d6_forty_tables_of_bots_keep_no_honest_player_waiting(tmp_path: Path, line: Watched) -> None:
    # As many tables as one likes: the bots' time must hold out by itself.
    limits = {"tables_per_guest_max": 100, "tables_per_address_max": 100}
    async with rig.house(tmp_path, "house", bot_s=0.1, bot_workers=1, **limits) as server:
        nuisance = await rig.enter(server, "Mallory", "127.0.0.2")
        for _ in range(40):
            await open_table(nuisance, "search", "search", terms={"absence": "bot"})
            await nuisance.send({"type": "leave"})
        await asyncio.sleep(2)  # Openings need little thought.
        honest = await rig.enter(server, "Ada", "127.0.0.3")
        await open_table(honest, "search")
        async with asyncio.timeout(60):
            await play(honest, 3)
        # Each decision comes behind one of another at most, in a plain queue behind forty.
        overtaken = [came for address, came, _ in line.overtaken if address == "127.0.0.3"]
        assert len(overtaken) > 3
        assert max(overtaken) <= 1


async def test_d6_an_address_with_many_players_does_not_slow_down_another_address(
    tmp_path: Path, line: Watched
) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_workers=1) as server:
        crowd = [await rig.enter(server, f"Mallory-{number}", "127.0.0.2") for number in range(16)]
        honest = await rig.enter(server, "Ada", "127.0.0.3")
        for client in (*crowd, honest):
            await open_table(client, "search")
        playing = [asyncio.create_task(play(client, 1000)) for client in crowd]
        async with asyncio.timeout(90):
            await play(honest, 6)
        for task in playing:
            task.cancel()
        # Two addresses take turns, as far as a thought of one is as long as a thought of the other.
        assert len(line.of("127.0.0.3")) >= 4, "there was a crowd"
        assert median(line.of("127.0.0.3")) <= 2
        assert max(line.of("127.0.0.2")) >= 8


async def test_where_somebody_plays_comes_before_where_somebody_looks_on(
    tmp_path: Path, line: Watched
) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_workers=1) as server:
        crowd = [await rig.enter(server, f"Mallory-{number}", f"127.0.1.{number}") for number in range(16)]
        for client in crowd:
            table = await open_table(client, "search", "search", terms={"absence": "bot"})
            await client.send({"type": "leave"}, {"type": "watch", "table": table["table"]["id"]})
        honest = await rig.enter(server, "Ada")
        await open_table(honest, "search")
        async with asyncio.timeout(60):
            await play(honest, 6)
        assert len(line.of("127.0.0.1")) >= 4, "there was a crowd"
        assert max(line.of("127.0.0.1")) == 0


async def test_the_house_can_give_bots_a_part_of_the_time_only(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.1, bot_workers=1, bot_share=0.2) as server:
        honest = await rig.enter(server, "Ada")
        await open_table(honest, "search")
        began = time.monotonic()
        await play(honest, 4)
        used = sample(server, "ludoteca_bot_thinking_seconds_total", game="santorini")
        assert 0.3 < used < 0.2 * (time.monotonic() - began) + 0.2


def test_the_house_keeps_a_core_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= workshop.cores() <= len(os.sched_getaffinity(0))
    for cores, workers_max in ((1, 1), (2, 1), (8, 7), (500, 64)):
        monkeypatch.setattr(workshop, "cores", lambda cores=cores: cores)
        assert workshop.workers_max(Settings()) == workers_max
    assert workshop.workers_max(Settings(bot_workers=5)) == 5
    assert workshop.workers_max(Settings(bot_workers=0)) == 1


def test_who_gives_bots_more_processor_time_need_not_think_of_the_clock() -> None:
    assert workshop.wall_s(Settings()) == Settings().bot_wall_s
    assert workshop.wall_s(Settings(bot_s=10)) == 20


# Processor time.


def thought(level: str, cpu_s: float, wall_s: float) -> bytes:
    game = games.load("santorini")
    options = game.settle(game.options(**PLAIN), 2)
    state, _ = game.start(Setup(2, 1, options, (game.preferences(),) * 2))
    for number in range(8):
        seat, question = next(iter(state.questions.items()))
        game.apply(state, seat, question.choices[number % len(question.choices)])
    (seat,) = state.questions
    return pickle.dumps(Thought("santorini", level, state, seat, 1, cpu_s, wall_s))


@pytest.fixture
def one_busy_core(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Workers share a core with three processes that never rest."""
    core = min(os.sched_getaffinity(0))
    pinned = f"import os; os.sched_setaffinity(0, {{{core}}})\n"
    monkeypatch.setattr(child, "PROGRAM", pinned + child.PROGRAM)
    busy = [subprocess.Popen([sys.executable, "-c", f"{pinned}while True: pass"]) for _ in range(3)]
    yield
    for process in busy:
        process.kill()
        process.wait()


async def test_on_a_busy_machine_a_bot_takes_longer_and_thinks_as_much(one_busy_core: None) -> None:
    worker = ProcessWorker()
    try:
        began = time.monotonic()
        answer = await worker.think(thought("search", cpu_s=0.4, wall_s=30), 60)
        wall_s = time.monotonic() - began
    finally:
        await worker.close()
    assert 0.39 < answer.cpu_s < 2.0
    assert wall_s > 2 * answer.cpu_s, "it was a busy machine"
    assert not answer.cut


@pytest.mark.parametrize("kind", [ProcessWorker, ThreadWorker])
async def test_the_wall_clock_ends_a_thought_that_would_take_too_long(kind: type[Worker]) -> None:
    worker = kind()
    try:
        began = time.monotonic()
        answer = await worker.think(thought("search", cpu_s=50, wall_s=0.3), 20)
        assert time.monotonic() - began < 10
    finally:
        await worker.close()
    assert answer.cut
    assert answer.action is not None


async def test_a_thread_that_never_answers_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: Any) -> None:
        while True:
            pass

    monkeypatch.setattr(bots, "find", lambda *_: hang)
    worker = ThreadWorker()
    thinking = asyncio.create_task(worker.think(thought("strong", 0.1, 0.1), 0.3))
    await asyncio.sleep(0.1)
    thread = worker._thread
    with pytest.raises(Breakdown):
        await thinking
    assert thread is not None
    await asyncio.to_thread(thread.join, 10)
    assert not thread.is_alive()


# Breaking down.


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "PROGRAM", FAULTY)


def failures(server: Server, level: str) -> float:
    return sample(server, "ludoteca_bot_failures_total", game="santorini", level=level)


def levels(server: Server) -> list[str]:
    (table,) = server.house.hall.tables
    return [chair.bot for _, chair in table.taken()]


async def test_a_bot_that_breaks_down_says_so_and_the_next_weaker_one_goes_on(
    tmp_path: Path, faulty: None
) -> None:
    """The strong one raises, the medium one never answers, the easy one answers nonsense."""
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_wall_s=0.3, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        await play(ada, 2)
        changes = [one for one in ada.heard if one["type"] == "said"]
        sitters = [one["sitter"] for one in ada.heard if one["type"] == "sat" and one["seat"] == 1]
        assert [one["bot"] for one in sitters] == ["strong", "medium", "easy", "playful"]
        assert {one["name"] for one in changes} == {sitters[0]["name"]}
        assert changes[0]["text"] == "I broke down at level strong; from now on I play at level medium."
        assert [failures(server, level) for level in ("strong", "medium", "easy", "playful")] == [1, 1, 1, 0]
        assert levels(server) == ["", "playful"]
    async with rig.house(tmp_path, "house") as server:
        assert levels(server) == ["", "playful"], "the journal knows who plays on"


async def test_one_that_never_answers_keeps_nobody_else_waiting(tmp_path: Path, faulty: None) -> None:
    settings = {"bot_s": 0.05, "bot_wall_s": 20.0, "bot_workers": 2}
    async with rig.house(tmp_path, "house", **settings) as server:
        ada, bob = await rig.enter(server, "Ada"), await rig.enter(server, "Bob")
        await open_table(ada, "medium")
        playing = asyncio.create_task(play(ada, 1))
        # One that does not win meanwhile: the next table would be with a faulty one.
        await open_table(bob, "playful")
        async with asyncio.timeout(20):
            await play(bob, 1)
        assert not playing.done()
        playing.cancel()


async def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=30.0, bot_wall_s=60.0, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "master")
        playing = asyncio.create_task(play(ada, 1))
        async with asyncio.timeout(20):
            while (
                not rig.workers_below(os.getpid())
                or sample(server, "ludoteca_bot_moves_total", game="santorini") < 3
            ):
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.2)
            (pid,) = rig.workers_below(os.getpid())
            os.kill(pid, signal.SIGKILL)
            while levels(server) != ["", "strong"]:
                await asyncio.sleep(0.05)
            await playing
        assert rig.workers_below(os.getpid()) != [pid]
        assert failures(server, "master") == 1


async def test_a_worker_that_is_lost_while_nobody_needs_it_is_missed_by_nobody(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        await play(ada, 1)
        await ada.until("question")
        (pid,) = rig.workers_below(os.getpid())
        os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(20):
            while rig.workers_below(os.getpid()):
                await asyncio.sleep(0.02)
        bob = await rig.enter(server, "Bob")
        await open_table(bob, "strong")
        await play(bob, 1)
        assert failures(server, "strong") == 0


async def test_where_no_worker_can_be_started_bots_still_play_and_say_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setattr(child, "START_PAUSE_S", 0.01)
    async with rig.house(tmp_path, "house", bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "strong")
        await play(ada, 2)
        assert levels(server) == ["", "random"]
        assert failures(server, "strong") == 1


async def test_a_worker_that_cannot_be_started_for_a_moment_is_nobody_s_fault() -> None:
    """Descriptors run out when somebody opens too many connections, and are there again a moment later."""
    worker = ProcessWorker()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    loop = asyncio.get_running_loop()
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 1, hard))
        loop.call_later(0.3, resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        answer = await worker.think(thought("search", 0.05, 1.0), 20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        await worker.close()
    assert answer.action is not None


async def test_workers_end_with_their_house_even_in_the_midst_of_a_thought(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "house", bot_s="50", bot_wall_s="100", bot_workers="1") as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "search")
        playing = asyncio.create_task(play(ada, 1))
        async with asyncio.timeout(20):
            while not rig.workers_below(server.pid):
                await asyncio.sleep(0.05)
            (pid,) = rig.workers_below(server.pid)
            await server.kill()
            while Path(f"/proc/{pid}").exists():
                await asyncio.sleep(0.05)
        playing.cancel()


CHILDREN = """
import asyncio, sys
from pathlib import Path
import uvloop
from tests import rig
from tests.games.shelfie.remote import Remote
from ludoteca.games.shelfie.rpc import pb

async def main():
    async with rig.house(Path(sys.argv[1]), "shelfie-rpc") as server:
        remote = await Remote(server).connect()

        async def call():
            while True:
                await remote.call("TestConnection", pb.ConnectRequest())

        calling = [asyncio.create_task(call()) for _ in range(4)]
        codes = set()
        for _ in range(80):
            command = [sys.executable, "-S", "-c", "pass"]
            child = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1)
            codes.add(await child.wait())
        for task in calling:
            task.cancel()
        await remote.close()
    assert codes == {0}, codes

uvloop.run(main())
"""


def test_no_child_of_the_house_crashes_while_remote_calls_are_made(tmp_path: Path) -> None:
    """grpc has handlers for forks; in the loop that houses run in they crashed one child in twenty."""
    command = [sys.executable, "-c", CHILDREN, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "fork" not in done.stderr


@pytest.mark.parametrize("resigns", [True, False])
async def test_a_bot_without_hope_gives_up_in_its_third_turn_unless_the_host_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, resigns: bool
) -> None:
    monkeypatch.setattr(hope, "NO_HOPE", 2.0)  # It never has any.
    async with rig.house(tmp_path, "house", bot_s=0.02, bot_workers=1, bot_resigns=resigns) as server:
        ada = await rig.enter(server, "Ada")
        await open_table(ada, "master")
        turns, message = 0, await ada.until("question")
        # In Ada's fourth turn the bot has had three, and nobody wins so soon.
        while message["type"] == "question" and (turns := turns + (message["kind"] == "move")) < 4:
            await ada.send({"type": "act", "action": message["options"][0], "at": message["number"]})
            message = await ada.until(lambda one: one["type"] in ("question", "over"))
        said = [one["text"] for one in ada.heard if one["type"] == "said"]
        assert said == [hope.FAREWELL] * resigns
        assert message["type"] == ("over" if resigns else "question")
        assert not resigns or (message["winners"], message["reason"]) == ([0], "the other gave up")


async def test_a_child_whose_loss_is_noticed_only_when_it_is_asked_is_replaced() -> None:
    asked = child.Child("tests.server.echo")
    assert await asked.ask(b"one", 20) == b"one"
    assert asked._process is not None
    os.kill(asked._process.pid, signal.SIGKILL)
    # Before the loop can have heard of it.
    assert await asked.ask(b"two", 20) == b"two"
    with pytest.raises(child.ChildLost):
        await asked.ask(b"die", 20)
    assert await asked.ask(b"three", 20) == b"three"
    await asked.close()
