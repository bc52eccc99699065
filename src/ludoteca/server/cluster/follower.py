"""A node that follows the stream with a copy of its own, and can take over: from then on nobody else writes.

All of it happens in a thread with an event loop of its own, as the file's writer has one.
"""

import asyncio
import contextlib
import re
import secrets
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog

from ludoteca.hall.post import Entry
from ludoteca.server.cluster import pages
from ludoteca.server.cluster.aloud import Ahead, aloud
from ludoteca.server.cluster.copy import Copy
from ludoteca.server.cluster.pages import Page
from ludoteca.server.cluster.stream import Fenced, Message, Read, Stream, Unavailable
from ludoteca.server.schema import StoreError
from ludoteca.server.secret import SECRET_BYTES
from ludoteca.server.settings import Settings

log = structlog.get_logger()

# How often a node that only follows looks for more, unless there were so many messages that there may be.
FOLLOW_S = 0.25
MANY = 100
# What others store they say: where nothing is known to be missing it is looked so much more rarely, and
# whoever waits for what others have stored in between looks after this time.
RARELY = 4
SAID_S = 0.02
# How long a node that starts or takes over waits for the servers.
PATIENCE_S = 30.0
# How long its own disk has to take what there is: who cannot keep a copy leaves serving to others.
COPY_S = 30.0
# So many tables are taken over with one batch.
TAKEN_AT_ONCE = 500
_TABLE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)

_Result = TypeVar("_Result")


async def patiently(attempt: Callable[[], Coroutine[Any, Any, _Result]]) -> _Result:
    """Do what the servers may have no answer to at once: they are choosing a leader. Raises StoreError."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await attempt()
        except Unavailable as error:
            if time.monotonic() > end:
                raise StoreError(f"the cluster's journal cannot be used: {error}") from None
            await asyncio.sleep(FOLLOW_S)


async def ended(task: "asyncio.Task[None]") -> None:
    """Have it end, and wait for that: there are places where it is not heard that one should stop, in the
    library for NATS and in `asyncio.wait_for`."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=0.1)


class About(msgspec.Struct, frozen=True):
    """The first that a stream says: which house it is of, and what addresses are hashed with there."""

    house: str
    secret: bytes


class Taken(NamedTuple):
    """What a takeover has brought: the new epoch, the numbers of the last messages on the subjects of the
    house and of all tables that are ours now, and which rooms have the others; all as of message `at`."""

    epoch: int
    fences: dict[str, int]
    placed: Mapping[str, str] = MappingProxyType({})
    at: int = 0


# What hears of pages: whose they are ("" for the house's), and the number of the message.
Heard = Callable[[str, int, Page], None]


