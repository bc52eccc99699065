"""The list of tables: in order, in parts, and no dearer for those who ask when it is long."""

import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.hall.play import House, Person, a_table, playing, sit

from ludoteca.core import Refused
from ludoteca.core.notices import Tables
from ludoteca.core.requests import Act, AddBot, Enter, Join, Leave, List, Open, Rematch, Terms, Watch
from ludoteca.hall import Limits, Post, Table
from ludoteca.hall.lobby import LATELY_MAX, PHASES, SHOWN, Lobby

GAME = "multisweeper"
PRIVATE = Terms(private=True)


def lobby_of(*tables: Table, post: Post | None = None) -> Lobby:
    made = Lobby(post or Post())
    for table in tables:
        made.add(table)
    return made


def ids(lobby: Lobby, *wanted: Any) -> list[str]:
    return [one.info.id for one in lobby.page(*wanted).tables]


def walk(lobby: Lobby, game: str = "", count: int = 2) -> list[str]:
    """All parts of a list."""
    found, after = [], ""
    while True:
        page = lobby.page(game, PHASES, after, count)
        assert len(page.tables) <= count
        found += [one.info.id for one in page.tables]
        after = page.more
        if not after:
            return found


def test_open_tables_come_first_and_in_each_phase_the_oldest() -> None:
    running, first, second = a_table("r"), a_table("a"), a_table("b", game="santorini")
    playing(running, "Anna", "Bruno")
    lobby = lobby_of(running, second, first)
    assert ids(lobby) == ["b", "a", "r"]
    assert ids(lobby, GAME) == ["a", "r"]
    assert ids(lobby, "", SHOWN["open"]) == ["b", "a"]
    assert ids(lobby, "", SHOWN["playing"]) == ["r"]
    assert ids(lobby, "shelfie") == ids(lobby, "no such game") == []


def test_a_list_says_what_the_table_says_and_is_encoded_once() -> None:
    post = Post()
    table = a_table("a", post=post)
    lobby = lobby_of(table, post=post)
    (listed,) = lobby.page().tables
    assert listed.info == table.info()
    assert bytes(listed.data) == msgspec.json.encode(table.info())
    assert lobby.page(GAME).tables[0] is listed is lobby.one("a")
    sit(table, 0, "Anna")
    lobby.settle()
    (again,) = lobby.page().tables
    assert again is not listed
    assert again.info.names == ("Anna", "")
    # Looked at again for nothing: what looks as before is the very same.
    table.stir()
    lobby.settle()
    assert lobby.page().tables[0] is again


def test_private_tables_are_in_no_list_and_no_count_but_the_operators() -> None:
    lobby = lobby_of(a_table("p", terms=PRIVATE), a_table("a"))
    assert ids(lobby) == ["a"]
    assert lobby.counts().open == 1
    assert lobby.phases == {"open": 2, "playing": 0, "over": 0}
    listed = lobby.one("p")
    assert listed is not None
    assert listed.info.id == "p"
    assert lobby.one("nothing") is None


def test_a_list_is_read_in_parts_of_any_size() -> None:
    tables = [a_table(f"t{number}", game=(GAME, "santorini")[number % 2]) for number in range(9)]
    for table in tables[::3]:
        playing(table, "Anna", "Bruno")
    lobby = lobby_of(*tables)
    whole = ids(lobby)
    assert len(whole) == 9
    for count in range(1, 12):
        assert walk(lobby, "", count) == whole
    assert walk(lobby, GAME, 1) == ids(lobby, GAME)


def test_a_place_stays_where_it_is_while_tables_come_and_go() -> None:
    post = Post()
    tables = [a_table(f"t{number}", post=post) for number in range(6)]
    lobby = lobby_of(*tables, post=post)
    page = lobby.page("", PHASES, "", 3)
    # The very table that the place was named after is gone, one before it, and one begins; others come.
    lobby.remove(tables[2])
    lobby.remove(tables[0])
    playing(tables[1], "Anna", "Bruno")
    lobby.settle()
    lobby.add(a_table("late"))
    rest = lobby.page("", PHASES, page.more, 10)
    assert [one.info.id for one in rest.tables] == ["t3", "t4", "t5", "late", "t1"]
    assert rest.more == ""


