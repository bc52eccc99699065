"""Bots at work: they sit at tables like anybody and are asked like anybody; they stand in line
for time to think."""

import asyncio
import contextlib
import math
import os
import pickle
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import structlog

from ludoteca import bots
from ludoteca.bots.hope import FAREWELL, RESIGNING, Despair
from ludoteca.core import Dice, Notice
from ludoteca.core.notices import Advice, Asked
from ludoteca.core.requests import Act
from ludoteca.hall import Guest, Table
from ludoteca.server.fair import Line, Place
from ludoteca.server.house import House
from ludoteca.server.settings import Settings
from ludoteca.server.traces import Facts
from ludoteca.server.worker import Answer, Thought
from ludoteca.server.workers import Breakdown, NotThere, Worker

log = structlog.get_logger()

TROUBLE_PAUSE_S = 0.2
# A bot looks at the clock many times in each second of processor time. One that is so many times too
# late never will.
LATE = 3
# Tables where somebody plays come before those where somebody only looks on; where nobody is, bots
# are not asked.
PLAYED, WATCHED = range(2)


# So many in line are passed over at once who cannot be thought about elsewhere, while only there is room.
PASSED_MAX = 32


class Waiting(NamedTuple):
    """A question in line, and since when; `home` where it was asked elsewhere in vain."""

    guest: Guest
    number: int
    since: float
    home: bool = False


