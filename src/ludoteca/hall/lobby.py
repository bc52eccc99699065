"""The lobby: which tables there are, in order, and which matches ended last. A page of it costs what is on
it, and a table that opens, fills or closes costs the same however many others there are."""

import re
from bisect import bisect_left, insort
from collections.abc import Container, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import msgspec

from ludoteca.core import Refused
from ludoteca.core.notices import Counts, Listed, Phase
from ludoteca.core.requests import LISTED_MAX, Show
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table

PHASES: tuple[Phase, ...] = ("open", "playing", "over")
SHOWN: dict[Show, tuple[Phase, ...]] = {"all": PHASES, "open": ("open",), "playing": ("playing",)}
# So many of the matches that ended last are kept at hand, for each game and for all.
LATELY_MAX = 8


class _Ended(msgspec.Struct):
    closed_ms: int


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Ended).decode
# When a table was opened, as the how-manieth, and which: a place in the list that stays where it is. After a
# restart only those that were opened in the same millisecond may have changed places.
_Key = tuple[int, int, str]
_PLACE = re.compile(r"([012])([0-9a-f]{1,12})-([0-9a-f]{1,12})", re.ASCII)


class Page(NamedTuple):
    """Some tables in order, and the place after which there are more, "" at the end."""

    tables: tuple[Listed, ...]
    more: str = ""


class _Entry:
    """A table as the lobby last saw it, and the `shelves` it stands on. It is listed anew when somebody wants
    to see it that is `stale`."""

    __slots__ = ("bots", "key", "listed", "people", "phase", "shelves", "stale", "table")

    def __init__(self, table: Table, number: int) -> None:
        self.table = table
        self.key: _Key = table.opened_ms, number, table.id
        self.phase: Phase = table.phase
        self.people = self.bots = 0
        self.shelves: tuple[_Shelf, ...] = ()
        self.listed: Listed | None = None
        self.stale = True


class _Shelf:
    """The public tables of one game, or of all, in one phase: oldest first. `changes` counts whatever has
    changed about them."""

    __slots__ = ("bots", "changes", "keys", "people")

    def __init__(self) -> None:
        self.keys: list[_Key] = []
        self.changes = 0
        self.people = self.bots = 0


_EMPTY = _Shelf()