@pytest.mark.parametrize(
    "odd",
    ["x", "0", "01", "3-1", "0-", "-", "9aa-1", "0zz-1", "0" * 64, "01-1-1", "０1-1", "01-1\n", " ", "0-1-"],
)
def test_an_odd_place_is_refused(odd: str) -> None:
    with pytest.raises(Refused) as refused:
        lobby_of(a_table()).page("", PHASES, odd)
    assert refused.value.code == "message"


def test_a_place_of_another_list_or_another_time_does_no_harm() -> None:
    lobby = lobby_of(a_table("a"), playing(a_table("r"), "Anna", "Bruno"))
    assert ids(lobby, "", PHASES, "2fffffffffff-ffffffffffff") == []
    assert ids(lobby, "", PHASES, "00-0") == ["a", "r"]
    assert ids(lobby, "", SHOWN["open"], "10-0") == []
    assert ids(lobby, "shelfie", PHASES, "00-0") == []


@pytest.mark.parametrize(("count", "found"), [(-5, 1), (0, 1), (1, 1), (10**18, 3)])
def test_of_every_number_somebody_gets_at_least_one_and_never_too_many(count: int, found: int) -> None:
    assert len(lobby_of(*(a_table(f"t{n}") for n in range(3))).page("", PHASES, "", count).tables) == found


def test_who_asks_for_games_that_there_are_not_leaves_nothing_behind() -> None:
    lobby = lobby_of(a_table())
    before = len(lobby._shelves)
    for number in range(100):
        lobby.page(f"nothing {number}")
        lobby.counts(f"nothing {number}")
        lobby.state(f"nothing {number}")
        lobby.lately(f"nothing {number}")
    assert len(lobby._shelves) == before


def test_people_and_bots_are_counted_who_are_there() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 3), AddBot("random"))
    house.named("Bruno").ask(Open("santorini", 2))
    lobby = house.hall.lobby
    assert msgspec.to_builtins(lobby.counts()) == {"open": 2, "playing": 0, "over": 0, "people": 2, "bots": 1}
    assert lobby.counts(GAME).people == 1
    anna.hang_up()
    assert (lobby.counts().people, lobby.counts().bots) == (1, 1)


def test_a_state_is_another_when_something_of_a_list_has_changed() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    lobby = house.hall.lobby
    before = {
        key: lobby.state(*key) for key in itertools.product(("", GAME, "santorini"), (("open",), PHASES))
    }
    house.guest().ask(Watch(anna.guest.table))
    changed = {key for key, state in before.items() if lobby.state(*key) != state}
    assert changed == set(itertools.product(("", GAME), (("open",), PHASES)))


def test_the_matches_that_ended_last_are_at_hand_and_no_more() -> None:
    house = House(Limits(tables_per_guest_max=100))
    lobby = house.hall.lobby
    for number in range(LATELY_MAX + 2):
        house.now += 1
        anna = house.named("Anna").ask(Open("renaissance", 1), Leave())
        anna.hang_up()
        house.wait(400)
        assert lobby.ended() == number + 1
    house.named("Anna").ask(Open("renaissance", 1, terms=PRIVATE), Leave())
    house.wait(400)
    times = [msgspec.json.decode(one)["closed_ms"] for one in lobby.lately()]
    assert times == sorted(times, reverse=True)
    assert len(times) == LATELY_MAX
    assert lobby.lately("renaissance") == lobby.lately()
    assert lobby.lately(GAME) == ()


def test_matches_from_before_the_house_was_opened_take_their_place_by_their_time() -> None:
    lobby = lobby_of()
    for game, times in ((GAME, (9, 5, 2)), ("santorini", (8, 7, 1))):
        for closed_ms in times:
            lobby.recall(game, msgspec.json.encode({"closed_ms": closed_ms, "more": 1}))
    assert [msgspec.json.decode(one)["closed_ms"] for one in lobby.lately()] == [9, 8, 7, 5, 2, 1]
    assert [msgspec.json.decode(one)["closed_ms"] for one in lobby.lately("santorini")] == [8, 7, 1]


