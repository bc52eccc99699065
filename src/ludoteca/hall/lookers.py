"""Those who look at the lobby: they are told what there is, and then once a second what has changed, the same
to all who look in the same way."""

import math
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import msgspec

from ludoteca.core.notices import Changes, Counts, Listed, Phase
from ludoteca.core.notices import Lobby as Whole
from ludoteca.core.requests import Look, Show
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.hall.lobby import Lobby
from ludoteca.hall.post import Post

# However much happens, they are told no more often; and nobody sees more tables of a phase at once.
BEAT_S = 1.0
SEEN_MAX = 50
# Of very many who look, so many are told at once, and after a rest the next: nobody waits for all of them.
TOLD_MAX, REST_S = 200, 0.02
# What is over is nothing to sit down at or to look on.
_PHASES: dict[Show, tuple[Phase, ...]] = {
    "all": ("open", "playing"),
    "open": ("open",),
    "playing": ("playing",),
}


class Gaze(NamedTuple):
    """Where somebody looks: in one of a few ways at the lobby, at one table, or, as a host, at the house."""

    game: str = ""
    show: Show = "all"
    table: str = ""
    house: bool = False


HOUSE = Gaze(house=True)


class _Picture(NamedTuple):
    """All that is seen there."""

    tables: dict[str, Listed]
    finished: tuple[msgspec.Raw, ...]
    counts: Counts
    more: dict[str, str]


class _Window:
    """All who look in the same way. They have been told of the picture `told`, but for those who are owed
    one; what is to be seen `now` may be newer."""

    __slots__ = ("gaze", "lookers", "now", "state", "told", "whole")

    def __init__(self, gaze: Gaze, picture: _Picture, state: int) -> None:
        self.gaze = gaze
        self.lookers: dict[GuestId, None] = {}
        self.told = self.now = picture
        # The state of the lobby that `now` shows, and that as a notice: one object, to be encoded once.
        self.state = state
        self.whole = _whole(gaze, picture)


