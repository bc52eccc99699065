"""A machine that only thinks: it says what it can think about, and answers nodes that ask it.

It keeps nothing and decides nothing. Whoever asks has looked that it is of the same code, asks no more at
once than it has workers, and does not wait for it for long.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Callable

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from ludoteca import __version__
from ludoteca.server.child import Child, ChildLost
from ludoteca.server.cluster import minds
from ludoteca.server.cluster.minds import Here, Question, Reply, subject
from ludoteca.server.cluster.stream import connect
from ludoteca.server.settings import Settings

log = structlog.get_logger()

# How often it says that it is here.
SAY_S = 1.0
# A thought has its time by the clock; a worker that does not look at it is ended after so long.
LATE_S = 2.0
LEAVE_S = 0.2


class Thinker:
    """This machine, with so many workers."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self._settings = settings
        # Told apart from an earlier life of the same machine, which may have been believed less.
        self.name = f"{settings.node_name()}-{secrets.token_hex(3)}"
        self._idle = [Child("ludoteca.server.cluster.minds") for _ in range(workers)]
        self._workers = workers
        self._minds: tuple[str, ...] = ()
        self._client: Client
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaving = False

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Think until the stop, then end what was begun. Raises StoreError where nobody answers at first."""
        self._client = await connect(
            self._settings, self._settings.cluster, lambda why: log.warning("cluster", reason=why)
        )
        try:
            self._minds = await asyncio.to_thread(minds.known)
            house = self._settings.cluster_name
            await self._client.subscribe(subject(house, "ask", self.name), cb=self._ask)
            await self._client.subscribe(subject(house, "roll"), cb=self._answer_roll)
            # The library writes a ping at once and subscriptions with its next turn: the second ping comes
            # after them, and when that is answered they are known.
            await self._client.flush()
            await self._client.flush()
            ready()
            while not stop.is_set():
                await self._say()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), SAY_S)
            self._leaving = True
            await self._say()
            # What was asked before that was heard is on its way.
            await asyncio.sleep(LEAVE_S)
            if self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for worker in self._idle:
                await worker.close()
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await self._client.drain()

    def _here(self) -> bytes:
        workers = 0 if self._leaving else self._workers
        return msgspec.msgpack.encode(
            Here(self.name, __version__, workers, self._workers - len(self._idle), self._minds)
        )

    async def _say(self) -> None:
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            await self._client.publish(subject(self._settings.cluster_name, "here"), self._here())

    async def _answer_roll(self, message: Msg) -> None:
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            await message.respond(self._here())

    async def _ask(self, message: Msg) -> None:
        task = asyncio.create_task(self._reply(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reply(self, message: Msg) -> None:
        reply = await self._think(message.data)
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            await message.respond(reply)

    async def _think(self, data: bytes) -> bytes:
        seed = 0
        try:
            question = msgspec.msgpack.decode(data[: minds.QUESTION_BYTES_MAX], type=Question)
            seed = question.seed
            if not self._idle:
                return _sorry(seed, minds.BUSY)
            worker = self._idle.pop()
            try:
                return await worker.ask(data, question.wall_s + LATE_S)
            finally:
                self._idle.append(worker)
        except (msgspec.DecodeError, ChildLost) as error:
            log.warning("no thought", reason=str(error))
            return _sorry(seed, str(error))


def _sorry(seed: int, why: str) -> bytes:
    return msgspec.msgpack.encode(Reply(seed, error=why[-minds.ERROR_LETTERS_MAX :]))
