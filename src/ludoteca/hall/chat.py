"""What is said at a table: by whom, to whom, and how much of it in which time."""

import math

from ludoteca.core import Refused
from ludoteca.hall.budget import Bucket, Budget, Spent
from ludoteca.hall.desk import Desk
from ludoteca.hall.guest import Guest, Speaker
from ludoteca.hall.limits import Limits
from ludoteca.hall.porter import Porter
from ludoteca.hall.table import Table


class Chat:
    """Guests say something to their table. Each of them has a budget, and so has each address."""

    def __init__(self, desk: Desk, porter: Porter, limits: Limits) -> None:
        self._desk = desk
        self._porter = porter
        self._limits = limits
        per_minute = limits.chat_per_address_per_minute
        self._addresses = Budget(per_minute / 60, per_minute)

    def say(self, guest: Guest, text: str, to: str | None, now: float) -> None:
        """The guest says this to all at the table, or to one of them. Raises Refused."""
        table = self._desk.table_of(guest)
        if table is None or not guest.name:
            raise Refused("chat is for those at a table, under a name", "seat")
        text = "".join(letter for letter in text if letter.isprintable())[: self._limits.text_length_max]
        if not text.strip():
            raise Refused("there is nothing in it", "text")
        listener = None if to is None else self._find(table, to)
        self._porter.hear(guest, now)
        self._pay(guest, table, now)
        table.say(Speaker(guest.id, guest.name), text, listener, now)

    def _find(self, table: Table, name: str) -> Speaker:
        here = (self._desk.guest(number) for number in table.company.guests())
        named = (one for one in here if one is not None and one.name)
        # Who plays comes before who looks on: one person may do both.
        found = next((one for one in named if one.name.casefold() == name.casefold()), None)
        if found is None:
            raise Refused("there is nobody of that name here", "name")
        return Speaker(found.id, found.name)

    def _pay(self, guest: Guest, table: Table, now: float) -> None:
        """Whoever says too much must be silent for a while. Raises Spent."""
        limits = self._limits
        if table.ledger.spoken >= limits.chat_per_table_max:
            raise Spent("this table's book is full: no more can be said here", "rate", "chat_table")
        if guest.chat is None:
            guest.chat = Bucket(limits.chat_per_minute / 60, limits.chat_burst, now)
        if guest.muted_until <= now and (early_s := guest.chat.wait_s(now)):
            guest.muted_until = now + max(early_s, limits.mute_s)
        wait_s, budget = guest.muted_until - now, "chat"
        if wait_s <= 0 and guest.address:
            wait_s, budget = self._addresses.spend(guest.address, now), "chat_address"
        if wait_s > 0:
            raise Spent(f"too many lines: say more in {math.ceil(wait_s)} s", "rate", budget, wait_s)
        guest.chat.spend()
