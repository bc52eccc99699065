"""What leaves the hall: letters to guests and records for the journal, in the order they came about."""

from typing import Literal

import msgspec

from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Declined, TableInfo
from ludoteca.core.requests import Continue, Decisive
from ludoteca.hall.budget import Spent
from ludoteca.hall.guest import Guest, GuestId

# What is asked of the past.
Look = Decisive | Continue
Fate = Literal["live", "over", "forgotten"]


class Summary(msgspec.Struct, frozen=True):
    """What the list of matches tells about one."""

    table: TableInfo
    outcome: object = None
    closed_ms: int = 0


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One record on its way to the journal; with `fate` when it decides what becomes
    of the table's record, and with the table's `slip` from then on when it changes that. What belongs to no
    table is a deed in the house's own log."""

    table: str
    number: int
    line: bytes
    fate: Fate | None = None
    summary: Summary | None = None
    slip: bytes = b""


class Aside(msgspec.Struct, frozen=True):
    """A notice for very many who look on, and who can wait until those who play have been told."""

    notice: Notice
    guests: tuple[GuestId, ...]


# An aside names its guests itself.
Letter = tuple[GuestId, Notice] | tuple[None, Aside]


class Post:
    """Collects letters and records until the shell takes them."""

    __slots__ = (
        "asides",
        "begun",
        "called",
        "crashes",
        "declined",
        "entries",
        "is_room",
        "letters",
        "looks",
        "outs",
        "over",
        "refusals",
        "sent",
        "stirred",
        "wonders",
    )

    def __init__(self) -> None:
        # The letters, and how many of them were asides since the shell last looked.
        self.letters: list[Letter] = []
        self.asides = 0
        self.entries: list[Entry] = []
        self.crashes: list[tuple[str, BaseException]] = []
        # Budgets that were used up, and by whom.
        self.refusals: list[tuple[Guest, Spent]] = []
        # How often requests were declined, by code.
        self.declined: dict[str, int] = {}
        # Who wants to know what a bot would do, and the number of the question.
        self.wonders: list[tuple[Guest, int]] = []
        # Who wants to look back at a match; what is stored only the shell knows.
        self.looks: list[tuple[Guest, Look]] = []
        # Whose connection is to be closed, once they have been told why.
        self.outs: list[Guest] = []
        # The tables that may be listed in another way than before, and the matches that are over since: what
        # the lobby has not taken notice of yet.
        self.stirred: dict[str, None] = {}
        self.over: list[Summary] = []
        # Matches that began, where somebody may give them to another hall; tables that are to come back from
        # there; and whoever wants something of another hall, with its name ("" for that of the desk).
        self.begun: list[str] | None = None
        self.called: list[str] = []
        # Whether the desk is elsewhere: then no tables are opened here.
        self.is_room = False
        self.sent: list[tuple[Guest, str, Request]] = []

    def letter(self, guest: Guest, notice: Notice) -> None:
        """A letter to one guest."""
        self.letters.append((guest.id, notice))

    def decline(self, guest: Guest, request: Request, refusal: Refused) -> None:
        """A request was not carried out; that a budget was used up is counted too."""
        self.declined[refusal.code] = self.declined.get(refusal.code, 0) + 1
        if isinstance(refusal, Spent):
            self.refusals.append((guest, refusal))
        self.letter(guest, Declined(request, refusal.reason, refusal.code))

    def take(self) -> tuple[list[Entry], list[Letter]]:
        """Everything since the last time: the letters may go out once the entries are durable."""
        entries, letters = self.entries, self.letters
        self.entries, self.letters = [], []
        return entries, letters
