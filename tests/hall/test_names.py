"""Nicknames: who holds one, who keeps one, and which are nobody's."""

import pytest
from tests.hall.play import House, a_table, sit

from ludoteca.core import Refused
from ludoteca.core.notices import Declined, Entered
from ludoteca.core.requests import Enter, Leave
from ludoteca.hall import Guest, GuestId
from ludoteca.hall.names import Names, bot_name


def somebody(name: str, number: int = 1) -> Guest:
    guest = Guest(GuestId(number), "house")
    guest.name = guest.given = name
    return guest


@pytest.mark.parametrize("name", ["", " ", "\u200b", "a\x00b", "a\nb", "Bot-Ada", "bOT-", "x" * 9])
def test_some_names_are_nobodys(name: str) -> None:
    with pytest.raises(Refused) as refused:
        Names(8).check(name)
    assert refused.value.code == "name"


@pytest.mark.parametrize("name", ["x" * 8, "Ada Bot-", "ß", "日本", "-"])
def test_others_are_anybodys(name: str) -> None:
    Names(8).check(name)


def test_a_name_belongs_to_who_holds_it_in_any_case() -> None:
    names, anna = Names(32), somebody("Anna")
    assert names.holder("Anna") is None
    names.hold(anna)
    assert names.holder("ANNA") is anna
    names.leave(somebody("anna", 2))
    assert names.holder("Anna") is anna, "another of the same name does not give it up"
    names.leave(anna)
    assert names.holder("Anna") is None
    names.leave(anna)


def test_a_table_keeps_the_name_of_who_is_away_and_who_is_here_comes_first() -> None:
    names, table, anna = Names(32), a_table(), somebody("Anna")
    names.keep("Anna", table)
    assert names.holder("anna") is table
    names.hold(anna)
    assert names.holder("anna") is anna
    names.leave(anna)
    names.forget("ANNA", a_table("t2"))
    assert names.holder("anna") is table, "another table has no say in it"
    names.forget("ANNA", table)
    assert names.holder("anna") is None
    names.forget("ANNA", table)


def test_several_at_once_hold_a_name_until_the_last_has_given_it_up() -> None:
    names, here, there = Names(32), somebody("Anna"), somebody("anna", 2)
    first, second = a_table(), a_table("t2")
    for guest in (here, there, there):
        names.hold(guest)
    for table in (first, second, second):
        names.keep("Anna", table)
    names.leave(here)
    assert names.holder("Anna") is there
    names.leave(there)
    assert names.holder("Anna") is first
    names.forget("anna", first)
    assert names.holder("Anna") is second, "the later seat did not take the place of the earlier one"
    names.forget("anna", second)
    assert names.holder("Anna") is None


def test_a_table_that_is_over_keeps_no_name() -> None:
    names, table = Names(32), a_table()
    names.keep("Anna", table)
    table.close("nobody came back", 1.0)
    assert names.holder("Anna") is None


def test_variations_are_counted_up_to_the_first_that_is_free_and_nobody_elses() -> None:
    names = Names(32)

    def like(*barred: str) -> list[str]:
        return names.variations("Anna", lambda name: name in barred)

    assert like() == ["Anna"]
    names.hold(somebody("Anna"))
    assert like() == ["Anna", "Anna 2"]
    assert like("Anna 2", "Anna 3", "Anna 5") == ["Anna", "Anna 2", "Anna 3", "Anna 4"]
    names.hold(somebody("anna 2", 2))
    names.hold(somebody("Anna 4", 4))
    assert like() == ["Anna", "Anna 2", "Anna 3"]
    assert like("Anna 3")[-1] == "Anna 5"


def test_bots_at_one_table_have_different_names() -> None:
    table = a_table(seats=4)
    given = []
    for seat in range(4):
        given.append(bot_name(table))
        sit(table, seat, given[-1], bot="random")
    assert given == ["Bot-Ada", "Bot-Bea", "Bot-Ciro", "Bot-Dora"]
    table.stand(1, 0.0)
    assert bot_name(table) == "Bot-Bea"


def test_who_gives_a_name_up_leaves_it_to_others_and_may_come_in_again() -> None:
    house = House()
    anna = house.named("Anna").ask(Leave(name=True))
    assert (anna.guest.name, anna.guest.given) == ("", "")
    assert house.named("anna").last(Entered).name == "anna"
    assert anna.ask(Enter("Anna")).last(Declined).code == "taken"
    assert anna.ask(Enter("Bea")).last(Entered).name == "Bea"
