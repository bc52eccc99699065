"""One person at several tables: whoever shows the token of a seat under a name comes in beside it."""

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Declined, Entered, Left, Seated
from ludoteca.core.requests import AddBot, Enter, Join, Leave, Open, Rematch, Return, Seek, Terms, Watch
from ludoteca.hall import away

GAME = "multisweeper"


@pytest.fixture
def house() -> House:
    return House()


def seated(house: House, name: str = "Anna", terms: Terms | None = None) -> tuple[Person, str]:
    """Somebody who waits at a table of their own, and the token of that seat."""
    person = house.named(name).ask(Open(GAME, 2, terms=terms))
    return person, person.last(Seated).token


def beside(house: House, *tokens: str, name: str = "Anna") -> Person:
    """Somebody who comes in under a name and shows these tokens."""
    return house.guest().ask(Enter(name, tokens=tokens))


def restarted(house: House) -> House:
    return House().take_over(house)


def test_the_token_of_a_seat_opens_the_house_a_second_time_under_the_same_name(house: House) -> None:
    anna, token = seated(house)
    again = beside(house, token).ask(Open("santorini", 2))
    assert again.last(Entered).name == "Anna"
    table = again.last(Seated).table
    assert [chair.name for chair in table.chairs if chair] == ["Anna"]
    assert anna.table.chair(0).guest == anna.guest.id, "the first seat is not disturbed"
    third = beside(house, "nonsense", again.last(Seated).token, name="ANNA")
    assert third.last(Entered).name == "ANNA", "any of the seats will do, whatever the case"


def test_who_is_away_from_one_table_plays_at_another_under_the_same_name(house: House) -> None:
    anna, token = seated(house)
    anna.hang_up()
    again = beside(house, token).ask(Open(GAME, 2))
    again.hang_up()
    assert house.named("Anna").last(Declined).code == "taken"
    back = house.guest().ask(Return("", token))
    assert back.last(Seated).seat == 0


@pytest.mark.parametrize(
    "tokens",
    [(), ("",), ("0" * 32,), ("x" * 64,), ("0" * 32,) * 16],
    ids=["none", "empty", "made up", "long", "many"],
)
def test_somebody_elses_name_is_not_given_for_a_token_that_is_none(
    house: House, tokens: tuple[str, ...]
) -> None:
    anna, token = seated(house)
    mallory = beside(house, *(one.replace("0" * 32, token[::-1]) for one in tokens))
    assert mallory.last(Declined).code == "taken"
    assert mallory.guest.name == ""
    assert anna.guest.name == "Anna"


def test_the_token_of_ones_own_seat_is_no_proof_of_somebody_elses_name(house: House) -> None:
    seated(house)
    _, mine = seated(house, "Mallory")
    mallory = beside(house, mine)
    assert mallory.last(Declined).code == "taken"


def test_what_is_known_of_a_token_in_records_proves_nothing(house: House) -> None:
    anna, _ = seated(house)
    mallory = beside(house, anna.table.chair(0).key)
    assert mallory.last(Declined).code == "taken"


def test_a_token_is_worth_nothing_once_its_seat_is_free(house: House) -> None:
    anna, token = seated(house)
    anna.ask(Leave())
    anna.hang_up()
    other = house.named("Anna")
    assert other.last(Entered).name == "Anna"
    assert beside(house, token).last(Declined).code == "taken", "the name is another Anna's now"


def test_a_token_of_a_match_that_is_over_is_worth_the_name_only_while_its_owner_has_it(house: House) -> None:
    anna, token = seated(house, terms=Terms(absence="end"))
    bruno = house.named("Bruno").ask(Join(anna.guest.table))
    bruno.ask(Leave())
    assert anna.table.phase == "over"
    assert beside(house, token).last(Entered).name == "Anna", "she still looks at the result"
    anna.ask(Enter("Zoe"))
    for guest in list(house.hall.guests):
        if guest.name == "Anna":
            house.hall.depart(guest, house.now)
    assert anna.table.phase == "over"
    assert house.named("Anna").last(Entered).name == "Anna"
    assert beside(house, token).last(Declined).code == "taken", "another has the name she gave up"


def test_nobody_sits_at_one_table_twice(house: House) -> None:
    anna, token = seated(house)
    again = beside(house, token)
    assert again.ask(Join(anna.guest.table)).last(Declined).code == "seated"
    # Who takes any seat is not brought to oneself, nor to a table of one's own that a seat is free at.
    again.ask(Seek(GAME, otherwise=Open(GAME, 2)))
    assert again.last(Seated).table.id != anna.guest.table
    bruno = house.named("Bruno").ask(Seek(GAME, otherwise=Open(GAME, 2)))
    assert bruno.last(Seated).table.id == anna.guest.table


def test_whoever_plays_may_look_on_at_the_same_table(house: House) -> None:
    anna, token = seated(house)
    assert beside(house, token).ask(Watch(anna.guest.table)).last(Seated).seat is None


@pytest.mark.usefixtures("sleepy")
def test_after_a_restart_a_token_proves_what_it_proved_before(house: House) -> None:
    _, token = seated(house)
    second = beside(house, token).ask(Open("santorini", 2)).last(Seated).token
    again = restarted(house)
    assert again.named("Anna").last(Declined).code == "taken"
    for one in (token, second):
        assert beside(again, one).last(Entered).name == "Anna"
    assert again.guest().ask(Return("", second)).last(Seated).table.game == "santorini"


def test_a_rematch_at_one_table_leaves_the_other_alone(house: House) -> None:
    anna, token = seated(house)
    other = beside(house, token).ask(Open(GAME, 2, terms=Terms(absence="end")), AddBot("random"))
    rival = next(guest for guest in house.hall.guests if guest.bot)
    away.depart(other.table, rival.seat or 0, "it broke down", house.now)
    house.collect()
    assert other.table.phase == "over"
    before = other.guest.table
    other.ask(Rematch())
    assert other.guest.table != before
    assert not anna.count(Left)
    assert anna.table.chair(0).guest == anna.guest.id
