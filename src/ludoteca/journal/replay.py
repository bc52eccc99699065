"""Re-executing a stored table, step by step, and checking that it comes out as it was written down."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from ludoteca.core import Game, JournalError, Refused
from ludoteca.journal.match import Match
from ludoteca.journal.records import Opened, Record, SatDown, decode, is_whisper


class Step(msgspec.Struct, frozen=True):
    """One record of a replay: what went in, what came out, and the state after it (None before the start)."""

    record: Record
    events: list[Any]
    state: Any


class Replay(msgspec.Struct, frozen=True):
    """A whole table, executed again. `names` are the players by seat."""

    game: Game
    opened: Opened
    names: tuple[str, ...]
    steps: tuple[Step, ...]


def execute(match: Match, line: bytes, number: int) -> tuple[Record, list[Any]]:
    """Read one stored record, perform it and compare digests. Raises JournalError when anything does not fit."""
    record, body, digest = decode(line)
    if record.number != number:
        raise JournalError(f"record {record.number} stands where {number} belongs")
    try:
        events = match.perform(match.typed(record.input))
    except (Refused, msgspec.ValidationError) as error:
        raise JournalError(f"record {number} does not replay: {error}") from error
    if match.seal(body, events) != digest:
        raise JournalError(f"record {number} replays to something else than it did")
    return record, events


def begin(lines: Iterable[bytes], load: Callable[[str], Game]) -> tuple[Match, Opened]:
    """An empty match of the game that the first record names."""
    for line in lines:
        opened = decode(line)[0].input
        if isinstance(opened, Opened):
            return Match(load(opened.game)), opened
        break
    raise JournalError("the first record does not open a table")


def replay(lines: list[bytes], load: Callable[[str], Game]) -> Replay:
    """Execute all records and keep every state on the way; what two people whispered is no part of the story."""
    match, opened = begin(lines, load)
    names = [""] * opened.seats
    steps = []
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        if isinstance(record.input, SatDown):
            names[record.input.seat] = record.input.name
        if is_whisper(record.input):
            continue
        state = match.state.clone() if match.state is not None else None
        steps.append(Step(record, events, state))
    return Replay(match.game, opened, tuple(names), tuple(steps))


def verify(lines: list[bytes], load: Callable[[str], Game]) -> Match:
    """Execute all records and compare every digest; the match as it stands at the end."""
    match, _ = begin(lines, load)
    for number, line in enumerate(lines, 1):
        execute(match, line, number)
    return match