class Follower:
    """One node's end of the stream, and its copy. Each of `copied` is told how many of the entries that were
    added to the copy are in it, each of `heard` of every page that was added, in order and in our thread. A
    house that is new gets this secret, or one that is made."""

    def __init__(self, settings: Settings, secret: bytes = b"") -> None:
        self.settings = settings
        self._secret = secret or secrets.token_bytes(SECRET_BYTES)
        self.node = settings.node_name()
        # Whose batches these are, should one be found again.
        self.run_id = secrets.token_hex(6)
        self._life = f"{self.node}.{self.run_id}".encode()
        self.stream: Stream
        self.about: About
        self.copy: Copy
        self.copied: list[Callable[[int], None]] = []
        self.copy_trouble: list[Callable[[str], None]] = []
        self.heard: list[Heard] = []
        self.in_copy = self._settled = 0
        self._ahead = Ahead()
        # Something was said that this node should know at once.
        self._called = asyncio.Event()
        # Whoever adds to the copy begins where it ends.
        self._feeding = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="cluster", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()

    def call(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        """Have something done in the thread, and wait for it."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()

    async def do(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        """The same for somebody who has an event loop."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self.loop))

    # The subjects.

    @property
    def house(self) -> str:
        """Where that stands which concerns all tables."""
        return self.stream.subject("house")

    def table(self, table: str) -> str:
        """Where the records of a table stand."""
        assert _TABLE.fullmatch(table), "ids of tables are plain"
        return self.stream.subject("t", table)

    # Beginning and end.

    async def open(self) -> None:
        """Find the house, and how far the copy of it is. Raises StoreError."""
        self.stream = await Stream.connect(self.settings, lambda why: log.debug("cluster", reason=why))
        about = self.about = await patiently(self._find)
        self.copy = Copy(
            self.settings.data_folder(), about.house, about.secret, self._on_copied, self._on_trouble
        )
        await patiently(self._check_loss)
        await self.stream.hear(self._hear)

    async def _find(self) -> About:
        """What the stream is of; whoever comes first says so."""
        subject = self.stream.subject("about")
        while True:
            found = await self.stream.last(subject)
            if found.sequence:
                return msgspec.msgpack.decode(found.data, type=About)
            about = About(secrets.token_hex(16), self._secret)
            with contextlib.suppress(Fenced):
                await self.stream.append(
                    [Message(subject, msgspec.msgpack.encode(about), 0)], f"{self.run_id}.about"
                )

    async def _check_loss(self) -> None:
        """Raise StoreError when the servers have lost what they had acknowledged: our copy has it."""
        known, end = self.copy.mark.sequence, await self.stream.end()
        if end < known:
            raise StoreError(
                f"the cluster has lost records: its journal ends at {end}, the copy of this node at {known};"
                " nothing was changed; stop all nodes, and `ludoteca cluster repair` gives them back"
            )

    def close(self) -> None:
        """End it all."""
        if hasattr(self, "copy"):
            self.copy.close()
        if hasattr(self, "stream"):
            self.call(self.stream.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()

    def _on_copied(self, count: int) -> None:
        self.in_copy = count
        for told in self.copied:
            told(count)
        # Whoever waits for this comes after those who are told.
        self._settled = count

    def _on_trouble(self, reason: str) -> None:
        log.error("no copy", reason=reason)
        for told in self.copy_trouble:
            told(reason)

    # Following.

    async def follow(self) -> None:
        """Go on following, until cancelled or taking over."""
        self._following = asyncio.current_task()
        looks = 0
        while True:
            try:
                # Where a little comes all the time it is read together, not as it comes.
                if not await self._take() and (self._ahead or looks % RARELY == 0):
                    while await self._some() > MANY:
                        pass
            except Unavailable as error:
                log.debug("cluster", reason=str(error))
            looks += 1
            self._called.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FOLLOW_S):
                    await self._called.wait()

    async def _rest(self) -> None:
        """Follow no more: whoever takes over adds to the copy itself, and nobody else may then."""
        task, self._following = self._following, None
        if task is not None:
            await ended(task)

    async def catch_up(self) -> None:
        """Be where the stream is. Raises Unavailable."""
        end = await self.stream.end()
        while self.copy.mark.sequence < end:
            # A server that is behind itself has nothing yet.
            if not await self._some():
                await asyncio.sleep(0.02)
        await self.settle()

    async def settle(self) -> None:
        """Until what was added to the copy is in it. Raises Unavailable where its disk does not take it."""
        end = time.monotonic() + COPY_S
        while self._settled < self.copy.added:
            if time.monotonic() > end:
                raise Unavailable("the copy of this node cannot be written")
            await asyncio.sleep(0.002)

    async def _some(self) -> int:
        async with self._feeding:
            found = self._ahead.take(self.copy.mark.sequence) or await self.stream.read(
                self.copy.mark.sequence
            )
            self._add(found)
        return len(found)

    async def _take(self) -> bool:
        """What was said and is its turn; whether there was anything."""
        async with self._feeding:
            found = self._ahead.take(self.copy.mark.sequence)
            self._add(found)
        return bool(found)

    def _hear(self, data: bytes) -> None:
        """Somebody says what was stored."""
        try:
            self._ahead.hear(data)
        except msgspec.DecodeError as error:
            log.error("what a node says cannot be read", reason=str(error))
            return
        if self._life in data:
            # A table comes to this node: its people wait for it.
            self._called.set()

    async def say(self, messages: list[Message], end: int) -> None:
        """Tell all who follow what was stored up to message `end`: if that gets lost, they read it."""
        said = aloud(messages, end)
        if said:
            await self.stream.say(said)

    def _add(self, found: list[Read]) -> None:
        """What follows in the stream is in the copy."""
        if not found:
            return
        epoch, kept = self.copy.mark.epoch, list[Entry]()
        read = [(self._page(one), one.sequence) for one in found]
        for page, _ in read:
            if page is not None:
                kept += pages.entries(*page)
                epoch = max(epoch, page[1].epoch)
        self.copy.add(kept, found[-1].sequence, epoch)
        for page, sequence in read:
            if page is not None:
                self._tell(*page, sequence)

    def _page(self, read: Read) -> tuple[str, Page] | None:
        parts = read.subject.split(".")
        try:
            return (
                None
                if parts[1:] == ["about"]
                else (parts[2] if parts[1] == "t" else "", pages.decode(read.data))
            )
        except (msgspec.DecodeError, IndexError) as error:
            # What is missing is noticed when its table is brought back, which is then set aside alone.
            log.error("a page of the cluster's journal cannot be read", page=read, reason=str(error))
            return None

    def _tell(self, table: str, page: Page, sequence: int) -> None:
        for heard in self.heard:
            heard(table, sequence, page)

    async def stored(self, batch: list[Entry], messages: list[Message], end: int, epoch: int) -> None:
        """The copy has what was appended up to message `end`: as we know it, where nobody else has written in
        between. Raises Unavailable."""
        first = end - len(messages) + 1
        patient_until = self.loop.time() + SAID_S
        while self.copy.mark.sequence < end:
            async with self._feeding:
                self._add(self._ahead.take(self.copy.mark.sequence))
                if self.copy.mark.sequence == first - 1:
                    self.copy.add(batch, end, max(epoch, self.copy.mark.epoch))
                    if self.heard:
                        for number, message in enumerate(messages, first):
                            found = self._page(Read(number, message.subject, message.data))
                            if found is not None:
                                self._tell(*found, number)
                    return
            # Whoever has written in between says so, or it is read.
            if not await self._ahead.more(patient_until - self.loop.time()) and not await self._some():
                await asyncio.sleep(0.005)

    # Taking over.

    async def take_over(self, rooms: Collection[str] = ()) -> Taken:
        """Be the only one who writes, but for tables that one of these rooms has. Raises Unavailable.

        Whoever wrote before is refused from now on, in whatever is tried: no table goes on without the fence
        that is moved here, and none is opened without the house's.
        """
        await self._rest()
        while True:
            await self.catch_up()
            last = await self.stream.last(self.house)
            if last.sequence > self.copy.mark.sequence:
                continue
            # Only now: this node's room may have followed somebody else's takeover in the meantime.
            epoch = self.copy.mark.epoch + 1
            taken = pages.encode(Page(epoch, self.node))
            try:
                house = await self._append([Message(self.house, taken, last.sequence)], "house")
                break
            except Fenced:
                continue
        # Nobody else opens tables now. Those that go on may still be written to.
        fences, placed = {self.house: house}, dict[str, str]()
        await self.catch_up()
        while left := [one for one in self._live() if self.table(one) not in fences and one not in placed]:
            subjects = [self.table(one) for one in left[:TAKEN_AT_ONCE]]
            lasts = await asyncio.gather(*(self.stream.last(subject) for subject in subjects))
            if rooms:
                owners = [pages.owner(last.data) for last in lasts]
                away = {one: owner for one, owner in zip(left, owners, strict=False) if owner in rooms}
                placed |= away
                lasts = [last for one, last in zip(left, lasts, strict=False) if one not in away]
                subjects = [subject for one, subject in zip(left, subjects, strict=False) if one not in away]
                if not subjects:
                    continue
            known = self.copy.mark.sequence
            if all(last.sequence <= known for last in lasts):
                batch = [
                    Message(subject, taken, last.sequence)
                    for subject, last in zip(subjects, lasts, strict=True)
                ]
                with contextlib.suppress(Fenced):
                    end = await self._append(batch, "tables")
                    fences |= {subject: end - len(batch) + place for place, subject in enumerate(subjects, 1)}
            await self.catch_up()
        log.info("taken over", node=self.node, epoch=epoch, tables=len(fences) - 1, elsewhere=len(placed))
        return Taken(epoch, fences, placed, self.copy.mark.sequence)

    def _live(self) -> list[str]:
        return self.copy.archive.live()

    async def epoch(self) -> int:
        """That of whoever has written last what concerns all tables. Raises Unavailable."""
        last = await self.stream.last(self.house)
        return pages.decode(last.data).epoch if last.sequence else 0

    async def _append(self, messages: list[Message], what: str) -> int:
        return await self.stream.append(messages, f"{self.run_id}.{what}.{secrets.token_hex(4)}")
