"""The same evening twice, the second time with all that one seat cannot know dealt anew: until the game
itself shows the difference, that seat and those who look on must be told the same, byte for byte."""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from tests.simulation.judge import Failure
from tests.simulation.players import Person
from tests.simulation.world import Evening

from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.journal import Match
from ludoteca.journal.records import Input, Started
from ludoteca.journal.replay import begin, execute

_decode = msgspec.json.Decoder().decode


class World(NamedTuple):
    """What one of the two worlds has to show: by table the records as the seat may know them, and what those
    heard who may know no more."""

    stories: dict[str, list[bytes]]
    heard: dict[str, bytes]


@contextmanager
def dealt_anew(seat: Seat | None) -> Iterator[None]:
    """Every match that begins meanwhile, or is executed again, has other secrets before this seat."""

    def perform(self: Match, given: Input) -> list[Any]:
        events = as_it_is(self, given)
        if isinstance(given, Started):
            self.state = self.game.redeal(self.state, seat, Dice(given.seed))
        return events

    as_it_is = Match.perform
    with patch.object(Match, "perform", perform):
        yield


def look(evening: Evening, seat: Seat | None) -> World:
    """What an evening has to show of a seat."""
    stories = {table: list(_story(evening.archive.lines(table), seat)) for table in evening.archive.ids()}
    heard = {
        player.name: b"\n".join(player.heard)
        for player in evening.players
        if isinstance(player, Person) and all(at in (seat, None) for _, at in player.told)
    }
    return World(stories, heard)


def _story(lines: list[bytes], seat: Seat | None) -> Iterator[bytes]:
    match, _ = begin(lines, games.load)
    for number, line in enumerate(lines, 1):
        record, events = execute(match, line, number)
        seen = [match.game.seen(event, seat) for event in events]
        asked = match.questions.get(seat) if seat is not None else None
        yield msgspec.json.encode([record.input, seen, asked and tuple(asked.choices)])


def compare(first: World, other: World) -> int:
    """How many messages were alike before the game itself made a difference. Raises Failure."""
    ends = {
        table: next(
            (
                number
                for number, (one, two) in enumerate(zip(story, other.stories.get(table, []), strict=False), 1)
                if one != two
            ),
            min(len(story), len(other.stories.get(table, []))) + 1,
        )
        for table, story in first.stories.items()
    }
    alike = 0
    for name, data in first.heard.items():
        table = ""
        one, two = data.split(b"\n"), other.heard.get(name, b"").split(b"\n")
        numbers = list(map(min, zip(_numbers(one), _numbers(two), strict=False)))
        for line, its_like, number in zip(one, two, numbers, strict=False):
            told = _decode(line) if line else {}
            if told.get("type") == "seated":
                table = told["table"]["id"]
            if not line or number >= ends.get(table, math.inf) or told.get("type") in ENDS:
                break  # The game itself makes the difference from here on.
            if line != its_like:
                raise Failure(f"{name} is told what nobody there may know: {line!r}, or {its_like!r}")
            alike += 1
    return alike


def _numbers(lines: list[bytes]) -> list[float]:
    """By line the number of the record it tells of; what has none comes before what has the next one."""
    found, number = list[float](), math.inf
    for line in reversed(lines):
        number = (_decode(line) if line else {}).get("number", number)
        found.append(number)
    return found[::-1]


# With these a match ends or somebody goes, which has no number.
ENDS = ("over", "gone", "left", "declined", "ping", "pong")


def check(evening: Callable[[], Evening], seat: Seat | None = None) -> int:
    """Play an evening in both worlds, and compare what this seat and those who look on are told."""
    first = look(evening(), seat)
    with dealt_anew(seat):
        return compare(first, look(evening(), seat))
