"""A table whose match another hall has: here it is listed, its names and seats are kept, whoever wants
something of it is sent there, and nothing is told, asked or written about it."""

import pytest
from msgspec.structs import replace
from tests.hall.play import House, Person

from ludoteca.core.notices import Announced, Declined, Gone, Over, Seated, Tables, Wanted
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Open,
    Ready,
    Rematch,
    Request,
    Return,
    Seek,
    Terms,
    Watch,
)
from ludoteca.hall import acts
from ludoteca.hall.slip import decode as decode_slip
from ludoteca.hall.table import Table

GAME = "multisweeper"
TERMS = Terms(grace_s=60)


def two(house: House, terms: Terms = TERMS) -> tuple[Person, Person, Table]:
    """Anna and Bruno in the middle of a match, which another hall has been given."""
    house.hall.post.begun = []
    anna = house.named("Anna").ask(Open(GAME, 2, terms=terms))
    bruno = house.named("Bruno").ask(Join(anna.table.id))
    table = anna.table
    assert house.hall.post.begun == [table.id]
    house.hall.elsewhere.give(table, "room")
    return anna, bruno, table


def left_alone(house: House) -> Table:
    """The table that Anna, who has no token, has been lost from."""
    anna = house.named("Anna", GAME, "192.0.2.1").ask(Open(GAME, 2, terms=TERMS))
    table = anna.table
    house.named("Bruno", GAME, "192.0.2.2").ask(Seek(GAME))
    house.hall.elsewhere.give(table, "room")
    anna.hang_up()
    return table


def token_of(person: Person) -> str:
    return next(notice.token for notice in person.heard if isinstance(notice, Seated) and notice.token)


def sent(house: House) -> list[tuple[str, str, Request]]:
    """Who was sent where, and for what."""
    found = [(guest.name, where, request) for guest, where, request in house.hall.post.sent]
    house.hall.post.sent.clear()
    return found


def test_it_is_listed_and_nobody_else_has_its_names() -> None:
    house = House()
    anna, bruno, table = two(house)
    info = table.info()
    assert [chair.name for chair in info.chairs if chair is not None and chair.here] == ["Anna", "Bruno"]
    listed = house.named("Carla").ask(List(show="playing")).last(Tables).tables
    assert [one.info.id for one in listed] == [table.id]
    assert house.named("anna").last(Declined).code == "taken"
    assert anna.ask(Seek(GAME)).last(Declined).code == "seated"
    assert house.named("Dora").ask(Join(table.id)).last(Declined).code == "playing"
    written = len(house.lines[table.id])
    for one in (anna, bruno):
        one.hang_up()
    house.wait(10_000_000)
    assert len(house.lines[table.id]) == written, "the other hall looks after it, and writes"
    assert house.named("anna").last(Declined).code == "taken", "the seat keeps the name"


def test_a_match_that_begins_is_noted_only_where_somebody_asks_for_that() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 2))
    house.named("Bruno").ask(Join(anna.table.id))
    assert house.hall.post.begun is None


def test_bots_go_with_their_table() -> None:
    house = House()
    house.hall.post.begun = []
    anna = house.named("Anna").ask(Open(GAME, 2), AddBot("random"))
    table = anna.table
    assert house.hall.desk.bots == 1
    house.hall.elsewhere.give(table, "room")
    assert house.hall.desk.bots == 0
    assert table.info().chairs[1] is not None
    assert table.info().chairs[1].here, "it plays elsewhere"  # type: ignore[union-attr]


def test_who_comes_back_by_token_or_to_look_on_is_sent_there() -> None:
    house = House()
    anna, _, table = two(house)
    token = token_of(anna)
    anna.hang_up()
    back = house.guest().ask(Return(table.id, token, 3))
    assert sent(house) == [("Anna", "room", Return(table.id, token, 3))]
    assert (back.guest.table, back.guest.seat, back.guest.name) == (table.id, 0, "Anna")
    assert back.heard == [], "what there is to tell the other hall tells"
    # Somebody with the same token takes the seat, and the one before has neither seat nor name here.
    again = house.guest().ask(Return(table.id, token, 4))
    assert sent(house) == [("Anna", "room", Return(table.id, token, 4))]
    assert (back.guest.table, back.guest.name, table.chair(0).guest) == ("", "", again.guest.id)
    carla = house.named("Carla").ask(Watch(table.id))
    assert sent(house) == [("Carla", "room", Watch(table.id))]
    assert table.info().watchers == 1
    carla.ask(Leave())
    assert (table.info().watchers, carla.guest.table) == (0, "")


