"""Several processes in one simulated loop: each has event loops of its own, as a node has two, and can be
paused or ended at any moment, in whatever it was just doing.

The world's loop has the time. The loops of processes are driven from there, one after the other, so that a
run is the same every time.
"""

import asyncio
import concurrent.futures
import heapq
from asyncio import events, futures
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from tests.simulation.loop import SimulatedLoop

from ludoteca.core import Dice

Dial = Callable[[str, str, Callable[[], Any]], Awaitable[tuple[asyncio.Transport, asyncio.Protocol]]]


# So many turns of a loop take no time in which others could have theirs.
TURNS_AT_ONCE = 8
# In so many turns whatever is told again and again to end has ended.
BURIED_IN = 100


class Ended(BaseException):
    """The process is gone: what waits in it waits no more."""


class WorldLoop(SimulatedLoop):
    """A loop that can be run on from within: while one process waits as threads wait, the others go on."""

    _ready: Any

    def run_on(self, until: Callable[[], bool]) -> None:
        """Go on until it is so."""
        # Whoever runs us already counts on so many calls that are ready.
        counted_on = len(self._ready)
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            while not until():
                self._run_once()  # type: ignore[attr-defined]
        finally:
            events._set_running_loop(before)
            for _ in range(counted_on):
                nothing = asyncio.Handle(print, (), self)
                nothing.cancel()
                self._ready.appendleft(nothing)


