"""What is private in the hall: tables that nobody finds without their id, whispers that
belong to two people."""

from typing import Any

import pytest
from tests.hall.play import House, Person, pair

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.core.notices import Asked, Declined, Entered, Said, Seated, Tables
from ludoteca.core.requests import AddBot, Enter, Join, Leave, List, Open, Return, Say, Seek, Terms, Watch
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table
from ludoteca.journal import Match, Record, decode
from ludoteca.journal.records import Input, Opened, SatDown, Spoke, StoodUp, outward

GAME = "multisweeper"
PRIVATE = Terms(private=True)


@pytest.fixture
def house() -> House:
    return House()


def restarted(house: House, **more: Any) -> House:
    """Another house that has only the records of the first."""
    return House(**more).take_over(house)


def whispers(person: Person) -> list[str]:
    return [notice.text for notice in person.heard if isinstance(notice, Said) and notice.to]


# Tables.


@pytest.mark.parametrize("label", ["", "hideout"])
def test_d11_a_private_table_is_found_by_its_id_alone(house: House, label: str) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2, terms=PRIVATE, label=label))
    table = anna.last(Seated).table
    stranger = house.named("Mallory")
    for name in ("table-1", "table-2", "private", "hideout", table.label):
        assert stranger.ask(Join(name, GAME)).last(Declined).code == "gone"
    assert stranger.ask(List()).last(Tables).tables == ()
    assert stranger.ask(Seek(GAME, otherwise=Open(GAME, 2))).last(Seated).table.id != table.id
    assert house.named("Bruno").ask(Join(table.id)).last(Seated).table.id == table.id


def test_d11_names_and_numbers_of_public_tables_say_nothing_about_private_ones(house: House) -> None:
    for name in ("Anna", "Bruno", "Carla"):
        house.named(name).ask(Open(GAME, 2, terms=PRIVATE, label="hideout"))
    house.named("Dario").ask(Open(GAME, 2, terms=PRIVATE))
    first = house.named("Eve").ask(Open(GAME, 2)).last(Seated).table
    second = house.named("Fred").ask(Open(GAME, 2, label="hideout"))
    assert first.label == "table-1"
    assert second.count(Declined) == 0
    third = house.named("Gaia").ask(Open(GAME, 2, label="Hideout"))
    assert third.last(Declined).code == "taken"


def test_d11_a_private_table_that_ends_takes_no_public_one_with_it(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 2, terms=PRIVATE, label="hideout"))
    bruno = house.named("Bruno").ask(Open(GAME, 2, label="hideout"))
    anna.ask(Leave())
    carla = house.named("Carla").ask(Join("hideout", GAME))
    assert carla.last(Seated).table.id == bruno.last(Seated).table.id


def test_the_id_of_a_private_table_cannot_be_guessed(house: House) -> None:
    public = house.named("Anna").ask(Open(GAME, 2)).last(Seated).table
    private = house.named("Bruno").ask(Open(GAME, 2, terms=PRIVATE)).last(Seated).table
    assert (len(public.id), len(private.id)) == (12, 32)


# Whispers.


def test_d18_a_whisper_is_not_told_to_the_next_of_that_name(house: House) -> None:
    anna, _ = pair(house)
    table = anna.last(Seated).table.id
    zoe = house.named("Zoe").ask(Watch(table))
    anna.ask(Say("the mine is in the corner", to="Zoe"), Say("hello all"))
    zoe.ask(Say("thank you", to="Anna"))
    assert whispers(zoe) == ["the mine is in the corner", "thank you"]
    zoe.hang_up()
    for since in (0, 1):
        other = house.named("Zoe").ask(Watch(table, since))
        assert [notice.text for notice in other.heard if isinstance(notice, Said)] == ["hello all"]
        other.hang_up()


@pytest.mark.usefixtures("sleepy")
def test_d18_a_player_hears_again_what_was_whispered_to_the_chair(house: House) -> None:
    anna, bruno = pair(house)
    tokens = [person.last(Seated).token for person in (anna, bruno)]
    anna.ask(Say("psst", to="Bruno"))
    for token in tokens:
        assert whispers(house.guest().ask(Return("", token))) == ["psst"]
    again = restarted(house)
    for token in tokens:
        assert whispers(again.guest().ask(Return("", token))) == ["psst"]


