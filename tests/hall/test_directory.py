"""Where tables are found, and whose they are."""

import pytest
from tests.hall.play import a_table, playing, sit

from ludoteca.core import Damaged, Refused
from ludoteca.core.requests import Terms
from ludoteca.hall import GuestId, Post, Table
from ludoteca.hall.chair import key_of
from ludoteca.hall.directory import Directory
from ludoteca.hall.lobby import Lobby

GAME = "multisweeper"
PRIVATE = Terms(private=True)


def directory(*tables: Table) -> Directory:
    made = Directory(12, Lobby(Post()))
    for table in tables:
        made.add(table)
    return made


def refused_by(call: object) -> str:
    with pytest.raises(Refused) as refused:
        call()  # type: ignore[operator]
    return refused.value.code


def test_a_table_is_found_by_its_id_and_with_its_game_by_its_label() -> None:
    table = a_table("t1", label="Kitchen")
    tables = directory(table)
    assert tables.find("t1") is tables.get("t1") is table
    assert tables.find("kitchen", GAME) is tables.find("t1", GAME) is table
    assert refused_by(lambda: tables.find("kitchen")) == "gone"
    assert refused_by(lambda: tables.find("kitchen", "santorini")) == "gone"
    assert tables.get("t2") is None


def test_a_private_table_is_found_by_its_id_alone() -> None:
    secret, public = a_table("t1", label="den", terms=PRIVATE), a_table("t2")
    tables = directory(secret, public)
    assert tables.find("t1") is secret
    assert refused_by(lambda: tables.find("den", GAME)) == "gone"
    assert list(tables.lobby.tables("", "open")) == [public]
    assert list(tables) == [secret, public]
    sit(secret, 0, "Anna")
    assert tables.with_free_chair(GAME) is not secret


def test_tables_of_one_name_are_those_of_one_game_or_of_all() -> None:
    one, other = a_table("t1", label="Kitchen"), a_table("t2", label="kitchen", game="santorini")
    tables = directory(one, other, a_table("t3", label="den"))
    assert tables.called("KITCHEN") == [one, other]
    assert tables.called("kitchen", GAME) == [one]
    assert tables.called("kitchen", "shelfie") == tables.called("cellar") == []


def test_a_table_that_is_set_aside_is_not_there_and_says_why() -> None:
    tables = directory()
    tables.aside.add("t1", [], Damaged("x"))
    assert refused_by(lambda: tables.find("t1")) == "aside"


def test_a_newcomer_sits_down_at_the_oldest_table_where_somebody_is() -> None:
    deserted, full, lively, later = (a_table(f"t{number}") for number in range(1, 5))
    for table in (deserted, full, lively, later):
        table.owner = "192.0.2.1"
        sit(table, 0, "Anna")
    sit(full, 1, "Bruno")
    deserted.chair(0).guest = None
    tables = directory(deserted, full, lively, later)
    assert tables.with_free_chair(GAME) is lively
    assert tables.with_free_chair("santorini") is None
    sit(lively, 1, "Carla")
    lively.start(1, 0.0)
    assert tables.with_free_chair(GAME) is later
    deserted.owner = ""
    assert tables.with_free_chair(GAME) is deserted, "after a restart its people are waited for"


def test_of_a_table_that_is_over_nothing_leads_there_any_more() -> None:
    table = a_table("t1", label="kitchen")
    table.owner = "192.0.2.1"
    chair = sit(table, 0, "Anna")
    chair.key = key_of("token")
    tables = directory(table)
    assert tables.owned("token") == (table, 0)
    assert table in tables
    tables.remove(table)
    assert table not in tables
    assert len(tables) == 0
    assert refused_by(lambda: tables.find("kitchen", GAME)) == "gone"
    assert refused_by(lambda: tables.owned("token")) == "gone"
    assert tables.with_free_chair(GAME) is None
    assert tables.unfinished("192.0.2.1") == 0
    assert tables.label(GAME, "kitchen", private=False) == "kitchen"
    tables.remove(table)


