"""What lasts of a table: the same live and when it is executed again."""

from typing import Any

import pytest
from msgspec.structs import replace
from tests.hall.play import a_table, playing, sit

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.core.requests import Terms
from ludoteca.games.multisweeper.actions import Click
from ludoteca.hall import Post
from ludoteca.hall.course import Course
from ludoteca.hall.ledger import Whisper
from ludoteca.journal import Match
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Input,
    Opened,
    RulesChanged,
    SatDown,
    Spoke,
    Started,
    StoodUp,
    WentAway,
)

GAME = games.load("multisweeper")
OPTIONS = GAME.settle(GAME.options(), 2)
OPENED = Opened("t1", GAME.name, "table-1", 2, OPTIONS, Terms(), GAME.version)
ANNA = SatDown(0, "Anna", "Anna", "house", "key a", preference=GAME.preferences())
BRUNO = SatDown(1, "Bruno", "Bruno", "house", "key b", preference=GAME.preferences())
STARTED = Started(2, 5, OPTIONS, (GAME.preferences(),) * 2)


def course(*inputs: Input) -> Course:
    made = Course(Match(GAME), OPENED, Post(), 256)
    for given in inputs:
        made.perform(given)
    return made


def test_a_table_is_open_then_played_at_then_over() -> None:
    assert course(OPENED).phase == "open"
    assert course(OPENED, ANNA, BRUNO).phase == "open"
    assert course(OPENED, ANNA, BRUNO, STARTED).phase == "playing"
    over = course(OPENED, ANNA, BRUNO, STARTED, WentAway(0))
    assert over.match.outcome is not None
    assert over.phase == "over"
    assert course(OPENED, Closed("everybody left")).phase == "over"
    assert course(OPENED, ANNA, BRUNO, STARTED, Closed("nobody came back")).phase == "over"


def test_chairs_are_taken_and_freed() -> None:
    made = course(OPENED, BRUNO)
    assert made.chairs[0] is None
    assert [(seat, chair.name) for seat, chair in made.taken()] == [(1, "Bruno")]
    assert made.chair(1).ready
    assert made.chair(1).key == "key b"
    with pytest.raises(AssertionError):
        made.chair(0)
    made.perform(StoodUp(1))
    assert list(made.taken()) == []


def test_who_came_first_is_known_and_does_not_change_with_what_is_known_of_them() -> None:
    made = course(OPENED, BRUNO, ANNA, BRUNO)
    assert [chair.came for _, chair in made.taken()] == [2, 1]
    made.perform(StoodUp(1))
    made.perform(BRUNO)
    assert [chair.came for _, chair in made.taken()] == [2, 3]


def test_who_went_is_marked_until_they_come_back() -> None:
    game = games.load("renaissance")
    options = game.settle(game.options(), 2)
    made = Course(Match(game), OPENED, Post(), 256)
    for given in (ANNA, BRUNO, Started(2, 5, options, (game.preferences(),) * 2)):
        made.perform(given)
    made.perform(WentAway(0, for_good=True))
    assert [(chair.left, chair.gave_up) for _, chair in made.taken()] == [(True, True), (False, False)]
    made.perform(CameBack(0))
    assert [(chair.left, chair.gave_up) for _, chair in made.taken()] == [(False, False)] * 2
    made.perform(WentAway(1))
    assert (made.chair(1).left, made.chair(1).gave_up) == (True, False)


def test_what_is_told_again_is_what_happened_and_what_was_said() -> None:
    made = course(OPENED, ANNA, BRUNO, STARTED, Spoke("Anna", "hello"))
    events = made.perform(Acted(0, (Click(0, 0),)))
    made.perform(RulesChanged(GAME.version))
    assert list(made.ledger.history) == [(5, Spoke("Anna", "hello")), (6, tuple(events))]
    assert (made.ledger.number, made.ledger.spoken) == (7, 1)


def test_one_of_two_can_give_up_what_is_being_played_and_nobody_else() -> None:
    made = course(OPENED, ANNA, BRUNO, STARTED, Closed("the other gave up", (1, 2)))
    assert made.phase == "over"
    assert made.match.outcome is not None
    assert made.match.outcome.winners == (0,)
    for ranks in ((1,), (1, 1), (1, 2, 3), (0, 1)):
        running = course(OPENED, ANNA, BRUNO, STARTED)
        with pytest.raises(Refused):
            running.perform(Closed("the other gave up", ranks))
        assert (running.phase, running.match.outcome) == ("playing", None)
    with pytest.raises(Refused):
        course(OPENED, ANNA, BRUNO).perform(Closed("before it began", (1, 2)))
    three = Course(Match(GAME), replace(OPENED, seats=3), Post(), 256)
    for given in (ANNA, BRUNO, replace(BRUNO, seat=2, name="Carla"), replace(STARTED, seats=3)):
        three.perform(given)
    with pytest.raises(Refused):
        three.perform(Closed("the other gave up", (1, 2)))


