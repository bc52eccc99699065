"""The stream that several machines keep together: what is appended to it is there wholly or not at all, and
only where nobody else has written meanwhile.

Every message has a subject of its own kind, and is fenced by the number of the last message there that the
writer knows. The server refuses a batch in which one fence does not hold (docs/decisions).
"""

import asyncio
import base64
import contextlib
import json
import ssl
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings

# Atomic batches came with 2.12; whoever is older stores half of one.
VERSION_MIN = (2, 12)
# How long the servers have for an answer, before it is said that they have none; the death of a leader is
# some seconds of silence.
ANSWER_S = 1.5
CONNECT_S = 10.0
# Whoever has not said how it stores when nobody has said more for so long, will not.
QUIET_S = 1.0
# The server takes no more messages in one batch.
BATCH_MAX = 1000
# So many messages are read at once, and so many bytes.
READ_MAX, READ_BYTES_MAX = 500, 4 << 20
WRONG_LAST_SEQUENCE = 10071
NO_MESSAGE = 10037
# What it is called by the servers when a stream is not there.
NO_STREAM = 10059


class Unavailable(Exception):
    """The servers gave no answer, or none that says what became of it."""


class Fenced(Exception):
    """Somebody else has written: nothing of the batch is stored."""


class Message(NamedTuple):
    """What is appended; `fence` is the number of the last message on this subject, None where an earlier one
    of the same batch has it."""

    subject: str
    data: bytes
    fence: int | None


class Read(NamedTuple):
    """What is there."""

    sequence: int
    subject: str
    data: bytes


class Last(NamedTuple):
    """The last message on a subject, and the batch it came in; all empty where there is none."""

    sequence: int = 0
    batch: str = ""
    data: bytes = b""


