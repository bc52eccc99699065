"""Machines that only think, as a node sees them: who is here, whom to ask, and whom not to ask again for a
while.

Their word is taken for nothing but which of the legal answers they prefer. Who is new, or has been wrong, is
asked one thought, alone among all such; with every good answer it is asked one more at a time. A thought that
comes to nothing there is thought at home.
"""

import asyncio
import pickle
from collections.abc import Callable

import msgspec
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from ludoteca import games
from ludoteca.core import Dice, Seat
from ludoteca.server.cluster import minds
from ludoteca.server.cluster.minds import Here, Question, Reply, mind_of, subject
from ludoteca.server.cluster.stream import connect
from ludoteca.server.metrics import Metrics
from ludoteca.server.schema import StoreError
from ludoteca.server.settings import Settings
from ludoteca.server.worker import Answer, Thought
from ludoteca.server.workers import NotThere

log = structlog.get_logger()

# Who has said nothing for so long is not here.
GONE_S = 3.5
THINKERS_MAX = 64
# What the way there and back may take, beside the thought's own time.
WAY_S = 1.0
# How long nobody asks one that did not answer, or answered nonsense; longer each time.
SHUN_S, SHUN_S_MAX = 10.0, 600.0
RETRY_S = 5.0
ANSWERED, BUSY, FAILED, GONE, LATE, WRONG = "answered", "busy", "failed", "gone", "late", "wrong"