def test_a_token_of_another_s_seat_is_of_no_use_under_the_own_name() -> None:
    house = House()
    anna, _, table = two(house)
    carla = house.named("Carla").ask(Return(table.id, token_of(anna), 0))
    assert carla.last(Declined).code == "name"
    assert sent(house) == []


def test_who_is_known_by_name_alone_is_sent_back_to_the_seat() -> None:
    house = House()
    table = left_alone(house)
    stranger = house.guest(GAME, "198.51.100.7").ask(Enter("Anna"))
    assert (stranger.last(Declined).code, sent(house)) == ("taken", []), "not from anywhere"
    back = house.guest(GAME, "192.0.2.1").ask(Enter("Anna"))
    assert sent(house) == [("Anna", "room", Enter("Anna"))]
    assert (back.guest.table, back.guest.seat) == (table.id, 0)


def test_who_says_a_name_that_leads_to_a_room_and_all_that_goes_with_it_hears_of_the_room_first() -> None:
    # To somebody at an open table a no meant that the name was taken, and another one was tried.
    house = House()
    table = left_alone(house)
    back = house.guest(GAME, "192.0.2.1").ask(Open(GAME, 2))
    back.heard.clear()
    back.ask(Enter("Anna"), Ready())
    assert sent(house) == [("Anna", "room", Enter("Anna"))]
    assert (back.guest.table, back.count(Declined)) == (table.id, 0)
    anna, _, _ = two(House())
    assert anna.ask(Ready()).last(Declined).code == "phase", "our own clients know what they ask for"


@pytest.mark.parametrize("called", ["", "Otto"])
def test_who_is_not_taken_in_there_is_called_as_before_and_the_seat_is_kept(called: str) -> None:
    house = House()
    table = left_alone(house)
    back = house.guest(GAME, "192.0.2.1").ask(Enter("Anna"))
    assert sent(house) == [("Anna", "room", Enter("Anna"))]
    house.hall.elsewhere.decline(back.guest, table.id, called, house.now)
    assert (back.guest.name, back.guest.table, back.guest.seat) == (called, "", None)
    assert [one.name for one in house.hall.names.here(called or "Anna")] == ([called] if called else [])
    again = house.guest(GAME, "192.0.2.1").ask(Enter("Anna"))
    assert sent(house) == [("Anna", "room", Enter("Anna"))]
    assert (again.guest.table, again.guest.seat) == (table.id, 0)


def test_who_was_not_taken_in_there_and_sits_elsewhere_by_now_stays_there() -> None:
    house = House()
    anna, _, table = two(house)
    house.hall.elsewhere.rise(anna.guest, house.now)
    anna.ask(Open(GAME, 2))
    house.hall.elsewhere.decline(anna.guest, table.id, "", house.now)
    assert (anna.guest.name, anna.guest.seat) == ("Anna", 0)
    assert anna.table is not table


def test_who_sat_down_without_a_name_gets_up_to_go_back_to_the_seat_of_that_name() -> None:
    house = House()
    anna = house.named("Anna", "santorini", "192.0.2.1").ask(Open("santorini", 2, terms=TERMS))
    table = anna.table
    house.named("Bruno", "santorini", "192.0.2.2").ask(Seek("santorini"))
    house.hall.elsewhere.give(table, "room")
    anna.hang_up()
    carla = house.named("Carla", "santorini", "192.0.2.3").ask(Open("santorini", 2, terms=TERMS))
    back = house.guest("santorini", "192.0.2.1").ask(Seek("santorini"))
    assert back.table is carla.table
    back.ask(Enter("Anna"))
    assert sent(house) == [("Anna", "room", Enter("Anna"))]
    assert (back.guest.table, back.guest.seat) == (table.id, 0)
    assert carla.table.chairs[1] is None, "nobody sits at two tables"


@pytest.mark.parametrize("how", ["leave", "hang up"])
def test_who_goes_has_no_seat_and_may_sit_down_elsewhere(how: str) -> None:
    house = House()
    anna, bruno, table = two(house)
    before = len(bruno.heard)
    if how == "leave":
        anna.ask(Leave()).ask(Open("santorini", 2))
        assert anna.guest.table not in ("", table.id)
    else:
        anna.hang_up()
    assert table.chair(0).guest is None
    assert table.chair(0).gave_up == (how == "leave")
    assert len(bruno.heard) == before, "Bruno hears of it from the other hall"