class Stream:
    """A connection to the servers, and the one stream there that is the house's."""

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        # Where what is read arrives, and whoever waits for it there.
        self._inbox = ""
        self._readings: dict[str, _Reading] = {}

    @classmethod
    async def connect(cls, settings: Settings, unwell: Callable[[str], None] = lambda _why: None) -> "Stream":
        """Raises StoreError where nobody answers, or where what was acknowledged might not last."""
        client = await connect(settings, settings.cluster, unwell, hears_itself=False)
        stream = cls(client, settings.cluster_name)
        try:
            if settings.cluster_sync == "always":
                await check_sync(settings)
            await stream._prepare(settings.cluster_replicas)
        except BaseException:
            await client.close()
            raise
        return stream

    @property
    def connected(self) -> bool:
        """Whether there is a server that hears us."""
        return bool(self.client.is_connected)

    async def close(self) -> None:
        """Say no more."""
        await self.client.close()

    def subject(self, *parts: str) -> str:
        """A subject of this stream."""
        return ".".join((self.name, *parts))

    async def _prepare(self, replicas: int) -> None:
        """Make the stream, or look whether the one that is there keeps what it is given. Raises
        StoreError."""
        wanted = {
            "name": self.name,
            "subjects": [f"{self.name}.>"],
            "storage": "file",
            "retention": "limits",
            "discard": "new",
            "num_replicas": replicas,
            "allow_atomic": True,
            "allow_direct": True,
            "deny_delete": True,
        }
        config: dict[str, Any] = {}
        reason = ""
        async with contextlib.AsyncExitStack() as stack:
            stack.enter_context(_said_as(StoreError, "the cluster's journal cannot be used"))
            await stack.enter_async_context(asyncio.timeout(CONNECT_S))
            # Servers that have just started have not chosen a leader yet, and say so or nothing.
            while not config:
                try:
                    answer = await self.api("STREAM.INFO", {})
                    if answer.get("error", {}).get("err_code") == NO_STREAM:
                        answer = await self.api("STREAM.CREATE", wanted)
                    reason = answer.get("error", {}).get("description", "")
                    config = answer.get("config", {})
                except Unavailable as error:
                    reason = str(error)
                if not config:
                    await asyncio.sleep(0.1)
        kept = {"storage": "file", "retention": "limits", "allow_atomic": True, "max_age": 0}
        kept |= dict.fromkeys(("max_msgs", "max_bytes", "max_msgs_per_subject"), -1)
        wrong = [f"{key} is {config.get(key)!r}" for key, value in kept.items() if config.get(key) != value]
        if config.get("num_replicas", 1) < replicas:
            wrong.append(f"it has {config.get('num_replicas')} replicas, {replicas} are wanted")
        if wrong:
            raise StoreError(f"the stream {self.name} cannot be a journal: {', '.join(wrong)}; {reason}")

    async def api(
        self, call: str, body: dict[str, Any], wait_s: float = ANSWER_S, name: str = ""
    ) -> dict[str, Any]:
        """Ask the servers something about the stream, or one of another name. Raises Unavailable."""
        with _said_as(Unavailable):
            answer = await self.client.request(
                f"$JS.API.{call}.{name or self.name}", json.dumps(body).encode(), timeout=wait_s
            )
            found: dict[str, Any] = json.loads(answer.data)
            return found

    # Writing.

    async def append(self, messages: Sequence[Message], batch: str) -> int:
        """Store a batch of at most `BATCH_MAX`; the number of its last message, those before it have the
        numbers before. Raises Fenced, and then nothing is stored; Unavailable, and then nobody knows."""
        assert 0 < len(messages) <= BATCH_MAX
        if not self.connected:
            raise Unavailable("no server of the cluster can be reached")
        with _said_as(Unavailable):
            for number, message in enumerate(messages, 1):
                headers = {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(number)}
                if message.fence is not None:
                    headers["Nats-Expected-Last-Subject-Sequence"] = str(message.fence)
                if number < len(messages):
                    await self.client.publish(message.subject, message.data, headers=headers)
                    continue
                headers["Nats-Batch-Commit"] = "1"
                answer = await self.client.request(
                    message.subject, message.data, timeout=ANSWER_S, headers=headers
                )
        stored = json.loads(answer.data)
        error = stored.get("error")
        if error is None:
            return int(stored["seq"])
        if error.get("err_code") == WRONG_LAST_SEQUENCE:
            raise Fenced
        raise Unavailable(f"the cluster refuses the journal's records: {error.get('description')}")

    async def say(self, data: bytes) -> None:
        """Tell all other nodes this, if it arrives."""
        if self.connected:
            with contextlib.suppress(NatsError, OSError, TimeoutError):
                await self.client.publish(self._aloud, data)

    async def hear(self, call: Callable[[bytes], None]) -> None:
        """Call with what other nodes say. Raises StoreError."""

        async def heard(message: Msg) -> None:
            call(message.data)

        with _said_as(StoreError, "the cluster cannot be heard"):
            await self.client.subscribe(self._aloud, cb=heard)

    @property
    def _aloud(self) -> str:
        # Among what halls say, which nodes may and thinkers may not.
        return f"ludoteca-hall.{self.name}.stored"

    async def clear(self, subject: str) -> None:
        """Leave nothing on a subject but its last message. Raises Unavailable."""
        await self.api("STREAM.PURGE", {"filter": subject, "keep": 1})

    # Reading.

    async def end(self) -> int:
        """The number of the last message. Raises Unavailable."""
        answer = await self.api("STREAM.INFO", {})
        if "state" not in answer:
            raise Unavailable(str(answer.get("error", {}).get("description", "no such stream")))
        return int(answer["state"]["last_seq"])

    async def last(self, subject: str) -> Last:
        """The last message on a subject. Raises Unavailable."""
        answer = await self.api("STREAM.MSG.GET", {"last_by_subj": subject})
        if answer.get("error", {}).get("err_code") == NO_MESSAGE:
            return Last()
        if "message" not in answer:
            raise Unavailable(str(answer.get("error", {}).get("description", "no answer")))
        found = answer["message"]
        headers = base64.b64decode(found.get("hdrs", "")).decode(errors="replace").splitlines()
        batch = next((line[15:] for line in headers if line.startswith("Nats-Batch-Id: ")), "")
        return Last(int(found["seq"]), batch, base64.b64decode(found.get("data", "")))

    async def read(self, after: int) -> list[Read]:
        """Some of what follows this number, in order; nothing where there is nothing yet. Raises
        Unavailable."""
        with _said_as(Unavailable):
            if not self._inbox:
                # One for all readings: each inbox is said to all servers.
                self._inbox = inbox = self.client.new_inbox()
                await self.client.subscribe(f"{inbox}.*", cb=self._arrived)
            reading = _Reading()
            where = f"{self._inbox}.{after}-{id(reading)}"
            self._readings[where] = reading
            try:
                wanted = {
                    "seq": after + 1,
                    "next_by_subj": f"{self.name}.>",
                    "batch": READ_MAX,
                    "max_bytes": READ_BYTES_MAX,
                }
                await self.client.publish(
                    f"$JS.API.DIRECT.GET.{self.name}", json.dumps(wanted).encode(), reply=where
                )
                return await reading.all()
            finally:
                del self._readings[where]

    async def _arrived(self, message: Msg) -> None:
        reading = self._readings.get(message.subject)
        if reading is not None:
            reading.arrived(message)


