"""Evenings of a house on several machines, in one simulated loop, with servers of NATS that are made up, and
what they rely on. What those servers promise is held against real ones in `test_servers.py`."""

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.simulation import nodes
from tests.simulation.nodes import Spread
from tests.simulation.plan import GUESTS, LINES, NODES, NODES_WAYS, NODES_WEATHER, Plan, plan
from tests.simulation.players import Person
from tests.simulation.processes import Ended, Process, Waiting, WorldLoop, run_coroutine_threadsafe
from tests.simulation.run import simulate

from ludoteca import games
from ludoteca.core import Dice
from ludoteca.hall.table import Table
from ludoteca.server.schema import StoreError

EVENINGS = 2
# Evenings that found something, each kept for ever.
FOUND: dict[str, Plan] = {
    "a gate whose hall had been silent waited for ever": Plan(
        1, "multisweeper", ("mute", "browser", "impatient", "no_majority", "server_dies", "node_pauses"), 3
    ),
    "a hall that had missed its successor went on, and no gate came to it": Plan(
        29,
        "shelfie",
        (
            *("couple", "mute", "babbler", "dribble", "gather", "forgetful"),
            *("swizzle", "node_pauses", "node_cut", "node_stops"),
        ),
        3,
    ),
    "who came back by name was not asked any more after the hall was lost": Plan(
        32,
        "renaissance",
        ("natives", "gather", "small_outbox", "forgetful", "half_open", "no_majority", "node_stops"),
        3,
    ),
    "names that were given just before the hall moved were never told": Plan(
        30, "santorini", ("natives", "chatterer", "lossy", "slow_disk", "node_drained", "node_cut"), 3
    ),
    "who went back to a match in a room by name kept a chair elsewhere": Plan(
        33,
        "santorini",
        (
            *("couple", "solo", "impostor", "hoarder", "natives", "gather", "packed"),
            *("node_stops", "node_pauses", "new_leader", "rooms"),
        ),
        3,
    ),
    "a room did not take somebody in, whom the desk knew by that name from then on": Plan(
        134,
        "eriantys",
        ("solo", "natives", "impatient", "gather", "late_bots", "node_dies", "rooms"),
        3,
    ),
    "a room that had lost a table said that all was told, and a move was never made": Plan(
        524,
        "shelfie",
        (
            *("solo", "natives", "dribble", "packed", "slow_disk", "cut"),
            *("node_pauses", "node_dies", "server_dies", "server_parted", "rooms"),
        ),
        3,
    ),
    "a room had lost a table and said that all was told before anybody knew": Plan(
        2007,
        "santorini",
        (
            *("impatient", "botfarmer", "gather", "slow_disk"),
            *("server_dies", "no_majority", "new_leader", "node_drained", "rooms"),
        ),
        3,
    ),
    "who came back before the table had come was sent away": Plan(
        2001,
        "eriantys",
        ("solo", "lister", "dribble", "late_bots", "node_stops", "no_majority", "new_leader", "rooms"),
        3,
    ),
    "who left while the table moved was waited for": Plan(
        546,
        "shelfie",
        (
            *("natives", "botfarmer", "packed", "small_outbox", "slow_disk"),
            *("no_majority", "node_drained", "new_leader", "rooms"),
        ),
        3,
    ),
    "who said a name that led back to a room heard first that the match there had begun": Plan(
        2074,
        "santorini",
        (
            *("couple", "impatient", "browser", "impostor", "natives", "late_bots", "small_outbox"),
            *("slow_disk", "deaf", "node_pauses", "node_dies", "node_drained", "rooms"),
        ),
        3,
    ),
    "who was ready said so again to the next hall, which said no": Plan(
        4007,
        "eriantys",
        (
            *("natives", "impatient", "namesake", "lister", "packed", "forgetful", "lossy"),
            *("node_dies", "new_leader", "node_pauses"),
        ),
        3,
    ),
    "a room was given up as lost, and who waited behind what was said there waited for ever": Plan(
        4056,
        "shelfie",
        ("natives", "partition", "node_dies", "no_majority", "node_pauses", "new_leader", "rooms"),
        3,
    ),
    "who looked on was sent to a room and back, and seated anew without being shown anything": Plan(
        6049,
        "santorini",
        (
            *("couple", "gather", "packed", "lossy", "slow_disk", "server_parted"),
            *("node_dies", "node_cut", "rooms"),
        ),
        3,
    ),
    "a node that was told to stop ended while the hall was still to answer a request": Plan(
        6039,
        "santorini",
        ("couple", "namesake", "browser", "impatient", "forgetful", "node_stops", "rooms"),
        3,
    ),
    "a node ended while somebody stood in a door that was shut": Plan(
        6044,
        "shelfie",
        (
            *("impatient", "browser", "gather", "node_stops", "server_parted"),
            *("node_dies", "node_drained", "rooms"),
        ),
        3,
    ),
    "an answer over HTTP was looked at before all of it was there": Plan(
        6061, "santorini", ("browser", "dribble", "new_leader", "no_majority", "node_pauses"), 3
    ),
    "who had been sent to a room was told that all was done, and never heard where to go": Plan(
        6071,
        "renaissance",
        ("solo", "gather", "small_outbox", "lossy", "node_cut", "server_dies", "no_majority", "rooms"),
        3,
    ),
    "a node that was not answered at its start ended because it could not say goodbye": Plan(
        7162,
        "renaissance",
        (
            *("slow_disk", "partition", "half_open", "node_pauses"),
            *("no_majority", "node_cut", "node_stops"),
        ),
        3,
    ),
    "a node that had been stopped for good was started again, and nobody told it to stop": Plan(
        3121, "multisweeper", ("natives", "cut", "server_dies", "node_dies"), 3
    ),
    "who got up from an open table for a seat in a room was not taken in there": Plan(
        9053,
        "santorini",
        (
            *("solo", "natives", "gather", "slow_disk", "partition", "server_parted"),
            *("server_dies", "node_dies", "no_majority", "rooms", "lossy"),
        ),
        3,
    ),
    "all was told, said a hall, and what it had told was lost on its way": Plan(
        87,
        "shelfie",
        (
            *("couple", "impatient", "seatfiller", "clockstopper", "gather", "packed", "forgetful", "lossy"),
            *("cut", "swizzle", "no_majority", "node_pauses", "node_drained", "server_parted"),
        ),
        3,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_no_evening_of_several_nodes_breaks_a_promise(game: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(1, 1 + EVENINGS):
        met.update(simulate(plan(seed, game, 3)).met)
    assert met["records compared"], "nobody was told anything"
    assert met["match over"]
    assert set(met) & set(NODES), "nothing went wrong"


@pytest.mark.slow
def test_two_nodes_play_an_evening_the_same_every_time() -> None:
    evening = Plan(1, "multisweeper", ("couple", "node_dies", "new_leader"), 2)
    report = simulate(evening)
    assert report == simulate(evening)
    assert report.met["match over"]
    assert report.met["tables compared"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2001, 2002])
def test_one_seed_makes_one_evening_of_several_nodes_byte_for_byte(seed: int) -> None:
    assert simulate(plan(seed, "", 3)) == simulate(plan(seed, "", 3))


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_what_an_evening_of_several_nodes_once_found_is_never_found_again(name: str) -> None:
    simulate(FOUND[name])


def test_a_plan_of_several_nodes_has_some_of_everything_and_says_how_many() -> None:
    parts = {part for seed in range(300) for part in plan(seed, "shelfie", 3).parts}
    assert parts == {*GUESTS, *LINES, *NODES, *NODES_WEATHER, *NODES_WAYS}
    assert "--nodes 3" in plan(5, "shelfie", 3).command


def test_what_is_bad_about_servers_comes_to_an_end_before_anybody_must_have(
    world: WorldLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # In evening 411 of Santorini halls changed to the end, and each waited anew for whoever was away.
    assert Spread.evening_s / 2 > nodes.CALM_S
    monkeypatch.setattr(nodes, "CALM_S", 5.0)
    evening = Spread(Plan(1, "multisweeper", ("couple", "forgetful", "lossy"), 2), world)
    with evening.patched():
        world.run_until_complete(evening._start())
        assert evening.servers.forgetful
        assert evening.servers.lossy
        world.run_until_complete(asyncio.sleep(5.0))
    evening.bury()
    assert not evening.servers.forgetful
    assert not evening.servers.lossy


def test_a_node_that_died_comes_back_unless_it_has_been_stopped_for_good(world: WorldLoop) -> None:
    # In evening 3121 of Multisweeper one was killed while it was down: there was a start too many, which came
    # when all had been stopped.
    evening = Spread(Plan(1, "multisweeper", ("couple",), 2), world)
    with evening.patched():
        world.run_until_complete(evening._start())
        one = evening.nodes[0]
        one.kill()
        one._again()
        assert one.process is not None
        world.run_until_complete(asyncio.sleep(5.0))
        one.retire()
        world.run_until_complete(asyncio.sleep(5.0))
        assert one.process is None
        one._again()
        assert one.process is None
    evening.bury()


def test_a_node_that_is_stopped_for_good_may_not_give_up(
    world: WorldLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def serve(_settings: object, call: nodes.Call, *_given: object) -> None:
        await call.stop.wait()
        raise StoreError("nobody answers")

    monkeypatch.setattr("ludoteca.server.cluster.serving.serve", serve)
    evening = Spread(Plan(1, "multisweeper", ("couple",), 2), world)
    one = evening.nodes[0]

    def pass_s(seconds: float) -> None:
        world.run_until_complete(asyncio.sleep(seconds))

    one.start()
    pass_s(1.0)
    one.stop()
    pass_s(5.0)
    assert not evening.wrong
    assert one.lives == 2
    one.retire()
    pass_s(5.0)
    assert evening.wrong == ["node-0 ended: StoreError('nobody answers')"]
    assert one.lives == 2
    evening.bury()


def test_only_who_is_connected_may_notice_that_a_node_is_drained(world: WorldLoop) -> None:
    evening = Spread(Plan(1, "multisweeper", ("couple",), 2), world)
    world.run_until_complete(asyncio.sleep(nodes.SHAKEN_S))
    evening._shake(gently=True)
    assert evening._is_shaken()
    assert not evening.is_shaken(), "who asks over HTTP is answered"
    evening._shake()
    assert evening.is_shaken()
    evening.bury()


def test_who_cannot_come_back_because_the_desk_is_lost_is_not_away_for_that_time(
    world: WorldLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With beats as they are.
    monkeypatch.setattr(nodes, "RARELY", {})
    evening = Spread(Plan(1, "santorini", ("couple", "rooms"), 3), world)
    anna, bruno, _ = evening.players
    assert isinstance(anna, Person)
    anna.terms = {"absence": "wait", "grace_s": 3.0, "move_s": 0, "private": False}

    def pass_s(seconds: float) -> None:
        world.run_until_complete(asyncio.sleep(seconds))

    def in_a_room() -> Table | None:
        rooms = [node.room for node in evening.nodes if node.room is not None and not node.serves]
        tables = [table for room in rooms for table in room.house.hall.tables]
        return next((one for one in tables if all(chair.guest for _, chair in one.taken())), None)

    with evening.patched():
        world.run_until_complete(evening._start())
        for one in (anna, bruno):
            one.come()
        while (table := in_a_room()) is None:
            pass_s(0.5)
        desk = evening._serving()
        assert desk is not None
        bruno.come = lambda: None  # type: ignore[method-assign]
        bruno.cut()
        desk.kill()
        begin = world.time()
        while evening._serving() is None:
            pass_s(0.5)
        assert world.time() - begin > 3.5
        assert [chair.left for _, chair in table.taken()] == [False, False]
        pass_s(6.0)
        assert [chair.left for _, chair in table.taken()] == [False, True], "there is somebody to come to"
    evening.bury()


# The parts.


@pytest.fixture
def world() -> Iterator[WorldLoop]:
    loop = WorldLoop()
    yield loop
    loop.close()


def _process(world: WorldLoop) -> Process:
    async def nobody(*_given: object) -> None:
        raise OSError

    return Process(world, "one", Dice(1), nobody)  # type: ignore[arg-type]


async def _count(ticks: list[float]) -> None:
    while True:
        ticks.append(asyncio.get_running_loop().time())
        await asyncio.sleep(1.0)


def test_a_process_that_is_paused_does_nothing_and_goes_on_late(world: WorldLoop) -> None:
    process, ticks = _process(world), list[float]()
    process.run(_count(ticks))
    world.run_until_complete(asyncio.sleep(2.5))
    assert len(ticks) == 3
    process.pause()
    world.run_until_complete(asyncio.sleep(10))
    assert len(ticks) == 3
    process.go_on()
    world.run_until_complete(asyncio.sleep(1.5))
    assert len(ticks) == 5
    assert ticks[3] - ticks[2] > 9
    process.bury()


def test_of_a_process_that_is_killed_nothing_happens_any_more_not_even_its_end(world: WorldLoop) -> None:
    process, ticks, ends = _process(world), list[float](), list[str]()

    async def count() -> None:
        try:
            await _count(ticks)
        finally:
            ends.append("ended")

    process.run(count())
    world.run_until_complete(asyncio.sleep(2.5))
    process.kill()
    process.main.call_soon(ends.append, "called")
    world.run_until_complete(asyncio.sleep(10))
    assert len(ticks) == 3
    assert not ends
    process.bury()


def test_who_waits_on_the_way_out_is_buried_all_the_same(world: WorldLoop) -> None:
    # In evening 2062 of Multisweeper a node was about to start when all was over, and closed what it had.
    process, found = _process(world), list[str]()
    thread = process.new_loop()

    async def live() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            try:
                run_coroutine_threadsafe(asyncio.sleep(5), thread).result()
            except Ended:
                found.append("ended")

    process.run(live())
    world.run_until_complete(asyncio.sleep(1))
    process.bury()
    assert found == ["ended"]


def test_who_waits_as_threads_wait_lets_all_others_go_on_and_ends_with_its_process(world: WorldLoop) -> None:
    process, found = _process(world), list[object]()
    other, ticks = _process(world), list[float]()
    thread = process.new_loop()

    async def work(seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "done"

    async def wait() -> None:
        for seconds in (5.0, 500.0):
            future: Waiting = run_coroutine_threadsafe(work(seconds), thread)
            try:
                found.append(future.result())
            except Ended:
                found.append("killed")

    process.run(wait())
    other.run(_count(ticks))
    world.call_later(20.0, process.kill)
    world.run_until_complete(asyncio.sleep(30))
    assert found == ["done", "killed"]
    assert len(ticks) >= 30
    process.bury()
    other.bury()
