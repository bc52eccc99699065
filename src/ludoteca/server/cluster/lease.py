"""Who should write: a key that lasts for some seconds, and that its holder renews.

It is no rule of safety. Two who both believe that they have it do no harm: the stream takes records of the
last who has taken over alone.
"""

import asyncio
import contextlib
import time
from typing import NoReturn

from nats.errors import Error as NatsError
from nats.js.api import KeyValueConfig
from nats.js.errors import BucketNotFoundError, KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from ludoteca.server.cluster.stream import ANSWER_S, Stream, Unavailable

LEASE_S = 3.0
RENEW_S = 0.7
# Nobody takes a key that is free before it has been so for this long, as far as can be seen: whoever had it
# may have it back when the servers have been away.
FREE_S = 1.5
# Whoever is about to go takes it only where nobody else has wanted it for this long.
MODEST_S = 5.0
RELEASED = b""


class Leases:
    """The keys of one house."""

    def __init__(self, stream: Stream, replicas: int) -> None:
        self._stream = stream
        self._replicas = replicas
        self._name = f"{stream.name}-leases"
        self._bucket: KeyValue | None = None

    async def bucket(self) -> KeyValue:
        """Where the keys are. Raises Unavailable."""
        if self._bucket is None:
            streams = self._stream.client.jetstream(timeout=ANSWER_S)
            try:
                try:
                    self._bucket = await streams.key_value(self._name)
                except BucketNotFoundError:
                    self._bucket = await streams.create_key_value(
                        KeyValueConfig(bucket=self._name, history=1, ttl=LEASE_S, replicas=self._replicas)
                    )
            except (NatsError, OSError, TimeoutError) as error:
                _unavailable(error)
        return self._bucket

    async def all(self) -> dict[str, bytes]:
        """What all keys say. Raises Unavailable."""
        bucket = await self.bucket()
        # Whoever has the desk asks again and again: the library would have the servers agree on a consumer
        # each time, to be told names that they know.
        answer = await self._stream.api("STREAM.INFO", {"subjects_filter": ">"}, name=f"KV_{self._name}")
        if "state" not in answer:
            raise Unavailable(str(answer.get("error", {}).get("description", "no such bucket")))
        subjects: dict[str, int] = answer["state"].get("subjects") or {}
        found: dict[str, bytes] = {}
        try:
            for subject in sorted(subjects):
                key = subject.removeprefix(f"$KV.{self._name}.")
                with contextlib.suppress(KeyNotFoundError):
                    found[key] = (await bucket.get(key)).value or b""
        except (NatsError, OSError, TimeoutError) as error:
            _unavailable(error)
        return found

    async def say(self, key: str, value: bytes) -> None:
        """Say something that is forgotten when it is not said again. Raises Unavailable."""
        bucket = await self.bucket()
        try:
            await bucket.put(key, value)
        except (NatsError, OSError, TimeoutError) as error:
            _unavailable(error)


class Lease:
    """One key, which this node has or wants."""

    def __init__(self, leases: Leases, key: str, value: bytes) -> None:
        self._leases = leases
        self._key = key
        self._value = value
        self._revision = 0
        # Whether it was nobody's for a moment while we held it, or another's.
        self.regained = False
        self.held = False
        self._free_since: float | None = None
        self._modest_until = 0.0

    def be_modest(self, for_s: float) -> None:
        """Leave it to others for so long, if there are any."""
        self._modest_until = time.monotonic() + for_s

    @property
    def _is_modest(self) -> bool:
        return time.monotonic() < self._modest_until

    async def wait_for(self) -> None:
        """Until it is ours."""
        while True:
            try:
                modest = self._is_modest
                if await self._free() and await self._take():
                    if modest or not self._is_modest:
                        return
                    # Others were to have it while it became ours.
                    await self.release()
            except Unavailable:
                self._free_since = None
            await asyncio.sleep(RENEW_S / 2)

    async def _free(self) -> bool:
        """Whether it was left to others, or nobody has had it for long enough. Raises Unavailable."""
        holder = await self.holder()
        if holder:
            self._free_since = None
            return False
        if holder == RELEASED and not self._is_modest:
            return True
        now = time.monotonic()
        self._free_since = self._free_since or now
        return now - self._free_since >= (MODEST_S if self._is_modest else FREE_S)

    async def holder(self) -> bytes | None:
        """What whoever has it says; `RELEASED` when it was left to others, None when nobody has had it for
        some time. Raises Unavailable."""
        bucket = await self._leases.bucket()
        try:
            found = await bucket.get(self._key)
            if found.value == self._value:
                self._revision = found.revision or 0
            return found.value
        except KeyNotFoundError as error:
            return RELEASED if error.op == "DEL" else None
        except (NatsError, OSError, TimeoutError) as error:
            _unavailable(error)

    async def _take(self) -> bool:
        """Try to have it. Raises Unavailable."""
        bucket = await self._leases.bucket()
        try:
            self._revision = await bucket.create(self._key, self._value)
        except KeyWrongLastSequenceError:
            return False
        except (NatsError, OSError, TimeoutError) as error:
            _unavailable(error)
        self.held = True
        return True

    async def renew(self) -> bool:
        """Keep it, or have it again where nobody else does; False when somebody else has it. Raises
        Unavailable."""
        bucket = await self._leases.bucket()
        try:
            self._revision = await bucket.update(self._key, self._value, last=self._revision)
            return True
        except KeyWrongLastSequenceError:
            # Ours, renewed without our hearing of it; or nobody's; or another's.
            if await self.holder() == self._value:
                return True
            self.regained = await self._take()
            return self.regained
        except (NatsError, OSError, TimeoutError) as error:
            _unavailable(error)

    async def release(self) -> None:
        """Leave it to others, if that can be said."""
        self.held, self._free_since = False, None
        with contextlib.suppress(Unavailable, NatsError, OSError, TimeoutError):
            await (await self._leases.bucket()).delete(self._key, last=self._revision)


def _unavailable(error: Exception) -> NoReturn:
    raise Unavailable(f"the cluster does not answer: {error or type(error).__name__}") from None