class _Reading:
    """What arrives of some messages that were asked for."""

    def __init__(self) -> None:
        self._found: list[Read] = []
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def arrived(self, message: Msg) -> None:
        """One of them, or the word that there are no more: "404" is nothing, "204" that was all."""
        headers = message.headers or {}
        if "Nats-Subject" in headers:
            self._found.append(Read(int(headers["Nats-Sequence"]), headers["Nats-Subject"], message.data))
        elif not self._over.done():
            self._over.set_result(None)

    async def all(self) -> list[Read]:
        """All of them. Raises TimeoutError where they stop coming."""
        while True:
            known = len(self._found)
            await asyncio.wait((self._over,), timeout=ANSWER_S)
            if self._over.done():
                return self._found
            if len(self._found) == known:
                raise TimeoutError


class _Client(Client):
    """One that reads what stands before messages in a twentieth of the time: there are a dozen such lines
    with each that is read from the stream."""

    async def close(self) -> None:
        """Say no more; that nobody is there who could hear of it is no failure, and hides none."""
        with contextlib.suppress(NatsError, OSError, TimeoutError):
            await super().close()

    @staticmethod
    def _parse_header_lines(raw: bytes) -> dict[str, str]:
        lines = raw.decode(errors="replace").split("\r\n")
        return {name: value for name, _, value in [line.partition(": ") for line in lines] if name}


async def connect(
    settings: Settings,
    servers: list[str],
    unwell: Callable[[str], None] = lambda _why: None,
    ping_s: int = 2,
    *,
    hears_itself: bool = True,
) -> Client:
    """Somebody who speaks to these servers, and goes on trying when they are gone; one that has not answered
    two pings is. Raises StoreError."""

    async def on_error(error: Exception) -> None:
        unwell(str(error) or type(error).__name__)

    tls = ssl.create_default_context(cafile=settings.cluster_ca) if settings.cluster_ca else None
    with _said_as(StoreError, "the cluster cannot be reached"):
        async with asyncio.timeout(CONNECT_S):
            while True:
                try:
                    client = _Client()
                    await client.connect(
                        servers,
                        name=settings.node_name(),
                        user_credentials=settings.cluster_credentials or None,
                        tls=tls,
                        error_cb=on_error,
                        connect_timeout=2,
                        allow_reconnect=True,
                        max_reconnect_attempts=-1,
                        reconnect_time_wait=0.1,  # type: ignore[arg-type]  # as nats.connect has it
                        ping_interval=ping_s,
                        max_outstanding_pings=2,
                        flush_timeout=ANSWER_S,
                        no_echo=not hears_itself,
                    )
                    return client
                except (NatsError, OSError) as error:
                    unwell(str(error) or type(error).__name__)
                    await asyncio.sleep(0.2)


async def check_sync(settings: Settings) -> None:
    """Raise StoreError unless every server that can be asked says that it writes to the disk before it
    acknowledges: their usual way is to do so every two minutes."""
    if not settings.cluster_system:
        raise StoreError(
            "whether the servers write to the disk before they acknowledge is known to their system account"
            " alone: name it with cluster_system, or say cluster_sync=trust if you have made sure"
        )
    client = await connect(settings, settings.cluster_system)
    found: dict[str, str] = {}
    try:
        with _said_as(StoreError, "the cluster's servers do not say how they store"):
            inbox = client.new_inbox()
            answers = await client.subscribe(inbox)
            async with asyncio.timeout(CONNECT_S):
                # One that is away now cannot be asked; without a majority nothing is stored anyway.
                while len(found) <= settings.cluster_replicas // 2:
                    await client.publish("$SYS.REQ.SERVER.PING.VARZ", b"", reply=inbox)
                    with contextlib.suppress(NatsError, TimeoutError):
                        while len(found) < settings.cluster_replicas:
                            answer = json.loads((await answers.next_msg(timeout=QUIET_S)).data)
                            jet = answer["data"].get("jetstream", {}).get("config", {})
                            if jet:
                                found[answer["server"]["name"]] = _wrong(answer["server"], jet)
    finally:
        await client.close()
    for name, wrong in found.items():
        if wrong:
            raise StoreError(f"the server {name} {wrong}")


def _wrong(server: dict[str, Any], jet: dict[str, Any]) -> str:
    version = tuple(int(part) for part in server["ver"].split("-")[0].split(".")[:2])
    if version < VERSION_MIN:
        return f"is version {server['ver']}: at least {'.'.join(map(str, VERSION_MIN))} is needed"
    if not jet.get("sync_always"):
        return "acknowledges before its disk has it: set jetstream { sync_interval: always }"
    return ""


@contextlib.contextmanager
def _said_as(kind: type[Exception], what: str = "") -> Any:
    """Whatever the client raises, as one of ours."""
    try:
        yield
    except (NatsError, OSError, TimeoutError) as error:
        reason = str(error) or "no answer in time"
        raise kind(f"{what}: {reason}" if what else f"the cluster does not answer: {reason}") from None