def test_d18_a_watcher_with_the_name_of_an_absent_player_is_not_that_player(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="bot"))
    token, table = anna.last(Seated).token, anna.last(Seated).table.id
    # Anna leaves, plays elsewhere under her name and is gone: the chair is hers, and keeps the name.
    anna.ask(Leave(), Open(GAME, 2, terms=Terms(absence="end")), AddBot("random"), Leave())
    anna.hang_up()
    assert house.named("Anna").last(Declined).code == "taken"
    # Her token shows that the name is hers, and she looks on: that is not yet sitting there again.
    other = house.guest().ask(Enter("Anna", tokens=(token,)), Watch(table))
    assert other.last(Seated).table.id == table
    assert other.last(Seated).seat is None
    bruno.ask(Say("are you the real Anna?", to="Anna"))
    assert whispers(other) == ["are you the real Anna?"]
    other.hang_up()
    assert whispers(house.guest().ask(Return("", token))) == []


def test_d18_a_word_to_the_bot_that_holds_a_chair_is_not_for_its_owner(house: House) -> None:
    anna, bruno = pair(house, Terms(absence="bot", grace_s=5))
    anna.hang_up()
    house.wait(6)
    (stand_in,) = [guest for guest in house.hall.guests if guest.bot]
    bruno.ask(Say("she plays badly", to=stand_in.name))
    assert whispers(house.guest().ask(Return("", anna.last(Seated).token))) == []


def test_d18_a_chair_that_changed_hands_keeps_the_whispers_of_the_one_who_had_it(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3))
    table = anna.last(Seated).table.id
    bruno = house.named("Bruno").ask(Join(table))
    anna.ask(Say("for Bruno", to="Bruno"))
    bruno.ask(Leave())
    carla = house.named("Carla").ask(Join(table))
    assert carla.last(Seated).seat == 1
    carla.ask(AddBot("random"))
    assert whispers(house.guest().ask(Return("", carla.last(Seated).token))) == []


def test_d18_whispers_of_old_records_belong_to_the_chairs_of_those_names_at_that_time() -> None:
    opened = Opened("table", GAME, "table-1", 2, None, Terms())
    table = Table(Match(games.load(GAME)), opened, 0, Post(), None, 256)  # type: ignore[arg-type]
    old: list[Input] = [
        SatDown(0, "Anna", "Anna", "house", "key of Anna"),
        SatDown(1, "Zoe", "Zoe", "house", "key of Zoe"),
        Spoke("Anna", "psst", "Zoe"),
        StoodUp(1),
        SatDown(1, "Zoe", "Zoe", "house", "key of another Zoe"),
    ]
    for given in old:
        table.perform(given)
    ears = {
        key: list(table.ledger.since(2, key, Seat(0)))
        for key in ("key of Anna", "key of Zoe", "key of another Zoe", "")
    }
    assert [bool(heard) for heard in ears.values()] == [True, True, False, False]


def test_nobody_whispers_to_the_nameless(house: House) -> None:
    anna, _ = pair(house)
    house.guest().ask(Watch(anna.last(Seated).table.id))
    assert anna.ask(Say("who are you", to="")).last(Declined).code == "name"


# Seats of protocols without tokens.


def seated(house: House, address: str = "192.0.2.1") -> Person:
    """Anna at a table with Bruno, both through the game's own protocol; she is gone."""
    anna = house.named("Anna", GAME, address).ask(Open(GAME, 2, terms=Terms(absence="wait")))
    house.named("Bruno", GAME, "192.0.2.2").ask(Seek(GAME))
    anna.hang_up()
    return anna


def read(lines: list[bytes]) -> list[Record]:
    return [decode(line)[0] for line in lines]


def origins(house: House) -> list[str]:
    """What the records say about where the players came from."""
    records = [record for lines in house.lines.values() for record in read(lines)]
    return [record.input.origin for record in records if isinstance(record.input, SatDown)]


