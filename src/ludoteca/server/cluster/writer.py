"""The journal of a house on several machines: a `hall.storage.Storage` whose records are safe when the stream
and the node's own copy have them.

Like the file's writer it takes all that has come together since the last batch. A batch that another node's
takeover refuses is stored nowhere, and nobody is told of it: this node does not write any more.
"""

import asyncio
import contextlib
import itertools
import threading
from collections import deque
from collections.abc import Callable, Collection, Container, Mapping, Sequence

import structlog

from ludoteca.hall.post import Entry
from ludoteca.hall.storage import NoteKind, Reader
from ludoteca.server.cluster import pages
from ludoteca.server.cluster.follower import Follower, Taken, patiently
from ludoteca.server.cluster.giving import Apart, Deposed, Give, Item
from ludoteca.server.cluster.pages import Page
from ludoteca.server.cluster.stream import BATCH_MAX, Fenced, Last, Message, Unavailable
from ludoteca.server.settings import Settings

log = structlog.get_logger()

RETRY_S = 0.3
# A batch costs the servers and nodes as much as dozens of entries in it, and nobody notices the moment: where
# the last `COMPANY` entries came within `BUSY_S`, the next batch begins as much later than the last as these
# took to come, within limits. So it is about as large however many nodes write. Where little is played nobody
# waits.
COMPANY, BUSY_S = 8, 0.1
COMPANY_S_MIN, COMPANY_S_MAX = 0.015, 0.06
# So many entries go in one batch: it has room for a page of each, and the house's.
ENTRIES_MAX = BATCH_MAX - 10
# So many tables of others are given on with one batch, and so often it is tried for one whose owner goes on
# writing.
GIVEN_AT_ONCE, GIVEN_TRIES = 200, 20


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
        taken: Taken | None = None,
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
        self._pending: list[Item] = []
        self._appended = 0
        self._closing = False
        # Whether what there is to store cannot be stored: then a lease that is renewed is no end of it.
        self._failing = False
        self._batch = 0
        # When the last entries were taken.
        self._taken_s = deque[float](maxlen=COMPANY + 1)
        # How many of ours are stored; how many are safe when the copy has so many entries; and are.
        self._stored = self._written = 0
        self._steps: deque[tuple[int, int]] = deque()
        self.epoch, self._fences, self.placed, _ = taken or self._take_over()
        if self.placed:
            self.archive = Apart(self.archive, self.placed)
        # The tables that whoever takes over next will fence against us. What is written about others, those
        # that are over or new, needs the house's fence as well.
        self._ours = self._own()
        # Those that rooms have.
        self._away = set(self.placed)
        self._numbers: dict[str, int] = {"": len(self.archive.deeds())}
        follower.copied.append(self._on_copied)
        follower.copy_trouble.append(trouble)
        self._bell = asyncio.Event()
        self._task = asyncio.run_coroutine_threadsafe(self._write_for_ever(), follower.loop)

    def _own(self) -> set[str]:
        return set(self.archive.live())

    def _take_over(self) -> Taken:
        return self._follower.call(patiently(self._follower.take_over))

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

    def give(self, table: str, to: str, of: str) -> None:
        """Have a table of this owner given to another, after all that was handed over before."""
        with self._guard:
            self._pending.append(Give(table, to, of))
        self._follower.loop.call_soon_threadsafe(self._bell.set)

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
        follower.copied.remove(self._on_copied)
        follower.copy_trouble.remove(self._trouble)

    def speak_up(self, reason: str) -> None:
        """There is trouble although nobody writes; without a reason, no more."""
        if reason:
            self._trouble(reason)
        elif not self._failing:
            self._durable(self._written)

    def _on_copied(self, count: int) -> None:
        with self._guard:
            before = self._written
            while self._steps and self._steps[0][0] <= count:
                self._written = self._steps.popleft()[1]
            if self._written > before:
                self._durable(self._written)

    # In the follower's thread.

    async def _write_for_ever(self) -> None:
        while True:
            with self._guard:
                batch, self._pending = self._pending[:ENTRIES_MAX], self._pending[ENTRIES_MAX:]
            if batch:
                began_s = self._follower.loop.time()
                self._taken_s.extend([began_s] * len(batch))
                try:
                    if not await self._write_all(batch):
                        return
                except Deposed:
                    log.error("another node has taken over", node=self._follower.node, epoch=self.epoch)
                    self._trouble("another machine of the house has taken over")
                    self._deposed()
                    return
                await self._have_company(began_s)
            elif self._closing:
                return
            else:
                await self._bell.wait()
                self._bell.clear()

    async def _have_company(self, began_s: float) -> None:
        """Wait for it, where much is written."""
        took_s = began_s - self._taken_s[0]
        if len(self._taken_s) > COMPANY and took_s < BUSY_S and not self._closing:
            pause_s = min(max(took_s, COMPANY_S_MIN), COMPANY_S_MAX)
            await asyncio.sleep(began_s + pause_s - self._follower.loop.time())

    async def _write_all(self, batch: list[Item]) -> bool:
        """The same, with tables that are given on without having been ours: those apart, since whoever had
        one may not be lost after all. Raises Deposed."""
        known = self._ours | {one.table for one in batch if isinstance(one, Entry)}
        ours = [one for one in batch if isinstance(one, Entry) or one.table in known]
        if ours and not await self._write(ours):
            return False
        gives = [one for one in batch if isinstance(one, Give) and one.table not in known]
        # Of one table the first: what was wanted after it was wanted of whoever had it before.
        theirs = list({give.table: give for give in reversed(gives)}.values())
        for first in range(0, len(theirs), GIVEN_AT_ONCE):
            if not await self._give_on(theirs[first : first + GIVEN_AT_ONCE]):
                return False
        return True

    async def _give_on(self, gives: list[Give]) -> bool:
        """All of them, or else one by one."""
        for _ in range(GIVEN_TRIES):
            try:
                return await self._write(gives)
            except Deposed:
                last = await self._last(self._follower.house)
                if last.sequence != self._fences[self._follower.house]:
                    raise
            # Whoever has one of them has written meanwhile.
            for give in gives:
                self._fences.pop(self._follower.table(give.table), None)
            if len(gives) > 1:
                return all([await self._give_on([give]) for give in gives])
        return True

    async def _write(self, batch: Sequence[Item]) -> bool:
        """Store a batch, however long that takes; False when it could not be and the house closes. Raises
        Deposed."""
        follower, stream = self._follower, self._follower.stream
        entries = [one for one in batch if isinstance(one, Entry)]
        gives = [one for one in batch if isinstance(one, Give)]
        self._batch += 1
        attempt, messages, given, end = 0, list[Message](), list[Give](), 0
        kept = entries
        while True:
            wrong = ""
            if not messages:
                kept = self._kept(entries)
                wrong = self._written_over(kept)
            if not wrong:
                attempt += 1
                try:
                    if not messages:
                        messages, given = await self._messages(kept, gives)
                    if messages and not end:
                        end = await stream.append(messages, self._name(attempt))
                        self._know(kept, messages, end)
                        await follower.say(messages, end)
                    await follower.stored(kept, messages, end, self.epoch)
                    break
                except Fenced:
                    end = await self._landed(messages)
                    if end:
                        self._know(kept, messages, end)
                    else:
                        messages = []
                    continue
                except Unavailable as error:
                    wrong = str(error)
            self._failing = True
            self._trouble(wrong)
            if self._closing:
                return False
            await asyncio.sleep(RETRY_S)
        self._failing = False
        self._settle(len(entries))
        for entry in kept:
            if entry.fate == "live":
                self._ours.add(entry.table)
            elif entry.fate is not None:
                self._ended(entry.table)
            if entry.fate == "forgotten":
                await self._forget(entry.table)
        for give in given:
            self._given(give)
        return True

    def _know(self, kept: list[Entry], messages: list[Message], end: int) -> None:
        """A batch is there: before anybody hears of it who may have the next word about one of its tables."""
        for number, message in enumerate(messages, end - len(messages) + 1):
            self._fences[message.subject] = max(number, self._fences.get(message.subject, 0))
        self._numbers |= {entry.table: entry.number for entry in kept}

    def _kept(self, entries: list[Entry]) -> list[Entry]:
        """Those that are written: of tables that rooms have only that they are forgotten. A hall that has
        more to say about one has told what will not last, or is about to. Raises Deposed."""
        strange = {one.table for one in entries if one.table in self._away and one.fate != "forgotten"}
        if strange:
            log.error("something was written about a table that another node has", tables=sorted(strange))
            raise Deposed
        return entries

    def _settle(self, count: int) -> None:
        """So many more are stored: they are safe when the copy has them, too."""
        self._stored += count
        with self._guard:
            self._steps.append((self._follower.copy.added, self._stored))
        self._on_copied(self._follower.in_copy)

    def _ended(self, table: str) -> None:
        self._ours.discard(table)
        self._numbers.pop(table, None)

    def _given(self, give: Give) -> None:
        self._numbers.pop(give.table, None)
        if give.to == self._follower.node:
            self._ours.add(give.table)
            self._away.discard(give.table)
        else:
            self._away.add(give.table)
            self._ours.discard(give.table)
            self._fences.pop(self._follower.table(give.table), None)

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

    async def _messages(self, batch: list[Entry], gives: list[Give]) -> tuple[list[Message], list[Give]]:
        """A batch as the stream takes it, and which tables are given on with it: those alone that are whose
        they have to be. Raises Deposed, Unavailable."""
        follower, by_table = self._follower, dict[str, list[Entry]]()
        for entry in batch:
            by_table.setdefault(entry.table, []).append(entry)
        opened = [table for table, entries in by_table.items() if table and entries[0].number == 1]
        still = await asyncio.gather(*(self._is_still_of(give, set(by_table)) for give in gives))
        valid = list(itertools.compress(gives, still))
        given = {give.table: give.to for give in valid}
        for table in given:
            by_table.setdefault(table, [])
        if self._concerns_house(by_table, given):
            by_table.setdefault("", [])
        messages: list[Message] = []
        for table, entries in by_table.items():
            subject = follower.table(table) if table else follower.house
            fence: int | None = 0 if table in opened else await self._fence(subject)
            made = pages.pages(self.epoch, self._author(), entries, () if table else opened)
            if table in given:
                made = [*(made if entries else ()), pages.encode(Page(self.epoch, given[table]))]
            for page in made:
                messages.append(Message(subject, page, fence))
                fence = None
        return messages, [give for give in valid if given[give.table] == give.to]

    def _concerns_house(self, tables: Collection[str], given: Collection[str]) -> bool:
        """Whether this is written together with the house's page: whatever is not fenced by those who take
        over; and what is given, of which the house's page will still say that it was us when the table's does
        not any more."""
        return bool(given) or not self._ours.issuperset(table for table in tables if table)

    async def _is_still_of(self, give: Give, written: Container[str]) -> bool:
        """Whether a table is whose it has to be to be given on. Raises Unavailable."""
        if give.table in self._ours or give.table in written:
            return give.of == self._author()
        subject = self._follower.table(give.table)
        last = await self._follower.stream.last(subject)
        if pages.owner(last.data) != give.of:
            self._fences.pop(subject, None)
            return False
        # Another's, who is lost or has given it up: what it has written until now counts.
        self._fences[subject] = last.sequence
        return True

    def _author(self) -> str:
        return self._follower.node

    async def _fence(self, subject: str) -> int:
        """The last message on a subject that we know of. Raises Deposed, Unavailable."""
        if subject not in self._fences:
            last = await self._follower.stream.last(subject)
            if last.sequence > self._follower.copy.mark.sequence:
                if not self._follower.heard:
                    raise Deposed
                # A room may have written about a table that was its own.
                await self._follower.catch_up()
            self._fences[subject] = last.sequence
        return self._fences[subject]

    async def _landed(self, messages: list[Message]) -> int:
        """A batch was refused: perhaps because an earlier attempt, of which we did not hear, has stored it.
        The number of its last message; 0 when it may be tried again. Raises Deposed."""
        lasts = await self._lasts(messages)
        end = self._found(messages, lasts)
        if end:
            return end
        if any(one.fence not in (None, lasts[one.subject].sequence) for one in messages):
            raise Deposed
        # An earlier attempt is on its way still.
        await asyncio.sleep(RETRY_S / 10)
        return 0

    async def _lasts(self, messages: list[Message]) -> dict[str, Last]:
        """The last messages on the subjects of these. Raises Deposed."""
        subjects = list({message.subject for message in messages})
        return dict(zip(subjects, await asyncio.gather(*map(self._last, subjects)), strict=True))

    def _found(self, messages: list[Message], lasts: dict[str, Last]) -> int:
        """The number of the last message of this batch, where it is stored; on some of its subjects others
        may have written since, where a table was given to them."""
        for left, message in enumerate(reversed(messages)):
            last = lasts[message.subject]
            if last.batch.startswith(self._name("")):
                return last.sequence + left
        return 0

    async def _last(self, subject: str) -> Last:
        """The last message on a subject. Raises Deposed where the house closes before that can be said."""
        while True:
            try:
                return await self._follower.stream.last(subject)
            except Unavailable as error:
                self._trouble(str(error))
                if self._closing:
                    raise Deposed from None
                await asyncio.sleep(RETRY_S)


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
