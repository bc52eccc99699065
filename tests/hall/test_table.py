"""One table: presence, clocks and preferences, where a slip would go unnoticed for long."""

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Clock, Declined, Gone, Happened, Left, Over, Returned, Said, Seated, Shown
from ludoteca.core.requests import Act, Join, Leave, Open, Return, Say, Terms, Watch
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import Limits

GAME = "multisweeper"


def pair(house: House, terms: Terms | None = None) -> tuple[Person, Person]:
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open(GAME, 2, terms=terms))
    bruno.ask(Join(anna.last(Seated).table.id))
    return anna, bruno


def token(person: Person) -> str:
    return next(notice.token for notice in person.heard if isinstance(notice, Seated) and notice.token)


def test_a_clock_begins_anew_for_a_player_who_was_away() -> None:
    """Survivor of `come_back`: `asked.since = now`."""
    house = House()
    anna, _ = pair(house, Terms(move_s=30, grace_s=100))
    house.wait(20)
    anna.hang_up()
    house.wait(9)
    back = house.guest().ask(Return("", token(anna)))
    assert back.last(Clock).left_s == 30
    house.wait(25)
    assert not back.count(Over)
    house.wait(6)
    assert back.count(Over)


@pytest.mark.parametrize(("reason", "stands_in"), [("", True), ("it broke the protocol", False)])
def test_a_bot_holds_the_chair_of_who_left_but_not_of_who_broke_the_protocol(
    reason: str, stands_in: bool
) -> None:
    """Survivor of `depart`: `absence == "bot" and not reason`."""
    house = House()
    anna, bruno = pair(house, Terms(absence="bot"))
    anna.ask(Leave(reason))
    assert any(guest.bot for guest in house.hall.guests) == stands_in
    assert bool(bruno.count(Over)) != stands_in
    assert any(notice.gone for notice in bruno.heard if isinstance(notice, Left))


def test_who_had_gone_before_a_restart_gets_no_grace_time_after_it() -> None:
    """Survivor of `recover`: `away_since` only for those who had not left."""
    house = House()
    people = [house.named(name) for name in ("Anna", "Bruno", "Carla")]
    people[0].ask(Open("renaissance", 3, terms=Terms(grace_s=60)))
    for person in people[1:]:
        person.ask(Join(people[0].last(Seated).table.id))
    people[2].ask(Leave())
    again = House()
    (lines,) = house.lines.values()
    table = again.hall.recover(lines, again.now)
    assert [chair.away_since for _, chair in table.taken()] == [again.now, again.now, None]


def test_two_players_cannot_sit_down_with_the_same_wish() -> None:
    """Survivor of `_seat`: `table.agree(seat, wish)`."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("eriantys", 2, preference={"tower": "white"}))
    table = anna.last(Seated).table.id
    bruno.ask(Join(table, preference={"tower": "white"}))
    assert bruno.last(Declined).code
    assert not bruno.count(Seated)
    bruno.ask(Join(table, preference={"tower": "black"}))
    assert bruno.last(Shown)


def test_whoever_returns_hears_every_record_once_also_when_the_history_has_just_run_over() -> None:
    """Survivor of `_remembers`: `number + 1`."""
    for gap in range(1, 7):
        house = House(Limits(history_max=4))
        anna, bruno = pair(house)
        for number in range(10):
            anna.ask(Say(f"word {number}"))
        newest = anna.last(Said).number
        bruno.hang_up()
        back = house.guest().ask(Return("", token(bruno), since=newest - gap))
        told = [notice.number for notice in back.heard if isinstance(notice, Said)]
        if back.count(Shown):
            assert gap > 4
        else:
            assert told == list(range(newest - gap + 1, newest + 1))
            assert gap <= 4


def test_words_for_one_are_told_to_nobody_who_returns_or_starts_to_watch() -> None:
    """Survivor of `since`: `entry.to is None or name in (...)`."""
    house = House()
    people = [house.named(name) for name in ("Anna", "Bruno", "Carla")]
    people[0].ask(Open(GAME, 3))
    for person in people[1:]:
        person.ask(Join(people[0].last(Seated).table.id))
    anna, bruno, carla = people
    anna.ask(Say("psst", to="Bruno"), Say("hello"))
    carla.hang_up()
    for who, hears in ((carla, ["hello"]), (bruno, ["psst", "hello"])):
        who.hang_up()
        back = house.guest().ask(Return("", token(who), since=1))
        assert [notice.text for notice in back.heard if isinstance(notice, Said)] == hears
    watcher = house.named("Dora").ask(Watch(anna.last(Seated).table.id))
    assert [notice.text for notice in watcher.heard if isinstance(notice, Said)] == ["hello"]


def test_whoever_returns_to_a_match_that_went_on_hears_it_as_it_happened() -> None:
    house = House()
    anna, bruno = pair(house)
    bruno.hang_up()
    anna.ask(Act((Click(0, 0),)))
    happened = anna.last(Happened)
    back = house.guest().ask(Return("", token(bruno), since=happened.number - 1))
    assert back.last(Happened) == happened
    assert anna.last(Returned).name == "Bruno"


def test_why_somebody_is_not_there_is_said_by_a_code() -> None:
    house = House()
    anna, bruno = pair(house, Terms(grace_s=5))
    anna.hang_up()
    assert bruno.last(Left).code == "lost"
    house.wait(6)
    assert (bruno.last(Left).code, bruno.last(Left).gone) == ("left", True)
    for terms, leaving, code in (
        (Terms(absence="bot"), Leave(), "stand-in"),
        (Terms(absence="end"), Leave("it broke the protocol"), "broke"),
        (Terms(absence="end"), Leave(), "left"),
    ):
        house = House()
        anna, bruno = pair(house, terms)
        anna.ask(leaving)
        assert bruno.last(Left).code == code
    house = House()
    _, bruno = pair(house, Terms(move_s=10))
    house.wait(11)
    assert bruno.last(Left).code == "time"


def test_why_a_table_closes_is_said_by_a_code() -> None:
    house = House(Limits(deserted_s=60))
    anna, _ = pair(house)
    elsewhere = house.guest().ask(Return("", token(anna)))
    assert anna.last(Gone).code == "elsewhere"
    elsewhere.table.match.state = None
    elsewhere.ask(Act((Click(0, 0),)))
    assert elsewhere.last(Gone).code == "crashed"
    house.hall.close("back soon")
    house.collect()
    assert (elsewhere.last(Gone).code, elsewhere.last(Gone).back) == ("closing", True)
