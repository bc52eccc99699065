"""Whoever is in the house: one connection, or one bot."""

import math
from typing import NamedTuple, NewType

from ludoteca.hall.acts import Came, Role
from ludoteca.hall.budget import Bucket

# What tables know of a guest, and where letters go: whatever stands behind it, only the shell knows.
GuestId = NewType("GuestId", int)


class Speaker(NamedTuple):
    """Who says something at a table, or is spoken to."""

    guest: GuestId
    name: str


class Guest:
    """One connection as the desk knows it. `table` is the id of the table it is at, "" while walking about;
    `seat` is None while watching.

    `address` is where it comes from, as the doorman counts it: "" for bots and where nobody knows.
    """

    __slots__ = (
        "__weakref__",
        "address",
        "bot",
        "chat",
        "given",
        "id",
        "looked_at",
        "muted_until",
        "name",
        "opened",
        "protocol",
        "role",
        "seat",
        "since",
        "table",
    )

    def __init__(self, id: GuestId, protocol: str, bot: str = "", address: str = "") -> None:
        self.id = id
        self.address = address
        self.protocol = protocol
        self.bot = bot
        self.name = ""
        self.given = ""
        self.table = ""
        self.seat: int | None = None
        # What its key makes of it, and since when it is here.
        self.role: Role = "guest"
        self.since = 0.0
        # The ids of the tables opened by this guest, what it may still say, and until when it
        # may say nothing.
        self.opened: list[str] = []
        self.chat: Bucket | None = None
        self.muted_until = 0.0
        # When it was last shown the lobby.
        self.looked_at = -math.inf

    def place(self, table: str, seat: int | None) -> None:
        """The guest is at this table now, on this seat or as a watcher."""
        self.table, self.seat = table, seat

    def came(self, name: str = "") -> Came:
        """How it came in, or comes now under this name."""
        return Came(name or self.given, self.protocol, self.address)

    def __repr__(self) -> str:
        return f"Guest({self.name!r}, {self.protocol!r})"
