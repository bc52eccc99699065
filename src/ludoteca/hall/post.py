"""What leaves the hall: letters to guests and records for the journal, in the order they came about."""

from typing import Literal

import msgspec

from ludoteca.core import Notice
from ludoteca.core.notices import TableInfo
from ludoteca.hall.budget import Spent
from ludoteca.hall.guest import Guest

Fate = Literal["live", "over", "forgotten"]


class Summary(msgspec.Struct, frozen=True):
    """What the list of matches tells about one."""

    table: TableInfo
    outcome: object = None
    closed_ms: int = 0


class Entry(msgspec.Struct, frozen=True):
    """One record on its way to the journal; with `fate` when it decides what becomes of the table's record."""

    table: str
    number: int
    line: bytes
    fate: Fate | None = None
    summary: Summary | None = None


class Post:
    """Collects letters and records until the shell takes them."""

    __slots__ = ("crashes", "entries", "letters", "refusals")

    def __init__(self) -> None:
        self.letters: list[tuple[Guest, Notice]] = []
        self.entries: list[Entry] = []
        self.crashes: list[tuple[str, BaseException]] = []
        # Budgets that were used up, and by whom.
        self.refusals: list[tuple[Guest, Spent]] = []

    def take(self) -> tuple[list[Entry], list[tuple[Guest, Notice]]]:
        """Everything since the last time: the letters may go out once the entries are durable."""
        entries, letters = self.entries, self.letters
        self.entries, self.letters = [], []
        return entries, letters
