"""A table's book: every input is written down, and the last of what was told is kept in memory."""

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from ludoteca.core import Game, Notice, Seat
from ludoteca.core.notices import Happened, Said, Shown, TableInfo
from ludoteca.hall.post import Entry, Fate, Post, Summary
from ludoteca.journal import Match, Record, encode
from ludoteca.journal.records import Input, Spoke, encode_body


class Whisper(NamedTuple):
    """A word between two, and the keys of the chairs they sat on when it was said."""

    spoken: Spoke
    keys: frozenset[str]


# What a record brought that may be told again.
Told = tuple[Any, ...] | Whisper | Spoke


class Ledger:
    """A table's book: how many records there are, the last of them, and the writing down.

    `number` counts the records, `spoken` those of chat; `history` holds what was told with the last of them,
    for those who come back, but for events of records up to `forgotten`.
    """

    __slots__ = ("forgotten", "game", "history", "match", "number", "post", "spoken", "table")

    def __init__(self, table: str, match: Match, post: Post, history_max: int) -> None:
        self.table = table
        self.match = match
        self.game: Game = match.game
        self.number = 0
        self.spoken = 0
        self.forgotten = 0
        self.history: deque[tuple[int, Told]] = deque(maxlen=history_max)
        self.post = post

    def count(self, told: Told | None) -> None:
        """One more record, and what of it is told again to those who come back."""
        self.number += 1
        if told:
            self.history.append((self.number, told))

    def write(
        self,
        given: Input,
        events: list[Any],
        at_ms: int,
        fate: Fate | None,
        table: TableInfo | None,
        slip: bytes = b"",
    ) -> None:
        """Write down the input that was counted last; with what becomes of the table, if it decides that, and
        its slip, if it changes that."""
        body = encode_body(Record(self.number, at_ms, given))
        line = encode(body, self.match.seal(body, events))
        summary = Summary(table, self.match.outcome, at_ms) if table is not None else None
        self.post.entries.append(Entry(self.table, self.number, line, fate, summary, slip))
        if summary is not None and fate == "over":
            self.post.over.append(summary)

    def as_seen(self, happened: Happened, seat: Seat | None) -> Happened:
        """Events as one seat may know them: the very same object for all who may know everything,
        to be encoded once."""
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
        """What somebody missed after record `number`, once and in order; the whole picture when that is no
        longer among the records kept in memory.

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
        return number >= self.forgotten and (not full or self.history[0][0] <= number + 1)

    def excerpt(self, events_max: int) -> tuple[int, list[tuple[int, Told]]]:
        """The history with the events of so many records, and all chat; and up to which record others are
        missing from it."""
        forgotten = self.forgotten
        kept: list[tuple[int, Told]] = []
        for number, told in reversed(self.history):
            if isinstance(told, (Whisper, Spoke)):
                kept.append((number, told))
            elif events_max > 0:
                events_max -= 1
                kept.append((number, told))
            else:
                forgotten = max(forgotten, number)
        if len(self.history) == self.history.maxlen:
            forgotten = max(forgotten, self.history[0][0] - 1)
        return forgotten, kept[::-1]

    def resume(self, number: int, spoken: int, forgotten: int, history: list[tuple[int, Told]]) -> None:
        """Go on with a book of so many records, of which this is left."""
        self.number, self.spoken, self.forgotten = number, spoken, forgotten
        self.history.extend(history)
