"""The journal of a house on several machines: a `hall.storage.Storage` whose records are safe when the stream
and the node's own copy have them.

Like the file's writer it takes all that has come together since the last batch. A batch that another node's
takeover refuses is stored nowhere, and nobody is told of it: this node does not write any more.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping

import structlog

from ludoteca.hall.post import Entry
from ludoteca.hall.storage import NoteKind, Reader
from ludoteca.server.cluster import pages
from ludoteca.server.cluster.follower import Follower, patiently
from ludoteca.server.cluster.stream import BATCH_MAX, Fenced, Last, Message, Unavailable
from ludoteca.server.settings import Settings

log = structlog.get_logger()

RETRY_S = 0.3
# So many entries go in one batch: it has room for a page of each, and the house's.
ENTRIES_MAX = BATCH_MAX - 10


class Deposed(Exception):
    """Another node has taken over."""


class ClusterWriter:
    """Writes for a follower, which takes over, or has `taken` over already. `deposed` is called, from the
    follower's thread, when another one has since; `whole` is whether the follower ends with it."""

    def __init__(
        self,
        follower: Follower,
        durable: Callable[[int], None],
        trouble: Callable[[str], None],
        deposed: Callable[[], None] = lambda: None,
        *,
        taken: tuple[int, dict[str, int]] | None = None,
        whole: bool = False,
    ) -> None:
        self._follower = follower
        self._durable = durable
        self._trouble = trouble
        self._deposed = deposed
        self._whole = whole
        self.secret: bytes = follower.copy.secret
        self.archive: Reader = follower.copy.archive
        self._guard = threading.Lock()
        self._pending: list[Entry] = []
        self._appended = 0
        self._closing = False
        # Whether what there is to store cannot be stored: then a lease that is renewed is no end of it.
        self._failing = False
        self._batch = 0
        self._written = 0
        self.epoch, self._fences = taken or follower.call(patiently(follower.take_over))
        # The tables that whoever takes over next will fence against us. What is written about others, those
        # that are over or new, needs the house's fence as well.
        self._ours = set(self.archive.live())
        self._numbers: dict[str, int] = {"": len(self.archive.deeds())}
        self._base = follower.copy.added
        follower.copied, follower.copy_trouble = self._on_copied, trouble
        self._bell = asyncio.Event()
        self._task = asyncio.run_coroutine_threadsafe(self._write_for_ever(), follower.loop)

    # What a storage does.

    def append(self, entries: list[Entry]) -> int:
        """Hand over entries; once `durable` was called with the returned number or a higher one, they are
        safe."""
        with self._guard:
            rings = not self._pending
            self._pending += entries
            self._appended += len(entries)
        if rings:
            self._follower.loop.call_soon_threadsafe(self._bell.set)
        return self._appended

    def has_stored(self, ticket: int) -> bool:
        """Whether entries that were handed over are safe."""
        return self._written >= ticket

    def note(self, kind: NoteKind, notes: Mapping[str, tuple[int, bytes]]) -> None:
        """What is noted of tables is in the copy alone: another node makes its own."""
        self._follower.copy.note(kind, notes)

    def close(self) -> None:
        """Write what is left, if it can be written, and stop."""
        if self._closing:
            return
        self._closing = True
        follower = self._follower
        follower.loop.call_soon_threadsafe(self._bell.set)
        self._task.result()
        if self._whole:
            follower.close()
        else:
            # Whoever follows from here on begins where the copy is.
            with contextlib.suppress(Unavailable):
                follower.call(follower.settle())
        follower.copied = lambda _count: None

    def speak_up(self, reason: str) -> None:
        """There is trouble although nobody writes; without a reason, no more."""
        if reason:
            self._trouble(reason)
        elif not self._failing:
            self._durable(self._written)

    def _on_copied(self, count: int) -> None:
        if count > self._base:
            self._written = count - self._base
            self._durable(self._written)

    # In the follower's thread.

    async def _write_for_ever(self) -> None:
        while True:
            with self._guard:
                batch, self._pending = self._pending[:ENTRIES_MAX], self._pending[ENTRIES_MAX:]
            if batch:
                try:
                    if not await self._write(batch):
                        return
                except Deposed:
                    log.error("another node has taken over", node=self._follower.node, epoch=self.epoch)
                    self._trouble("another machine of the house has taken over")
                    self._deposed()
                    return
            elif self._closing:
                return
            else:
                await self._bell.wait()
                self._bell.clear()

    async def _write(self, batch: list[Entry]) -> bool:
        """Store a batch, however long that takes; False when it could not be and the house closes. Raises
        Deposed."""
        follower, stream = self._follower, self._follower.stream
        self._batch += 1
        attempt, messages = 0, list[Message]()
        while True:
            wrong = self._written_over(batch)
            if not wrong:
                attempt += 1
                try:
                    messages = messages or await self._messages(batch)
                    end = await stream.append(messages, self._name(attempt))
                    break
                except Fenced:
                    end = await self._landed(messages)
                    break
                except Unavailable as error:
                    wrong = str(error)
            self._failing = True
            self._trouble(wrong)
            if self._closing:
                return False
            await asyncio.sleep(RETRY_S)
        self._failing = False
        first = end - len(messages) + 1
        for place, message in enumerate(messages):
            self._fences[message.subject] = first + place
        self._numbers |= {entry.table: entry.number for entry in batch}
        follower.copy.add(batch, end, self.epoch)
        for entry in batch:
            if entry.fate == "live":
                self._ours.add(entry.table)
            elif entry.fate is not None:
                self._ours.discard(entry.table)
                self._numbers.pop(entry.table, None)
            if entry.fate == "forgotten":
                await self._forget(entry.table)
        return True

    async def _forget(self, table: str) -> None:
        """Leave nothing in the stream but that it is forgotten."""
        try:
            await self._follower.stream.clear(self._follower.table(table))
        except Unavailable as error:
            log.warning("a forgotten table is still in the cluster", table=table, reason=str(error))

    def _name(self, attempt: int | str) -> str:
        return f"{self._follower.run_id}.{self.epoch}.{self._batch}.{attempt}"

    def _written_over(self, batch: list[Entry]) -> str:
        """What is wrong with a batch that has a record which is there already."""
        numbers = dict[str, int]()
        for entry in batch:
            last = numbers.get(entry.table) or self._numbers.get(entry.table)
            last = self._follower.copy.last_number(entry.table) if last is None else last
            if entry.number <= last:
                return "there is a record of this number already"
            numbers[entry.table] = entry.number
        return ""

    async def _messages(self, batch: list[Entry]) -> list[Message]:
        """A batch as the stream takes it. Raises Deposed, Unavailable."""
        follower, by_table = self._follower, dict[str, list[Entry]]()
        for entry in batch:
            by_table.setdefault(entry.table, []).append(entry)
        opened = [table for table, entries in by_table.items() if table and entries[0].number == 1]
        if not self._ours.issuperset(table for table in by_table if table):
            by_table.setdefault("", [])
        messages: list[Message] = []
        for table, entries in by_table.items():
            subject = follower.table(table) if table else follower.house
            fence: int | None = 0 if table in opened else await self._fence(subject)
            for page in pages.pages(self.epoch, follower.node, entries, () if table else opened):
                messages.append(Message(subject, page, fence))
                fence = None
        return messages

    async def _fence(self, subject: str) -> int:
        """The last message on a subject that we know of. Raises Deposed, Unavailable."""
        if subject not in self._fences:
            last = await self._follower.stream.last(subject)
            if last.sequence > self._follower.copy.mark.sequence:
                raise Deposed
            self._fences[subject] = last.sequence
        return self._fences[subject]

    async def _landed(self, messages: list[Message]) -> int:
        """A batch was refused: perhaps because an earlier attempt, of which we did not hear, has stored it.
        The number of its last message. Raises Deposed, if it was not."""
        last = Last()
        while not last.sequence:
            try:
                last = await self._follower.stream.last(messages[-1].subject)
                if not last.sequence:
                    raise Deposed
            except Unavailable as error:
                self._trouble(str(error))
                if self._closing:
                    raise Deposed from None
                await asyncio.sleep(RETRY_S)
        if not last.batch.startswith(self._name("")):
            raise Deposed
        return last.sequence


def keep_in_cluster(
    settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
) -> ClusterWriter:
    """The journal that the cluster keeps, taken over from whoever wrote it. Raises StoreError."""
    follower = Follower(settings)
    try:
        follower.call(follower.open())
        return ClusterWriter(follower, durable, trouble, whole=True)
    except BaseException:
        follower.close()
        raise
