"""The floor: tables at work.

They are looked after, woken at their time, and one that breaks down falls alone.
"""

import heapq
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from ludoteca.core import Refused
from ludoteca.core.notices import Gone
from ludoteca.hall import away
from ludoteca.hall.directory import never
from ludoteca.hall.limits import Limits
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table


class Ended(NamedTuple):
    """A table is no longer looked after: its record is all that is left."""

    table: Table


class Fell(NamedTuple):
    """A table broke down: it is not looked after any more, but not over either."""

    table: Table


class Freed(NamedTuple):
    """The chair of somebody who stayed away is free: neither token nor name lead to it any more."""

    table: Table
    key: str
    name: str


News = Ended | Fell | Freed

# So many alarms of tables that are gone, or have another one by now, may be left over until all are cleared.
STALE_MAX = 64


class Floor:
    """Some of the tables of the house: all of them in one process.

    What the desk must know of it, it finds in the news.
    """

    def __init__(self, limits: Limits, post: Post, bring_back: Callable[[str], None] = never) -> None:
        self._limits = limits
        self._post = post
        self._bring_back = bring_back
        self._tables: dict[str, Table] = {}
        self._timers: list[tuple[float, str]] = []
        self.news: list[News] = []

    def add(self, table: Table) -> None:
        """Look after a table from now on."""
        self._tables[table.id] = table

    def end(self, table: Table) -> None:
        """Look after it no more."""
        if self._tables.pop(table.id, None) is not None:
            self.news.append(Ended(table))

    def release(self, table: Table) -> None:
        """Somebody else looks after it from now on."""
        self._tables.pop(table.id, None)

    def take_news(self) -> list[News]:
        """What happened since the last time."""
        news, self.news = self.news, []
        return news

    def fell(self, table: Table | None, error: Exception) -> None:
        """The one place that keeps a crash at one table from reaching the others. Raises the error
        when it was at none."""
        if table is None or table.id not in self._tables:
            raise error
        self._post.crashes.append((table.id, error))
        # Nothing is written: what broke down did not happen, and the next start tries the table again.
        table.company.tell(Gone("this table broke down; its record is kept", code="crashed"))
        del self._tables[table.id]
        self.news.append(Fell(table))

    def guarded(self, table: Table | None, now: float, call: Callable[[], None]) -> None:
        """Do something that concerns a table, which falls alone if it breaks down. Raises Refused."""
        try:
            call()
        except Refused:
            raise
        except Exception as error:
            self.fell(table, error)
        else:
            if table is not None:
                self.tend(table, now)

    def tend(self, table: Table, now: float) -> None:
        """Look after a table whose people or questions may have changed."""
        if table.id not in self._tables:
            return
        if table.attended():
            table.deserted_since = None
        elif table.phase == "over":
            self.end(table)
            return
        elif table.phase == "open" and not any(chair.ready and not chair.bot for _, chair in table.taken()):
            table.close("everybody left", now)
            self.end(table)
            return
        elif table.deserted_since is None:
            table.deserted_since = now
        self._schedule(table)

    def _schedule(self, table: Table) -> None:
        """Make sure that the table is ticked when it needs to be; one timer for each table is enough."""
        due = away.due(table)
        if table.deserted_since is not None:
            limit = table.deserted_since + self._patience(table)
            due = limit if due is None else min(due, limit)
        if due is not None and (table.alarm is None or due < table.alarm):
            table.alarm = due
            heapq.heappush(self._timers, (due, table.id))
            if len(self._timers) > 2 * len(self._tables) + STALE_MAX:
                self._clear_timers()

    def _clear_timers(self) -> None:
        """Tables come and go while alarms lie days ahead: those that ring for nobody are dropped together."""
        alarms = ((table.alarm, table.id) for table in self._tables.values())
        self._timers = [(due, table_id) for due, table_id in alarms if due is not None]
        heapq.heapify(self._timers)

    def _patience(self, table: Table) -> float:
        """How long a table is kept with nobody there."""
        limits = self._limits
        return min(limits.abandoned_s, limits.deserted_s) if table.abandoned() else limits.deserted_s

    def give_back(self, lost_s: float, now: float, *, absent: bool = False) -> None:
        """For so long until now nothing could be done here: nobody's clock has run, and nobody's absence
        counted; or only nobody could come back, and that holds for those who are `absent`. Alarms that ring
        too early find nothing to do."""
        for table in self._tables.values():
            seats = [seat for seat, chair in table.taken() if chair.guest is None or not absent]
            table.asked.give_back(lost_s, now, seats)
            if table.deserted_since is not None:
                table.deserted_since = min(table.deserted_since + lost_s, now)
            for _, chair in table.taken():
                if chair.away_since is not None:
                    chair.away_since = min(chair.away_since + lost_s, now)

    def alarm(self) -> float | None:
        """When `tick` has something to do."""
        return self._timers[0][0] if self._timers else None

    def tick(self, now: float) -> None:
        """Tick every table whose time has come."""
        while self._timers and self._timers[0][0] <= now:
            due, table_id = heapq.heappop(self._timers)
            table = self._tables.get(table_id)
            if table is not None and table.elsewhere:
                # Its people are here, and nothing of the match: its own hall looks after that.
                continue
            if table is not None and table.asleep and table.alarm == due:
                self._bring_back(table_id)
                table = self._tables.get(table_id)
            if table is not None and table.alarm == due:
                table.alarm = None
                self.guarded(table, now, partial(self._tick_table, table, now))

    def _tick_table(self, table: Table, now: float) -> None:
        before = {chair.key: chair.name for _, chair in table.taken()}
        away.tick(table, now)
        after = {chair.key for _, chair in table.taken()}
        self.news += [Freed(table, key, name) for key, name in before.items() if key not in after]
        deserted = table.deserted_since
        if deserted is not None and now >= deserted + self._patience(table):
            table.close("nobody came back", now)
            self.end(table)