def returned(person: Person) -> bool:
    return person.count(Seated) > 0


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.usefixtures("sleepy")
def test_d14_a_name_gives_a_seat_back_only_where_it_was_taken(restarts: bool) -> None:
    house = House(secret=b"x" * 32)
    seated(house)
    if restarts:
        house = restarted(house, secret=b"x" * 32)
    for address in ("192.0.2.2", "2001:db8::", ""):
        thief = house.named("Anna", GAME, address)
        assert not returned(thief)
        assert thief.last(Declined).code == "taken"
        thief.hang_up()
    back = house.named("Anna", GAME, "192.0.2.1")
    assert (back.last(Seated).seat, back.last(Asked).again) == (0, True)


@pytest.mark.usefixtures("sleepy")
def test_d14_names_that_identify_nobody_find_the_seat_of_their_address() -> None:
    house = House()
    for address in ("192.0.2.1", "192.0.2.2"):
        house.guest(GAME, address).ask(Enter("Ada", distinct=False), Seek(GAME, otherwise=Open(GAME, 2)))
    again = restarted(house)
    stranger = again.guest(GAME, "192.0.2.3").ask(Enter("Ada", distinct=False))
    assert (stranger.last(Entered).name, returned(stranger)) == ("Ada 3", False)
    for address, seat in (("192.0.2.2", 1), ("192.0.2.1", 0)):
        assert again.guest(GAME, address).ask(Enter("Ada", distinct=False)).last(Seated).seat == seat


@pytest.mark.parametrize(("setting", "here", "elsewhere"), [("never", False, False), ("anyone", True, True)])
def test_d14_an_operator_decides_what_a_name_is_worth(setting: str, here: bool, elsewhere: bool) -> None:
    for address, allowed in (("192.0.2.1", here), ("192.0.2.9", elsewhere)):
        house = House(return_by_name=setting)
        seated(house)
        assert returned(house.named("Anna", GAME, address)) is allowed


@pytest.mark.usefixtures("sleepy")
def test_d14_a_seat_of_an_old_record_goes_to_the_first_who_says_the_name_and_then_only_there() -> None:
    house = House()
    seated(house, address="")
    assert origins(house)[0] == ""
    house = restarted(house)
    back = house.named("Anna", GAME, "192.0.2.1")
    assert back.last(Seated).seat == 0
    back.hang_up()
    assert not returned(house.named("Anna", GAME, "192.0.2.9"))
    house = restarted(house)
    assert not returned(house.named("Anna", GAME, "192.0.2.9"))
    assert returned(house.named("Anna", GAME, "192.0.2.1"))


@pytest.mark.usefixtures("sleepy")
def test_d14_a_player_who_had_gone_is_gone_still_after_the_note_about_the_address() -> None:
    house = House()
    game = "renaissance"
    anna = house.named("Anna", game, "").ask(Open(game, 2, terms=Terms(absence="end")))
    bruno = house.named("Bruno").ask(Seek(game))
    anna.hang_up()
    bruno.table.claim(0, "an address", house.now)
    house.collect()
    (recovered,) = restarted(house).hall.tables
    assert recovered.chair(0).left
    assert recovered.chair(0).origin == "an address"


def test_d14_what_is_noted_of_an_address_tells_nobody_the_address() -> None:
    houses = [House(secret=secret) for secret in (b"x" * 32, b"y" * 32)]
    for house in houses:
        for name in ("Anna", "Bruno"):
            house.named(name, GAME, "192.0.2.1").ask(Open(GAME, 2))
        assert not any(b"192.0.2" in line for lines in house.lines.values() for line in lines)
    # The same address at two tables, and at the same table of two houses: not to be recognised.
    found = [origin for house in houses for origin in origins(house)]
    assert len(set(found)) == len(found) == 4
    assert all(found)
    (lines, *_) = houses[0].lines.values()
    assert {one.input.origin for one in outward(read(lines)) if isinstance(one.input, SatDown)} == {""}


def test_a_player_with_a_token_leaves_no_trace_of_the_address(house: House) -> None:
    house.named("Anna", "house", "192.0.2.1").ask(Open(GAME, 2))
    assert origins(house) == [""]
