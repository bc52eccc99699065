"""The short forms of what `make soak` does for longer."""

import asyncio
import random
import signal
from pathlib import Path

import pytest
from tests import people, rig
from tests.proxy import Proxy, Weather
from tests.soak import writes
from tests.soak.churn import churn
from tests.soak.faults import FAULTS, Evening

# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

OPTIONS = {"width": 5, "height": 5, "mines": 4, "pause_s": 0}


def test_killed_in_the_middle_of_any_write_a_journal_keeps_what_it_called_safe(tmp_path: Path) -> None:
    """At bytes all over the files, another one each time in the pages that they are in."""
    last = writes.longest(tmp_path)
    # In the first page, which is not in the log yet, and then everywhere.
    ends = list(writes.deaths(tmp_path, iter([513, 4005, *range(1, last, 4099 * 2)])))
    assert [(limit, wrong) for limit, _, wrong in ends if wrong] == []
    assert all(killed == signal.SIGXFSZ for _, killed, _ in ends)
    assert len(ends) > 10


def test_a_disk_that_forgets_what_it_called_safe_is_found_out(tmp_path: Path) -> None:
    """The trial can fail: of a journal that was cut off behind its middle something safe is missing."""
    killed, safe = writes.die_at(tmp_path, 120_000)
    assert killed == signal.SIGXFSZ
    for file in tmp_path.glob("*-wal"):
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2])
    assert any("were called safe" in text for text in writes.check(tmp_path, safe))


@pytest.mark.parametrize(
    "weather",
    [
        Weather(delay_s=0.005),
        Weather(piece=1),
        Weather(gather_s=0.02),
        Weather(bytes_per_s=100_000),
    ],
    ids=str,
)
async def test_a_match_is_played_to_its_end_in_any_weather(tmp_path: Path, weather: Weather) -> None:
    async with rig.house(tmp_path, "house") as server:
        proxy = await Proxy(server.addresses["house"], weather).start()
        try:
            first, second = (
                people.OwnMind("multisweeper", name, random.Random(name), options=OPTIONS)
                for name in ("Ada", "Bob")
            )
            await people.own_table(lambda: people.line(proxy.address), first, second)
            assert first.outcome == second.outcome
        finally:
            await proxy.stop()


async def test_whoever_is_held_up_hears_everything_afterwards_and_who_was_cut_off_comes_back(
    tmp_path: Path,
) -> None:
    """Partition and swizzle, with the one who is on turn and without."""
    async with rig.house(tmp_path, "house") as server:
        proxy = await Proxy(server.addresses["house"]).start()
        try:
            first, second = (
                people.OwnMind("multisweeper", name, random.Random(name), options=OPTIONS)
                for name in ("Ada", "Bob")
            )
            playing = asyncio.create_task(people.own_table(lambda: people.line(proxy.address), first, second))
            dice = random.Random(5)
            while not playing.done():
                await asyncio.sleep(0.005)
                links = dice.sample(proxy.links, len(proxy.links))
                for link in links:
                    link.hold(*dice.choice(((), ("in",), ("out",))))
                    await asyncio.sleep(0.005)
                for link in dice.sample(links, len(links)):
                    link.release()
                    await asyncio.sleep(0.01)
            await playing
        finally:
            await proxy.stop()


async def test_an_evening_of_faults_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Few of them, and one game: `make soak` has all."""
    faults = ("torn", "cut")
    assert set(faults) < set(FAULTS)
    evening = Evening(tmp_path, 4, games=("multisweeper",), faults=faults)
    await evening.play(len(faults), 60.0, lambda _text: None)
    assert set(evening.met) >= set(faults)
    assert evening.met["told and compared"] > 20


async def test_nothing_is_left_of_matches_and_connections_that_are_over(tmp_path: Path) -> None:
    counts, wrong = await churn(tmp_path, 1, 3.0, 0, lambda _text: None)
    assert wrong == []
    assert counts["matches"] > 5
    assert counts["connections"] > 50
