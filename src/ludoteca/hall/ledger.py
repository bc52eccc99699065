"""A table's book: its match, executed and written down input by input, and what of it is still at hand."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ludoteca.core import Game, Notice, Seat
from ludoteca.core.notices import Happened, Said, Shown, TableInfo
from ludoteca.hall.post import Entry, Fate, Post, Summary
from ludoteca.journal import Match, Record, encode
from ludoteca.journal.records import (
    Acted,
    Closed,
    Input,
    Opened,
    SatDown,
    Spoke,
    Started,
    StoodUp,
    WentAway,
    encode_body,
)


class Whisper(NamedTuple):
    """A word between two, and the keys of the chairs they sat on when it was said."""

    spoken: Spoke
    keys: frozenset[str]


class Ledger:
    """Everything about a table that lasts. `number` counts its records, `spoken` those of chat; `history` holds the last of them."""

    __slots__ = ("_sitters", "closed", "history", "match", "number", "post", "spoken", "table")

    def __init__(self, table: str, match: Match, post: Post, history_max: int) -> None:
        self.table = table
        self.match = match
        self.number = 0
        self.spoken = 0
        self.closed = False
        self.history: deque[tuple[int, tuple[Any, ...] | Whisper | Spoke]] = deque(maxlen=history_max)
        self.post = post
        self._sitters: dict[int, SatDown] = {}

    @property
    def game(self) -> Game:
        """What is played."""
        return self.match.game

    def keep(self, given: Input, now: float, info: Callable[[], TableInfo]) -> list[Any]:
        """Execute an input and write it down; the events it brought. Raises Refused, and then nothing has changed."""
        events = self.match.perform(given)
        at_ms = int(now * 1000)
        body = encode_body(Record(self.number + 1, at_ms, given))
        line = encode(body, self.match.chain(body), self.match.told(events))
        self._take(given, events)
        fate = self._fate(given)
        summary = Summary(info(), self.match.outcome, at_ms) if fate in ("live", "over") else None
        self.post.entries.append(Entry(self.table, self.number, line, fate, summary))
        return events

    def restore(self, given: Input, events: list[Any]) -> None:
        """Take in a record that was executed again after a restart."""
        self._take(given, events)

    def _take(self, given: Input, events: list[Any]) -> None:
        self.number += 1
        self.spoken += isinstance(given, Spoke)
        if events and not isinstance(given, Started):
            self.history.append((self.number, tuple(events)))
            return
        match given:
            case Spoke(to=None):
                self.history.append((self.number, given))
            case Spoke():
                self.history.append((self.number, Whisper(given, self._keys(given))))
            case SatDown(seat=seat):
                self._sitters[seat] = given
            case StoodUp(seat=seat):
                self._sitters.pop(seat, None)
            case Closed():
                self.closed = True

    def _keys(self, spoken: Spoke) -> frozenset[str]:
        """The keys of the chairs that a whisper belongs to."""
        if spoken.between is None:
            names = (spoken.name, spoken.to)
            return frozenset(sitter.key for sitter in self._sitters.values() if sitter.name in names)
        return frozenset(self._sitters[seat].key for seat in spoken.between if seat in self._sitters)

    def _fate(self, given: Input) -> Fate | None:
        match given:
            case Opened():
                return "live"
            case Closed():
                return "forgotten" if self.match.state is None else "over"
            case Acted() | WentAway() | Started() if self.match.outcome is not None:
                return "over"
            case _:
                return None

    def as_seen(self, happened: Happened, seat: Seat | None) -> Happened:
        """Events as one seat may know them: the very same object for all who may know everything, to be encoded once."""
        seen, whole = self.game.seen, happened.events
        for event in whole:
            if seen(event, seat) is not event:
                mine = (seen(event, seat) for event in whole)
                return Happened(happened.number, tuple(event for event in mine if event is not None))
        return happened

    def shown(self, seat: Seat | None) -> Shown:
        """All that a seat may know."""
        return Shown(self.number, self.game.view(self.match.state, seat))

    def since(self, number: int, key: str, seat: Seat | None) -> Iterator[Notice]:
        """What somebody missed after record `number`, once and in order; the whole picture when that is not at hand.

        Whispers are told again only to the chair they belong to, known by its `key`: watchers have none.
        """
        whole = not 0 < number <= self.number or not self._remembers(number)
        if whole:
            yield self.shown(seat)
        for at, entry in self.history:
            if at <= number and not whole:
                continue
            match entry:
                case Spoke(name=name, text=text):
                    yield Said(at, name, text)
                case Whisper(Spoke(name=name, text=text, to=to), keys):
                    if key in keys:
                        yield Said(at, name, text, to)
                case events if not whole:
                    yield self.as_seen(Happened(at, events), seat)

    def _remembers(self, number: int) -> bool:
        full = len(self.history) == self.history.maxlen
        return not full or self.history[0][0] <= number + 1
