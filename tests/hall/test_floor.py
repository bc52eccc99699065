"""The floor: tables are looked after, woken at their time, and one that breaks down falls alone."""

from functools import partial

import pytest
from tests.hall.play import a_table, playing, sit

from ludoteca.core import Refused
from ludoteca.core.notices import Gone
from ludoteca.core.requests import Terms
from ludoteca.hall import GuestId, Limits, Post, Table, away
from ludoteca.hall.floor import STALE_MAX, Ended, Fell, Floor, Freed


class Ground:
    """A floor with its post."""

    def __init__(self, **limits: float) -> None:
        self.post = Post()
        self.floor = Floor(Limits(**limits), self.post)  # type: ignore[arg-type]

    def table(self, *names: str, id: str = "t1", terms: Terms | None = None, seats: int = 2) -> Table:
        """A table on this floor; a match when all seats are taken."""
        table = a_table(id, seats, terms=terms, post=self.post)
        for seat, name in enumerate(names):
            sit(table, seat, name)
        if len(names) == seats:
            table.start(5, 0.0)
        self.floor.add(table)
        return table


def crash() -> None:
    raise ZeroDivisionError


def test_what_breaks_down_at_a_table_falls_alone_and_nothing_is_written() -> None:
    ground = Ground()
    table, other = ground.table("Anna", "Bruno"), ground.table("Carla", "Dora", id="t2")
    ground.post.take()
    ground.floor.guarded(table, 1.0, crash)
    assert [(name, type(error)) for name, error in ground.post.crashes] == [("t1", ZeroDivisionError)]
    assert ground.floor.take_news() == [Fell(table)]
    assert ground.floor.take_news() == []
    assert table.phase == other.phase == "playing", "the next start tries it again"
    entries, letters = ground.post.take()
    assert entries == []
    assert [(guest, notice.code) for guest, notice in letters if isinstance(notice, Gone)] == [
        (1, "crashed"),
        (2, "crashed"),
    ]
    ground.floor.guarded(other, 2.0, lambda: None)
    with pytest.raises(ZeroDivisionError):
        ground.floor.guarded(table, 3.0, crash)


def test_a_refusal_is_no_crash() -> None:
    ground = Ground()
    table = ground.table("Anna", "Bruno")

    def refuse() -> None:
        raise Refused("no")

    with pytest.raises(Refused):
        ground.floor.guarded(table, 1.0, refuse)
    assert not ground.post.crashes
    assert table.phase == "playing"


def test_what_concerns_no_table_of_the_floor_is_nobodys_to_swallow() -> None:
    ground = Ground()
    for table in (None, a_table("unknown")):
        with pytest.raises(ZeroDivisionError):
            ground.floor.guarded(table, 1.0, crash)
    assert not ground.post.crashes


def test_who_does_something_at_a_table_has_it_looked_after() -> None:
    ground = Ground(deserted_s=50.0)
    table = ground.table("Anna", "Bruno")
    ground.floor.guarded(table, 1.0, lambda: None)
    assert table.deserted_since is None
    assert ground.floor.alarm() is None
    for _, chair in table.taken():
        chair.guest = None
    ground.floor.guarded(table, 2.0, lambda: None)
    assert table.deserted_since == 2.0
    assert ground.floor.alarm() == 52.0
    ground.floor.guarded(table, 3.0, lambda: None)
    assert table.deserted_since == 2.0, "since when it is deserted does not change by looking"
    table.chair(0).guest = GuestId(1)
    ground.floor.guarded(table, 4.0, lambda: None)
    assert table.deserted_since is None
    ground.floor.tick(52.0)
    assert table.phase == "playing", "the alarm of a table where somebody is again means nothing"


def test_a_deserted_match_ends_at_the_operators_time_and_not_before() -> None:
    ground = Ground(deserted_s=50.0)
    table = ground.table("Anna", "Bruno")
    for _, chair in table.taken():
        chair.guest = None
    ground.floor.tend(table, 10.0)
    ground.floor.tick(59.9)
    assert ground.floor.take_news() == []
    ground.floor.tick(60.0)
    assert table.phase == "over"
    assert ground.floor.take_news() == [Ended(table)]
    assert ground.floor.alarm() is None


@pytest.mark.parametrize(("abandoned_s", "deserted_s", "kept_s"), [(5, 50, 5), (50, 5, 5)])
def test_a_match_that_all_gave_up_is_kept_for_a_shorter_time(
    abandoned_s: float, deserted_s: float, kept_s: float
) -> None:
    ground = Ground(abandoned_s=abandoned_s, deserted_s=deserted_s)
    table = ground.table("Anna", "Bruno")
    for _, chair in table.taken():
        chair.guest, chair.gave_up = None, True
    ground.floor.tend(table, 10.0)
    assert ground.floor.alarm() == 10.0 + kept_s


def test_an_open_table_without_people_is_closed_at_once() -> None:
    ground = Ground()
    table = ground.table("Anna")
    chair = table.chair(0)
    chair.guest = None
    ground.floor.tend(table, 1.0)
    assert ground.floor.take_news() == [], "somebody who was ready may come back"
    chair.ready = False
    ground.floor.tend(table, 1.0)
    assert table.phase == "over"
    assert ground.floor.take_news() == [Ended(table)]


def test_an_open_table_with_bots_alone_is_closed_at_once() -> None:
    ground = Ground()
    table = ground.table()
    sit(table, 0, "Bot-Ada", bot="random")
    ground.floor.tend(table, 1.0)
    assert table.phase == "over"


