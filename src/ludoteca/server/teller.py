"""Records, replays and stories for those who ask over HTTP: told once, kept while there is room, and
never in a hurry."""

import asyncio
import gzip
from collections import OrderedDict, deque
from typing import NamedTuple

import msgspec

from ludoteca import games
from ludoteca.core import Refused
from ludoteca.core.notices import Decided, Declined
from ludoteca.core.requests import Continue, Decisive
from ludoteca.hall import Guest
from ludoteca.hall.budget import Budget
from ludoteca.hall.chair import key_of
from ludoteca.hall.post import Look
from ludoteca.journal.sequel import Position, broken_off
from ludoteca.server.child import Child, ChildLost
from ludoteca.server.house import House
from ludoteca.server.storyteller import Told, Wish

# How long one may take before its process is ended, and when those who found everybody busy may try again.
TELL_S_MAX = 30.0
BUSY_S = 5.0
# A process that nobody has asked anything for so long is not kept.
REST_S = 120.0

# How many matches an address may play on: each is executed again before everybody's eyes.
SEQUELS_PER_MINUTE = 6.0

_Key = tuple[str, str, object]


class _Job(NamedTuple):
    key: _Key
    number: int
    wish: Wish
    told: asyncio.Future[Told]


class Teller:
    """The processes that tell, the line before them, and what they told lately.

    The line is fair: addresses take turns. Those who wish for the same at the same time are told the same.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        settings = house.settings
        self._budget = Budget(settings.stories_per_minute / 60, settings.stories_burst)
        self._sequels = Budget(SEQUELS_PER_MINUTE / 60, SEQUELS_PER_MINUTE)
        self._kept: OrderedDict[_Key, Told] = OrderedDict()
        self._kept_bytes = 0
        # What is wished for and not told yet, and that part of it which nobody works on, by address.
        self._open: dict[tuple[_Key, int], asyncio.Future[Told]] = {}
        self._waiting: dict[str, deque[_Job]] = {}
        self._count = asyncio.Semaphore(0)
        self._idle = 0
        self._workers: set[asyncio.Task[None]] = set()
        self._looking: set[asyncio.Task[None]] = set()

    async def tell(self, address: str, wish: Wish, number: int = 0) -> bytes:
        """What is wished for, as gzip.

        `number` is how many records there are by now, 0 when there will be no more.

        Raises Refused, and Spent when this address or all together have asked for too much.
        """
        self._pay(address)
        key = (wish.kind, wish.table, wish.eyes)
        told = self._kept.get(key)
        if told is not None and (not number or told.number == number):
            self._kept.move_to_end(key)
        else:
            # Whoever hangs up does not take it from the others who wait for the same.
            told = await asyncio.shield(
                self._open.get((key, number)) or self._push(address, key, number, wish)
            )
        if told.code:
            raise Refused(told.reason, told.code)
        return told.body

    def _pay(self, address: str) -> None:
        """Raises Spent when this address has asked for too much."""
        wait_s = self._budget.spend(address, self._house.now())
        if wait_s:
            raise self._house.refusals.spent(
                "stories", address, "too many records and replays asked for", "rate", wait_s
            )

    # Looking back.

    def look_back(self, guest: Guest, request: Look) -> None:
        """Tell a guest which move decided a match, or let it be played on, when that has been looked up."""
        task = asyncio.get_running_loop().create_task(self._look_back(guest, request))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look_back(self, guest: Guest, request: Look) -> None:
        try:
            if isinstance(request, Decisive):
                await self._tell_decisive(guest, request.table)
            else:
                await self._play_on(guest, request)
        except Refused as refusal:
            self._house.hall.post.letter(guest, Declined(request, refusal.reason, refusal.code))
        self._house.dispatch()

    async def _tell_decisive(self, guest: Guest, table: str) -> None:
        wish = Wish(str(self._house.settings.data_folder()), table, "decisive")
        body = await self.tell(guest.address, wish)
        self._house.hall.post.letter(guest, msgspec.json.decode(gzip.decompress(body), type=Decided))

    async def _play_on(self, guest: Guest, request: Continue) -> None:
        house = self._house
        wait_s = self._sequels.spend(guest.address, house.now())
        if wait_s:
            raise house.refusals.spent(
                "sequels", guest.address, "too many matches to be played on", "rate", wait_s
            )
        # That it was broken off may not be durable yet.
        await house.settled()
        position = await asyncio.to_thread(self._position, request)
        house.hall.play_on(guest, request, position, house.now())

    def _position(self, request: Continue) -> Position:
        """Where a match was broken off, in a thread of its own: it is executed again. Raises Refused."""
        return broken_off(self._house.archive.lines(request.table), key_of(request.token), games.load)

    # The line.

    def _push(self, address: str, key: _Key, number: int, wish: Wish) -> asyncio.Future[Told]:
        limit = self._house.settings.stories_waiting_max
        own = self._waiting.get(address, deque())
        if len(self._open) >= limit or len(own) >= max(1, limit // 2):
            raise self._house.refusals.spent(
                "busy", address, "too many records and replays are being told, try again soon", "busy", BUSY_S
            )
        told: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._open[key, number] = told
        self._waiting.setdefault(address, own).append(_Job(key, number, wish, told))
        self._count.release()
        self._hire()
        return told

    def _hire(self) -> None:
        if self._waiting and not self._idle and len(self._workers) < self._house.settings.story_workers:
            worker = asyncio.get_running_loop().create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._left)

    def _left(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        if not worker.cancelled():
            # Somebody may have come while it was leaving.
            self._hire()

    async def _next(self) -> _Job | None:
        """The next in line, None when nobody comes for a while."""
        self._idle += 1
        try:
            async with asyncio.timeout(REST_S):
                await self._count.acquire()
        except TimeoutError:
            return None
        finally:
            self._idle -= 1
        address = next(iter(self._waiting))
        jobs = self._waiting.pop(address)
        job = jobs.popleft()
        if jobs:
            self._waiting[address] = jobs
        return job

    # Telling.

    async def _work(self) -> None:
        child = Child("ludoteca.server.storyteller")
        try:
            while (job := await self._next()) is not None:
                told = await self._ask(child, job.wish)
                if not told.code:
                    self._keep(job.key, told)
                del self._open[job.key, job.number]
                job.told.set_result(told)
        finally:
            await child.close()

    async def _ask(self, child: Child, wish: Wish) -> Told:
        try:
            told = msgspec.msgpack.decode(
                await child.ask(msgspec.msgpack.encode(wish), TELL_S_MAX), type=Told
            )
            if told.error:
                raise ChildLost(told.error)
        except (ChildLost, msgspec.DecodeError) as error:
            self._house.failed("story", error, table=wish.table)
            return Told(code="busy", reason="this match cannot be told now")
        return told

    def _keep(self, key: _Key, told: Told) -> None:
        before = self._kept.pop(key, None)
        self._kept[key] = told
        self._kept_bytes += len(told.body) - (len(before.body) if before else 0)
        while self._kept_bytes > self._house.settings.stories_bytes_max:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    async def close(self) -> None:
        """Stop telling; those who wait are told so."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)
        for told in self._open.values():
            told.set_result(Told(code="busy", reason="the house closes"))
        self._open.clear()
        self._waiting.clear()
