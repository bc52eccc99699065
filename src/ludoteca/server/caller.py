"""One client of remote calls: a session on one side; waiting calls and a stream on the other."""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, Awaitable, Callable
from typing import Any, Protocol

import msgspec

from ludoteca.core import Conversation, LudotecaError
from ludoteca.hall.acts import Role
from ludoteca.server.doorman import Ticket
from ludoteca.server.front import Front
from ludoteca.server.session import Session

CALLS_PER_CONNECTION_MAX = 100
# What is kept for a client that has not opened its stream yet.
MESSAGES_BEFORE_STREAM_MAX = 100
LINGER_S = 1.0


class Service(Protocol):
    """What `ludoteca.games.<game>.rpc` offers, as a module."""

    SERVICE: str
    PORT: int
    CONNECTION_KEY: str
    CONNECT: str
    TEST: str
    STREAM: str
    PLAY: str
    UNARY: tuple[str, ...]

    def converse(self, settings: Any) -> Conversation:
        """Begin a conversation whose lines are calls."""

    def converse_in_a_stream(self, settings: Any) -> Conversation:
        """The same where all calls are messages of one stream, and so are their answers."""

    def write_said(self, data: bytes) -> bytes:
        """What came on that stream, as lines. Raises msgspec.DecodeError."""

    def write_told(self, told: list[bytes]) -> bytes:
        """Several notifications as one message of that stream."""

    def write_call(self, method: str, data: bytes) -> bytes:
        """A call as a line for the conversation."""

    def read_line(self, line: bytes) -> tuple[str, str, bytes]:
        """A line from the conversation: "answer", "fault" or "notify", the method, the data."""

    def write_connection(self, identity: str) -> bytes:
        """What the connecting call returns."""

    def read_connection(self, data: bytes) -> str:
        """The id that the stream was called with, "" when there is none."""

    def write_acknowledgement(self, accepted: bool) -> bytes:
        """What the testing call returns."""


