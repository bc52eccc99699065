"""Who looks at the lobby sees what changes there, once a second, and costs no more for reading slowly."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hall.play import House, Person
from tests.hall.test_lobby import Evening

from ludoteca.core.notices import Changes, Declined, Lobby
from ludoteca.core.requests import Act, AddBot, Beat, Join, Leave, Look, Open, Report, Terms, Unlook, Watch
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import GuestId, Limits, acts
from ludoteca.hall.lookers import BEAT_S, SEEN_MAX, TOLD_MAX

GAME = "multisweeper"


def seen(person: Person) -> dict[str, Any]:
    """What somebody sees who was told all of it."""
    tables: dict[str, Any] = {}
    for notice in person.heard:
        if isinstance(notice, Lobby):
            tables = {one.info.id: one.info for one in notice.tables}
        elif isinstance(notice, Changes):
            tables |= {one.info.id: one.info for one in notice.tables}
            for gone in notice.gone:
                del tables[gone]
    return tables


def test_who_looks_is_told_what_there_is_and_then_what_changes() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2, label="friday"))
    looker = house.guest().ask(Look())
    whole = looker.last(Lobby)
    assert [one.info.label for one in whole.tables] == ["friday"]
    assert (whole.game, whole.show, whole.counts.open, whole.finished, whole.more) == ("", "all", 1, (), {})
    house.wait(BEAT_S)
    assert looker.count(Changes) == 0, "nothing has changed"
    bruno = house.named("Bruno").ask(Open("santorini", 2))
    house.wait(BEAT_S)
    assert [one.info.game for one in looker.last(Changes).tables] == ["santorini"]
    assert looker.last(Changes).counts.people == 2
    bruno.ask(Leave())
    house.named("Cleo").ask(Join(anna.guest.table))
    house.wait(BEAT_S)
    changes = looker.last(Changes)
    assert len(changes.gone) == 1
    assert [(one.info.phase, one.info.names) for one in changes.tables] == [("playing", ("Anna", "Cleo"))]
    assert (changes.counts.open, changes.counts.playing) == (0, 1)
    anna.ask(Leave())
    house.wait(BEAT_S)
    (ended,) = looker.last(Changes).finished
    assert msgspec.json.decode(ended)["table"]["label"] == "friday"
    assert looker.last(Changes).counts.over == 1


def test_however_much_happens_it_is_told_once_a_second_and_the_first_time_at_once() -> None:
    house = House(Limits(tables_per_guest_max=1000))
    looker = house.guest().ask(Look())
    people = [house.named(f"P{number}") for number in range(30)]
    for number, person in enumerate(people):
        person.ask(Open(GAME, 2))
        alarm = house.hall.alarm()
        assert alarm is not None
        assert alarm <= house.now + BEAT_S
        house.wait(BEAT_S / 8)
        assert looker.count(Changes) == 1 + number // 8
    assert set(seen(looker)) == {person.guest.table for person in people[:25]}
    house.wait(BEAT_S)
    assert set(seen(looker)) == {person.guest.table for person in people}
    assert house.hall.lookers.alarm() is None


def test_all_who_look_in_the_same_way_are_told_by_one_and_the_same_notice() -> None:
    house = House()
    crowd = [house.guest().ask(Look(GAME, "open")) for _ in range(50)]
    assert len({id(one.last(Lobby)) for one in crowd}) == 1
    house.named("Anna").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    assert len({id(one.last(Changes)) for one in crowd}) == 1


def test_a_crowd_is_told_in_turns_each_once_and_the_next_beat_waits_for_them() -> None:
    house = House()
    crowd = [house.guest().ask(Look()) for _ in range(2 * TOLD_MAX + 50)]
    anna = house.named("Anna").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    heard = [sum(one.count(Changes) for one in crowd)]
    anna.ask(Leave())
    crowd[-1].ask(Unlook())
    while house.hall.alarm() is not None and len(heard) < 9:
        alarm = house.hall.alarm()
        assert alarm is not None
        house.wait(max(0.0, alarm - house.now))
        heard.append(sum(one.count(Changes) for one in crowd))
    first = len(crowd) - 1
    assert heard == [
        *(TOLD_MAX, 2 * TOLD_MAX, first),
        *(first + TOLD_MAX, first + 2 * TOLD_MAX, 2 * first),
    ]
    assert {one.count(Changes) for one in crowd[:-1]} == {2}
    assert crowd[-1].count(Changes) == 0
    assert seen(crowd[0]) == seen(crowd[-2]) == {}


@pytest.mark.parametrize(("game", "show", "wanted"), [
    ("", "all", {"open", "playing", "other"}),
    ("", "open", {"open", "other"}),
    ("", "playing", {"playing"}),
    (GAME, "all", {"open", "playing"}),
    ("santorini", "all", {"other"}),
    ("shelfie", "open", set()),
])  # fmt: skip
def test_one_sees_what_one_looks_at(game: str, show: Any, wanted: set[str]) -> None:
    house = House()
    before, after = house.guest().ask(Look(game, show)), house.guest()
    house.named("Anna").ask(Open(GAME, 2, label="open"))
    house.named("Bruno").ask(Open(GAME, 2, label="playing"), AddBot("random"))
    house.named("Cleo").ask(Open("santorini", 2, label="other"))
    house.named("Dora").ask(Open(GAME, 2, label="hidden", terms=Terms(private=True)))
    house.wait(BEAT_S)
    after.ask(Look(game, show))
    assert {info.label for info in seen(before).values()} == wanted
    assert {info.label for info in seen(after).values()} == wanted


def test_one_table_can_be_looked_at_from_outside_a_private_one_too() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2, terms=Terms(private=True)))
    looker = house.guest().ask(Look(table=anna.guest.table))
    whole = looker.last(Lobby)
    assert (whole.table, whole.counts.open, whole.counts.people) == (anna.guest.table, 1, 1)
    house.named("Bruno").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    assert looker.count(Changes) == 0, "another table's business"
    house.guest().ask(Watch(anna.guest.table))
    house.guest().ask(Watch(anna.guest.table))
    house.wait(BEAT_S)
    assert seen(looker)[anna.guest.table].watchers == 2


def test_a_table_that_is_gone_is_gone_for_who_looked_at_it() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    table = anna.guest.table
    looker = house.guest().ask(Look(table=table))
    anna.ask(Leave())
    house.wait(BEAT_S)
    assert seen(looker) == {}
    assert looker.last(Changes).gone == (table,)
    assert house.guest().ask(Look(table=table)).last(Declined).code == "gone"


def test_nonsense_is_declined_and_leaves_no_window_behind() -> None:
    house = House()
    looker = house.guest()
    for number in range(50):
        assert looker.ask(Look(f"game {number}")).last(Declined).code == "game"
        assert looker.ask(Look(table=f"table {number}")).last(Declined).code == "gone"
    assert not house.hall.lookers._windows
    assert not house.hall.lookers.gazes


def test_of_very_many_tables_the_first_are_seen_and_the_place_where_the_rest_begins() -> None:
    house = House(Limits(tables_per_guest_max=1000))
    people = []
    looker = house.guest().ask(Look())
    for number in range(SEEN_MAX + 5):
        house.now += 0.001
        people.append(house.named(f"P{number}").ask(Open(GAME, 2)))
    house.wait(BEAT_S)
    assert set(seen(looker)) == {person.guest.table for person in people[:SEEN_MAX]}
    changes = looker.last(Changes)
    assert changes.counts.open == SEEN_MAX + 5
    rest = house.hall.lobby.page("", ("open",), changes.more["open"]).tables
    assert [one.info.id for one in rest] == [person.guest.table for person in people[SEEN_MAX:]]
    # When one of the first goes, the next comes into sight.
    people[0].ask(Leave())
    house.wait(BEAT_S)
    assert [one.info.id for one in looker.last(Changes).tables] == [people[SEEN_MAX].guest.table]
    assert len(seen(looker)) == SEEN_MAX


def test_who_looks_away_is_told_nothing_and_leaves_nothing_behind() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    one, other, third = house.guest(), house.guest(), house.guest()
    one.ask(Look(), Unlook(), Unlook())
    other.ask(Look(GAME), Look(table=anna.guest.table))
    other.hang_up()
    third.ask(Look(), Look("santorini"), Unlook())
    house.named("Bruno").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    assert one.count(Changes) == third.count(Changes) == 0
    lookers = house.hall.lookers
    assert not lookers._windows
    assert not lookers._owed
    assert not lookers._turns
    assert not house.hall.lobby.followed
    assert not house.hall.lobby.moved
    assert lookers.alarm() is None


def test_who_looks_and_looks_away_in_a_loop_is_told_once_a_second() -> None:
    house = House()
    house.named("Anna").ask(Open(GAME, 2))
    loop, quiet = house.guest(), house.guest().ask(Look())
    for _ in range(1000):
        loop.ask(Look(), Unlook())
    loop.ask(Look())
    assert loop.count(Lobby) == 1
    house.wait(BEAT_S)
    assert loop.count(Lobby) == 2
    assert seen(loop) == seen(quiet)
    assert quiet.count(Lobby) == 1
    assert quiet.count(Changes) == 0


def test_who_comes_between_two_beats_sees_what_is_and_never_what_was_in_between() -> None:
    house = House()
    early = house.guest().ask(Look())
    house.named("Anna").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    # Within one second a table comes, somebody looks, and it is gone again.
    bruno = house.named("Bruno").ask(Open(GAME, 2))
    late = house.guest().ask(Look())
    assert bruno.guest.table in seen(late), "what is there is seen at once"
    bruno.ask(Leave())
    house.wait(BEAT_S)
    assert set(seen(early)) == set(seen(late)) == {table.id for table in house.hall.tables}


def test_who_does_not_read_is_sent_nothing_more_and_then_what_is() -> None:
    asleep: set[GuestId] = set()
    house = House(Limits(tables_per_guest_max=1000), is_behind=asleep.__contains__)
    slow, quick = house.guest().ask(Look()), house.guest().ask(Look())
    asleep.add(slow.guest.id)
    for number in range(20):
        house.named(f"P{number}").ask(Open(GAME, 2))
        house.wait(BEAT_S)
    assert slow.count(Changes) == 0
    assert slow.count(Lobby) == 1
    assert quick.count(Changes) == 20
    asleep.clear()
    house.wait(BEAT_S)
    assert (slow.count(Lobby), slow.count(Changes)) == (2, 0)
    assert seen(slow) == seen(quick)
    assert quick.count(Changes) == 20
    house.named("Last").ask(Open(GAME, 2))
    house.wait(BEAT_S)
    assert (slow.count(Lobby), slow.count(Changes)) == (2, 1)
    assert seen(slow) == seen(quick)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 10), st.integers(0, 9), st.integers(0, 99)), max_size=40),
    st.lists(st.integers(0, 4), max_size=40),
)
def test_whatever_people_do_who_looks_sees_what_is(
    steps: list[tuple[int, int, int]], looks: list[int]
) -> None:
    evening = Evening()
    asleep: set[GuestId] = set()
    house = evening.house
    house.hall.lookers._is_behind = asleep.__contains__
    lookers = [house.guest() for _ in range(4)]
    for number, step in enumerate(steps):
        evening.do(*step)
        what = looks[number] if number < len(looks) else 0
        looker = lookers[number % 4]
        if what == 1:
            looker.ask(Look())
        elif what == 2:
            looker.ask(Unlook())
        elif what == 3:
            asleep.symmetric_difference_update({looker.guest.id})
        elif what == 4:
            house.wait(BEAT_S / 3)
    asleep.clear()
    house.wait(BEAT_S)
    house.wait(BEAT_S)
    truth = {
        table.id: table.info()
        for table in house.hall.tables
        if not table.terms.private and table.phase != "over"
    }
    for looker in lookers:
        if looker.guest.id in house.hall.lookers.gazes:
            assert seen(looker) == truth


def test_a_host_is_told_once_a_second_that_there_is_something_new_and_not_what() -> None:
    house = House()
    host = house.guest()
    host.guest.role = "host"
    first = host.ask(Look(house=True)).last(Lobby).counts.house
    house.wait(10 * BEAT_S)
    assert host.count(Changes) == 0, "nothing has changed"

    def news() -> int:
        """How often the host is told in the next seconds."""
        before = host.count(Changes)
        house.wait(3 * BEAT_S)
        return host.count(Changes) - before

    ada, bea = house.named("Ada"), house.named("Bea")
    assert news() == 1
    ada.ask(Open(GAME, 2, terms=Terms(private=True)))
    assert news() == 1, "of private tables, too"
    bea.ask(Join(ada.guest.table))
    assert news() == 1
    for _ in range(100):
        bea.ask(Beat())
    bea.ask(Act((Click(0, 0),)))
    assert news() == 0, "what hosts do not see is nothing new"
    ada.ask(Report("Bea", "rude"))
    assert news() == 1
    house.hall.do("Irene", acts.Mute("Bea"), house.now)
    assert news() == 1
    bea.hang_up()
    assert news() == 1
    told = [host.last(Lobby), *(one for one in host.heard if isinstance(one, Changes))]
    assert not any(one.tables or one.finished for one in told)
    numbers = [one.counts.house for one in told]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == first
    host.ask(Unlook())
    house.named("Cleo")
    assert news() == 0


def test_nobody_else_looks_at_the_house_and_others_are_told_nothing_of_it() -> None:
    house = House()
    for role in ("guest", "member"):
        stranger = house.guest()
        stranger.guest.role = role
        assert stranger.ask(Look(house=True)).last(Declined).code == "token"
    looker = house.guest().ask(Look())
    assert looker.last(Lobby).counts.house is msgspec.UNSET
    house.named("Ada")
    house.wait(5 * BEAT_S)
    assert looker.count(Changes) == 0
