"""Executing a record again: what shows that the rules are not those it was played by, and what is no
part of the story."""

from typing import Any

import msgspec
import pytest
from tests.journal.test_records import GAME, record_of

from ludoteca import games
from ludoteca.core import Outcome, Seat, Unplayable
from ludoteca.games.multisweeper.state import State
from ludoteca.journal import Match, Record, encode, replay, verify
from ludoteca.journal.records import Closed, Input, Spoke, encode_body
from ludoteca.journal.replay import shown


def and_then(lines: list[bytes], *inputs: Input) -> list[bytes]:
    """The same record with more inputs at its end."""
    match = verify(lines, games.load)
    more = list(lines)
    for given in inputs:
        events = match.perform(given)
        body = encode_body(Record(len(more) + 1, 5000, given))
        more.append(encode(body, match.seal(body, events)))
    return more


# Decision 0002: what came out is written beside what went in, so that a changed rule shows up.


def forgiving(state: State, seat: Seat, action: Any) -> list[Any]:
    """The rules with one changed: no click is on a mine, not only the first."""
    state.mines &= ~(1 << action.row * state.options.width + action.column)
    return GAME.apply(state, seat, action)


def blind(state: State, seat: Seat, action: Any) -> list[Any]:
    """The rules with another one changed: numbers do not count mines."""
    mines, state.mines = state.mines, 0
    events = GAME.apply(state, seat, action)
    state.mines = mines
    return events


def test_a_changed_rule_is_noticed_at_the_first_record_it_changes() -> None:
    """Survivor of `seal`: without the events in it, nobody sees that a click does something else today."""
    lines = record_of()
    whole = verify(lines, games.load)
    assert (whole.changed, whole.unexplained) == (0, 0)
    # Only the last click was on a mine: what came before it comes out the same under both rules.
    match = verify(lines, lambda _: msgspec.structs.replace(GAME, apply=forgiving))
    assert (match.changed, match.unexplained) == (len(lines), len(lines))
    newer = verify(lines, lambda _: msgspec.structs.replace(GAME, apply=forgiving, version=2))
    assert (newer.changed, newer.unexplained) == (len(lines), 0), "this version says that it changed"
    assert verify(lines[:5], lambda _: msgspec.structs.replace(GAME, apply=blind)).changed == 5


def test_another_end_of_the_same_events_is_a_change_too() -> None:
    def other_winner(state: State, seat: Seat, action: Any) -> list[Any]:
        events = GAME.apply(state, seat, action)
        if state.outcome is not None:
            state.outcome = Outcome(state.outcome.ranks[::-1], state.outcome.reason)
        return events

    lines = record_of()
    assert verify(lines, lambda _: msgspec.structs.replace(GAME, apply=other_winner)).changed == len(lines)


def test_a_replay_says_where_it_came_out_otherwise_than_it_did() -> None:
    lines = record_of()
    assert replay(lines, games.load).changed == 0
    assert replay(lines, lambda _: msgspec.structs.replace(GAME, apply=forgiving)).changed == len(lines)


# What is kept on the way.


def test_whispers_are_no_part_of_the_story_and_all_else_is() -> None:
    words = Spoke("Anna", "well played"), Spoke("Anna", "psst", "Bruno"), Closed("over")
    lines = and_then(record_of(), *words)
    steps = replay(lines, games.load).steps
    assert [step.record.input for step in steps[-2:]] == [words[0], words[2]]
    assert len(steps) == len(lines) - 1


def test_a_state_is_copied_only_where_it_can_have_changed() -> None:
    steps = replay(and_then(record_of(), Spoke("Anna", "hello")), games.load).steps
    assert [step.state for step in steps[:3]] == [None, None, None]
    assert len({id(step.state) for step in steps[3:-1]}) == len(steps) - 4
    assert steps[-1].state is steps[-2].state
    assert steps[-2].state.outcome is not None
    assert steps[-3].state.outcome is None


def test_what_cannot_be_carried_out_is_unplayable_and_says_which_record() -> None:
    with pytest.raises(Unplayable, match=r"record 5 cannot be executed by these rules: .*zero"):
        verify(record_of(), lambda _: msgspec.structs.replace(GAME, apply=lambda *_: 1 // 0 or []))


def test_only_the_start_and_what_brought_events_is_shown() -> None:
    lines = and_then(record_of()[:6], Spoke("Anna", "hello"))
    match = Match(GAME)
    numbers = [record.number for record, _ in shown(match, lines)]
    assert numbers == [4, 5, 6], "neither who sat down nor what was said"
