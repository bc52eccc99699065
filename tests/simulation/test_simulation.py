"""Whole evenings of a house under a simulated clock, disk and network, and what they rely on.

More: `make simulate`, `make simulate-proof`.
"""

import argparse
import ast
import asyncio
import gc
import os
import pickle
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.disk import Disk
from tests.simulation.__main__ import COVERAGE, Run, coverage, shrink, unmet
from tests.simulation.ages import SHAPES
from tests.simulation.journal import Journal
from tests.simulation.judge import Failure
from tests.simulation.loop import BEGIN_S, SimulatedLoop, Stalled
from tests.simulation.mutations import MUTATIONS
from tests.simulation.network import Weather, Wire
from tests.simulation.node_mutations import NODE_MUTATIONS, NODE_UNSEEN
from tests.simulation.plan import ACCIDENTS, FAULTS, GUESTS, Plan, plan
from tests.simulation.proof import Book, holds, in_a_process, places, planted, source_of
from tests.simulation.rare import RARE
from tests.simulation.run import _play, simulate
from tests.simulation.ways import masked, taken

from ludoteca import games
from ludoteca.core import Dice, Notice
from ludoteca.core.notices import Happened
from ludoteca.hall.post import Entry
from ludoteca.wire import frames

EVENINGS, TOGETHER = 40, 10
QUICKLY_FOUND = (
    "D18 whispers are told to whoever comes next",
    "who returns hears the last record once more",
    "the shell of somebody who has gone is kept",
)
# Evenings that found something, each kept for ever: the plan may change, so all of it is here.
FOUND: dict[str, Plan] = {
    "alarms of tables that were gone gathered": Plan(12, "eriantys", ("solo", "hoarder")),
    "a misdirected record stopped the house": Plan(
        10, "santorini", ("natives", "impatient", "slow_disk", "misdirect", "deaf", "cut", "swizzle")
    ),
    "a name led to a second seat whose table slept": Plan(
        1076, "shelfie", ("natives", "hoarder", "impostor", "deaf", "misdirect")
    ),
    "an alarm was set once more by each before it": Plan(
        21581, "renaissance", ("natives", "impatient", "dribble", "spoiled", "slow_disk", "full")
    ),
    "a bot in one's seat had begun a placement": Plan(
        273, "renaissance", ("solo", "natives", "impatient", "browser", "dribble", "crash")
    ),
    "a record that went astray took somebody's seat": Plan(
        5476, "eriantys", ("couple", "chatterer", "gather", "upgrade", "misdirect")
    ),
    "tiles in hand were to be taken again": Plan(20375, "shelfie", ("natives", "stop", "drain", "swizzle")),
    # These were faults of the simulation, whose people are part of what must not fail.
    "players waited for ever for a stranger": Plan(1120, "shelfie", ("natives", "hoarder")),
    "nobody asked again for a bot": Plan(1123, "santorini", ("solo", "babbler")),
    "a host who was refused gave up": Plan(40007, "eriantys", ("natives", "rare", "drain", "deaf", "cut")),
    "a move took long while the disk was full": Plan(
        128, "eriantys", ("couple", "small_outbox", "rare", "full")
    ),
    "a client's name for a game became too long": Plan(
        170,
        "eriantys",
        (
            "natives",
            "botfarmer",
            "hoarder",
            "dribble",
            "late_bots",
            "small_outbox",
            "upgrade",
            "crash",
            "full",
        ),
    ),
    "who had no name yet forgot the invitation": Plan(21503, "eriantys", ("couple", "prober")),
    "what a house had to say was more than it bears": Plan(
        21911,
        "eriantys",
        ("solo", "impatient", "dribble", "late_bots", "small_outbox", "file", "alien"),
    ),
    "nobody was invited again": Plan(20137, "santorini", ("couple", "babbler")),
    "patience ended before the match began": Plan(
        1228, "renaissance", ("natives", "cut", "crash", "rot", "drain", "partition")
    ),
    "a dead house still answered a request": Plan(
        5336,
        "santorini",
        ("solo", "browser", "impatient", "dribble", "spoiled", "slow_disk", "file", "deaf", "rot"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1, EVENINGS, TOGETHER))
@pytest.mark.parametrize("game", games.names())
def test_no_evening_breaks_a_promise(game: str, first: int) -> None:
    met: Counter[str] = Counter()
    for seed in range(first, first + TOGETHER):
        met.update(simulate(seed, game).met)
    assert met["records compared"], "nobody was told anything"
    assert met["match over"]
    assert len(set(met) & set(ACCIDENTS)) > 3, "hardly anything went wrong"


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_what_an_evening_once_found_is_never_found_again(name: str) -> None:
    simulate(FOUND[name])


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_one_seed_makes_one_evening_byte_for_byte(game: str) -> None:
    for seed in range(2001, 2007):
        assert simulate(seed, game) == simulate(seed, game)


@pytest.mark.slow
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


def test_a_plan_has_some_of_everything_and_what_is_left_out_changes_nobody_elses_dice() -> None:
    parts = {part for seed in range(300) for part in plan(seed, "shelfie").parts}
    assert parts == {*FAULTS, *GUESTS}
    whole = plan(5, "shelfie")
    less = whole.without(whole.parts[0])
    assert whole.dice("Anna") == less.dice("Anna") != plan(6, "shelfie").dice("Anna")
    assert f"--without {whole.parts[0]}" in less.command
    more = less.also("rooms", less.parts[0])
    assert more.parts == (*less.parts, "rooms")
    assert "--with rooms --without" in more.command


@pytest.mark.slow
def test_rare_branches_are_met_and_only_where_an_evening_has_them() -> None:
    met: Counter[str] = Counter()
    for seed in range(1, 9):
        met.update(simulate(Plan(seed, "santorini", ("couple", "impatient", "rare", "crash"))).met)
    assert sum(met[f"rare: {name}"] > 0 for name in RARE) > len(RARE) // 2
    assert not any(what.startswith("rare") for what in simulate(Plan(1, "santorini", ("couple",))).met)


def test_what_is_never_met_is_named() -> None:
    everything = Counter(what for part in COVERAGE.values() for what in part)
    assert unmet(everything) == []
    del everything["rare: a table falls"]
    assert unmet(everything) == ["rare: a table falls"]
    assert "          0  rare: a table falls" in coverage(everything)


@pytest.mark.slow
def test_a_run_goes_on_where_its_book_ends_and_counts_all_of_it(tmp_path: Path) -> None:
    def run(count: int) -> Run:
        chosen = argparse.Namespace(
            book=tmp_path / "book", first=5, evenings=count, also=[], without=[], twice=False, jobs=1, nodes=0
        )
        return Run(chosen, ["multisweeper"])

    assert run(2).go() is None
    more = run(3)
    assert (more.book.next, more.book.evenings) == (7, 2)
    assert more.go() is None
    assert (more.book.next, more.book.evenings) == (8, 3)
    assert more.book.records == sum(simulate(seed, "multisweeper").records for seed in (5, 6, 7))
    assert more.book == run(3).book


@pytest.mark.slow
def test_nothing_of_an_evening_stays_in_memory() -> None:
    evening, _ = _play(Plan(1, "multisweeper", ("couple", "browser", "impatient", "crash")))
    assert evening.server is not None
    house = weakref.ref(evening.server.house)
    del evening
    gc.collect()
    assert house() is None


@pytest.mark.slow
def test_journals_of_every_older_shape_are_played_on_and_newer_ones_left_alone() -> None:
    met: Counter[str] = Counter()
    for seed in range(1, 13):
        parts = ("couple", "natives", "file", "upgrade", "downgrade")
        met.update(simulate(Plan(seed, "multisweeper", parts)).met)
    assert all(met[f"upgraded from shape {shape}"] for shape in SHAPES)
    assert met["left alone as too new"]
    assert met["match over"]


# A check that cannot fail checks nothing: houses and disks that break a promise are found out.


def found_out(seeds: range, game: str = "santorini") -> tuple[Plan, str]:
    """The first evening to fail, and what is said about it."""
    for seed in seeds:
        try:
            simulate(seed, game)
        except Failure as failure:
            return plan(seed, game), "; ".join([str(failure), *failure.__notes__])
    raise AssertionError("nobody noticed")


@pytest.mark.slow
def test_a_disk_that_calls_safe_what_is_not_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(self: Disk, *, landed: bool = False) -> None:
        honest(self, landed=landed)
        for lines in self._records.values():
            if len(lines) > 6:
                lines.pop(max(lines))

    honest = Disk.crash
    monkeypatch.setattr(Disk, "crash", crash)
    failed, text = found_out(range(1, 40))
    assert "make simulate ARGS=" in text, "it can be repeated"
    less, why = shrink(failed)
    assert set(less.parts) < set(failed.parts)
    assert why


@pytest.mark.slow
def test_a_house_that_forgets_what_somebody_missed_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludoteca.hall.ledger import Ledger

    def since(*given: Any) -> Iterator[Notice]:
        return (notice for notice in honest(*given) if not isinstance(notice, Happened))

    honest = Ledger.since
    monkeypatch.setattr(Ledger, "since", since)
    assert "was never told of" in found_out(range(1, 60))[1]


@pytest.mark.slow
def test_every_planted_bug_has_its_place_in_the_code() -> None:
    for mutation in (*MUTATIONS, *NODE_MUTATIONS, *NODE_UNSEEN):
        for module in places(mutation):
            ast.parse(planted(mutation, module, source_of(module)))
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) > 70
    for number in range(1, 19):
        assert any(mutation.name.startswith(f"D{number} ") for mutation in MUTATIONS)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICKLY_FOUND)
