"""Old matches leave the stream, and with it every copy: whoever has the hall takes them out, some at a time.

Nobody else may: the fences of the stream are for whoever serves. `ludoteca cluster prune` asks on and on,
until nothing is left that is old enough.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from ludoteca.hall.post import Entry
from ludoteca.server import keeping
from ludoteca.server.cluster.follower import Follower
from ludoteca.server.cluster.stream import connect
from ludoteca.server.cluster.writer import ClusterWriter
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings

log = structlog.get_logger()

PRUNE = "ludoteca-prune"
# So many go with one question, and so few with one batch: people's moves come in between.
ASKED_MAX = 200
BATCH = 10
# How long a question may take on a busy machine, and how long whoever asks waits for somebody who serves.
STORED_S = 20.0
ANSWER_S = 60.0
PATIENCE_S = 60.0


class Wish(msgspec.Struct, frozen=True):
    """Matches that ended before this are to go; of this game, if one is named."""

    before_ms: int
    game: str = ""
    only_count: bool = False


class Gone(msgspec.Struct, frozen=True):
    """So many are gone with this question, so many are left; or why it did not go well."""

    removed: int
    left: int
    error: str = ""


async def hear(follower: Follower, writer: Callable[[], ClusterWriter | None]) -> None:
    """Prune when that is wanted, while this node serves; one wish after the other."""
    lock = asyncio.Lock()

    async def answer(message: Msg) -> None:
        async with lock:
            at_work = writer()
            if at_work is None:
                return  # Whoever serves answers.
            try:
                wish = msgspec.json.decode(message.data, type=Wish)
                gone = await _prune(follower, at_work, wish)
            except (msgspec.DecodeError, StoreError) as error:
                gone = Gone(0, 0, str(error))
        await message.respond(msgspec.json.encode(gone))

    async def hand_on(message: Msg) -> None:
        # Not in the line of this subscription, where the next message would wait.
        task = asyncio.create_task(answer(message))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    tasks: set[asyncio.Task[None]] = set()
    await follower.stream.client.subscribe(f"{PRUNE}.{follower.settings.cluster_name}", cb=hand_on)


async def _prune(follower: Follower, writer: ClusterWriter, wish: Wish) -> Gone:
    """Raises StoreError."""
    found = await asyncio.to_thread(keeping.old, follower.settings.data_folder(), wish.before_ms, wish.game)
    if wish.only_count:
        return Gone(0, len(found))
    some = found[:ASKED_MAX]
    for first in range(0, len(some), BATCH):
        began = time.monotonic()
        tables = some[first : first + BATCH]
        records = follower.copy.archive.records(tables)
        ticket = writer.append(
            [Entry(table, len(records[table]) + 1, b"", "forgotten") for table in tables if records[table]]
        )
        while not writer.has_stored(ticket):
            if time.monotonic() - began > STORED_S:
                raise StoreError("the cluster does not store that matches are removed: try again later")
            await asyncio.sleep(0.005)
        await asyncio.sleep(time.monotonic() - began)
    log.info("pruned", matches=len(some), left=len(found) - len(some))
    return Gone(len(some), len(found) - len(some))


async def prune(settings: Settings, wish: Wish, told: Callable[[Gone], None] = lambda _gone: None) -> int:
    """Have old matches removed by whoever serves; how many were, or would be. Raises StoreError."""
    client = await connect(settings, settings.cluster)
    removed, silent_since = 0, time.monotonic()
    try:
        while True:
            try:
                answer = await client.request(
                    f"{PRUNE}.{settings.cluster_name}", msgspec.json.encode(wish), timeout=ANSWER_S
                )
            except (NatsError, OSError, TimeoutError) as error:
                # One node may just be taking over from another.
                if time.monotonic() - silent_since > PATIENCE_S:
                    raise StoreError(f"nobody serves who could prune: {error}") from None
                await asyncio.sleep(0.5)
                continue
            gone = msgspec.json.decode(answer.data, type=Gone)
            if gone.error:
                raise StoreError(gone.error)
            silent_since = time.monotonic()
            if wish.only_count:
                return gone.left
            removed += gone.removed
            told(gone)
            if not gone.left:
                return removed
    finally:
        await client.close()
