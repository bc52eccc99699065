"""A taken chair: who sits there, and whether somebody is behind it."""

from hashlib import blake2b
from typing import Any

from ludoteca.core.notices import Sitter
from ludoteca.hall.guest import GuestId
from ludoteca.journal.records import SatDown


class Chair:
    """One seat's owner.

    `guest` is None while nobody is connected for it; a stand-in bot may sit there meanwhile.
    """

    __slots__ = (
        "away_since",
        "bot",
        "came",
        "gave_up",
        "given",
        "guest",
        "hints",
        "key",
        "left",
        "name",
        "origin",
        "preference",
        "protocol",
        "ready",
        "stand_in",
    )

    def __init__(self, protocol: str, key: str, bot: str = "", origin: str = "") -> None:
        self.name = ""
        self.given = ""
        self.protocol = protocol
        self.key = key
        # Where it was taken from, for those whose protocol knows no token; "" when that is not known.
        self.origin = origin
        self.bot = bot
        self.ready = False
        # The how-manieth to become ready at this table.
        self.came = 0
        self.preference: Any = None
        self.guest: GuestId | None = None
        self.stand_in: GuestId | None = None
        self.away_since: float | None = None
        # Whether the rules have been told that this player is gone, and whether the player has said so.
        self.left = False
        self.gave_up = False
        # Questions that a bot gave advice for, since the house was started.
        self.hints = 0

    def take(self, given: SatDown) -> None:
        """The chair is complete, as this record says; whoever is behind it stays there."""
        self.protocol, self.key, self.bot = given.protocol, given.key, given.bot
        self.name, self.given, self.preference = given.name, given.given, given.preference
        self.origin, self.ready = given.origin, True

    def record(self, seat: int) -> SatDown:
        """The record that restores this chair."""
        return SatDown(
            seat, self.name, self.given, self.protocol, self.key, self.bot, self.preference, self.origin
        )

    def sitter(self) -> Sitter:
        """The chair as everybody may know it."""
        here = self.guest is not None
        return Sitter(
            self.name, self.given, self.protocol, self.bot, self.ready, here, self.preference, self.came
        )


def origin_of(secret: bytes, table: str, address: str) -> str:
    """What is kept of an address: without the secret nobody finds it by trying all, or sees it
    again at other tables."""
    if not address:
        return ""
    return blake2b(f"{table} {address}".encode(), digest_size=16, key=secret).hexdigest()


def key_of(token: str) -> str:
    """What is kept of a seat token: a record that is read by others gives no seat away."""
    return blake2b(token.encode(), digest_size=16).hexdigest()