class Lookers:
    """Tells those who look. `is_behind` says of a guest whether there is something it has not read yet: it
    gets nothing more then, and later what there is instead of all that was. `stirs` counts what a host may
    see happen in the house, the lobby left out."""

    def __init__(
        self, lobby: Lobby, post: Post, is_behind: Callable[[GuestId], bool], stirs: Callable[[], int]
    ) -> None:
        self._lobby = lobby
        self._post = post
        self._is_behind = is_behind
        self._stirs = stirs
        self.gazes: dict[GuestId, Gaze] = {}
        self._windows: dict[Gaze, _Window] = {}
        # Those at the lobby, which are few; the others are at single tables.
        self._wide: dict[Gaze, None] = {}
        # Who is to be told of the whole picture next time: who came between two beats, or did not read.
        self._owed: dict[GuestId, None] = {}
        # What those will be told whose turn has not come yet; the next beat waits for them.
        self._turns: dict[GuestId, Whole | Changes] = {}
        self._turn_at = self._told_at = -math.inf
        self._told = 0

    def look(self, guest: Guest, request: Look, now: float) -> None:
        """Tell a guest what there is, and from now on what changes."""
        self._lobby.settle()
        self.unlook(guest)
        # Of a table nothing else matters.
        gaze = Gaze(table=request.table) if request.table else Gaze(request.game, request.show)
        if request.house:
            gaze = HOUSE
        window = self._windows.get(gaze)
        if window is None:
            if gaze.table:
                self._lobby.followed.add(gaze.table)
            else:
                self._wide[gaze] = None
            window = self._windows[gaze] = _Window(gaze, self._picture(gaze), self._state(gaze))
        self.gazes[guest.id] = gaze
        window.lookers[guest.id] = None
        if now - guest.looked_at < BEAT_S:
            # Whoever looks away and back again is told no more often than those who look on.
            self._owed[guest.id] = None
            return
        guest.looked_at = now
        self._refresh(window)
        if window.now is not window.told:
            self._owed[guest.id] = None
        self._post.letter(guest, window.whole)

    def whole(self, gaze: Gaze) -> Whole:
        """What there is to see, for somebody who only asks once."""
        return _whole(gaze, self._picture(gaze))

    def unlook(self, guest: Guest) -> None:
        """A guest looks no more."""
        gaze = self.gazes.pop(guest.id, None)
        if gaze is None:
            return
        self._owed.pop(guest.id, None)
        self._turns.pop(guest.id, None)
        window = self._windows[gaze]
        del window.lookers[guest.id]
        if not window.lookers:
            del self._windows[gaze]
            self._wide.pop(gaze, None)
            self._lobby.followed.discard(gaze.table)
            self._lobby.moved.pop(gaze.table, None)

    def alarm(self) -> float | None:
        """When `tick` has something to do."""
        if self._turns:
            return self._turn_at + REST_S
        if not self.gazes or (self._state() == self._told and not self._owed):
            return None
        return self._told_at + BEAT_S

    def tick(self, now: float) -> None:
        """Tell everybody what has changed, if it is time for that."""
        due = self.alarm()
        if due is None or now < due:
            return
        if not self._turns:
            self._beat(now)
        self._turn_at = now
        for guest in list(islice(self._turns, TOLD_MAX)):
            notice = self._turns.pop(guest)
            if self._is_behind(guest):
                self._owed[guest] = None
            else:
                self._post.letters.append((guest, notice))

    def _beat(self, now: float) -> None:
        """See what has changed, and whom that concerns."""
        self._told_at, self._told = now, self._state()
        owed, self._owed = self._owed, {}
        # Of the tables that are looked at, only those where something happened; there may be very many.
        concerned = self._wide | {Gaze(table=table): None for table in self._lobby.moved}
        concerned |= {self.gazes[guest]: None for guest in owed}
        self._lobby.moved.clear()
        for gaze in concerned:
            self._tell(self._windows[gaze], owed)

    def _tell(self, window: _Window, owed: dict[GuestId, None]) -> None:
        self._refresh(window)
        changes = _changes(window.told, window.now)
        window.told = window.now
        for guest in window.lookers:
            notice = window.whole if guest in owed else changes
            if notice is not None:
                self._turns[guest] = notice

    def _refresh(self, window: _Window) -> None:
        """Look at the lobby again, if it has changed."""
        if window.state != (state := self._state(window.gaze)):
            window.state = state
            picture = self._picture(window.gaze)
            if _changes(window.now, picture) is not None:
                window.now = picture
                window.whole = _whole(window.gaze, picture)

    def _state(self, gaze: Gaze | None = None) -> int:
        """What grows with all that is to be seen there, or by anybody who looks."""
        seen = gaze == HOUSE if gaze is not None else HOUSE in self._windows
        return self._lobby.changes + (self._stirs() if seen else 0)

    def _picture(self, gaze: Gaze) -> _Picture:
        lobby = self._lobby
        if gaze.house:
            counts = msgspec.structs.replace(lobby.counts(""), house=self._state(gaze))
            return _Picture({}, (), counts, {})
        if gaze.table:
            listed = lobby.one(gaze.table)
            if listed is None:
                return _Picture({}, (), Counts(), {})
            here = [chair for chair in listed.info.chairs if chair is not None and chair.here]
            bots = sum(bool(chair.bot) for chair in here)
            counts = Counts(people=len(here) - bots, bots=bots, **{listed.info.phase: 1})
            return _Picture({gaze.table: listed}, (), counts, {})
        tables: dict[str, Listed] = {}
        more: dict[str, str] = {}
        for phase in _PHASES[gaze.show]:
            page = lobby.page(gaze.game, (phase,), "", SEEN_MAX)
            tables |= {one.info.id: one for one in page.tables}
            if page.more:
                more[phase] = page.more
        return _Picture(tables, lobby.lately(gaze.game), lobby.counts(gaze.game), more)


def _whole(gaze: Gaze, picture: _Picture) -> Whole:
    tables, finished, counts, more = picture
    return Whole(gaze.game, gaze.show, gaze.table, tuple(tables.values()), finished, counts, more)


def _changes(before: _Picture, after: _Picture) -> Changes | None:
    """From one picture to another, None where there is no difference. What has not changed is the very same
    object in both."""
    if before is after:
        return None
    tables = tuple(one for key, one in after.tables.items() if before.tables.get(key) is not one)
    gone = tuple(key for key in before.tables if key not in after.tables)
    known = {id(one) for one in before.finished}
    finished = tuple(one for one in after.finished if id(one) not in known)
    if not (tables or gone or finished) and before[2:] == after[2:]:
        return None
    return Changes(tables, gone, finished, after.counts, after.more)