def test_a_bot_may_give_up_only_its_own_chair_among_two_of_the_houses_own_protocol() -> None:
    bot = replace(BRUNO, protocol="bot", bot="master")
    assert course(OPENED, ANNA, bot, STARTED).may_resign(1)
    assert not course(OPENED, ANNA, bot, STARTED).may_resign(0), "a stand-in holds somebody else's chair"
    assert not course(OPENED, ANNA, bot).may_resign(1)
    assert not course(OPENED, replace(ANNA, protocol=GAME.name), bot, STARTED).may_resign(1)
    assert not course(OPENED, ANNA, bot, STARTED, WentAway(0)).may_resign(1)
    three = Course(Match(GAME), replace(OPENED, seats=3), Post(), 256)
    for given in (ANNA, bot, replace(BRUNO, seat=2, name="Carla"), replace(STARTED, seats=3)):
        three.perform(given)
    assert not three.may_resign(1)


@pytest.mark.parametrize(
    ("spoken", "keys"),
    [
        (Spoke("Anna", "psst", "Bruno", (0, 1)), {"key a", "key b"}),
        (Spoke("Anna", "psst", "Wanda", (0,)), {"key a"}),
        (Spoke("Wanda", "psst", "Walter", ()), set()),
        # Old records know names alone.
        (Spoke("Anna", "psst", "Bruno"), {"key a", "key b"}),
        (Spoke("Wanda", "psst", "Bruno"), {"key b"}),
    ],
)
def test_a_whisper_belongs_to_the_chairs_of_the_two(spoken: Spoke, keys: set[str]) -> None:
    made = course(OPENED, ANNA, BRUNO, spoken)
    assert list(made.ledger.history) == [(4, Whisper(spoken, frozenset(keys)))]
    assert made.ledger.spoken == 1


def test_a_refused_input_leaves_everything_as_it_was() -> None:
    made = course(OPENED, ANNA, BRUNO, STARTED)
    with pytest.raises(Refused):
        made.perform(Acted(1, (Click(0, 0),)))
    assert made.ledger.number == 4
    with pytest.raises(Refused):
        made.keep(Acted(1, (Click(0, 0),)), 1.0, lambda: pytest.fail("nothing to tell"))
    assert made.ledger.post.entries == []


def fates(*inputs: Input) -> list[tuple[str | None, bool]]:
    """What becomes of the table with each, and whether that is told."""
    made = Course(Match(GAME), OPENED, Post(), 256)
    info: Any = a_table().info
    for given in inputs:
        made.keep(given, 1.5, info)
    return [(entry.fate, entry.summary is not None) for entry in made.ledger.post.entries]


def test_what_was_never_begun_leaves_no_record() -> None:
    assert fates(OPENED, ANNA, Closed("everybody left")) == [
        ("live", True),
        (None, False),
        ("forgotten", False),
    ]


def test_what_was_begun_is_over_once() -> None:
    begun = (OPENED, ANNA, BRUNO, STARTED)
    assert fates(*begun, WentAway(0), Spoke("Bruno", "oh"), Closed("x"))[4:] == [
        ("over", True),
        (None, False),
        (None, False),
    ]


def test_a_wish_must_go_with_those_of_who_is_ready() -> None:
    table = a_table(game="eriantys")
    game = table.game
    white = game.preferences(tower="white")
    chair = sit(table, 0, "Anna", ready=False)
    chair.preference = white
    table.course.agree(1, white)
    table.ready(0, white, 0.0)
    with pytest.raises(Refused):
        table.course.agree(1, white)
    table.course.agree(0, white)
    table.course.agree(1, game.preferences(tower="black"))


def test_a_table_is_complete_when_all_are_ready_and_nothing_has_begun() -> None:
    table = a_table()
    assert not table.course.complete()
    sit(table, 0, "Anna")
    assert not table.course.complete()
    sit(table, 1, "Bruno", ready=False)
    assert not table.course.complete()
    table.ready(1, GAME.preferences(), 0.0)
    assert table.course.complete()
    table.start(1, 0.0)
    assert not table.course.complete()
    assert playing(a_table("t2"), "Anna", "Bruno").phase == "playing"
