"""Carries messages between nodes, over servers of NATS: at most once, in the order of their sender. What is
for this very node stays here."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from ludoteca.server.cluster.stream import connect
from ludoteca.server.settings import Settings

log = structlog.get_logger()

Hear = Callable[[bytes], None]


class Courier:
    """In the loop that made it. What a server does not take is lost: who sends knows that (see `line`)."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loop = asyncio.get_running_loop()
        self._bag: deque[tuple[str, bytes]] = deque()
        self._bell = asyncio.Event()
        self._here: dict[str, Hear] = {}
        # Of these, what others hear as well: then it comes twice.
        self._shared: set[str] = set()
        self._heard: dict[str, Subscription] = {}
        self._task = self._loop.create_task(self._carry())

    @classmethod
    async def open(cls, settings: Settings) -> "Courier":
        """Raises StoreError."""
        # A server that is silent is left for another one before the hall gives this node up.
        return cls(
            await connect(settings, settings.cluster, lambda why: log.debug("cluster", reason=why), ping_s=1)
        )

    async def close(self) -> None:
        """Carry what there is, and no more."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while self._bag:
                    await asyncio.sleep(0.01)
        self._task.cancel()
        await self._client.close()

    async def hear(self, subject: str, call: Hear, *, shared: bool = False) -> None:
        """Call with whatever comes for this subject, which is this node's alone unless it is shared. What
        cannot be read is nothing that a node has said."""

        def listen(data: bytes) -> None:
            try:
                call(data)
            except msgspec.DecodeError as error:
                log.error("a message between nodes cannot be read", subject=subject, reason=str(error))

        async def heard(message: Msg) -> None:
            listen(message.data)

        self._here[subject] = listen
        if shared:
            self._shared.add(subject)
        self._heard[subject] = await self._client.subscribe(
            subject, cb=heard, pending_msgs_limit=-1, pending_bytes_limit=-1
        )

    async def overhear(self, subject: str) -> None:
        """Hear no more of it."""
        self._here.pop(subject, None)
        self._shared.discard(subject)
        subscription = self._heard.pop(subject, None)
        if subscription is not None:
            with contextlib.suppress(NatsError, OSError):
                await subscription.unsubscribe()

    def send(self, subject: str, data: bytes) -> None:
        """Have this carried."""
        if subject in self._here:
            self._loop.call_soon(self._bring, subject, data)
        if subject not in self._here or subject in self._shared:
            self._bag.append((subject, data))
            self._bell.set()

    def _bring(self, subject: str, data: bytes) -> None:
        call = self._here.get(subject)
        if call is not None:
            call(data)

    async def _carry(self) -> None:
        while True:
            await self._bell.wait()
            self._bell.clear()
            while self._bag:
                subject, data = self._bag.popleft()
                await self._try(self._client.publish(subject, data))

    async def _try(self, sending: Awaitable[None]) -> None:
        try:
            await sending
        except (NatsError, OSError, TimeoutError) as error:
            log.debug("cluster", reason=str(error) or type(error).__name__)