def test_what_the_other_hall_writes_is_known_here() -> None:
    """There a player is gone for good, and then the match is over."""
    house = House()
    anna, bruno, table = two(house)
    slip = decode_slip(house.slips[table.id])
    assert slip is not None
    places = (slip.places[0]._replace(left=True, gave_up=True), slip.places[1])
    house.hall.elsewhere.learn(table, replace(slip, places=places))
    assert [(chair.left, chair.gave_up) for _, chair in table.taken()] == [(True, True), (False, False)]
    assert table.chair(0).guest == anna.guest.id
    house.hall.elsewhere.over(table, house.now)
    assert table.phase == "over"
    assert not house.hall.desk.busy(bruno.guest), "whoever was there may sit down elsewhere"
    bruno.ask(Open(GAME, 2))
    anna.hang_up()
    assert table not in house.hall.tables, "with the last of its people it goes"


def test_a_match_that_is_over_is_played_again_when_the_other_hall_says_that_all_agree() -> None:
    house, other = House(), House()
    other.hall.post.is_room = True
    anna, bruno, table = two(house)
    other.take_over(house)
    there = [other.guest().ask(Return(table.id, token_of(one), 0)) for one in (anna, bruno)]
    assert there[0].ask(Rematch()).last(Declined).code == "phase"
    while other.hall.tables.get(table.id) is not None and there[0].table.phase == "playing":
        acting = next(one for one in there if (one.guest.seat or 0) in one.table.asked)
        assert acting.guest.seat is not None
        question = acting.table.asked.get(acting.guest.seat)
        assert question is not None
        acting.ask(Act((question.question.choices[0],)))
    assert all(one.count(Over) == 1 for one in there)
    house.hall.elsewhere.over(table, house.now)
    there[0].ask(Rematch())
    assert sent(other) == []
    there[1].ask(Rematch())
    assert there[0].last(Wanted).seats == (0, 1)
    assert sent(other) == [("Bruno", "", Rematch())]
    assert len(other.hall.tables) == 1, "no table is opened where no desk is"
    carla = house.named("Carla").ask(Watch(table.id))
    bruno.ask(Rematch())
    assert anna.guest.table == bruno.guest.table != table.id
    assert anna.table.phase == "playing"
    assert carla.last(Wanted).table == anna.table.id
    assert house.hall.post.begun == [table.id, anna.table.id]


def test_a_table_that_comes_back_here_is_played_on() -> None:
    house = House()
    anna, bruno, table = two(house)
    token = token_of(anna)
    carla = house.named("Carla").ask(Watch(table.id))
    house.hall.elsewhere.forget(table)
    assert (anna.guest.table, bruno.guest.table, carla.guest.table) == ("", "", "")
    assert house.hall.tables.get(table.id) is None
    house.bring_back(table.id)
    assert house.named("anna").last(Declined).code == "taken"
    anna.ask(Return(table.id, token, 0))
    assert anna.table.phase == "playing"
    assert anna.table.id == table.id
    assert anna.table is not table
    assert sent(house) == [("Carla", "room", Watch(table.id))], "and is served here"


def test_a_host_sees_it_reaches_its_people_and_has_it_come_back_to_close_it() -> None:
    house = House()
    anna, _, table = two(house)
    seen = house.hall.steward.house(house.now)
    assert [(one.name, one.table) for one in seen.people] == [("Anna", table.id), ("Bruno", table.id)]
    house.hall.do("Host", acts.Say("dinner"), house.now)
    house.collect()
    assert anna.last(Announced).text == "dinner"
    with pytest.raises(Exception, match="comes here first"):
        house.hall.do("Host", acts.Close(table.id, ""), house.now)
    assert house.hall.post.called == [table.id]
    house.hall.do("Host", acts.Out("Anna", reason="enough"), house.now)
    house.collect()
    assert anna.last(Gone).reason == "enough"
    assert [guest.name for guest in house.hall.post.outs] == ["Anna"]


def test_a_match_that_ends_elsewhere_with_nobody_there_is_gone_at_once() -> None:
    house = House()
    anna, bruno, table = two(house)
    for one in (anna, bruno):
        one.hang_up()
    house.hall.elsewhere.over(table, house.now)
    assert table not in house.hall.tables, "perhaps nobody asks for anything for long"
    assert house.named("Anna").count(Declined) == 0


def test_a_match_that_is_over_elsewhere_is_not_brought_back_here_when_its_time_comes() -> None:
    """A hall that took the desk over expected its people, and for so long; they came, and it ended."""
    before, house = House(), House()
    _, _, table = two(before)
    slip = decode_slip(before.slips[table.id])
    assert slip is not None
    assert house.hall.expect(slip, house.now)
    here = house.hall.tables.get(table.id)
    assert here is not None
    house.hall.elsewhere.give(here, "room")
    anna = house.guest()
    house.hall.elsewhere.sit(anna.guest, here, 0)
    house.hall.elsewhere.over(here, house.now)
    house.wait(1000)
    assert house.hall.tables.get(table.id) is here
    assert (here.phase, house.lines.get(table.id)) == ("over", None)
