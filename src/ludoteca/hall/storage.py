"""Where a house's records are kept, as far as the house needs to know: what any storage promises.

`tests/server/test_storage.py` holds every storage to it. The journal's file is one:
`server/journal_writer.py`.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from ludoteca.hall.post import Entry

NoteKind = Literal["slip", "snapshot"]


class Reader(Protocol):
    """What is stored. It shows what is durable, and may show what is about to be."""

    def live(self) -> list[str]:
        """The tables that were open or playing, oldest first."""

    def ids(self) -> list[str]:
        """All tables whose record is kept, oldest first."""

    def slips(self) -> dict[str, bytes]:
        """The last slips of tables that are live, as far as there are any, and perhaps of others."""

    def lines(self, table: str) -> list[bytes]:
        """A table's records in order; none where there is no such table."""

    def records(
        self, tables: Sequence[str], since: Mapping[str, int] | None = None
    ) -> dict[str, list[bytes]]:
        """The same for several tables at once; of those in `since` only from the record of that number on."""

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        """The last snapshots of these tables, as far as there are any."""

    def together(self) -> AbstractContextManager[None]:
        """Much is read by one thread meanwhile: what that takes need not be made ready each time."""

    def matches(
        self,
        game: str = "",
        before_ms: int = 1 << 62,
        count: int = 50,
        *,
        private: bool = False,
        before: str = "",
    ) -> list[bytes]:
        """The summaries of finished matches as JSON, newest first; those of private tables only where
        wanted. Of those that ended at `before_ms` itself, those whose id comes before `before`."""

    def summary(self, table: str) -> bytes | None:
        """One finished match's summary as JSON; None for one that runs or never was."""

    def deeds(self) -> list[bytes]:
        """The house's own log, in order."""


class Storage(Protocol):
    """Takes records in, in one order for all tables, and says when they are safe.

    Whoever opens one gives it two functions, which it may call from a thread of its own: `durable(count)`
    when the first `count` records are safe whatever happens, and `trouble(reason)` when they cannot be
    written. It then goes on trying; that `durable` is called again is the end of the trouble. A batch is
    stored as a whole or not at all. Entries of no table ("") are the house's own log.
    """

    @property
    def secret(self) -> bytes:
        """What this house hashes addresses with; the same whenever it is opened."""

    @property
    def archive(self) -> Reader:
        """What is stored."""

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries, without waiting; safe once `durable` was called with the returned number or a
        higher one."""

    def note(self, kind: NoteKind, notes: Mapping[str, tuple[int, bytes]]) -> None:
        """Keep what is known of live tables after the record of this number: snapshots, and slips of those
        that were written without. Nothing depends on it, and nobody is told when it is done; newer ones are
        not written over."""

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
