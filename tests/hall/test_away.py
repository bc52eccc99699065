"""Away against bots is no crime: the table waits, the bots rest, and nothing ends; away
from people, it does, to the second."""

import pytest
from tests.hall.play import House, Person, a_table, letters, pair, playing, sit

from ludoteca.core.notices import Asked, Clock, Left, Over, Seated, Shown, Stood
from ludoteca.core.requests import Act, AddBot, Join, Leave, Open, Return, Terms, Watch
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import Guest, GuestId, Limits, away
from ludoteca.hall.table import Table

GAME = "multisweeper"
DAY_S = 24 * 3600.0


def against_bots(house: House, terms: Terms | None = None, bots: int = 2) -> Person:
    """Anna at a table where all others are bots; the match has begun and she is on turn."""
    anna = house.named("Anna").ask(Open(GAME, bots + 1, terms=terms))
    return anna.ask(*[AddBot("random")] * bots)


def table_of(house: House) -> Table:
    (table,) = house.hall.tables
    return table


def bots_of(house: House) -> list[Guest]:
    return [guest for guest in house.hall.guests if guest.bot]


@pytest.mark.parametrize(
    "terms",
    [
        Terms(absence="end"),
        Terms(absence="wait", grace_s=0),
        Terms(absence="wait", grace_s=5, move_s=10),
        Terms(absence="bot", grace_s=1),
    ],
    ids=["end", "no grace", "clock", "bot"],
)
def test_a_table_of_bots_waits_for_days_for_its_only_person(terms: Terms) -> None:
    house = House()
    anna = against_bots(house, terms)
    anna.hang_up()
    assert away.due(table_of(house)) is None, "nothing is left to wake the table for"
    for _ in range(6):
        house.wait(DAY_S)
    assert table_of(house).phase == "playing"
    assert len(bots_of(house)) == 2  # No stand-in came.
    back = house.guest().ask(Return("", anna.last(Seated).token))
    assert back.last(Shown)
    assert back.last(Asked).again
    if terms.move_s:
        assert back.last(Clock).left_s == terms.move_s
    back.ask(Act((Click(0, 0),)))
    assert not back.count(Over)


@pytest.mark.usefixtures("sleepy")
def test_the_same_after_a_restart() -> None:
    house = House()
    anna = against_bots(house, Terms(absence="end"))
    again = House().take_over(house)
    again.wait(3 * DAY_S)
    assert again.guest().ask(Return("", anna.last(Seated).token)).last(Asked).again


def test_it_does_not_wait_for_ever() -> None:
    house = House(Limits(deserted_s=3 * DAY_S))
    against_bots(house).hang_up()
    house.wait(2 * DAY_S)
    assert len(house.hall.tables) == 1
    house.wait(2 * DAY_S)
    assert len(house.hall.tables) == 0


def test_bots_do_not_think_while_nobody_is_there_and_are_asked_when_somebody_is() -> None:
    house = House()
    anna = against_bots(house, bots=1)
    anna.ask(Act((Click(0, 0),)))
    (bot,) = bots_of(house)
    number = house.heard[bot.id][-1].number
    assert house.hall.asked(bot, number) is not None
    anna.hang_up()
    assert house.hall.asked(bot, number) is None
    asked = sum(isinstance(notice, Asked) for notice in house.heard[bot.id])
    back = house.guest().ask(Return("", anna.last(Seated).token))
    assert sum(isinstance(notice, Asked) for notice in house.heard[bot.id]) == asked + 1
    assert house.hall.asked(bot, number) is not None
    back.hang_up()
    # Somebody who looks on is somebody.
    watcher = house.named("Carla").ask(Watch(table_of(house).id))
    assert sum(isinstance(notice, Asked) for notice in house.heard[bot.id]) == asked + 2
    assert house.hall.asked(bot, number) is not None
    watcher.hang_up()
    assert house.hall.asked(bot, number) is None


def test_away_from_people_the_grace_time_counts_as_ever() -> None:
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open(GAME, 3, terms=Terms(grace_s=60)))
    bruno.ask(Join(anna.last(Seated).table.id), AddBot("random"))
    anna.hang_up()
    assert bruno.last(Left).grace_s == 60
    house.wait(61)
    assert bruno.last(Left).gone


def test_whoever_is_the_last_of_the_people_is_waited_for_too() -> None:
    """Bruno gave up while Anna was away: from then on nobody waits for her."""
    house = House()
    anna, bruno = house.named("Anna"), house.named("Bruno")
    anna.ask(Open("renaissance", 3, terms=Terms(grace_s=60)))
    bruno.ask(Join(anna.last(Seated).table.id), AddBot("random"))
    token = anna.last(Seated).token
    anna.hang_up()
    bruno.ask(Leave())
    house.wait(2 * DAY_S)
    assert house.guest().ask(Return("", token)).last(Seated).seat == 0


def test_a_clock_that_runs_out_under_the_eyes_of_its_player_still_counts() -> None:
    house = House()
    anna = against_bots(house, Terms(move_s=10))
    house.wait(11)
    assert anna.count(Over) or anna.last(Left).gone


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


def test_who_does_not_come_back_to_an_open_table_has_left_it_and_gone_back_to_nothing() -> None:
    house = House()
    anna = house.named("Anna").ask(Open(GAME, 3, terms=Terms(grace_s=30)))
    bruno = house.named("Bruno").ask(Join(anna.last(Seated).table.id))
    bruno.hang_up()
    house.wait(29)
    assert anna.count(Stood) == 0
    house.wait(1)
    assert (anna.last(Stood).seat, anna.last(Stood).back) == (1, False)


def test_a_table_is_due_at_the_earliest_of_its_graces_and_clocks() -> None:
    table = playing(a_table(terms=Terms(grace_s=20, move_s=30)), "Anna", "Bruno")
    assert away.due(table) == 30.0
    away.lost(table, 1, 5.0)
    assert away.due(table) == 25.0
    table.come_back(GuestId(2), 1, 0, 6.0)
    assert away.due(table) == 30.0
    table.close("over", 7.0)
    assert away.due(table) is None
    unhurried = playing(a_table("t2"), "Anna", "Bruno")
    assert away.due(unhurried) is None


def test_no_clock_runs_for_a_bot_and_nobody_is_told_of_one() -> None:
    table = a_table(terms=Terms(move_s=30))
    sit(table, 0, "Bot-Ada", bot="random")
    sit(table, 1, "Bruno")
    table.post.take()
    table.start(5, 0.0)
    assert away.due(table) is None
    away.tick(table, 1e9)
    assert table.phase == "playing"
    assert not any(isinstance(notice, Clock) for _, notice in letters(table))


def test_a_decision_in_the_last_moment_counts_and_the_next_clock_is_whole() -> None:
    table = playing(a_table(terms=Terms(move_s=30)), "Anna", "Bruno")
    away.tick(table, 29.9)
    table.post.take()
    table.act(GuestId(1), 0, Act((Click(0, 0),)), 29.9)
    assert [notice for _, notice in letters(table) if isinstance(notice, Clock)] == [Clock(1, 30.0)] * 2
    away.tick(table, 30.0)
    assert table.phase == "playing"
    away.tick(table, 59.8)
    assert list(table.asked) == [1]
