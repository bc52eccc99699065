"""A storage in memory, as honest about what is safe as a disk, and as unreliable as it is told to be.

disk = Disk(loop.call_later)
world = World(keep=disk.keep)
disk.broken = "the disk is full"     # nothing can be written from now on
disk.crash()                         # the power fails: what was not safe is gone
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from ludoteca.hall.post import Entry, Summary
from ludoteca.hall.storage import NoteKind
from ludoteca.server.settings import Settings

RETRY_S = 0.5


class _Row(NamedTuple):
    fate: str
    summary: Summary


class Disk:
    """What is safe, whoever wrote it.

    `later` calls back after so many seconds, `sync_s` says how long a commit takes.
    """

    def __init__(
        self,
        later: Callable[[float, Callable[[], None]], object],
        sync_s: Callable[[], float] = lambda: 0.0,
        secret: bytes = b"s" * 32,
    ) -> None:
        self.later = later
        self.sync_s = sync_s
        self.secret = secret
        self.broken = ""
        # What becomes of snapshots that are stored: nothing depends on them.
        self.spoil: Callable[[bytes], bytes] = lambda snapshot: snapshot
        self._tables: dict[str, _Row] = {}
        self._records: dict[str, dict[int, bytes]] = {}
        self._slips: dict[str, bytes] = {}
        self._snapshots: dict[str, tuple[int, bytes]] = {}
        self._writer: Memory | None = None
        # What there was when the disk began to lie, and what it has called safe since.
        self._truth: tuple[dict[str, Any], ...] | None = None
        self._lies: list[list[Entry]] = []

    def keep(
        self, settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
    ) -> "Memory":
        """A storage on this disk; there is one at a time."""
        assert self._writer is None, "another house has this disk"
        self._writer = Memory(self, durable, trouble)
        return self._writer

    def crash(self, *, landed: bool = False) -> None:
        """The house is gone.

        What it was just writing has `landed` or not, wholly; it has not heard of it either way.
        """
        if self._writer is not None:
            self._writer.cut(landed)

    def lie(self) -> None:
        """From now on what is called safe is not; `crash` and then `confess` show it."""
        records = {table: dict(lines) for table, lines in self._records.items()}
        self._truth = (dict(self._tables), records, dict(self._slips), dict(self._snapshots))
        self._lies = []

    def confess(self, kept: int) -> int:
        """Only so many of the batches that were called safe since the lie are there; how many are lost."""
        if self._truth is None:
            return 0
        batches, (self._tables, self._records, self._slips, self._snapshots) = self._lies, self._truth
        self._truth, self._lies = None, []
        for batch in batches[:kept]:
            self.write(batch)
        return max(0, len(batches) - kept)

    def spoil_line(self, table: str, number: int, line: bytes) -> None:
        """A record is another one than was written."""
        self._records[table][number] = line

    def free(self) -> None:
        """Nobody writes any more."""
        self._writer = None

    def write(self, batch: list[Entry]) -> str:
        """Store a batch, wholly or not at all; "" or what is wrong."""
        if self.broken:
            return self.broken
        numbers = [(entry.table, entry.number) for entry in batch]
        if len(set(numbers)) < len(numbers) or any(
            number in self._records.get(table, ()) for table, number in numbers
        ):
            return "there is a record of this number already"
        if self._truth is not None:
            self._lies.append(batch)
        for entry in batch:
            self._records.setdefault(entry.table, {})[entry.number] = entry.line
            if entry.slip:
                self._slips[entry.table] = entry.slip
            elif entry.fate in ("over", "forgotten"):
                self._slips.pop(entry.table, None)
                self._snapshots.pop(entry.table, None)
        for entry in batch:
            if entry.fate == "forgotten":
                self._records.pop(entry.table, None)
                self._tables.pop(entry.table, None)
            elif entry.fate is not None:
                assert entry.summary is not None
                self._tables[entry.table] = _Row(entry.fate, entry.summary)
        return ""

    def note(self, kind: NoteKind, table: str, number: int, note: bytes) -> None:
        """What is known of a live table after a record; newer ones are not written over."""
        if table not in self._tables or self._tables[table].fate != "live":
            return
        if kind == "slip":
            self._slips.setdefault(table, note)
        elif number >= self._snapshots.get(table, (0, b""))[0]:
            self._snapshots[table] = (number, self.spoil(note))

    # Reading.

    def live(self) -> list[str]:
        """The tables that were open or playing, oldest first."""
        return [table for table in self.ids() if self._tables[table].fate == "live"]

    def ids(self) -> list[str]:
        """All tables whose record is kept, oldest first."""
        return sorted(self._tables, key=lambda table: (self._tables[table].summary.table.opened_ms, table))

    def slips(self) -> dict[str, bytes]:
        """The last slips of tables that are live."""
        return dict(self._slips)

    def lines(self, table: str) -> list[bytes]:
        """A table's records in order."""
        return [line for _, line in sorted(self._records.get(table, {}).items())]

    def records(
        self, tables: Sequence[str], since: Mapping[str, int] | None = None
    ) -> dict[str, list[bytes]]:
        """The same for several tables at once; of those in `since` only from that record on."""
        firsts = since or {}
        return {table: self.lines(table)[max(0, firsts.get(table, 0) - 1) :] for table in tables}

    def snapshots(self, tables: Sequence[str]) -> dict[str, bytes]:
        """The last snapshots of these tables."""
        return {table: self._snapshots[table][1] for table in tables if table in self._snapshots}

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Nothing has to be made ready."""
        return contextlib.nullcontext()

    def matches(
        self,
        game: str = "",
        before_ms: int = 1 << 62,
        count: int = 50,
        *,
        private: bool = False,
        before: str = "",
    ) -> list[bytes]:
        """The summaries of finished matches, newest first."""
        found = [
            row.summary
            for row in self._tables.values()
            if row.fate == "over"
            and game in ("", row.summary.table.game)
            and (row.summary.closed_ms, row.summary.table.id) < (before_ms, before)
            and (private or not row.summary.table.terms.private)
        ]
        found.sort(key=lambda summary: (summary.closed_ms, summary.table.id), reverse=True)
        return [msgspec.json.encode(summary) for summary in found[:count]]

    def summary(self, table: str) -> bytes | None:
        """One finished match's summary."""
        row = self._tables.get(table)
        return msgspec.json.encode(row.summary) if row is not None and row.fate == "over" else None

    def deeds(self) -> list[bytes]:
        """The house's own log."""
        return self.lines("")


