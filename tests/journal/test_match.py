"""A match as it is executed from its inputs."""

from typing import Any

import msgspec
import pytest

from ludoteca import games
from ludoteca.core import Outcome, Refused, Seat, Unplayable
from ludoteca.core.requests import Terms
from ludoteca.games.multisweeper.actions import Click
from ludoteca.journal import Match
from ludoteca.journal.match import whole
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Opened,
    RulesChanged,
    SatDown,
    Spoke,
    Started,
    StoodUp,
    WentAway,
)
from ludoteca.journal.replay import Replay
from ludoteca.journal.seal import CHAIN_START, NOTHING_TOLD, chain, told

GAME = games.load("multisweeper")
OPTIONS = GAME.settle(GAME.options(), 2)
STARTED = Started(2, 5, OPTIONS, (GAME.preferences(),) * 2)


def begun(game: Any = GAME, seats: int = 2) -> Match:
    match = Match(game)
    options = game.settle(game.options(), seats)
    match.perform(Started(seats, 5, options, (game.preferences(),) * seats))
    return match


def test_before_the_start_nothing_is_asked_and_nothing_has_ended() -> None:
    match = Match(GAME)
    assert not match.running
    assert match.outcome is None
    assert match.questions == {}
    assert (match.digest, match.version) == (CHAIN_START, GAME.version)
    assert (match.changed, match.unexplained) == (0, 0)


def test_a_match_runs_from_its_start_to_its_outcome() -> None:
    match = begun()
    assert match.running
    assert list(match.questions) == [0]
    assert match.perform(WentAway(0)) != []
    assert not match.running
    assert match.outcome is not None
    assert match.outcome.winners in ((1,), ())
    assert match.perform(WentAway(1)) == match.perform(CameBack(0)) == []


def test_who_comes_back_takes_part_again_where_the_rules_say_so() -> None:
    match = begun(games.load("renaissance"), 3)
    assert match.perform(WentAway(2)) != []
    assert match.perform(CameBack(2)) != []
    assert match.perform(CameBack(2)) == []


def test_several_actions_are_one_decision_taken_whole_or_not_at_all() -> None:
    match = begun()
    state = match.state
    with pytest.raises(Refused):
        match.perform(Acted(0, (Click(0, 0), Click(1, 0))))
    assert match.state is state
    assert list(match.questions) == [0], "the first of them has not happened either"
    both = begun(msgspec.structs.replace(GAME, apply=lambda _state, seat, action: [(seat, action)]))
    assert both.perform(Acted(1, ("a", "b"))) == [(1, "a"), (1, "b")]


def test_what_one_of_two_gave_up_the_other_has_won_and_the_rules_know_nothing_of_it() -> None:
    match = begun()
    assert match.perform(Closed("the other gave up", (2, 1))) == []
    assert match.outcome == Outcome((2, 1), "the other gave up")
    assert match.state.outcome is None
    assert not match.running
    match.perform(Closed("too late", (1, 2)))
    assert match.outcome.winners == (1,)
    assert match.perform(WentAway(0)) == []


def test_what_does_not_concern_the_rules_brings_no_event() -> None:
    match = begun()
    for given in (
        Opened("t1", GAME.name, "table-1", 2, OPTIONS, Terms(), GAME.version),
        SatDown(0, "Anna", "Anna", "house", "key"),
        StoodUp(0),
        Spoke("Anna", "hello"),
        Closed("over"),
        RulesChanged(GAME.version),
    ):
        assert match.perform(given) == []


def test_a_match_knows_the_version_of_its_last_record_and_plays_none_that_is_too_old() -> None:
    game = msgspec.structs.replace(GAME, version=5, plays_from=3)
    match = Match(game)
    assert match.version == 5
    match.perform(RulesChanged(3))
    assert match.version == 3
    with pytest.raises(Unplayable, match="version 2"):
        match.perform(RulesChanged(2))
    assert match.version == 3


def test_a_seal_takes_in_the_record_and_what_came_of_it() -> None:
    match = begun()
    assert match.seal(b"one", []) == chain(CHAIN_START, b"one") + NOTHING_TOLD
    events = match.perform(Acted(0, (Click(0, 0),)))
    assert match.seal(b"two", events) == chain(chain(CHAIN_START, b"one"), b"two") + told(events, match.state)


def test_the_first_change_is_the_one_that_is_named() -> None:
    match = Match(msgspec.structs.replace(GAME, version=2))
    match.perform(RulesChanged(1))
    match.note_change(4)
    assert (match.changed, match.unexplained) == (4, 0)
    match.perform(RulesChanged(2))
    match.note_change(7)
    match.note_change(9)
    assert (match.changed, match.unexplained) == (4, 7)


def test_actions_and_options_become_the_games_own_again() -> None:
    match = Match(GAME)
    acted = Acted(1, ({"type": "Click", "column": 2, "row": 3},))
    assert match.typed(acted) == Acted(1, (Click(2, 3),))
    plain = msgspec.convert(msgspec.to_builtins(STARTED), Started)
    assert match.typed(plain) == STARTED
    assert match.typed(Spoke("Anna", "hello")) == Spoke("Anna", "hello")


def test_an_action_of_older_rules_must_be_understood_whole() -> None:
    action = {"type": "Click", "column": 2, "row": 3, "flag": True}
    match = Match(GAME)
    assert match.typed(Acted(0, (action,))) == Acted(0, (Click(2, 3),))
    match.version = GAME.version - 1
    with pytest.raises(Unplayable, match="'flag' means nothing"):
        match.typed(Acted(0, (action,)))


class Inner(msgspec.Struct):
    a: int = 0


class Outer(msgspec.Struct):
    one: Inner | None = None
    many: list[Inner] = []
    pair: tuple[Inner, ...] = ()


@pytest.mark.parametrize(
    "given",
    [
        {"b": 1},
        {"one": {"b": 1}},
        {"many": [{"a": 1}, {"b": 1}]},
        {"pair": [{"a": 1, "b": 2}]},
    ],
)
def test_a_field_that_is_unknown_today_decided_something_once_however_deep(given: dict[str, Any]) -> None:
    with pytest.raises(Unplayable, match="'b' means nothing in these rules"):
        whole(given, Outer)


def test_what_is_understood_whole_is_taken() -> None:
    given = {"one": {"a": 1}, "many": [{"a": 2}, {}], "pair": [{"a": 3}]}
    assert whole(given, Outer) == Outer(Inner(1), [Inner(2), Inner()], (Inner(3),))
    assert whole({}, Outer) == Outer()


def test_questions_are_a_copy() -> None:
    match = begun()
    match.questions.clear()
    assert list(match.questions) == [Seat(0)]


def test_what_a_set_takes_once_may_have_been_said_twice() -> None:
    assert whole([2, 1, 2], frozenset[int]) == frozenset({1, 2})


def test_a_replay_without_digests_is_not_said_to_have_changed() -> None:
    assert (
        Replay(games.load("multisweeper"), Opened("t", "multisweeper", "t", 2, None, Terms()), (), ()).changed
        == 0
    )
