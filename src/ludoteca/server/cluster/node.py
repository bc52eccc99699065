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
from ludoteca.server.cluster import pruning
from ludoteca.server.cluster.follower import Follower, ended, patiently
from ludoteca.server.cluster.lease import RENEW_S, Lease, Leases
from ludoteca.server.cluster.stream import Unavailable
from ludoteca.server.cluster.writer import ClusterWriter
from ludoteca.server.settings import Settings

log = structlog.get_logger()

HOUSE = "house"
# People are told that they have to wait when the servers have been silent for so long, even if nobody moves.
SILENT_S = 2.0
# What others may ask of a node: that it leaves serving to them. It does not want to for some time then.
LEAVE = "ludoteca-leave"
MODEST_S = 10.0


class Said(msgspec.Struct, frozen=True):
    """What a node says of itself, again and again: `at` is the message of the stream up to which its copy is
    true, `addresses` where its doors are, `serves` whether the hall is there."""

    node: str
    version: str
    serves: bool
    at: int
    epoch: int
    addresses: dict[str, tuple[str, int]] = {}


class Node:
    """This machine. `deposed` is set when it must serve no more."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._follower = Follower(settings)
        self._loop = asyncio.get_running_loop()
        self._lease: Lease
        self._leases: Leases
        self._taken: tuple[int, dict[str, int]]
        self._writer: ClusterWriter | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.addresses: dict[str, tuple[str, int]] = {}
        self.deposed = asyncio.Event()
        self._left: asyncio.Event | None = None
        # Told, in the loop of whoever made this, when people should be sent to other machines.
        self.avoided: Callable[[], None] = lambda: None

    @property
    def name(self) -> str:
        """What this life of the node is called among gates."""
        return f"{self._follower.node}.{self._follower.run_id}"

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
        try:
            if self._left is not None:
                self._follower.loop.call_soon_threadsafe(self._left.set)
                self._left = None
                await asyncio.sleep(MODEST_S)
            await self._follower.do(self._lease.wait_for())
        finally:
            await self._end(following)
        self.deposed.clear()
        await self._start(self._hold())
        # It takes its time, and people are at our doors meanwhile.
        self._taken = await self._follower.do(patiently(self._follower.take_over))

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

    def _depose(self) -> None:
        self._loop.call_soon_threadsafe(self.deposed.set)

    async def leave(self) -> None:
        """Serve no more: it is another's turn."""
        self._writer = None
        while len(self._tasks) > 1:
            await self._end(self._tasks[-1])
        await self._follower.do(self._lease.release())

    async def close(self) -> None:
        """End it all."""
        while self._tasks:
            await self._end(self._tasks[-1])
        await asyncio.to_thread(self._follower.close)

    # In the follower's thread.

    async def _hold(self) -> None:
        """Keep the lease while we serve."""
        heard, silent = time.monotonic(), False
        while True:
            writer, reason = self._writer, ""
            try:
                if not await self._lease.renew():
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

    async def _hear(self) -> None:
        """Leave when that is wanted (`ludoteca cluster drain`)."""

        async def leave(message: Msg) -> None:
            self._loop.call_soon_threadsafe(self.avoided)
            if self._writer is None:
                # The hall is elsewhere: whoever is at our doors may be asked to go on elsewhere, no more.
                await message.respond(b"left")
                return
            left = self._left = self._left or asyncio.Event()
            self._depose()
            await left.wait()
            await message.respond(b"left")

        subject = f"{LEAVE}.{self._settings.cluster_name}.{self._follower.node}"
        await self._follower.stream.client.subscribe(subject, cb=leave)
        await pruning.hear(self._follower, lambda: self._writer)

    async def _tell(self) -> None:
        """Say who is here, for `ludoteca cluster status`."""
        while True:
            mark = self._follower.copy.mark
            said = Said(
                self._follower.node,
                __version__,
                self._writer is not None,
                mark.sequence,
                mark.epoch,
                dict(self.addresses),
            )
            with contextlib.suppress(Unavailable):
                await self._leases.say(f"node.{said.node}", msgspec.json.encode(said))
            await asyncio.sleep(RENEW_S)
