"""The desk: who is here and under which name, which tables there are, and who waits for one."""

from collections.abc import Callable, ValuesView
from typing import assert_never

from ludoteca.core import Refused
from ludoteca.hall.chair import origin_of
from ludoteca.hall.directory import Directory, never
from ludoteca.hall.floor import Ended, Fell, Freed, News
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.hall.limits import Limits
from ludoteca.hall.lobby import Lobby
from ludoteca.hall.names import Names
from ludoteca.hall.seekers import Seekers
from ludoteca.hall.table import Table

# How many addresses are remembered that have no tables from before a restart to answer for (any more).
CLAIMED_MAX = 100_000


class Desk:
    """One for the whole house. All of it can be made anew from the tables and those who are here."""

    def __init__(
        self, limits: Limits, secret: bytes, lobby: Lobby, bring_back: Callable[[str], None] = never
    ) -> None:
        self._secret = secret
        self._guests_max = limits.guests_max
        self._guests: dict[GuestId, Guest] = {}
        # The guest of an id, while in the house: the dictionary's own way, which every move asks.
        self.guest: Callable[[GuestId], Guest | None] = self._guests.get
        # People are counted, bots are not: nobody is kept out by those who need no room.
        self._people = 0
        self._arrived = 0
        # How often somebody came or went.
        self.comings = 0
        self.tables = Directory(limits.label_length_max, lobby, bring_back)
        self.names = Names(limits.name_length_max)
        self.seekers = Seekers(limits.choosing_s)
        self._claimed: set[str] = set()

    @property
    def guests(self) -> ValuesView[Guest]:
        """Everybody in the house, in order of arrival."""
        return self._guests.values()

    @property
    def people(self) -> int:
        """How many are here who are no bots."""
        return self._people

    @property
    def bots(self) -> int:
        """How many of them are bots."""
        return len(self._guests) - self._people

    def has(self, guest: Guest) -> bool:
        """Whether the guest is in the house."""
        return guest.id in self._guests

    def arrive(self, protocol: str, bot: str = "", address: str = "") -> Guest:
        """Somebody comes in. Raises Refused when the house is full."""
        if not bot and self._people >= self._guests_max:
            raise Refused("the house is full", "limit")
        self._arrived += 1
        self.comings += 1
        guest = Guest(GuestId(self._arrived), protocol, bot, address)
        self._guests[guest.id] = guest
        self._people += not bot
        return guest

    def dismiss(self, guest: Guest) -> None:
        """Somebody is no longer in the house."""
        if self._guests.pop(guest.id, None) is not None:
            self._people -= not guest.bot
            self.comings += 1

    def table_of(self, guest: Guest) -> Table | None:
        """The table that the guest is at."""
        return self.tables.get(guest.table)

    def held(self, guest: Guest) -> list[Table]:
        """The tables where this guest, or who came in beside it under the same name, has a seat."""
        if not guest.name:
            return []
        found = [self.table_of(one) for one in self.names.here(guest.name) if one.seat is not None]
        tables = {table.id: table for table in (*found, *self.names.kept(guest.name)) if table is not None}
        return list(tables.values())

    def busy(self, guest: Guest) -> bool:
        """Whether the guest has a seat that matters; one at an ended table does not."""
        table = self.table_of(guest)
        return table is not None and guest.seat is not None and table.phase != "over"

    def origin(self, table: str, guest: Guest) -> str:
        """Where a guest comes from, as a record may say it.

        Ludoteca's own clients have tokens: nobody needs it there.
        """
        return origin_of(self._secret, table, guest.address) if guest.protocol != "house" else ""

    def opener(self, table: str, address: str) -> str:
        """Where a table was opened from, as its record may say it."""
        return origin_of(self._secret, table, address)

    def claim(self, address: str) -> None:
        """Tables that came back after a restart are on the budget of whoever opened them, as
        soon as that matters.

        Only their hashes are known, so all must be tried, once for each address.
        """
        unclaimed = [] if address in self._claimed else self.tables.unclaimed()
        for table in unclaimed:
            if table.origin and table.origin == self.opener(table.id, address):
                self.tables.charge(table, address)
        if unclaimed and len(self._claimed) < CLAIMED_MAX:
            self._claimed.add(address)

    def hear(self, news: News) -> None:
        """Take note of what happened at a table."""
        match news:
            case Ended(table):
                self._forget(table)
            case Fell(table):
                self._forget(table)
                self.tables.aside.keep(table.id, [chair for _, chair in table.taken() if chair.ready])
            case Freed(table, key, name):
                self.tables.unseat(key)
                self.names.forget(name, table)
            case _:
                assert_never(news)

    def _forget(self, table: Table) -> None:
        """Nobody is at this table any more, its names are free, its bots go."""
        self.tables.remove(table)
        for _, chair in table.taken():
            self.names.forget(chair.name, table)
        for number in table.company.guests():
            guest = self._guests.get(number)
            if guest is not None and guest.table == table.id:
                guest.place("", None)
            if guest is not None and guest.bot:
                self.dismiss(guest)
