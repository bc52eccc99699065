"""The lines of those who wait for a table: who chooses, who waits, and for how long."""

from ludoteca.core.requests import Seek
from ludoteca.hall import Guest, GuestId
from ludoteca.hall.seekers import Seekers

ANNA, BRUNO, CARLA, DORA = (Guest(GuestId(number), "house") for number in range(1, 5))
A, B = Seek("santorini"), Seek("shelfie")


def line(*guests: Guest, now: float = 100.0) -> Seekers:
    """A line of these for Santorini, the first of whom is asked and the rest come at `now`."""
    seekers = Seekers(30.0)
    for guest in guests:
        if guest is guests[0]:
            seekers.ask(A.game, 0.0)
        seekers.add(guest, A, now)
    return seekers


def test_the_first_chooses_and_the_others_wait() -> None:
    seekers = line(ANNA, BRUNO, CARLA)
    assert seekers.first("santorini") == (ANNA, A)
    assert [seekers.waits(guest) for guest in (ANNA, BRUNO, CARLA, DORA)] == [False, True, True, False]
    assert seekers.behind("santorini") == [(BRUNO, A), (CARLA, A)]
    assert seekers.must_wait("santorini")
    assert not seekers.must_wait("shelfie")
    assert seekers.first("shelfie") is None


def test_only_when_the_first_leaves_it_is_the_next_ones_turn() -> None:
    seekers = line(ANNA, BRUNO, CARLA)
    assert seekers.remove(BRUNO) is None
    assert seekers.remove(BRUNO) is None
    assert seekers.remove(ANNA) == "santorini"
    assert seekers.first("santorini") == (CARLA, A)
    assert seekers.remove(CARLA) == "santorini"
    assert not seekers.must_wait("santorini")
    assert seekers.first("santorini") is None


def test_lines_are_apart() -> None:
    seekers = line(ANNA, BRUNO)
    seekers.ask(B.game, 0.0)
    seekers.add(CARLA, B, 0.0)
    seekers.add(DORA, B, 0.0)
    assert [seekers.line_of(guest) for guest in (ANNA, CARLA)] == ["santorini", "shelfie"]
    assert seekers.line_of(Guest(GuestId(9), "house")) is None
    assert not seekers.waits(CARLA)
    assert seekers.waits(DORA)
    assert seekers.remove(CARLA) == "shelfie"
    assert seekers.first("santorini") == (ANNA, A)


def test_choosing_has_a_time_which_begins_when_somebody_waits() -> None:
    alone = line(ANNA)
    assert alone.alarm() is None
    assert alone.free(1e9) == []
    seekers = line(ANNA, BRUNO, now=100.0)
    assert seekers.alarm() == 130.0
    seekers.add(CARLA, A, 120.0)
    assert seekers.alarm() == 130.0, "a third does not give the first more time"
    seekers.add(BRUNO, A, 125.0)
    assert seekers.alarm() == 130.0, "nor does asking again"
    assert seekers.free(129.9) == []
    assert seekers.free(130.0) == ["santorini"]


def test_in_a_line_whose_first_was_too_slow_nobody_must_wait_for_as_long_as_it_lasts() -> None:
    seekers = line(ANNA, BRUNO)
    assert not seekers.all_asked("santorini")
    seekers.free(130.0)
    assert seekers.all_asked("santorini")
    assert not seekers.must_wait("santorini")
    assert seekers.alarm() is None
    assert seekers.free(999.0) == []
    seekers.ask("santorini", 200.0)
    assert not seekers.must_wait("santorini"), "whoever is asked again has no privilege any more"
    for guest in (BRUNO, ANNA):
        seekers.remove(guest)
    assert not seekers.all_asked("santorini")
    seekers.add(CARLA, A, 300.0)
    assert seekers.must_wait("santorini")


def test_the_earliest_alarm_of_all_lines_counts() -> None:
    seekers = line(ANNA, BRUNO, now=100.0)
    seekers.ask(B.game, 0.0)
    seekers.add(CARLA, B, 50.0)
    seekers.add(DORA, B, 60.0)
    assert seekers.alarm() == 90.0
    assert seekers.free(90.0) == ["shelfie"]
    assert seekers.alarm() == 130.0


def test_who_seeks_again_keeps_the_place_and_changes_the_wish() -> None:
    seekers = line(ANNA, BRUNO)
    wish = Seek("santorini", preference={"birth_date": "2000-01-01"})
    seekers.add(ANNA, wish, 110.0)
    assert seekers.first("santorini") == (ANNA, wish)
