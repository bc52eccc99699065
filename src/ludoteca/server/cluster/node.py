"""One machine of a house on several: it follows, waits for its turn, and serves when nobody else does."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog
from nats.aio.msg import Msg

from ludoteca import __version__
from ludoteca.server.cluster import pages, pruning
from ludoteca.server.cluster.follower import Follower, Taken, ended, patiently
from ludoteca.server.cluster.lease import MODEST_S, RENEW_S, Lease, Leases
from ludoteca.server.cluster.pages import Page
from ludoteca.server.cluster.placing import Placing
from ludoteca.server.cluster.room_writer import RoomWriter
from ludoteca.server.cluster.stream import Unavailable
from ludoteca.server.cluster.writer import ClusterWriter
from ludoteca.server.settings import Settings

log = structlog.get_logger()

HOUSE = "house"
# People are told that they have to wait when the servers have been silent for so long, even if nobody moves.
SILENT_S = 2.0
# What others may ask of a node: that it leaves serving to them. For so long it is given nothing then, unless
# it is started anew before.
LEAVE = "ludoteca-leave"
AVOIDED_S = 600.0


class Said(msgspec.Struct, frozen=True):
    """What a node says of itself, again and again: `at` is the message of the stream up to which its copy is
    true, `addresses` where its doors are, `serves` whether the hall is there."""

    node: str
    version: str
    serves: bool
    at: int
    epoch: int
    addresses: dict[str, tuple[str, int]] = {}
    # The room of this node, if it takes tables, and how many matches are played on this node.
    room: str = ""
    tables: int = 0
    # Whether its gate finds tables that are in rooms; those of older versions do not.
    finds_rooms: bool = False


class Node:
    """This machine. `deposed` is set when it must serve no more."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._follower = Follower(settings)
        self._loop = asyncio.get_running_loop()
        self._lease: Lease
        self._leases: Leases
        self._taken: Taken
        self._writer: ClusterWriter | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.addresses: dict[str, tuple[str, int]] = {}
        self.deposed = asyncio.Event()
        self._left: asyncio.Event | None = None
        self.rooms = Rooms(self)
        self.placing: Placing | None = None
        # Told, in the loop of whoever made this, when people should be sent to other machines.
        self.avoided: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        """What this life of the node is called among gates."""
        return f"{self._follower.node}.{self._follower.run_id}"

    @property
    def has_room(self) -> bool:
        """Whether tables may be given to this node."""
        return self._settings.cluster_rooms

    @property
    def here(self) -> str:
        """What this node is called in the journal."""
        return self._follower.node

    @property
    def taken(self) -> Taken:
        """What this node took over."""
        return self._taken

    @property
    def epoch(self) -> int:
        """Since when the hall is here."""
        return self._taken[0]

    async def open(self) -> None:
        """Find the house. Raises StoreError."""
        try:
            await self._follower.do(self._follower.open())
        except BaseException:
            await asyncio.to_thread(self._follower.close)
            raise
        self._leases = Leases(self._follower.stream, self._settings.cluster_replicas)
        # Told apart from an earlier life of this node, whose lease is not ours.
        mine = f"{self._follower.node} {self._follower.run_id}"
        self._lease = Lease(self._leases, HOUSE, mine.encode())
        await self._start(self._tell())
        await self._follower.do(self._hear())

    async def _start(self, coroutine: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        async def begin() -> "asyncio.Task[None]":
            task = asyncio.create_task(coroutine)
            # Here: whoever waits for this may be gone, and it must be ended all the same.
            self._tasks.append(task)
            return task

        return await self._follower.do(begin())

    async def turn(self) -> None:
        """Follow until it is our turn to serve."""
        following = await self._start(self._follower.follow())
        # Before the lease is ours: whoever has us leave from then on has us leave again.
        self.deposed.clear()
        try:
            if self._left is not None:
                self._follower.loop.call_soon_threadsafe(self._left.set)
                self._left = None
            await self._follower.do(self._lease.wait_for())
        finally:
            await self._end(following)
        self.rooms.collect(self._settings.cluster_rooms)
        await self._start(self._hold())
        # It takes its time, and people are at our doors meanwhile.
        self._taken = await self._follower.do(patiently(self._take_over))
        if self._settings.cluster_rooms:
            await self._start(self._follower.follow())
            await self._start(self._look_around())

    async def _take_over(self) -> Taken:
        rooms = await self._look() if self._settings.cluster_rooms else {}
        return await self._follower.take_over(rooms)

    async def _look(self) -> dict[str, int]:
        """The rooms there are, with the number of their tables: none while there is a node whose people
        would not be served there. Raises Unavailable."""
        said = await self._said()
        if not all(one.finds_rooms for one in said):
            return {}
        return {one.room: one.tables for one in said if one.room}

    async def _said(self) -> list[Said]:
        """What all nodes say of themselves. Raises Unavailable."""
        return [
            msgspec.json.decode(data, type=Said)
            for key, data in (await self._leases.all()).items()
            if key.startswith("node.")
        ]

    async def _end(self, task: "asyncio.Task[None]") -> None:
        """It really has ended afterwards: one that went on would keep a lease that is another's."""
        await self._follower.do(ended(task))
        self._tasks.remove(task)
        if not task.cancelled():
            task.result()

    def keep(
        self, _settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
    ) -> ClusterWriter:
        """The house's journal, from now on ours. Raises StoreError."""
        self._writer = ClusterWriter(self._follower, durable, trouble, self._depose, taken=self._taken)
        return self._writer

    def keep_room(
        self, _settings: Settings, durable: Callable[[int], None], trouble: Callable[[str], None]
    ) -> RoomWriter:
        """The journal as far as this node's room has a part in it."""
        return self.rooms.keep(self._follower, durable, trouble)

    def give(self, table: str, to: str, of: str) -> None:
        """Have a table of this owner given to a room, or to this node."""
        if self._writer is not None:
            self._writer.give(table, to, of)

    def _depose(self) -> None:
        self._loop.call_soon_threadsafe(self.deposed.set)

    async def leave(self) -> None:
        """Serve no more: it is another's turn."""
        self._writer = None
        self.rooms.collect(False)
        while len(self._tasks) > 1:
            await self._end(self._tasks[-1])
        await self._follower.do(self._lease.release())

    async def close(self) -> None:
        """End it all."""
        while self._tasks:
            await self._end(self._tasks[-1])
        await asyncio.to_thread(self._follower.close)

    # In the follower's thread.

    async def _look_around(self) -> None:
        """See which rooms there are, while the desk is here."""
        while True:
            with contextlib.suppress(Unavailable):
                rooms = await self._look()
                self._loop.call_soon_threadsafe(self._seen, rooms)
            await asyncio.sleep(RENEW_S)

    def _seen(self, rooms: dict[str, int]) -> None:
        if self.placing is not None:
            self.placing.look(rooms)

    async def _hold(self) -> None:
        """Keep the lease while we serve."""
        heard, silent = time.monotonic(), False
        while True:
            writer, reason = self._writer, ""
            try:
                if not await self._lease.renew() or await self._is_past(writer):
                    log.error("another node has the lease", node=self._follower.node)
                    self._depose()
                    return
                heard = time.monotonic()
            except Unavailable as error:
                reason = str(error)
            if writer is not None:
                if not silent and time.monotonic() - heard > SILENT_S:
                    silent = True
                    writer.speak_up(reason)
                elif silent and not reason:
                    silent = False
                    writer.speak_up("")
            await asyncio.sleep(RENEW_S)

    async def _is_past(self, writer: ClusterWriter | None) -> bool:
        """Whether another node had the hall while we did not hear of it, and has left it: gates would not
        come back to us then, so nobody would write, and we would never be refused. Raises Unavailable."""
        if writer is None or not self._lease.regained:
            return False
        past = await self._follower.epoch() > writer.epoch
        self._lease.regained = False
        return past

    async def _hear(self) -> None:
        """Leave when that is wanted (`ludoteca cluster drain`)."""

        async def leave(message: Msg) -> None:
            self._loop.call_soon_threadsafe(self.avoided)
            self._lease.be_modest(AVOIDED_S)
            if self._lease.held:
                # First: it is the desk that gives tables to others, and here it would give them to itself.
                left = self._left = self._left or asyncio.Event()
                self._depose()
                await left.wait()
                await self._be_followed()
            await self.rooms.empty()
            with contextlib.suppress(Unavailable):
                await self._say()
            await message.respond(b"left")

        subject = f"{LEAVE}.{self._settings.cluster_name}.{self._follower.node}"
        await self._follower.stream.client.subscribe(subject, cb=leave)
        await pruning.hear(self._follower, lambda: self._writer)

    async def _be_followed(self) -> None:
        """Until another has the desk that we had, if there is one that may."""
        end = time.monotonic() + MODEST_S
        while time.monotonic() < end:
            with contextlib.suppress(Unavailable):
                others = [one for one in await self._said() if one.node != self.here]
                if not others or any(one.serves for one in others):
                    return
            await asyncio.sleep(RENEW_S / 2)

    async def _tell(self) -> None:
        """Say who is here, for `ludoteca cluster status` and whoever has the desk."""
        heard, was_silent = time.monotonic(), False
        while True:
            try:
                await self._say()
                heard, reason = time.monotonic(), ""
            except Unavailable as error:
                reason = str(error)
            is_silent = time.monotonic() - heard > SILENT_S
            if is_silent != was_silent:
                self.rooms.speak_up(reason)
            was_silent = is_silent
            await asyncio.sleep(RENEW_S)

    async def _say(self) -> None:
        """The same, once. Raises Unavailable."""
        mark = self._follower.copy.mark
        said = Said(
            self._follower.node,
            __version__,
            self._writer is not None,
            mark.sequence,
            mark.epoch,
            dict(self.addresses),
            *self.rooms.said(),
            finds_rooms=True,
        )
        await self._leases.say(f"node.{said.node}", msgspec.json.encode(said))


class Rooms:
    """What this node has to do with rooms: its own, and what the desk, when it is here, hears of all. The
    functions are called in the loop of whoever made the node."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._loop = asyncio.get_running_loop()
        self._writer: RoomWriter | None = None
        self._follower: Follower
        self._news: list[tuple[str, int, Page]] = []
        # What was heard while this node took over, and the desk was not there yet.
        self._collected: list[tuple[str, int, Page]] | None = None
        self._telling: asyncio.Task[None] | None = None
        self.count: Callable[[], int] | None = None
        self.came: Callable[[str, int], None] = lambda _table, _tenure: None
        self.lost: Callable[[str], None] = lambda _table: None
        self.went: Callable[[str], None] = lambda _table: None
        self.heard: Callable[[int, bytes], None] = lambda _number, _line: None
        self.leave: Callable[[], Coroutine[Any, Any, None]] | None = None

    def keep(
        self, follower: Follower, durable: Callable[[int], None], trouble: Callable[[str], None]
    ) -> RoomWriter:
        """What the room of this node writes with."""
        self._follower = follower
        follower.heard.append(self._hear)
        self._writer = RoomWriter(
            follower,
            durable,
            trouble,
            self._node.name,
            lambda table, tenure: self._call(self.came, table, tenure),
            lambda table: self._call(self.lost, table),
            lambda table: self._call(self.went, table),
        )
        return self._writer

    def _call(self, call: Callable[..., None], *given: object) -> None:
        self._loop.call_soon_threadsafe(call, *given)

    @property
    def writer(self) -> RoomWriter:
        """What the room writes with."""
        assert self._writer is not None
        return self._writer

    def speak_up(self, reason: str) -> None:
        """There is trouble, and nobody need write to notice it; without a reason, no more."""
        if self._writer is not None:
            self._writer.speak_up(reason)

    def collect(self, wanted: bool) -> None:
        """Whatever is heard from now on the desk will want to know, when it is here; or nobody will."""
        self._collected = [] if wanted else None

    def begin(self) -> None:
        """The desk is there: what was heard meanwhile."""
        news, self._collected = self._collected or [], None
        for one in news:
            self._told(*one)

    def said(self) -> tuple[str, int]:
        """The room's name, unless it takes no tables, and how many this node has."""
        placing = self._node.placing
        here = placing.here if placing is not None else 0
        return self._node.name if self.count is not None else "", self.tables() + here

    def tables(self) -> int:
        """How many the room has, if it takes any."""
        count = self.count
        return count() if count is not None else 0

    async def empty(self) -> None:
        """Have the room give its tables up. In the follower's thread."""
        if self.leave is not None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self.leave(), self._loop))

    # In the follower's thread.

    def _hear(self, table: str, sequence: int, page: Page) -> None:
        if not table:
            for kept in page.kept:
                self._loop.call_soon_threadsafe(self.heard, kept.number, kept.line)
        elif self._collected is None and self._node.placing is None:
            # No desk is here, nor about to be: one that comes later finds it in the copy. In this order: what
            # is collected until the desk is there ends when it is.
            return
        elif not page.kept or (
            "." in page.node and any(kept.slip or kept.fate is not None for kept in page.kept)
        ):
            self._news.append((table, sequence, page))
            if self._telling is None or self._telling.done():
                self._telling = asyncio.get_running_loop().create_task(self._tell())

    async def _tell(self) -> None:
        """Tell the desk, if it is here, when the copy has it."""
        while self._news:
            news, self._news = self._news, []
            await self._follower.settle()
            for one in news:
                self._loop.call_soon_threadsafe(self._told, *one)

    def _told(self, table: str, sequence: int, page: Page) -> None:
        placing = self._node.placing
        if self._collected is not None:
            self._collected.append((table, sequence, page))
        elif placing is None:
            return
        elif not page.kept:
            placing.given(table, page.node, sequence)
        else:
            for entry in pages.entries(table, page):
                if entry.slip or entry.fate is not None:
                    placing.written(entry)