class Memory:
    """A house's writer: whatever has come together since the last commit began is the next one."""

    def __init__(self, disk: Disk, durable: Callable[[int], None], trouble: Callable[[str], None]) -> None:
        self.secret = disk.secret
        self.archive = disk
        self._disk = disk
        self._durable = durable
        self._trouble = trouble
        self._pending: list[Entry] = []
        self._batch: list[Entry] = []
        self._appended = 0
        self._written = 0
        self._ended = False

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries."""
        self._pending += entries
        self._appended += len(entries)
        if not self._batch:
            self._begin()
        return self._appended

    def note(self, kind: NoteKind, notes: Mapping[str, tuple[int, bytes]]) -> None:
        """What is known of live tables. It is there at once: no power failure could be meaner."""
        for table, (number, note) in notes.items():
            self._disk.note(kind, table, number, note)

    def _begin(self) -> None:
        self._batch, self._pending = self._pending, []
        if self._batch:
            self._disk.later(self._disk.sync_s(), self._commit)

    def _commit(self) -> None:
        if self._ended:
            return
        wrong = self._disk.write(self._batch)
        if wrong:
            self._trouble(wrong)
            self._disk.later(RETRY_S, self._commit)
            return
        self._written += len(self._batch)
        self._begin()
        self._durable(self._written)

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
        rest = self._batch + self._pending
        if not self._ended and rest:
            wrong = self._disk.write(rest)
            if wrong:
                self._trouble(wrong)
            else:
                self._durable(self._written + len(rest))
        self._ended = True
        self._disk.free()

    def cut(self, landed: bool) -> None:
        """No more of this house."""
        self._ended = True
        if landed and self._batch:
            self._disk.write(self._batch)
        self._disk.free()
