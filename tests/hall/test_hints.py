"""Hints: who may have one, and how often a bot thinks about the same question."""

from typing import Any

import pytest
from tests.hall.play import House, Person

from ludoteca.core.notices import Asked, Declined, Hinted, Seated
from ludoteca.core.requests import Act, AddBot, Hint, Join, Leave, Open, Return, Terms, Watch

GAME = "multisweeper"


@pytest.fixture
def house() -> House:
    return House()


def against_a_bot(house: House, name: str = "Anna") -> Person:
    """Somebody who plays against a bot and is asked first."""
    anna = house.named(name).ask(Open(GAME, 2), AddBot("random"))
    assert anna.count(Asked) == 1
    return anna


def wonders(house: House) -> list[tuple[str, int]]:
    """What the shell is to have thought about."""
    return [(guest.name, number) for guest, number in house.hall.post.wonders]


def think(house: House, person: Person, *actions: Any) -> None:
    """The shell's part: a bot has thought."""
    guest, number = house.hall.post.wonders.pop()
    house.hall.hints.give(guest, person.guest.table, number, "master", actions)
    house.collect()


def test_who_plays_against_bots_is_told_what_a_bot_would_do(house: House) -> None:
    anna = against_a_bot(house)
    asked = anna.last(Asked)
    anna.ask(Hint(asked.number))
    assert wonders(house) == [("Anna", asked.number)]
    think(house, anna, asked.question.choices[3])
    assert anna.last(Hinted) == Hinted(asked.number, "master", (asked.question.choices[3],), hints=1)


def test_a_question_is_thought_about_once_however_often_somebody_asks(house: House) -> None:
    anna = against_a_bot(house)
    anna.ask(*[Hint()] * 1)
    for _ in range(100):
        anna.ask(Hint())
    assert len(wonders(house)) == 1
    assert [one.code for one in anna.heard if isinstance(one, Declined)] == ["rate"] * 100
    think(house, anna, anna.last(Asked).question.choices[0])
    for _ in range(100):
        anna.ask(Hint())
    assert wonders(house) == []
    assert anna.count(Hinted) == 101


def test_nobody_gets_a_hint_against_people_also_when_they_are_away_or_gone(house: House) -> None:
    anna = house.named("Anna").ask(Open(GAME, 3, terms=Terms(absence="bot", grace_s=1)))
    bruno = house.named("Bruno").ask(Join(anna.guest.table))
    anna.ask(Hint())
    assert anna.last(Declined).code == "people"
    anna.ask(AddBot("random"), Hint())
    assert anna.last(Declined).code == "people"
    bruno.hang_up()
    anna.ask(Hint())
    house.wait(2)
    anna.ask(Hint())
    assert [one.code for one in anna.heard if isinstance(one, Declined)] == ["people"] * 4
    assert wonders(house) == []


def test_a_hint_is_for_who_is_asked_now(house: House) -> None:
    anna = house.named("Anna").ask(Hint())
    assert anna.last(Declined).code == "seat"
    anna.ask(Open(GAME, 2), Hint())
    assert anna.last(Declined).code == "phase"
    anna.ask(AddBot("random"))
    asked = anna.last(Asked)
    anna.ask(Hint(asked.number + 1))
    assert anna.last(Declined).code == "stale"
    anna.ask(Act((asked.question.choices[0],), asked.number), Hint())
    assert anna.last(Declined).code == "turn"
    assert wonders(house) == []


def test_who_answers_before_the_bot_has_thought_is_told_that_it_came_too_late(house: House) -> None:
    anna = against_a_bot(house)
    asked = anna.last(Asked)
    anna.ask(Hint(), Act((asked.question.choices[0],)))
    think(house, anna, asked.question.choices[1])
    assert anna.last(Declined).code == "stale"
    assert anna.count(Hinted) == 0


def test_a_hint_for_a_table_that_was_left_is_none_for_the_next(house: House) -> None:
    anna = against_a_bot(house)
    before = anna.guest.table
    anna.ask(Hint())
    guest, number = house.hall.post.wonders.pop()
    anna.ask(Leave(), Open(GAME, 2), AddBot("random"))
    assert anna.last(Asked).number == number, "the questions look alike"
    house.hall.hints.give(guest, before, number, "master", (anna.last(Asked).question.choices[0],))
    house.collect()
    assert anna.count(Hinted) == 0
    anna.ask(Hint())
    assert len(wonders(house)) == 1


def test_when_the_bot_broke_down_one_may_ask_again(house: House) -> None:
    anna = against_a_bot(house)
    anna.ask(Hint())
    think(house, anna)
    assert anna.last(Declined).code == "bot"
    anna.ask(Hint())
    assert len(wonders(house)) == 1


def test_hints_are_counted_by_question_for_whatever_client_comes_back(house: House) -> None:
    anna = against_a_bot(house)
    token = anna.last(Seated).token
    anna.ask(Hint())
    think(house, anna, anna.last(Asked).question.choices[0])
    anna.ask(Hint(), Hint())
    assert [one.hints for one in anna.heard if isinstance(one, Hinted)] == [1, 1, 1]
    anna.ask(Hint(99))
    anna.hang_up()
    again = house.guest().ask(Return("", token))
    assert again.last(Seated).hints == 1
    watcher = house.guest().ask(Watch(again.guest.table))
    assert watcher.last(Seated).hints == 0