def cores() -> int:
    """How many cores this process may use, with a container's quota."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with contextlib.suppress(OSError, ValueError):
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        count = min(count, int(quota) // int(period))
    return max(1, count)


def workers_max(settings: Settings) -> int:
    """How many bots can think at once."""
    if settings.bot_workers != "auto":
        return max(1, settings.bot_workers)
    return min(64, max(1, cores() - 1))


def wall_s(settings: Settings) -> float:
    """How long a thought may last by the clock: even an idle machine needs longer than the processor time."""
    return max(settings.bot_wall_s, 2 * settings.bot_s)


class Workshop:
    """The workers that bots think in, and the line before them. A worker is started when all others are busy.

    Each bot has at most one question in line, and no more than its number: the state is looked up
    when its turn comes. A person who wants a hint stands in the same line with the own question.

    Where there are machines that only think (`World.elsewhere`) bots think there first; what comes to nothing
    there stands in line again and is thought at home.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._world = house.world
        self._workers_max = workers_max(house.settings)
        self._elsewhere = house.world.elsewhere
        self._line: Line[Waiting] = Line(ranks=2, at_once_max=1)
        # The question that each bot is waiting or thinking about.
        self._asked: dict[Guest, int] = {}
        self._workers: list[Worker] = []
        self._idle: list[Worker] = []
        self._busy = 0
        # How long each has had no hope.
        self._despair: WeakKeyDictionary[Guest, Despair] = WeakKeyDictionary()
        # In the order they began: a set would end them in another order each time.
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._closed = False
        self._elsewhere.begin(house.metrics, self._go_on)

    def drive(self, guest: Guest) -> "BotPlayer":
        """The driver of one bot."""
        return BotPlayer(guest, self.answer)

    def answer(self, guest: Guest, number: int) -> None:
        """Answer the question asked under this number: at once where that needs no thought."""
        asked = self._house.hall.asked(guest, number)
        if asked is None or self._closed or self._asked.get(guest) == number:
            return
        table, question = asked
        if guest.bot == "random" or len(question.choices) == 1:
            self._despairs(guest, number, None)
            action = Dice(self._world.bits(63)).choice(question.choices)
            self._run(self._submit(table, guest, number, action))
        else:
            self._asked[guest] = number
            self._push(table, guest, number)

    def advise(self, guest: Guest, number: int) -> None:
        """Have the game's strongest bot think about a person's question, in line with all others'."""
        asked = self._house.hall.asked(guest, number)
        if asked is None:
            self._give_hint(guest, guest.table, number)
            return
        table, question = asked
        if len(question.choices) == 1:
            self._give_hint(guest, table.id, number, bots.strongest(table.game), tuple(question.choices))
        elif not self._closed:
            self._push(table, guest, number)

    def _push(self, table: Table, guest: Guest, number: int) -> None:
        place = Place(_rank(table), table.owner, table.id)
        self._line.push(place, Waiting(guest, number, self._world.monotonic()))
        self._go_on()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = None
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._tasks[task]
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._house.failed("bot", error)

    # The line.

    def _go_on(self) -> None:
        """Have every free worker take the next question."""
        line, elsewhere, passed = self._line, self._elsewhere, list[tuple[Place, Waiting]]()
        workers = self._workers_max + elsewhere.workers()
        line.at_once_max = math.ceil(workers * self._house.settings.bot_share_per_address)
        while not self._closed and len(passed) < PASSED_MAX:
            at_home = self._busy < self._workers_max
            if not (at_home or elsewhere.room()) or (found := line.pop()) is None:
                break
            place, waiting = found
            table = self._house.hall.desk.table_of(waiting.guest)
            rank = _rank(table) if table is not None else place.rank
            if rank > place.rank:
                # Whoever played at this table when the bot was asked has left.
                line.done(place, 0.0)
                line.push(place._replace(rank=rank), waiting)
                continue
            slot = None
            if table is not None and waiting.guest.bot and not waiting.home:
                slot = elsewhere.take(table.game.name, waiting.guest.bot)
            if slot is not None:
                self._run(self._work_elsewhere(slot, place, waiting))
            elif at_home:
                self._busy += 1
                self._run(self._work(place, waiting))
            else:
                line.done(place, 0.0)
                passed.append((place, waiting))
        for place, waiting in passed:
            line.push(place, waiting)
        self._house.metrics.bot_queue.set(len(line))

    async def _work_elsewhere(self, slot: Worker, place: Place, waiting: Waiting) -> None:
        self._house.metrics.bot_wait.observe(self._world.monotonic() - waiting.since)
        used_s, again = 0.0, False
        try:
            used_s = await self._answer(slot, place, waiting.guest, waiting.number)
        except NotThere:
            again = True
        finally:
            self._line.done(place, used_s)
            await slot.close()
        if again:
            self._line.push(place, waiting._replace(home=True))
        self._go_on()

    async def _work(self, place: Place, waiting: Waiting) -> None:
        guest, number = waiting.guest, waiting.number
        self._house.metrics.bot_wait.observe(self._world.monotonic() - waiting.since)
        if not self._idle:
            self._workers.append(worker := self._world.hire(self._house.settings))
            self._idle.append(worker)
        worker = self._idle.pop()
        used_s = 0.0
        try:
            think = self._answer if guest.bot else self._hint
            used_s = await think(worker, place, guest, number)
        finally:
            self._line.done(place, used_s)
            # A worker rests for as long as the bots' share of its time demands.
            rest_s = used_s * (1 / self._house.settings.bot_share - 1)
            asyncio.get_running_loop().call_later(rest_s, self._free, worker)

    def _free(self, worker: Worker) -> None:
        self._idle.append(worker)
        self._busy -= 1
        self._go_on()

    # A thought.

    async def _answer(self, worker: Worker, _: Place, guest: Guest, number: int) -> float:
        """Think and answer; the processor time it took."""
        asked = self._house.hall.asked(guest, number)
        if asked is None:
            self._forget(guest, number)
            return 0.0
        table, level, began = asked[0], guest.bot, self._world.monotonic()
        try:
            answer = await self._think(worker, table, guest, number, level)
        except NotThere:
            raise
        except Exception as error:
            # The one place that keeps a bot's breakdown from its table: another level goes on in its chair.
            self._note_breakdown(table, level, error)
            await self._writable()
            self._forget(guest, number)
            self._replace(guest, bots.substitute(table.game, level))
            self.answer(guest, number)
            return self._world.monotonic() - began
        if self._despairs(guest, number, answer.hope) and self._may_resign(table, guest):
            await self._resign(guest, number)
        else:
            await self._submit(table, guest, number, answer.action)
        return answer.cpu_s

    # Giving up.

    def _may_resign(self, table: Table, guest: Guest) -> bool:
        """Whether this bot gives up what it cannot win: host, level and table allow it."""
        return (
            self._house.settings.bot_resigns
            and bots.named(table.game, guest.bot) in RESIGNING
            and guest.seat is not None
            and table.course.may_resign(guest.seat)
        )

    def _despairs(self, guest: Guest, number: int, hope: float | None) -> bool:
        return self._despair.setdefault(guest, Despair()).grows(number, hope)

    async def _resign(self, guest: Guest, number: int) -> None:
        await self._writable()
        self._forget(guest, number)
        if not self._house.closing and self._house.hall.asked(guest, number) is not None:
            self._house.hall.resign(guest, FAREWELL, self._house.now())
            self._house.dispatch()

    async def _hint(self, worker: Worker, place: Place, guest: Guest, number: int) -> float:
        """Think in a person's place and say so; the processor time it took."""
        asked = self._house.hall.asked(guest, number)
        if asked is None or asked[0].id != place.table:
            self._give_hint(guest, place.table, number)
            return 0.0
        table, level, began = asked[0], bots.strongest(asked[0].game), self._world.monotonic()
        try:
            answer = await self._think(worker, table, guest, number, level, advice=True)
        except Exception as error:
            # A bot that breaks down over somebody else's question harms nobody: it is said, and no more.
            self._note_breakdown(table, level, error)
            self._give_hint(guest, table.id, number)
            return self._world.monotonic() - began
        self._house.metrics.bot_hints.labels(table.game.name).inc()
        self._give_hint(guest, table.id, number, level, (answer.action,), answer.advice)
        return answer.cpu_s

    def _give_hint(
        self,
        guest: Guest,
        table: str,
        number: int,
        level: str = "",
        actions: tuple[Any, ...] = (),
        advice: tuple[Advice, ...] = (),
    ) -> None:
        self._house.hall.hints.give(guest, table, number, level, actions, advice)
        self._house.dispatch()

    def _note_breakdown(self, table: Table, level: str, error: Exception) -> None:
        self._house.metrics.bot_failures.labels(table.game.name, level).inc()
        log.error("bot broke down", game=table.game.name, bot=level, table=table.id, reason=str(error))

    async def _think(
        self, worker: Worker, table: Table, guest: Guest, number: int, level: str, advice: bool = False
    ) -> Answer:
        settings = self._house.settings
        assert guest.seat is not None
        thought = Thought(
            game=table.game.name,
            level=level,
            state=table.match.state,
            seat=guest.seat,
            seed=self._world.bits(63),
            cpu_s=settings.bot_s,
            wall_s=wall_s(settings),
            advice=advice,
            hope=bool(guest.bot) and self._may_resign(table, guest),
        )
        began = self._house.now()
        # Copied before anything can change it: the state is the one that the question is about.
        answer = await worker.think(pickle.dumps(thought), LATE * thought.wall_s)
        if answer.error:
            raise Breakdown(answer.error)
        self._house.metrics.bot_thinking.labels(table.game.name).inc(answer.cpu_s)
        self._house.metrics.bot_cuts.labels(table.game.name).inc(answer.cut)
        if self._house.traces is not None:
            facts: Facts = {
                "ludoteca.game": table.game.name,
                "ludoteca.bot": level,
                "ludoteca.cpu_s": answer.cpu_s,
            }
            self._house.traces.span("think", began, self._house.now(), facts)
        asked = self._house.hall.asked(guest, number)
        if asked is not None and asked[0] is table and answer.action not in asked[1].choices:
            raise Breakdown(f"{answer.action} is no answer to this question")
        return answer

    def _replace(self, guest: Guest, level: str) -> None:
        house = self._house
        if not house.closing:
            why = f"I broke down at level {guest.bot}; from now on I play at level {level}."
            house.hall.change_bot(guest, level, why, house.now())
            house.dispatch()

    async def _submit(self, table: Table, guest: Guest, number: int, action: Any) -> None:
        await self._writable()
        self._forget(guest, number)
        if not self._house.closing:
            self._house.metrics.bot_moves.labels(table.game.name).inc()
            self._house.submit(guest, [Act((action,), number)], self._house.now())

    async def _writable(self) -> None:
        """Nobody's requests are taken while the journal cannot be written; people are not read, bots wait."""
        while self._house.trouble and not self._house.closing:
            await asyncio.sleep(TROUBLE_PAUSE_S)

    def _forget(self, guest: Guest, number: int) -> None:
        if self._asked.get(guest) == number:
            del self._asked[guest]

    async def close(self) -> None:
        """Stop thinking."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._elsewhere.close()
        for worker in self._workers:
            await worker.close()


def _rank(table: Table) -> int:
    return PLAYED if table.company.plays() else WATCHED


class BotPlayer:
    """The shell behind a bot's chair: it hears everything and cares about questions only."""

    __slots__ = ("_answer", "_guest")

    def __init__(self, guest: Guest, answer: Callable[[Guest, int], None]) -> None:
        self._guest = guest
        self._answer = answer

    def tell(self, notices: list[Notice], now: float) -> None:
        """Answer the newest question."""
        asked = [notice.number for notice in notices if isinstance(notice, Asked)]
        if asked:
            self._answer(self._guest, asked[-1])

    def pause(self, paused: bool) -> None:
        """Bots wait by themselves."""

    def is_behind(self) -> bool:
        """Bots take everything at once."""
        return False

    def fail(self) -> None:
        """There is nothing to close behind a bot; it is asked again with the next question."""

    def finish(self) -> None:
        """Nor is a bot shown out."""