def test_a_planted_bug_is_found(name: str) -> None:
    """The short form of `make simulate-proof`."""
    (mutation,) = (one for one in MUTATIONS if one.name == name)
    count, why = in_a_process(mutation, 20)
    assert count, "nobody noticed"
    assert why


@pytest.mark.slow
def test_what_a_book_says_was_found_is_not_looked_for_again(tmp_path: Path) -> None:
    mutation = next(one for one in MUTATIONS if one.name == "D1 one conversation's failure is everybody's")
    found = Book(tmp_path / "book").look_for(mutation, 20)
    assert found.evenings
    # In no evening at all it would not be found.
    assert Book(tmp_path / "book").look_for(mutation, 0) == found
    # What cannot be played at all is no evening that holds.
    assert not holds(mutation._replace(game="no game"), 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_secrets_that_are_dealt_anew_change_no_byte_until_the_game_shows_them(game: str) -> None:
    met = simulate(Plan(1, game, ("couple", "secrets"))).met
    assert met["messages alike"] > 5


@pytest.mark.slow
def test_a_byte_that_depends_on_a_secret_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from ludoteca.hall.table import Table

    def info(self: Table) -> Any:
        listed = honest(self)
        bit = sum(pickle.dumps(self.match.state)) % 97
        return msgspec.structs.replace(listed, opened_ms=listed.opened_ms + bit)

    honest = Table.info
    monkeypatch.setattr(Table, "info", info)
    # It is told again to who returns, and to who looks on when the match has begun.
    plans = [Plan(seed, "shelfie", ("couple", "secrets")) for seed in range(1, 20)]
    with pytest.raises(Failure, match="nobody there may know"):
        list(map(simulate, plans))


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
    wire = Wire(loop, Dice(5), Weather(frozenset(["dribble"]), Counter()), lambda _data: None)
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


def test_a_line_that_is_half_open_is_noticed_by_the_house_after_a_while() -> None:
    loop, house, client = SimulatedLoop(), Peer(), Peer()
    wire = Wire(loop, Dice(5), Weather(frozenset(), Counter()), lambda _data: None)
    wire.connect(house, client)
    wire.vanish()
    wire.send(b"anybody there?")
    wire.cut()
    loop.run_until_complete(asyncio.sleep(60))
    assert client.ended
    assert not house.ended
    loop.run_until_complete(asyncio.sleep(100))
    assert house.ended
    assert not house.heard
    loop.close()


def test_a_client_that_does_not_read_leaves_everything_with_the_house() -> None:
    loop, house, client = SimulatedLoop(), Peer(), Peer()
    wire = Wire(loop, Dice(5), Weather(frozenset(["gather"]), Counter()), lambda _data: None)
    wire.connect(house, client)
    wire.hold(30.0, into=False)
    wire.write(b"one ")
    wire.write(b"two ")
    wire.send(b"hello")
    loop.run_until_complete(asyncio.sleep(20))
    assert (client.heard, house.heard, wire.get_write_buffer_size()) == (b"", b"hello", 8)
    loop.run_until_complete(asyncio.sleep(20))
    assert (client.heard, wire.get_write_buffer_size()) == (b"one two ", 0)
    loop.close()


def test_frames_of_the_simulated_client_are_what_the_house_reads_and_the_other_way_round() -> None:
    for size in (0, 1, 125, 126, 70_000 - 5000):
        house = frames.Frames(1 << 20)
        house.feed(masked(frames.TEXT, b"x" * size))
        assert house.take() == (frames.TEXT, b"x" * size)
        told = frames.text(b"y" * size)
        assert taken(told + b"rest") == (told[0], b"y" * size, b"rest")
        assert taken(told[:-1] if size else told[:1]) is None


def _told(journal: Journal, safe: list[int]) -> Any:
    return journal.keep(None, safe.append, print)  # type: ignore[arg-type]


@pytest.mark.parametrize(("landed", "lies", "left"), [(True, False, 2), (False, False, 1), (True, True, 0)])
def test_a_power_failure_leaves_of_the_real_file_what_a_real_one_could(
    landed: bool, lies: bool, left: int
) -> None:
    loop, safe = SimulatedLoop(), list[int]()
    journal = Journal(loop.call_later, lambda: 0.01)
    storage = _told(journal, safe)
    if lies:
        journal.lie()
    storage.append([Entry("", 1, b"one")])
    loop.run_until_complete(asyncio.sleep(1))
    storage.append([Entry("", 2, b"two")])
    lost = journal.crash(landed=landed, cut=lambda bound: bound // 2 if not lies else 0)
    assert safe == [1]
    assert bool(lost) is lies
    assert len(_told(journal, safe).archive.deeds()) == left
    folder: Path = journal._root
    journal.remove()
    assert not folder.exists()
    loop.close()
