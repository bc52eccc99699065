"""Re-executing a stored table, step by step, and checking that it comes out as it was written down."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from ludoteca.core import Damaged, Game, Outcome, Unplayable
from ludoteca.journal.match import Match
from ludoteca.journal.records import (
    Closed,
    Input,
    Opened,
    Record,
    RulesChanged,
    SatDown,
    Spoke,
    StoodUp,
    decode,
    is_whisper,
)
from ludoteca.journal.seal import CHAIN_BYTES, chain, combined, told

# What never brings about an event, whatever the rules.
_EVENTLESS = Opened | SatDown | StoodUp | Spoke | RulesChanged | Closed


class Step(msgspec.Struct, frozen=True):
    """One record of a replay: what went in, what came out, and the state after it (None before the start)."""

    record: Record
    events: list[Any]
    state: Any


class Replay(msgspec.Struct, frozen=True):
    """A whole table, executed again. `names` are the players by seat; `changed` and `outcome` are as in
    `Match`."""

    game: Game
    opened: Opened
    names: tuple[str, ...]
    steps: tuple[Step, ...]
    changed: int = 0
    outcome: Outcome | None = None


def execute(
    match: Match, line: bytes, number: int, carry_out: Callable[[Input], list[Any]] | None = None
) -> tuple[Record, list[Any]]:
    """Read one stored record, perform it and take note if it comes out otherwise than it did.

    `carry_out` performs it for more than the match alone: a table that is brought back does what it did live.
    Raises Damaged when it is not what was written or does not follow the one before it, and Unplayable when
    these rules cannot execute it.
    """
    record, body, written = decode(line)
    if record.number != number:
        raise Damaged(f"record {record.number} stands where {number} belongs")
    if len(written) == CHAIN_BYTES:
        events = perform(match, record, carry_out or match.perform)
        same = combined(match.digest, body, events) == written
        if not same and isinstance(record.input, _EVENTLESS):
            raise Damaged(f"record {number} does not follow the one before it")
        # The next record is chained to this one as it was written.
        match.digest = written
    else:
        match.digest = chain(match.digest, body)
        if match.digest != written[:CHAIN_BYTES]:
            raise Damaged(f"record {number} does not follow the one before it")
        events = perform(match, record, carry_out or match.perform)
        same = told(events, match.state) == written[CHAIN_BYTES:]
    if not same:
        match.note_change(number)
    return record, events


def perform(match: Match, record: Record, carry_out: Callable[[Input], list[Any]]) -> list[Any]:
    """The events of a record that is executed again. Raises Unplayable, for whatever reason it cannot be."""
    try:
        return carry_out(match.typed(record.input))
    except Unplayable:
        raise
    except Exception as error:
        # Rules that were written after this record may stumble over it in any way.
        reason = str(error) or type(error).__name__
        raise Unplayable(f"record {record.number} cannot be executed by these rules: {reason}") from error


def begin(lines: Iterable[bytes], load: Callable[[str], Game]) -> tuple[Match, Opened]:
    """An empty match of the game that the first record names. Raises JournalError."""
    for line in lines:
        opened = decode(line)[0].input
        if isinstance(opened, Opened):
            return empty(opened, load), opened
        break
    raise Damaged("the first record does not open a table")


def empty(opened: Opened, load: Callable[[str], Game]) -> Match:
    """A match at a table that was opened so, before its first record is executed. Raises Unplayable."""
    try:
        return Match(load(opened.game))
    except Exception as error:
        raise Unplayable(f"its game cannot be loaded: {error}") from error


def shown(match: Match, lines: Iterable[bytes]) -> Iterator[tuple[Record, list[Any]]]:
    """Execute all records and show those of the match itself: its start, and whatever then brought events.

    The match is as that record left it while it is looked at. Raises JournalError.
    """
    is_begun = False
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        if match.state is not None and (events or not is_begun):
            is_begun = True
            yield record, events


def keep(match: Match, record: Record, before: Any) -> Any:
    """The state after a record, to be kept: `before`, the one kept last, when the record
    cannot have changed it."""
    return before if match.state is None or isinstance(record.input, _EVENTLESS) else match.state.clone()


def replay(lines: list[bytes], load: Callable[[str], Game]) -> Replay:
    """Execute all records and keep every state on the way; what two people whispered is no
    part of the story."""
    match, opened = begin(lines, load)
    names = [""] * opened.seats
    steps = []
    state = None
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        if isinstance(record.input, SatDown):
            names[record.input.seat] = record.input.name
        if is_whisper(record.input):
            continue
        state = keep(match, record, state)
        steps.append(Step(record, events, state))
    return Replay(match.game, opened, tuple(names), tuple(steps), match.changed, match.outcome)


def verify(lines: list[bytes], load: Callable[[str], Game]) -> Match:
    """Execute all records; the match as it stands at the end, which knows where it came out
    otherwise than it did."""
    match, _ = begin(lines, load)
    for number, line in enumerate(lines, 1):
        execute(match, line, number)
    return match
