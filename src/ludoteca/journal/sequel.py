"""A match that was broken off, as it stood: the inputs that lead there, to be played on at another table."""

from collections.abc import Callable, Mapping

import msgspec

from ludoteca.core import Game, JournalError, Refused
from ludoteca.journal.match import Match, whole
from ludoteca.journal.records import (
    Acted,
    CameBack,
    Closed,
    Input,
    Opened,
    Record,
    SatDown,
    Started,
    WentAway,
    sitters,
)
from ludoteca.journal.replay import begin, execute, perform


class Position(msgspec.Struct, frozen=True):
    """Where a match stood when it was broken off, and when that was. `seat` is that of the one who asks;
    `inputs` begin with the start."""

    game: Game
    opened: Opened
    seat: int
    sitters: Mapping[int, SatDown]
    inputs: tuple[Input, ...]
    at_ms: int


def broken_off(lines: list[bytes], key: str, load: Callable[[str], Game]) -> Position:
    """Where a match stood that ended without a result, with everybody back in it, for the owner of a seat.

    Raises Refused when nobody there had this key, when it goes on, was played to its end or cannot be played
    by these rules.
    """
    owned = [sat["seat"] for sat in sitters(lines) if sat.get("key") == key and not sat.get("bot")]
    if not owned:
        # Whether there is such a match is nobody's business who did not sit there.
        raise Refused("there is no broken-off match of yours of that name", "gone")
    try:
        return _position(lines, owned[0], load)
    except JournalError as error:
        raise Refused(f"this match cannot be played on by these rules: {error}", "aside") from error


def _position(lines: list[bytes], seat: int, load: Callable[[str], Game]) -> Position:
    match, opened = begin(lines, load)
    sat_down: dict[int, SatDown] = {}
    inputs: list[Input] = []
    away: set[int] = set()
    at_ms, closed = 0, False
    for number, line in enumerate(lines, 1):
        record, _ = execute(match, line, number)
        given = record.input
        if match.outcome is not None and match.outcome.ranks:
            raise Refused("that match was played to its end", "phase")
        if isinstance(given, SatDown):
            sat_down[given.seat] = given
        closed = closed or isinstance(given, Closed)
        at_ms = record.at_ms
        if match.outcome is not None:
            continue  # What broke it off, and what came after it.
        if isinstance(given, Started | Acted | WentAway | CameBack):
            inputs.append(match.typed(given))
        if isinstance(given, WentAway | CameBack):
            away = away | {given.seat} if isinstance(given, WentAway) else away - {given.seat}
    if not inputs:
        raise Refused("that match had not begun", "phase")
    if match.outcome is None and not closed:
        raise Refused("that match goes on: return to it", "phase")
    inputs += [CameBack(absent) for absent in sorted(away)]
    opened = msgspec.structs.replace(opened, options=whole(opened.options, match.game.options))
    _try(match.game, inputs)
    return Position(match.game, opened, seat, sat_down, tuple(inputs), at_ms)


def _try(game: Game, inputs: list[Input]) -> None:
    """Make sure that they lead somewhere before anybody sits down. Raises JournalError."""
    match = Match(game)
    for number, given in enumerate(inputs, 1):
        perform(match, Record(number, 0, given), match.perform)