def test_a_table_that_is_over_ends_with_the_last_who_goes() -> None:
    ground = Ground()
    table = ground.table("Anna", "Bruno")
    table.close("over", 1.0)
    ground.floor.tend(table, 1.0)
    assert ground.floor.take_news() == []
    for _, chair in table.taken():
        chair.guest = None
    ground.floor.tend(table, 2.0)
    assert ground.floor.take_news() == [Ended(table)]
    ground.floor.tend(table, 3.0)
    ground.floor.end(table)
    assert ground.floor.take_news() == [], "once"


def test_the_earliest_of_clock_grace_and_desertion_wakes_a_table() -> None:
    ground = Ground(deserted_s=50.0)
    table = ground.table("Anna", "Bruno", terms=Terms(grace_s=20.0, move_s=30.0))
    ground.floor.tend(table, 0.0)
    assert ground.floor.alarm() == 30.0
    away.lost(table, 1, 5.0)
    ground.floor.tend(table, 5.0)
    assert ground.floor.alarm() == 25.0
    other = ground.table("Carla", id="t2", terms=Terms(grace_s=2.0))
    away.lost(other, 0, 6.0)
    ground.floor.tend(other, 6.0)
    assert ground.floor.alarm() == 8.0


def test_time_in_which_nothing_could_be_done_counts_for_nobody() -> None:
    ground = Ground(deserted_s=50.0)
    table = ground.table("Anna", "Bruno", terms=Terms(grace_s=20.0, move_s=30.0))
    empty = ground.table("Carla", "Dario", id="t2")
    away.lost(table, 1, 0.0)
    for _, chair in empty.taken():
        chair.guest = None
    for one in (table, empty):
        ground.floor.tend(one, 0.0)
    ground.floor.give_back(100.0, 115.0)
    ground.floor.tick(119.9)
    assert (table.phase, empty.phase, table.chair(1).left) == ("playing", "playing", False)
    assert ground.floor.alarm() == 120.0
    ground.floor.tick(120.0)
    assert table.chair(1).left, "Bruno was away for twenty seconds in which he could have come back"
    ground.floor.tick(150.0)
    assert empty.phase == "over"


def test_time_in_which_nobody_could_come_back_counts_for_those_who_are_here() -> None:
    ground = Ground(deserted_s=50.0)
    table = ground.table("Anna", "Bruno", terms=Terms(grace_s=40.0, move_s=30.0))
    empty = ground.table("Carla", "Dario", id="t2")
    for _, chair in empty.taken():
        chair.guest = None
    away.lost(table, 1, 0.0)
    for one in (table, empty):
        ground.floor.tend(one, 0.0)
    ground.floor.give_back(100.0, 115.0, absent=True)
    assert dict(table.asked.ends()) == {0: 30.0}
    assert table.chair(1).away_since == empty.deserted_since == 100.0


def test_a_chair_that_is_freed_by_time_is_told_with_its_key_and_name() -> None:
    ground = Ground()
    table = ground.table("Anna", "Bruno", seats=3, terms=Terms(grace_s=10.0))
    away.lost(table, 1, 0.0)
    ground.floor.tend(table, 0.0)
    ground.floor.tick(9.0)
    assert ground.floor.take_news() == []
    ground.floor.tick(10.0)
    assert ground.floor.take_news() == [Freed(table, "key of Bruno", "Bruno")]
    assert table.chairs[1] is None


def test_a_crash_while_time_passes_does_not_keep_others_from_being_woken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ground = Ground()
    first = ground.table("Anna", id="t1", terms=Terms(grace_s=10.0))
    second = ground.table("Bruno", id="t2", terms=Terms(grace_s=11.0))
    for table in (first, second):
        away.lost(table, 0, 0.0)
        ground.floor.tend(table, 0.0)
    monkeypatch.setattr(first, "terms", None)
    ground.floor.tick(20.0)
    assert second.phase == "over"
    assert Fell(first) in ground.floor.take_news()
    assert {name for name, _ in ground.post.crashes} == {"t1"}


def test_calls_are_made_with_the_floor_watching() -> None:
    ground = Ground()
    table = ground.table("Anna", "Bruno")
    done: list[int] = []
    ground.floor.guarded(table, 1.0, partial(done.append, 1))
    assert done == [1]


def test_only_tables_of_this_floor_are_tended() -> None:
    ground = Ground()
    stranger = playing(a_table("unknown"), "Anna", "Bruno")
    for _, chair in stranger.taken():
        chair.guest = None
    ground.floor.tend(stranger, 1.0)
    assert stranger.deserted_since is None
    assert ground.floor.alarm() is None


def test_however_often_a_table_is_tended_one_timer_is_enough() -> None:
    """Else every move at a table with a clock would leave one more behind, until the clock runs out."""
    ground = Ground()
    table = ground.table("Anna", "Bruno", terms=Terms(move_s=60))
    for _ in range(50):
        ground.floor.tend(table, 1.0)
    assert ground.floor.alarm() == 60.0
    assert len(ground.floor._timers) == 1


def test_alarms_of_tables_that_are_gone_do_not_gather() -> None:
    """Found by the simulation: who opened a table, was away and gave it up left an alarm behind each time."""
    ground = Ground(deserted_s=7 * 86_400.0)
    kept = ground.table("Anna", "Bruno", id="kept")
    away.lost(kept, 0, 10.0)
    ground.floor.tend(kept, 10.0)
    for number in range(5 * STALE_MAX):
        table = ground.table("Carla", "Dora", id=f"t{number}")
        away.lost(table, 0, 20.0)
        ground.floor.tend(table, 20.0)
        ground.floor.end(table)
    assert len(ground.floor._timers) <= 2 * 2 + STALE_MAX
    assert ground.floor.alarm() == kept.alarm is not None