class Known:
    """One of them. `trust` is how many thoughts it has at most, and grows to the number of its workers."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.heard = 0.0
        self.asked = 0
        self.trust = 1
        self.proven = False
        self.shunned_until = 0.0
        self.shun_s = SHUN_S

    def free(self, now: float) -> int:
        """How many thoughts it could be asked now."""
        if now < self.shunned_until or now - self.heard > GONE_S:
            return 0
        return max(0, min(self.here.workers, self.trust) - self.asked)

    def good(self) -> None:
        """It has answered."""
        self.proven, self.shun_s = True, SHUN_S
        self.trust = min(self.trust + 1, minds.WORKERS_MAX)

    def hurry_less(self) -> None:
        """Others ask it, too."""
        self.trust = max(1, self.trust // 2)

    def doubt(self) -> None:
        """It had no answer, and said so."""
        self.trust, self.proven = 1, False

    def shun(self, now: float) -> None:
        """It is not asked for a while."""
        self.doubt()
        self.shunned_until = now + self.shun_s
        self.shun_s = min(2 * self.shun_s, SHUN_S_MAX)


class Thinkers:
    """All of them, in the loop of the house. Whether there are any, and whether they can be reached, holds
    nothing up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._client: Client | None = None
        self._known: dict[str, Known] = {}
        self._changed: Callable[[], None] = lambda: None
        self._metrics: Metrics | None = None
        self._task: asyncio.Task[None] | None = None

    # The workshop's side.

    def begin(self, metrics: Metrics, changed: Callable[[], None]) -> None:
        """A house uses them from now on; `changed` is called when there may be room for more thoughts."""
        self._metrics, self._changed = metrics, changed
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._listen())
        self._count()

    def room(self) -> int:
        """How many more thoughts could be asked now, whatever they are about."""
        now = self._now()
        return sum(known.free(now) for known in self._known.values())

    def workers(self) -> int:
        """How many thoughts could be asked at once."""
        now = self._now()
        return sum(known.free(now) + known.asked for known in self._known.values())

    def take(self, game: str, level: str) -> "Slot | None":
        """Somebody who can think about this now, for one thought."""
        client = self._client
        if client is None or not client.is_connected or not self._known:
            return None
        mind, now = mind_of(game, level), self._now()
        testing = any(known.asked for known in self._known.values() if not known.proven)
        able = [
            known
            for known in self._known.values()
            if known.free(now) and mind in known.here.minds and (known.proven or not testing)
        ]
        if not able or not mind:
            return None
        # One who is new is tried as soon as it can be: otherwise it never would, where others have room.
        chosen = max(able, key=lambda known: (not known.proven, known.free(now)))
        return Slot(self, client, chosen, mind)

    async def close(self) -> None:
        """Ask nobody any more."""
        self._changed = lambda: None
        while self._task is not None and not self._task.done():
            # The library has places where it does not hear that it should stop.
            self._task.cancel()
            await asyncio.wait([self._task], timeout=0.1)
        await self._hang_up()

    async def _hang_up(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    # Who is here.

    async def _listen(self) -> None:
        house = self.settings.cluster_name
        while self._client is None:
            try:
                client = self._client = await connect(self.settings, self.settings.cluster)
                inbox = client.new_inbox()
                await client.subscribe(subject(house, "here"), cb=self._hear)
                await client.subscribe(inbox, cb=self._hear)
                await client.publish(subject(house, "roll"), b"", reply=inbox)
            except (StoreError, NatsError, OSError, TimeoutError) as error:
                log.debug("no thinkers", reason=str(error))
                await self._hang_up()
                await asyncio.sleep(RETRY_S)
        while True:
            await asyncio.sleep(GONE_S / 2)
            self._forget()

    async def _hear(self, message: Msg) -> None:
        if not message.data:
            return  # Nobody answers the roll.
        try:
            here = msgspec.msgpack.decode(message.data, type=Here)
        except msgspec.DecodeError as error:
            log.debug("somebody says what no thinker says", reason=str(error))
            return
        known = self._known.get(here.name)
        if known is None:
            if len(self._known) >= THINKERS_MAX:
                self._forget(at_once=True)
            if len(self._known) >= THINKERS_MAX:
                log.warning("more thinkers than can be used", at_most=THINKERS_MAX, name=here.name)
                return
            known = self._known[here.name] = Known(here)
            log.info("thinker", name=here.name, workers=here.workers, version=here.version)
        known.here, known.heard = here, self._now()
        self._count()
        self._changed()

    def _forget(self, *, at_once: bool = False) -> None:
        """Those who are gone; one that is shunned is remembered for as long as there is room."""
        now = self._now()
        for name, known in list(self._known.items()):
            if now - known.heard > GONE_S and not known.asked and (at_once or now >= known.shunned_until):
                del self._known[name]
                log.info("thinker gone", name=name)
        self._count()

    def _count(self) -> None:
        if self._metrics is not None:
            self._metrics.thinkers.set(len(self._known))
            self._metrics.thinker_workers.set(self.workers())

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def ended(self, known: Known, how: str, why: str = "") -> None:
        """What came of a thought."""
        assert self._metrics is not None
        self._metrics.thoughts_elsewhere.labels(how).inc()
        if how == ANSWERED:
            known.good()
        elif how == BUSY:
            known.hurry_less()
        elif how == FAILED:
            known.doubt()
        else:
            known.shun(self._now())
            log.warning("thinker not asked for a while", name=known.here.name, what=how, reason=why)

    def give_back(self, known: Known) -> None:
        """A thought is no longer thought there."""
        known.asked -= 1
        self._count()


class Slot:
    """A worker elsewhere, for one thought (`workers.Worker`)."""

    def __init__(self, thinkers: Thinkers, client: Client, known: Known, mind: str) -> None:
        self._thinkers, self._client, self._known, self._mind = thinkers, client, known, mind
        known.asked += 1
        self._open = True

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought, which is our own. Raises NotThere."""
        asked: Thought = pickle.loads(thought)
        seat = Seat(asked.seat)
        choices = asked.state.questions[seat].choices
        # What the seat cannot know does not leave the house.
        imagined = games.load(asked.game).redeal(asked.state, seat, Dice(asked.seed))
        question = Question(
            self._mind,
            asked.game,
            asked.level,
            pickle.dumps(imagined, protocol=5),
            asked.seat,
            asked.seed,
            asked.cpu_s,
            asked.wall_s,
        )
        wait_s = min(limit_s, asked.wall_s + WAY_S)
        began = asyncio.get_running_loop().time()
        how, why, place, reply = GONE, "", -1, Reply(0)
        try:
            to = subject(self._thinkers.settings.cluster_name, "ask", self._known.here.name)
            data = msgspec.msgpack.encode(question)
            answer = (await self._client.request(to, data, timeout=wait_s)).data
            if len(answer) > minds.ANSWER_BYTES_MAX:
                raise msgspec.DecodeError(f"{len(answer)} bytes are no answer")
            reply = msgspec.msgpack.decode(answer, type=Reply)
            how, why, place = _judged(reply, asked.seed, len(choices))
        except msgspec.DecodeError as error:
            how, why = WRONG, str(error)
        except TimeoutError:
            how, why = LATE, f"no answer within {wait_s} s"
        except (NatsError, OSError) as error:
            why = str(error)
        self._thinkers.ended(self._known, how, why)
        if how != ANSWERED:
            raise NotThere(f"{self._known.here.name}: {how}, {why}")
        took_s = asyncio.get_running_loop().time() - began
        return Answer(choices[place], "", min(max(0.0, reply.cpu_s), took_s), reply.cut)

    async def close(self) -> None:
        """It is free for another thought."""
        if self._open:
            self._open = False
            self._thinkers.give_back(self._known)


def _judged(reply: Reply, seed: int, among: int) -> tuple[str, str, int]:
    """What a reply is worth."""
    if reply.seed != seed or (not reply.error and reply.among != among):
        return WRONG, "an answer to another question", -1
    if reply.error:
        return (BUSY if reply.error == minds.BUSY else FAILED), reply.error, -1
    if not 0 <= reply.place < among:
        return WRONG, f"{reply.place} is none of {among} choices", -1
    return ANSWERED, "", reply.place