class CallFailed(LudotecaError):
    """A call that gets no answer; `status` names the gRPC code."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Connection:
    """One client: its session on one side; waiting calls and the stream on the other."""

    def __init__(
        self, service: Service, house: Front, ticket: Ticket, forget: Callable[["Connection"], None]
    ) -> None:
        self.identity = f"{house.world.bits(128):032x}"
        self._service = service
        self._house = house
        self._ticket = ticket
        self._forget = forget
        self._waiting: dict[str, deque[asyncio.Future[bytes]]] = {name: deque() for name in service.UNARY}
        self._calls = 0
        self._outbox: deque[bytes] = deque()
        self._outbox_bytes = 0
        self._changed = asyncio.Event()
        self._resumed = asyncio.Event()
        self._resumed.set()
        self._is_streaming = False
        self._is_finished = False
        self._is_gone = False
        self._failure: CallFailed | None = None
        self.session: Session | None = None

    def open(self, protocol: str, conversation: Conversation, role: Role) -> None:
        """Bring the client into the house. Raises Refused."""
        self.session = Session(self._house, protocol, conversation, self, self._ticket.address, role)
        self.session.open()
        self._house.timers.at(self._house.now() + self._house.settings.handshake_s, self._check_stream)

    def _check_stream(self) -> None:
        """A client without a stream cannot be seen to leave, so it is not let in for longer
        than a handshake takes."""
        if not self._is_streaming and not self._is_gone:
            self._house.metrics.dropped.labels("handshake").inc()
            self.gone()

    # The session's link.

    def write(self, data: bytes) -> None:
        """Lines from the conversation: answers to their calls, the rest to the stream."""
        for line in data.splitlines():
            kind, method, payload = self._service.read_line(line)
            if kind == "notify":
                self._outbox.append(payload)
                self._outbox_bytes += len(payload)
                continue
            call = self._waiting[method].popleft()
            if call.done():
                continue  # Its time ran out.
            if kind == "answer":
                call.set_result(payload)
            else:
                call.set_exception(CallFailed("INVALID_ARGUMENT", payload.decode()))
        self._changed.set()
        is_early = not self._is_streaming and len(self._outbox) > MESSAGES_BEFORE_STREAM_MAX
        if is_early or self._outbox_bytes > self._house.settings.outbox_bytes_max:
            self._house.metrics.dropped.labels("slow").inc()
            self._outbox.clear()
            self.gone()

    def backlog(self) -> int:
        """What the stream has not taken yet."""
        return self._outbox_bytes

    def finish(self) -> None:
        """Nothing more to say: the stream ends once it is empty."""
        self._is_finished = True
        self._changed.set()
        asyncio.get_running_loop().call_later(LINGER_S, self.gone)

    def pause(self, paused: bool) -> None:
        """Hold calls back, or let them go on."""
        if paused:
            self._resumed.clear()
        else:
            self._resumed.set()

    def gone(self) -> None:
        """The client is no longer there, or has been cut off."""
        if self._is_gone:
            return
        self._is_gone = self._is_finished = True
        self._changed.set()
        self._resumed.set()
        self._forget(self)
        self._ticket.leave()
        for calls in self._waiting.values():
            for call in calls:
                if not call.done():
                    call.set_exception(CallFailed("UNAVAILABLE", "the connection has ended"))
        if self.session is not None:
            self.session.lost()

    # The calls.

    async def call(self, method: str, data: bytes, patience_s: float) -> bytes:
        """Pass a call to the conversation and wait for its answer."""
        if self._calls >= CALLS_PER_CONNECTION_MAX:
            raise CallFailed("RESOURCE_EXHAUSTED", f"at most {CALLS_PER_CONNECTION_MAX} calls at a time")
        self._calls += 1
        try:
            if not self._resumed.is_set():
                async with asyncio.timeout(patience_s):
                    await self._resumed.wait()
            if self._is_finished or self.session is None:
                raise CallFailed("UNAVAILABLE", "the connection has ended")
            loop = asyncio.get_running_loop()
            answer: asyncio.Future[bytes] = loop.create_future()
            # A timer of its own costs a quarter of `asyncio.timeout`, and this is what every call does.
            timer = loop.call_later(patience_s, _expire, answer)
            self._waiting[method].append(answer)
            try:
                self.session.receive(self._service.write_call(method, data))
                return await answer
            finally:
                timer.cancel()
        except TimeoutError:
            raise CallFailed("DEADLINE_EXCEEDED", "no answer in time") from None
        finally:
            self._calls -= 1

    async def hear(self, said: AsyncIterable[bytes]) -> None:
        """Pass on what comes on a stream, until the client says no more."""
        try:
            async for data in said:
                await self._resumed.wait()
                if self._is_finished or self.session is None:
                    return
                self.session.receive(self._service.write_said(data))
        except msgspec.DecodeError:
            self._failure = CallFailed("INVALID_ARGUMENT", "a message that cannot be read")
        self.gone()

    async def tell(self, send: Callable[[bytes], Awaitable[None]]) -> None:
        """Send what there is, all of it together, until the conversation or the client ends."""
        await self.stream(lambda told: send(self._service.write_told(told)), together=True)
        if self._failure is not None:
            raise self._failure

    async def stream(self, send: Callable[[Any], Awaitable[None]], *, together: bool = False) -> None:
        """Send notifications as they come, one by one or together, until the conversation
        or the client ends."""
        if self._is_streaming:
            raise CallFailed("ALREADY_EXISTS", "the notifications of this connection are being read already")
        self._is_streaming = True
        try:
            while True:
                while self._outbox:
                    if together:
                        told = list(self._outbox)
                        self._outbox.clear()
                        self._outbox_bytes = 0
                        await send(told)
                    else:
                        data = self._outbox.popleft()
                        self._outbox_bytes -= len(data)
                        await send(data)
                if self._is_finished:
                    return
                self._changed.clear()
                await self._changed.wait()
        finally:
            self.gone()


def _expire(answer: "asyncio.Future[bytes]") -> None:
    if not answer.done():
        answer.set_exception(TimeoutError())
