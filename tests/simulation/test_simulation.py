"""Whole evenings of a house under a simulated clock, disk and network, and what they rely on.

More: `make simulate`.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from tests.disk import Disk
from tests.simulation.loop import BEGIN_S, SimulatedLoop, Stalled
from tests.simulation.network import Wire
from tests.simulation.run import Failure, simulate

from ludoteca import games
from ludoteca.core import Dice, Notice
from ludoteca.core.notices import Happened
from ludoteca.hall.post import Entry


@pytest.mark.parametrize("game", games.names())
def test_crashes_cuts_and_a_failing_disk_lose_nothing_and_double_nothing(game: str) -> None:
    reports = [simulate(seed, game) for seed in range(1, 3)]
    assert sum(report.crashes for report in reports) > 2
    assert sum(report.told for report in reports) > 10
    assert all(report.matches for report in reports)


def test_tables_that_are_not_back_yet_are_met_by_people_and_by_the_next_crash() -> None:
    reports = [simulate(seed, "shelfie") for seed in range(2, 5)]
    assert sum(report.needed for report in reports) > 2
    assert sum(report.cut_short for report in reports) > 0
    assert sum(report.resumed for report in reports) > 2
    assert sum(report.ignored for report in reports) > 0


@pytest.mark.parametrize("game", games.names())
def test_one_seed_makes_one_evening_byte_for_byte(game: str) -> None:
    assert simulate(7, game) == simulate(7, game)


def test_another_process_with_another_order_of_hashes_makes_the_same_evening() -> None:
    program = "from tests.simulation.run import simulate; print(simulate(3, 'multisweeper').digest)"
    other = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert other.stdout.strip() == simulate(3, "multisweeper").digest
    assert other.stdout.strip() != simulate(4, "multisweeper").digest


# A check that cannot fail checks nothing: houses and disks that break a promise are found out.


def found_out(seeds: range, game: str = "santorini") -> str:
    """What the first evening to fail says."""
    for seed in seeds:
        try:
            simulate(seed, game)
        except Failure as failure:
            return "; ".join([str(failure), *failure.__notes__])
    return ""


def test_a_disk_that_calls_safe_what_is_not_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(self: Disk, *, landed: bool = False) -> None:
        honest(self, landed=landed)
        for lines in self._records.values():
            if len(lines) > 6:
                lines.pop(max(lines))

    honest = Disk.crash
    monkeypatch.setattr(Disk, "crash", crash)
    found = found_out(range(1, 20))
    assert "told" in found
    assert "make simulate ARGS=" in found, "it can be repeated"


def test_a_house_that_tells_before_it_stores_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludoteca.server.house import House

    def send(self: House) -> None:
        letters = list(self.hall.post.letters)
        self.hall.post.letters.clear()
        honest(self)
        self._tell(letters, self.told, self.now())

    honest = House._send
    monkeypatch.setattr(House, "_send", send)
    assert found_out(range(1, 20))


def test_a_house_that_forgets_what_somebody_missed_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludoteca.hall.ledger import Ledger

    def since(*given: Any) -> Iterator[Notice]:
        return (notice for notice in honest(*given) if not isinstance(notice, Happened))

    honest = Ledger.since
    monkeypatch.setattr(Ledger, "since", since)
    assert "was never told of" in found_out(range(1, 20))


# The parts.


def test_time_passes_only_while_everybody_waits() -> None:
    loop = SimulatedLoop()

    async def sleep() -> float:
        await asyncio.sleep(86_400)
        return loop.time()

    assert loop.run_until_complete(sleep()) == pytest.approx(BEGIN_S + 86_400)
    loop.close()


def test_a_loop_in_which_nothing_can_happen_any_more_says_so() -> None:
    loop = SimulatedLoop()
    with pytest.raises(Stalled):
        loop.run_until_complete(loop.create_future())
    loop.close()


class Peer(asyncio.Protocol):
    """Either end of a wire."""

    name = "peer"

    def __init__(self) -> None:
        self.heard = b""
        self.pieces = 0
        self.ended = False

    def hear(self, data: bytes) -> None:
        self.heard += data
        self.pieces += 1

    data_received = hear

    def hang_up(self) -> None:
        self.ended = True

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True


def test_bytes_arrive_whole_and_in_order_but_cut_anywhere() -> None:
    loop, house, client = SimulatedLoop(), Peer(), Peer()
    wire = Wire(loop, Dice(5), lambda _data: None)
    wire.connect(house, client)
    said = b"".join(b"%d " % number for number in range(200))
    for number in range(200):
        wire.send(b"%d " % number)
        wire.write(b"%d " % number)
    wire.close()
    loop.run_until_complete(asyncio.sleep(10))
    assert client.heard == said
    assert client.pieces > 200
    assert client.ended
    assert house.ended
    loop.close()


def test_a_crash_leaves_what_was_safe_and_perhaps_what_was_being_written() -> None:
    for landed, left in ((False, 1), (True, 2)):
        loop = SimulatedLoop()
        disk, safe = Disk(loop.call_later, lambda: 1.0), list[int]()
        storage = disk.keep(None, safe.append, print)  # type: ignore[arg-type]
        storage.append([Entry("a", 1, b"one")])
        loop.run_until_complete(asyncio.sleep(1.5))
        storage.append([Entry("a", 2, b"two")])
        storage.append([Entry("a", 3, b"three")])
        disk.crash(landed=landed)
        loop.run_until_complete(asyncio.sleep(5))
        assert safe == [1]
        assert len(disk.lines("a")) == left
        loop.close()
