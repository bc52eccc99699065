"""The keeper: who and what is in the house, what the time has come for, and keeping one table's crash from the others."""

import heapq
from collections.abc import Callable
from functools import partial

from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Declined
from ludoteca.hall.budget import Spent
from ludoteca.hall.chair import origin_of
from ludoteca.hall.directory import Directory
from ludoteca.hall.guest import Guest
from ludoteca.hall.limits import Limits
from ludoteca.hall.names import Names
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table


class Keeper:
    """The guests, the tables, the names, the post: what the parts of the hall share."""

    def __init__(self, limits: Limits, secret: bytes) -> None:
        self.limits = limits
        self._secret = secret
        self.post = Post()
        self.tables = Directory(limits.label_length_max)
        # In order of arrival. People are counted, bots are not: nobody is kept out by those who need no room.
        self.guests: dict[Guest, None] = {}
        self._people = 0
        self.names = Names(limits.name_length_max)
        self._timers: list[tuple[float, str]] = []

    def letter(self, guest: Guest, notice: Notice) -> None:
        """A letter to one guest."""
        self.post.letters.append((guest, notice))

    def decline(self, guest: Guest, request: Request, refusal: Refused) -> None:
        """A request was not carried out; that a budget was used up is counted too."""
        if isinstance(refusal, Spent):
            self.post.refusals.append((guest, refusal))
        self.letter(guest, Declined(request, refusal.reason, refusal.code))

    def arrive(self, protocol: str, bot: str = "", address: str = "") -> Guest:
        """Somebody comes in. Raises Refused when the house is full."""
        if not bot and self._people >= self.limits.guests_max:
            raise Refused("the house is full", "limit")
        guest = Guest(protocol, bot, address)
        self.guests[guest] = None
        self._people += not bot
        return guest

    def dismiss(self, guest: Guest) -> None:
        """Somebody is no longer in the house."""
        if guest in self.guests:
            del self.guests[guest]
            self._people -= not guest.bot

    def origin(self, table: str, guest: Guest) -> str:
        """Where a guest comes from, as a record may say it. Ludoteca's own clients have tokens: nobody needs it there."""
        return origin_of(self._secret, table, guest.address) if guest.protocol != "house" else ""

    def guarded(self, table: Table | None, now: float, call: Callable[[], None]) -> None:
        """The one place that keeps a crash at one table from reaching the others."""
        try:
            call()
        except Refused:
            raise
        except Exception as error:
            if table is None or table not in self.tables:
                raise
            self.post.crashes.append((table.id, error))
            try:
                table.close("this table broke down; its record is kept", now)
            except Exception as worse:
                self.post.crashes.append((table.id, worse))
            self.forget(table)
            return
        if table is not None:
            self.tend(table, now)

    def get_up(self, guest: Guest, now: float, back: bool = False) -> None:
        """Leave a table without consequences: from watching, an open table, or one that is over.

        With `back` the guest goes back to a match that was waiting.
        """
        table, seat = guest.table, guest.seat
        guest.table, guest.seat = None, None
        if table is None:
            return
        if seat is None:
            table.watchers.pop(guest, None)
        elif table.phase == "open":
            self.tables.unseat(table.chair(seat).key)
            table.stand(seat, now, back)
        else:
            table.chair(seat).guest = None
        self.tend(table, now)

    def tend(self, table: Table, now: float) -> None:
        """Look after a table whose people or questions may have changed."""
        if table not in self.tables:
            return
        if table.attended():
            table.deserted_since = None
        elif table.phase == "over":
            self.forget(table)
            return
        elif table.phase == "open" and not any(chair.ready and not chair.bot for _, chair in table.taken()):
            table.close("everybody left", now)
            self.forget(table)
            return
        elif table.deserted_since is None:
            table.deserted_since = now
        self._schedule(table)

    def _schedule(self, table: Table) -> None:
        """Make sure that the table is ticked when it needs to be; one timer for each table is enough."""
        due = table.due()
        if table.deserted_since is not None:
            limit = table.deserted_since + self._patience(table)
            due = limit if due is None else min(due, limit)
        if due is not None and (table.alarm is None or due < table.alarm):
            table.alarm = due
            heapq.heappush(self._timers, (due, table.id))

    def _patience(self, table: Table) -> float:
        """How long a table is kept with nobody there."""
        limits = self.limits
        return min(limits.abandoned_s, limits.deserted_s) if table.abandoned() else limits.deserted_s

    def alarm(self) -> float | None:
        """When `tick` has something to do."""
        return self._timers[0][0] if self._timers else None

    def tick(self, now: float) -> None:
        """Do what the time has come for."""
        while self._timers and self._timers[0][0] <= now:
            due, table_id = heapq.heappop(self._timers)
            table = self.tables.get(table_id)
            if table is not None and table.alarm == due:
                table.alarm = None
                self.guarded(table, now, partial(self._tick_table, table, now))

    def _tick_table(self, table: Table, now: float) -> None:
        sat = {chair.key: chair.name for _, chair in table.taken()}
        table.tick(now)
        for _, chair in table.taken():
            sat.pop(chair.key, None)
        for key, name in sat.items():
            # The chair of somebody who stayed away is free: neither token nor name lead to it any more.
            self.tables.unseat(key)
            self.names.forget(name, table)
        deserted = table.deserted_since
        if deserted is not None and now >= deserted + self._patience(table):
            table.close("nobody came back", now)
            self.forget(table)

    def forget(self, table: Table) -> None:
        """The table is over: its record is all that is left."""
        self.tables.remove(table)
        for _, chair in table.taken():
            self.names.forget(chair.name, table)
            for bot in (chair.guest, chair.stand_in):
                if bot is not None and bot.bot:
                    self.dismiss(bot)
