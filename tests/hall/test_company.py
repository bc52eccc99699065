"""Those at a table: each notice reaches everybody it is for, once, and nobody else."""

from typing import Any

from tests.hall.play import a_table, sit

from ludoteca.core import Seat
from ludoteca.core.notices import Entered, Happened
from ludoteca.hall import GuestId, Post
from ludoteca.hall.company import AUDIENCE_MIN
from ludoteca.hall.post import Aside, Letter
from ludoteca.hall.table import Table

NOTICE = Entered("somebody")
ANNA, BRUNO, BOT, HELD, WATCHER = (GuestId(number) for number in (1, 2, 3, 4, 9))


def full_table() -> Table:
    """Anna is here, Bruno is away and a bot holds his chair, a bot sits on the third, the fourth
    is free, one watches."""
    table = a_table(seats=4)
    sit(table, 0, "Anna", ANNA)
    sit(table, 1, "Bruno", BRUNO)
    sit(table, 2, "Bot-Ada", BOT, bot="random")
    table.chair(1).guest, table.chair(1).stand_in = None, HELD
    table.watchers[WATCHER] = None
    table.post.take()
    return table


def told(post: Post) -> list[Letter]:
    return post.take()[1]


def test_everybody_is_here_but_those_who_are_away() -> None:
    assert full_table().company.guests() == [ANNA, HELD, BOT, WATCHER]


def test_the_same_is_told_to_everybody_once() -> None:
    table = full_table()
    table.company.tell(NOTICE)
    assert told(table.post) == [(ANNA, NOTICE), (HELD, NOTICE), (BOT, NOTICE), (WATCHER, NOTICE)]


def test_one_seat_can_be_left_out_with_the_bot_that_holds_it() -> None:
    table = full_table()
    table.company.tell(NOTICE, but=1)
    assert [guest for guest, _ in told(table.post)] == [ANNA, BOT, WATCHER]
    table.company.tell(NOTICE, but=0)
    assert [guest for guest, _ in told(table.post)] == [HELD, BOT, WATCHER]


def test_a_notice_for_a_seat_goes_to_whoever_holds_it() -> None:
    table = full_table()
    for seat, guests in ((0, [ANNA]), (1, [HELD]), (2, [BOT]), (3, [])):
        table.company.tell_seat(seat, NOTICE)
        assert [guest for guest, _ in told(table.post)] == guests
    table.chair(1).guest = BRUNO
    table.company.tell_seat(1, NOTICE)
    assert [guest for guest, _ in told(table.post)] == [BRUNO, HELD]


def test_each_hears_of_events_what_their_seat_may_know() -> None:
    table = full_table()
    happened = Happened(3, ("secret",))
    asked: list[Seat | None] = []

    def as_seen(all_of_it: Happened, seat: Seat | None) -> Any:
        assert all_of_it is happened
        asked.append(seat)
        return Happened(3, (seat,))

    table.company.tell_events(happened, as_seen)
    seats = {ANNA: 0, HELD: 1, BOT: 2, WATCHER: None}
    assert told(table.post) == [(guest, Happened(3, (seat,))) for guest, seat in seats.items()]
    table.watchers.clear()
    asked.clear()
    table.company.tell_events(happened, as_seen)
    assert None not in asked, "with nobody looking on, nothing is made ready for watchers"


def test_somebody_plays_while_a_person_sits_there_connected() -> None:
    table = full_table()
    assert table.company.plays()
    table.chair(0).guest = None
    assert not table.company.plays(), "bots and stand-ins do not count"
    assert table.attended(), "but a watcher does"
    table.watchers.clear()
    assert not table.attended()


def test_a_large_audience_is_told_aside_and_a_small_one_like_those_who_play() -> None:
    table = full_table()
    for number in range(AUDIENCE_MIN - 1):
        table.watchers[GuestId(1000 + number)] = None
    table.company.tell(NOTICE)
    assert table.post.asides == 0
    assert (WATCHER, NOTICE) in told(table.post)
    table.watchers[GuestId(2000)] = None
    table.company.tell(NOTICE)
    letters = told(table.post)
    assert [guest for guest, notice in letters if notice == NOTICE] == [ANNA, HELD, BOT]
    assert letters[-1] == (None, Aside(NOTICE, tuple(table.watchers)))
    assert table.post.asides == 1
