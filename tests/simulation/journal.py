"""The journal's real file under a simulated disk: SQLite writes it, in the simulated loop instead of a
thread, and a power failure leaves what a real one could."""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from tests.disk import RETRY_S
from tests.simulation.ages import age_file, newer

from ludoteca.core import Dice
from ludoteca.hall.post import Entry
from ludoteca.server import schema
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.journal_writer import JournalWriter
from ludoteca.server.lock import HouseRunning
from ludoteca.server.schema import StoreError, connect, journal_in
from ludoteca.server.secret import SECRET_BYTES, SECRET_NAME
from ludoteca.server.settings import Settings

# In memory where there is such a place: the faults are ours, not those of this machine's disk.
MEMORY = Path("/dev/shm")
# Between a commit and the news of it.
NEWS_S = 0.0005

Later = Callable[[float, Callable[[], None]], object]


class Journal:
    """The journal in a folder, over many lives of a house. It has the faults of `tests.disk.Disk`."""

    def __init__(self, later: Later, sync_s: Callable[[], float]) -> None:
        self.later = later
        self.sync_s = sync_s
        self.broken = ""
        self.spoil: Callable[[bytes], bytes] = lambda snapshot: snapshot
        self._root = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self._life = 0
        self._lies_from = -1
        self._writer: Writer | None = None
        self._folder = self._new_folder()

    def _new_folder(self) -> Path:
        folder = self._root / str(self._life)
        folder.mkdir()
        (folder / SECRET_NAME).write_bytes(b"s" * SECRET_BYTES)
        return folder

    def keep(
        self, _settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
    ) -> "Writer":
        """A storage on this disk; there is one at a time."""
        assert self._writer is None, "another house has this disk"
        self._writer = Writer(self, self._folder, durable, trouble)
        return self._writer

    def lie(self) -> None:
        """From now on what is called safe is not."""
        self._lies_from = self._wal_bytes()

    def _wal(self) -> Path:
        journal = journal_in(self._folder)
        return journal.with_name(journal.name + "-wal")

    def _wal_bytes(self) -> int:
        return self._wal().stat().st_size if self._wal().exists() else 0

    def crash(self, *, landed: bool, cut: Callable[[int], int]) -> int:
        """The power fails. What was being written is there (`landed`) or torn at some byte; of what was
        written since a lie only some bytes are: `cut` chooses how many of so many. How many are lost."""
        writer, lost = self._writer, 0
        if writer is None:
            return 0
        safe = self._wal_bytes()
        writer.write_on()
        size = self._wal_bytes()
        end = size if landed else safe + cut(size - safe + 1)
        if 0 <= self._lies_from < safe:
            end = self._lies_from + cut(end - self._lies_from + 1)
            lost = max(0, safe - end)
        before = self._folder
        self._life += 1
        self._folder = self._new_folder()
        for path in (journal_in(before), journal_in(before).with_name(journal_in(before).name + "-wal")):
            if path.exists():
                shutil.copyfile(path, self._folder / path.name)
        if self._wal().exists():
            with self._wal().open("r+b") as file:
                file.truncate(end)
        writer.cut()
        self._lies_from = -1
        self._writer = None
        # What the dead house had in its folder stays until the end: a request it was answering may read on,
        # and nobody hears of it.
        return lost

    def age(self, dice: Dice) -> str:
        """An older version wrote all this; what it is called."""
        with closing(connect(journal_in(self._folder))) as connection:
            return age_file(connection, self.archive, dice)

    def is_too_new(self) -> bool:
        """Whether this version leaves alone what a newer one has written."""
        path = journal_in(self._folder)
        with closing(connect(path)) as connection, newer(connection):
            before = path.read_bytes()
            try:
                Writer(self, self._folder, print, print).cut()
            except StoreError as error:
                return "newer version" in str(error) and path.read_bytes() == before
        return False

    def is_taken(self) -> bool:
        """Whether another house that wants this folder is turned away."""
        try:
            Writer(self, self._folder, print, print).cut()
        except HouseRunning:
            return True
        return False

    def free(self) -> None:
        """Nobody writes any more."""
        self._writer = None

    @property
    def archive(self) -> JournalReader:
        """What is stored."""
        return JournalReader(self._folder)

    def remove(self) -> None:
        """The evening is over."""
        if self._writer is not None:
            self._writer.cut()
        shutil.rmtree(self._root, ignore_errors=True)


class Writer(JournalWriter):
    """The journal's writer without a thread: its turns come in the loop."""

    _connection: sqlite3.Connection

    def __init__(
        self,
        disk: "Journal",
        folder: Path,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
        stamp: Callable[[sqlite3.Connection, int], None] | None = None,
    ) -> None:
        self._disk = disk
        self._batch: list[Entry] = []
        self._due = False
        self._ended = False
        with patch.object(schema, "migrate", self._stuck) if disk.broken else contextlib.nullcontext():
            super().__init__(folder, durable, trouble, durability="off", stamp=stamp)

    def _stuck(self, _connection: sqlite3.Connection) -> None:
        """Nothing can be written, from the first page on."""
        raise sqlite3.OperationalError(self._disk.broken)

    def _begin(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def _ring(self) -> None:
        if not self._due and not self._ended:
            self._due = True
            self._disk.later(self._disk.sync_s(), self._turn)

    def _turn(self) -> None:
        if self._ended:
            return
        self._due = False
        self._batch, self._pending = self._batch or self._pending, [] if not self._batch else self._pending
        if not self._batch:
            self._note_all()
            return
        if not self._write(self._connection, self._batch):
            self._due = True
            self._disk.later(RETRY_S, self._turn)
            return
        self._written += len(self._batch)
        self._batch = []
        self._disk.later(NEWS_S, self._tell)

    def _tell(self) -> None:
        if not self._ended:
            self._durable(self._written)
            if self._pending or self._notes:
                self._ring()

    def _note_all(self) -> None:
        notes, self._notes = self._notes, {}
        spoiled = {
            (kind, table): (number, self._disk.spoil(note) if kind == "snapshot" and note else note)
            for (kind, table), (number, note) in notes.items()
        }
        self._write_notes(self._connection, spoiled)

    def _store(self, connection: sqlite3.Connection, batch: list[Entry]) -> dict[str, object]:  # type: ignore[override]
        if self._disk.broken:
            raise sqlite3.OperationalError(self._disk.broken)
        return super()._store(connection, batch)  # type: ignore[return-value]

    def write_on(self) -> None:
        """What was waiting is being written when the power fails."""
        rest = self._batch + self._pending
        if rest and not self._disk.broken:
            self._write(self._connection, rest)

    def cut(self) -> None:
        """No more of this house."""
        self._ended = True
        self._connection.close()
        self._held.close()

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
        if not self._ended:
            rest = self._batch + self._pending
            if rest and self._write(self._connection, rest):
                self._written += len(rest)
                self._durable(self._written)
            self._note_all()
            self._finish(self._connection)
            with contextlib.suppress(sqlite3.Error):
                self.cut()
        self._disk.free()