class Lobby:
    """All tables of the house. Private ones are in no list: only who knows their id sees them."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._entries: dict[str, _Entry] = {}
        self._added = 0
        self._shelves: dict[tuple[str, Phase], _Shelf] = {}
        self._lately: dict[str, list[tuple[int, msgspec.Raw]]] = {}
        # How many matches ended, of each game and of all.
        self._ended: dict[str, int] = {}
        # Tables in each phase, private ones too.
        self.phases: dict[Phase, int] = dict.fromkeys(PHASES, 0)
        # Counts whatever has changed. `moved` are those of the `followed` tables that did, until somebody
        # empties it.
        self.changes = 0
        self.followed: set[str] = set()
        self.moved: dict[str, None] = {}

    # What happens.

    def add(self, table: Table) -> None:
        """A table was opened or recovered."""
        self._added += 1
        entry = self._entries[table.id] = _Entry(table, self._added)
        self._place(entry)
        self._count(entry, 1)

    def remove(self, table: Table) -> None:
        """A table is there no more."""
        entry = self._entries.pop(table.id, None)
        if entry is not None:
            self._count(entry, -1)
            self._take(entry)
            self._post.stirred.pop(table.id, None)

    def settle(self) -> None:
        """Take notice of all that has happened at the tables."""
        post = self._post
        if post.stirred:
            for id in post.stirred:
                entry = self._entries.get(id)
                if entry is not None:
                    self._look_at(entry)
            post.stirred.clear()
        if post.over:
            for summary in post.over:
                if not summary.table.terms.private:
                    self.recall(summary.table.game, _encode(summary))
            post.over.clear()

    def recall(self, game: str, summary: bytes) -> None:
        """A match of a public table ended, now or before the house was opened; its summary as JSON."""
        self.changes += 1
        ended = _decode(summary).closed_ms, msgspec.Raw(summary)
        for name in ("", game):
            lately = sorted((ended, *self._lately.get(name, ())), key=lambda one: -one[0])
            self._lately[name] = lately[:LATELY_MAX]
            self._ended[name] = self._ended.get(name, 0) + 1

    def _look_at(self, entry: _Entry) -> None:
        self._count(entry, -1)
        if entry.phase != entry.table.phase:
            self._take(entry)
            entry.phase = entry.table.phase
            self._place(entry)
        self._count(entry, 1)

    def _shelves_of(self, entry: _Entry) -> tuple[_Shelf, ...]:
        if entry.table.terms.private:
            return ()
        names = ("", entry.phase), (entry.table.game.name, entry.phase)
        for name in names:
            if name not in self._shelves:
                self._shelves[name] = _Shelf()
        return tuple(self._shelves[name] for name in names)

    def _shelf(self, game: str, phase: Phase) -> _Shelf:
        """To look at; of whatever game somebody asks for."""
        return self._shelves.get((game, phase), _EMPTY)

    def _place(self, entry: _Entry) -> None:
        self.phases[entry.phase] += 1
        entry.shelves = self._shelves_of(entry)
        for shelf in entry.shelves:
            insort(shelf.keys, entry.key)

    def _take(self, entry: _Entry) -> None:
        self.phases[entry.phase] -= 1
        for shelf in entry.shelves:
            del shelf.keys[bisect_left(shelf.keys, entry.key)]

    def _count(self, entry: _Entry, sign: int) -> None:
        """Count who is there, or (with -1) was there when the table was last looked at."""
        if sign > 0:
            here = [chair for _, chair in entry.table.taken() if chair.guest is not None]
            entry.bots = sum(bool(chair.bot) for chair in here)
            entry.people = len(here) - entry.bots
            entry.stale = True
        for shelf in entry.shelves:
            shelf.people += sign * entry.people
            shelf.bots += sign * entry.bots
            shelf.changes += 1
        self.changes += 1
        if entry.table.id in self.followed:
            self.moved[entry.table.id] = None

    # What there is to see, once notice has been taken.

    def page(
        self, game: str = "", phases: Container[Phase] = PHASES, after: str = "", count: int = LISTED_MAX
    ) -> Page:
        """A part of the list, from a place on. Raises Refused where that is no place."""
        first, place = _place(after)
        room = max(1, min(count, LISTED_MAX))
        found: list[Listed] = []
        for rank, phase in enumerate(PHASES):
            if rank < first or phase not in phases:
                continue
            keys = self._shelf(game, phase).keys
            start = bisect_left(keys, place) if rank == first else 0
            for one in islice(keys, start, start + room - len(found) + 1):
                if len(found) == room:
                    return Page(tuple(found), after)
                found.append(self._listed(self._entries[one[2]]))
                after = f"{rank}{one[0]:x}-{one[1]:x}"
        return Page(tuple(found))

    def tables(self, game: str, phase: Phase) -> Iterator[Table]:
        """The public tables of a game in a phase, oldest first; none may come or go meanwhile."""
        return (self._entries[key[2]].table for key in self._shelf(game, phase).keys)

    def one(self, id: str) -> Listed | None:
        """A single table, also a private one."""
        entry = self._entries.get(id)
        return None if entry is None else self._listed(entry)

    def _listed(self, entry: _Entry) -> Listed:
        known = entry.listed
        if known is None or entry.stale:
            entry.stale = False
            info = entry.table.info()
            raw = msgspec.Raw(_encode(info))
            # What looks as before is the very same object.
            if known is None or known.data != raw:
                known = entry.listed = Listed(info, raw)
        return known

    def counts(self, game: str = "") -> Counts:
        """How many tables of a game there are, and who sits there."""
        shelves = [self._shelf(game, phase) for phase in PHASES]
        people, bots = sum(shelf.people for shelf in shelves), sum(shelf.bots for shelf in shelves)
        waiting, played, over = (len(shelf.keys) for shelf in shelves)
        return Counts(waiting, played, over, people, bots)

    def state(self, game: str = "", phases: Iterable[Phase] = PHASES) -> int:
        """Another number when anything of a list has changed; it only grows."""
        return sum(self._shelf(game, phase).changes for phase in phases)

    def lately(self, game: str = "") -> tuple[msgspec.Raw, ...]:
        """The matches of public tables that ended last, newest first."""
        return tuple(summary for _, summary in self._lately.get(game, ()))

    def ended(self, game: str = "") -> int:
        """Another number when a match has ended."""
        return self._ended.get(game, 0)


def _place(after: str) -> tuple[int, _Key]:
    """Where a list goes on: the rank of the phase, and a key behind that of the table before. Raises
    Refused."""
    if not after:
        return 0, (0, 0, "")
    found = _PLACE.fullmatch(after)
    if found is None:
        raise Refused("there is no such place in the list: take one that a list came with", "message")
    return int(found[1]), (int(found[2], 16), int(found[3], 16) + 1, "")