def test_my_tables_are_those_of_my_name_private_ones_too() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2, terms=PRIVATE))
    token = anna.heard[-2].token
    again = house.guest().ask(Enter("Anna", tokens=(token,)), Open("santorini", 2))
    house.named("Bruno").ask(Open(GAME, 2))
    mine = {anna.guest.table, again.guest.table}

    def listed(person: Person, *more: Any, **wanted: Any) -> set[str]:
        return {one.info.id for one in person.ask(List(*more, **wanted)).last(Tables).tables}

    assert listed(again, mine=True) == mine
    assert listed(again, GAME, mine=True) == {anna.guest.table}
    assert listed(again, show="playing", mine=True) == set()
    anna.hang_up()
    assert listed(again, mine=True) == mine, "a seat that is kept is mine"
    assert listed(house.guest(), mine=True) == set(), "nobody has no tables"


def test_a_table_is_found_by_its_name_among_any_number() -> None:
    house = House()
    house.named("Anna").ask(Open(GAME, 2, label="Friday"))
    house.named("Bruno").ask(Open("santorini", 2, label="friday"))
    house.named("Cleo").ask(Open("santorini", 3, terms=PRIVATE, label="friday"))
    found = house.guest().ask(List(label="FRIDAY")).last(Tables)
    assert [one.info.game for one in found.tables] == [GAME, "santorini"]
    assert len(house.guest().ask(List("santorini", label="friday")).last(Tables).tables) == 1
    assert house.guest().ask(List(label="monday")).last(Tables).tables == ()


class Evening:
    """Anything that people may do, in any order."""

    def __init__(self) -> None:
        self.house = House(Limits(tables_per_guest_max=50, deserted_s=30, abandoned_s=5))
        self.people: list[Person] = []

    def do(self, what: int, who: int, which: int) -> None:
        house = self.house
        if what == 0 or not self.people:
            self.people.append(house.named(f"P{house.hall.desk._arrived}"))
            return
        person = self.people[who % len(self.people)]
        tables = [table.id for table in house.hall.tables]
        table = tables[which % len(tables)] if tables else ""
        if what == 1:
            terms = Terms(absence=("wait", "end", "bot")[which % 3], grace_s=5, private=which % 4 == 0)
            person.ask(Open(GAME, 2, {"width": 4, "height": 1, "mines": 2}, terms))
        elif what == 2:
            person.ask(Join(table))
        elif what == 3:
            person.ask(Watch(table))
        elif what == 4:
            person.ask(Leave())
        elif what == 5:
            self.people.remove(person)
            person.hang_up()
        elif what == 6:
            person.ask(AddBot("random"))
        elif what == 7:
            house.wait(which % 40)
        elif what == 8:
            person.ask(Rematch())
        elif person.guest.seat is not None and person.guest.table:
            at = house.hall.tables.get(person.guest.table)
            if at is not None and (pending := at.asked.get(person.guest.seat)) is not None:
                person.ask(Act((pending.question.choices[which % len(pending.question.choices)],)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 9), st.integers(0, 99)), max_size=60))
def test_whatever_people_do_the_lobby_shows_what_is(steps: list[tuple[int, int, int]]) -> None:
    evening = Evening()
    hall = evening.house.hall
    for step in steps:
        evening.do(*step)
        truth = {table.id: table.info() for table in hall.tables if not table.terms.private}
        shown = {one.info.id: one.info for one in hall.lobby.page().tables}
        assert shown == truth
        for table in hall.tables:
            listed = hall.lobby.one(table.id)
            assert listed is not None
            assert bytes(listed.data) == msgspec.json.encode(table.info())
        here = [chair for info in truth.values() for chair in info.chairs if chair is not None and chair.here]
        counts = hall.lobby.counts()
        assert (counts.people, counts.bots) == (
            sum(not chair.bot for chair in here),
            sum(bool(chair.bot) for chair in here),
        )
        phases = [info.phase for info in truth.values()]
        assert (counts.open, counts.playing, counts.over) == tuple(phases.count(phase) for phase in PHASES)
        assert hall.lobby.phases == {phase: sum(t.phase == phase for t in hall.tables) for phase in PHASES}