def test_a_token_leads_to_its_seat_until_the_chair_is_freed() -> None:
    table = a_table()
    tables = directory(table)
    tables.seat(key_of("token"), table, 1)
    assert tables.owned("token") == (table, 1)
    tables.unseat(key_of("token"))
    tables.unseat(key_of("token"))
    assert refused_by(lambda: tables.owned("token")) == "gone"


def test_tables_are_on_the_budget_of_one_address() -> None:
    owned, found = a_table("t1"), a_table("t2")
    owned.owner = "here"
    tables = directory(owned, found)
    assert tables.unclaimed() == [found]
    tables.charge(found, "")
    assert tables.unclaimed() == [found]
    tables.charge(found, "here")
    assert tables.unclaimed() == []
    assert tables.unfinished("here") == 2
    tables.charge(found, "there")
    assert (tables.unfinished("here"), tables.unfinished("there")) == (2, 0), "the first stays"
    assert (tables.has_spent("here", 2), tables.has_spent("here", 3)) == (True, False)
    owned.close("over", 1.0)
    assert tables.unfinished("here") == 1
    assert (tables.has_spent("here", 1), tables.has_spent("here", 2)) == (True, False), "one is over"
    tables.remove(owned)
    tables.remove(found)
    assert tables.unfinished("here") == 0


def test_tables_of_an_address_are_looked_at_only_where_they_could_be_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owned = [a_table(f"t{number}") for number in range(3)]
    for table in owned:
        table.owner = "here"
    tables = directory(*owned)

    def count_on_it(_address: str) -> int:
        raise AssertionError("every table is looked at for each rematch")

    monkeypatch.setattr(tables, "unfinished", count_on_it)
    assert not tables.has_spent("here", 4)
    assert not tables.has_spent("elsewhere", 1)


def test_an_unclaimed_table_that_is_gone_is_nobodys_any_more() -> None:
    table = a_table()
    tables = directory(table)
    tables.remove(table)
    assert tables.unclaimed() == []


def test_labels_are_the_wanted_one_or_the_lowest_number_that_is_free() -> None:
    tables = directory(a_table("t1", label="table-1"), a_table("t2", label="table-3"))
    assert tables.label(GAME, "", private=False) == "table-2"
    assert tables.label(GAME, "", private=False) == "table-4"
    assert tables.label("santorini", "", private=False) == "table-1"
    assert tables.label(GAME, "x" * 12, private=False) == "x" * 12
    for label, code in (("x" * 13, "label"), ("a b", "label"), ("a\x1b", "label"), ("TABLE-1", "taken")):
        assert refused_by(lambda: tables.label(GAME, label, private=False)) == code  # noqa: B023


def test_private_tables_stand_outside_the_numbers_and_the_names() -> None:
    tables = directory(a_table("t1", label="kitchen"), a_table("t2", label="private", terms=PRIVATE))
    assert tables.label(GAME, "kitchen", private=True) == "kitchen"
    assert tables.label(GAME, "", private=True) == "private"
    assert tables.label(GAME, "", private=False) == "table-1"
    assert refused_by(lambda: tables.label(GAME, "a b", private=True)) == "label"


def test_a_number_is_given_again_when_its_table_is_gone_and_once() -> None:
    tables = directory()
    labels = [tables.label(GAME, "", private=False) for _ in range(3)]
    first, second, third = (a_table(f"t{label}", label=label) for label in labels)
    for table in (first, second, third):
        tables.add(table)
    tables.remove(second)
    # Whoever calls a table so on purpose, again and again, gives back what is free already, or never was.
    for label in ("table-2", "Table-2", "table-999999", "table-0", "table-x", "table-", "2"):
        named = a_table("own", label=label)
        tables.add(named)
        tables.remove(named)
    assert [tables.label(GAME, "", private=False) for _ in range(2)] == ["table-2", "table-4"]
    tables.remove(first)
    assert tables.label(GAME, "", private=False) == "table-1"


def test_a_running_match_is_not_offered_to_newcomers() -> None:
    table = playing(a_table(), "Anna", "Bruno")
    tables = directory(table)
    assert tables.with_free_chair(GAME) is None
    table.watchers[GuestId(5)] = None
    assert tables.with_free_chair(GAME) is None
