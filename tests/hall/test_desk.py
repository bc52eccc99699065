"""The desk: who is in the house, and what it hears from the floor."""

import pytest
from tests.hall.play import a_table, sit

from ludoteca.core import Refused
from ludoteca.hall import Guest, Limits, Post, Table
from ludoteca.hall import desk as module
from ludoteca.hall.chair import key_of
from ludoteca.hall.desk import Desk
from ludoteca.hall.floor import Ended, Fell, Freed
from ludoteca.hall.lobby import Lobby

HERE, THERE = "192.0.2.1", "192.0.2.2"


def a_desk(**limits: int) -> Desk:
    return Desk(Limits(**limits), b"secret", Lobby(Post()))


def seated(desk: Desk, table: Table, seat: int, name: str, bot: str = "") -> Guest:
    guest = desk.arrive("bot" if bot else "house", bot)
    guest.name = name
    sit(table, seat, name, guest.id, bot=bot)
    guest.place(table.id, seat)
    return guest


def test_guests_are_numbered_and_in_order_of_arrival() -> None:
    desk = a_desk()
    anna, bruno = desk.arrive("house", address=HERE), desk.arrive("santorini")
    assert list(desk.guests) == [anna, bruno]
    assert [anna.id, bruno.id] == [1, 2]
    assert (anna.protocol, anna.address, anna.bot) == ("house", HERE, "")
    assert desk.guest(bruno.id) is bruno
    desk.dismiss(anna)
    assert not desk.has(anna)
    assert desk.has(bruno)
    assert desk.guest(anna.id) is None
    assert desk.arrive("house").id == 3, "nobody gets the number of somebody who went"


def test_a_full_house_takes_nobody_in_but_bots() -> None:
    desk = a_desk(guests_max=2)
    first = desk.arrive("house")
    bot = desk.arrive("bot", "random")
    desk.arrive("house")
    with pytest.raises(Refused) as refused:
        desk.arrive("house")
    assert refused.value.code == "limit"
    desk.arrive("bot", "random")
    desk.dismiss(bot)
    with pytest.raises(Refused):
        desk.arrive("house")
    desk.dismiss(first)
    desk.arrive("house")
    desk.dismiss(first)
    with pytest.raises(Refused):
        desk.arrive("house")


def test_a_seat_matters_until_the_match_is_over() -> None:
    desk, table = a_desk(), a_table()
    desk.tables.add(table)
    anna, watcher = seated(desk, table, 0, "Anna"), desk.arrive("house")
    watcher.place(table.id, None)
    assert desk.table_of(anna) is desk.table_of(watcher) is table
    assert desk.busy(anna)
    assert not desk.busy(watcher)
    assert not desk.busy(desk.arrive("house"))
    table.close("over", 1.0)
    assert not desk.busy(anna)


def test_where_somebody_comes_from_is_kept_only_for_those_without_tokens() -> None:
    desk = a_desk()
    seed, own = desk.arrive("santorini", address=HERE), desk.arrive("house", address=HERE)
    assert desk.origin("t1", seed) == desk.opener("t1", HERE) != ""
    assert desk.origin("t1", own) == ""
    assert desk.origin("t2", seed) != desk.origin("t1", seed)


def test_tables_from_before_a_restart_go_to_whoever_opened_them() -> None:
    desk = a_desk()
    theirs, other, unknown = a_table("t1"), a_table("t2"), a_table("t3")
    theirs.origin, other.origin = desk.opener("t1", HERE), desk.opener("t2", THERE)
    for table in (theirs, other, unknown):
        desk.tables.add(table)
    desk.claim(HERE)
    assert desk.tables.unfinished(HERE) == 1
    assert desk.tables.unclaimed() == [other, unknown]
    desk.claim(THERE)
    assert desk.tables.unclaimed() == [unknown]


def test_each_address_is_tried_once_and_only_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLAIMED_MAX", 1)
    desk, table = a_desk(), a_table("t1")
    table.origin = "somebody's"
    desk.tables.add(table)
    tried: list[str] = []

    def opener(_table: str, address: str) -> str:
        tried.append(address)
        return ""

    monkeypatch.setattr(desk, "opener", opener)
    for address in (HERE, HERE, THERE, THERE):
        desk.claim(address)
    assert tried == [HERE, THERE, THERE]


def test_an_ended_table_lets_everybody_go_and_its_bots_leave_the_house() -> None:
    desk, table, elsewhere = a_desk(), a_table("t1", 3), a_table("t2")
    desk.tables.add(table)
    desk.tables.add(elsewhere)
    anna, bruno = seated(desk, table, 0, "Anna"), seated(desk, table, 1, "Bruno")
    bot = seated(desk, table, 2, "Bot-Ada", "random")
    desk.names.keep("Anna", table)
    bruno.place("t2", 0)
    desk.hear(Ended(table))
    assert table not in desk.tables
    assert (anna.table, anna.seat) == ("", None)
    assert (bruno.table, bruno.seat) == ("t2", 0), "who is elsewhere by now stays there"
    assert desk.has(anna)
    assert not desk.has(bot)
    assert desk.names.holder("Anna") is None


def test_a_freed_chair_is_nobodys() -> None:
    desk, table = a_desk(), a_table()
    desk.tables.add(table)
    desk.tables.seat(key_of("token"), table, 0)
    desk.names.keep("Anna", table)
    desk.hear(Freed(table, key_of("token"), "Anna"))
    assert desk.names.holder("Anna") is None
    with pytest.raises(Refused):
        desk.tables.owned("token")
    assert table in desk.tables


def test_a_table_that_fell_is_set_aside_for_those_who_were_ready() -> None:
    desk, table = a_desk(), a_table()
    desk.tables.add(table)
    anna = seated(desk, table, 0, "Anna")
    table.chair(0).key = key_of("token")
    sit(table, 1, "Bruno", ready=False).key = key_of("other")
    desk.hear(Fell(table))
    assert table not in desk.tables
    assert anna.table == ""
    for ask, code in (
        (lambda: desk.tables.owned("token"), "aside"),
        (lambda: desk.tables.owned("other"), "gone"),
        (lambda: desk.tables.find("t1"), "aside"),
    ):
        with pytest.raises(Refused) as refused:
            ask()
        assert refused.value.code == code