class ProcessLoop(SimulatedLoop):
    """One loop of a process."""

    _ready: Any
    _scheduled: Any
    _timer_cancelled_count: int

    def __init__(self, process: "Process") -> None:
        super().__init__()
        self.process = process
        self._world = process.world
        self._due = self._busy = self._missed = False
        self._alarm: asyncio.TimerHandle | None = None
        self.is_over = False

    def time(self) -> float:
        """The world's."""
        return self._world.time()

    def select(self, timeout: float | None) -> list[Any]:
        """Time is not ours."""
        return []

    def stop(self) -> None:
        """It runs no more."""
        self.is_over = True

    def end(self) -> None:
        """The process is gone: nothing of what was to be done is done."""
        self.is_over = True
        for handle in [*self._ready, *self._scheduled]:
            handle.cancel()
        if self._alarm is not None:
            self._alarm.cancel()

    def _call_soon(self, callback: Any, args: Any, context: Any) -> asyncio.Handle:
        handle: asyncio.Handle = super()._call_soon(callback, args, context)  # type: ignore[misc]
        if self.process.is_gone:
            handle.cancel()
            self._ready.pop()
        else:
            self._wake()
        return handle

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """Later."""
        handle = super().call_at(when, callback, *args, context=context)
        if self.process.is_gone:
            handle.cancel()
        elif not self._busy:
            self._arm()
        return handle

    def _wake(self) -> None:
        if not self._due and not self._busy:
            self._due = True
            self._world.call_soon(self._turn)

    def _arm(self) -> None:
        while self._scheduled and self._scheduled[0]._cancelled:
            # As the loop itself does.
            self._timer_cancelled_count -= 1
            heapq.heappop(self._scheduled)._scheduled = False
        if not self._scheduled:
            return
        when = self._scheduled[0]._when
        if self._alarm is not None:
            if self._alarm.when() <= when:
                return
            self._alarm.cancel()
        self._alarm = self._world.call_at(when, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._turn()

    def wake(self) -> None:
        """It was paused, and goes on."""
        if self._missed:
            self._missed = False
            self._wake()
        self._arm()

    def _turn(self) -> None:
        self._due = False
        if self.is_over or self.process.is_gone:
            return
        if self.process.is_paused or self._busy:
            self._missed = True
            return
        self._busy = True
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            for _ in range(TURNS_AT_ONCE):
                self._run_once()  # type: ignore[attr-defined]
                if not self._ready or self.process.is_gone or self.process.is_paused:
                    break
        finally:
            events._set_running_loop(before)
            self._busy = False
        if self.is_over or self.process.is_gone:
            return
        if self._ready or self._missed:
            self._missed = False
            self._wake()
        self._arm()

    async def create_connection(  # type: ignore[override]
        self, protocol_factory: Any, host: Any = None, port: Any = None, **_more: Any
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """There is nothing to connect to but the servers of NATS."""
        return await self.process.dial(self.process.name, host, protocol_factory)


class Process:
    """One of them. `dice` is its own chance; what it connects to is found by `dial`."""

    def __init__(self, world: WorldLoop, name: str, dice: Dice, dial: Dial) -> None:
        self.world = world
        self.name = name
        self.dice = dice
        self.dial = dial
        self.is_paused = False
        self.is_gone = self.is_buried = False
        self.loops: list[ProcessLoop] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self.main = self.new_loop()

    def new_loop(self) -> ProcessLoop:
        """Another loop, as a thread has."""
        loop = ProcessLoop(self)
        self.loops.append(loop)
        return loop

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
        """Have it done in the main loop."""
        return self.main.create_task(coroutine)

    def pause(self) -> None:
        """SIGSTOP."""
        self.is_paused = True

    def go_on(self) -> None:
        """SIGCONT."""
        self.is_paused = False
        for loop in self.loops:
            loop.wake()

    def kill(self) -> None:
        """kill -9."""
        # Their tasks are kept: what is collected would wake up once more.
        self._tasks = [task for loop in self.loops for task in asyncio.all_tasks(loop)]
        self.is_gone = True
        for loop in self.loops:
            loop.end()

    def failures(self) -> list[str]:
        """What nobody has looked at in its loops."""
        return [failure for loop in self.loops for failure in loop.failures]

    def bury(self) -> None:
        """The evening is over: nothing of it may wake up in another one."""
        self.is_gone = self.is_paused = False
        self.is_buried = True
        before = events._get_running_loop()
        try:
            for _ in range(BURIED_IN):
                if not any(asyncio.all_tasks(loop) for loop in self.loops):
                    break
                for loop in self.loops:
                    events._set_running_loop(loop)
                    for task in asyncio.all_tasks(loop):
                        task.cancel()
                    loop._run_once()  # type: ignore[attr-defined]
        finally:
            events._set_running_loop(before)
        self.kill()
        for loop in self.loops:
            loop.close()


def here() -> Process:
    """The process whose turn it is."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, ProcessLoop)
    return loop.process


class Waiting(concurrent.futures.Future[Any]):
    """What another thread does: whoever waits for it as threads wait lets all others go on."""

    def result(self, timeout: float | None = None) -> Any:
        """What came of it. Raises what it raised."""
        if not self.done():
            process = here()
            if not process.is_buried:
                process.world.run_on(lambda: self.done() or process.is_gone)
            if process.is_gone or process.is_buried:
                raise Ended
        return super().result(0)


def run_coroutine_threadsafe(coroutine: Any, loop: asyncio.AbstractEventLoop) -> Waiting:
    """As asyncio's own."""
    future = Waiting()

    def begin() -> None:
        task = asyncio.ensure_future(coroutine, loop=loop)
        futures._chain_future(task, future)  # type: ignore[attr-defined]

    loop.call_soon_threadsafe(begin)
    return future


class Thread:
    """One that only drives a loop, which is driven anyway."""

    def __init__(self, **_given: object) -> None:
        """There is nothing to start."""

    def start(self) -> None:
        """It runs."""

    def join(self) -> None:
        """It has ended."""


# Chance and time of whoever's turn it is.


def bits(count: int) -> int:
    """So many random bits."""
    dice, found = here().dice, 0
    for _ in range(0, count, 64):
        found = found << 64 | dice.below(1 << 64)
    return found & ((1 << count) - 1)


def _shuffle(things: list[Any]) -> None:
    things[:] = here().dice.sample(things, len(things))


CHANCE = SimpleNamespace(
    token_bytes=lambda size: bits(8 * size).to_bytes(size),
    token_hex=lambda size: f"{bits(8 * size):0{2 * size}x}",
)


@contextmanager
def library(loop: SimulatedLoop) -> Iterator[None]:
    """The client's library for NATS as it is, but for chance and time."""
    with ExitStack() as stack:
        for place, thing in {
            "nats.aio.client.time": SimpleNamespace(monotonic=loop.time),
            "nats.aio.client.shuffle": _shuffle,
            "nats.aio.client.token_hex": CHANCE.token_hex,
            "nats.nuid.randbelow": lambda bound: bits(62) % bound,
            "nats.nuid.token_bytes": CHANCE.token_bytes,
        }.items():
            stack.enter_context(patch(place, thing))
        yield
