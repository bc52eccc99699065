"""The house at work: requests go to the hall, its records to the journal, its letters out once those are durable.

There is no task and no queue for each table: the hall is quick and never waits, so an input is executed where it
arrives, and what must wait for the disk is only the letters. They stand in one line, in the order they were
written, behind the records they tell about (docs/decisions/0003).
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import structlog

from ludoteca import games
from ludoteca.core import JournalError, Notice, Request
from ludoteca.core.notices import Trouble
from ludoteca.hall import Guest, Hall, Limits
from ludoteca.server.metrics import Metrics
from ludoteca.server.settings import GameDefaults, Settings
from ludoteca.server.store import Store
from ludoteca.server.wheel import Wheel

log = structlog.get_logger()


class Shell(Protocol):
    """Whatever stands behind a guest: a connection or a bot."""

    def deliver(self, notice: Notice) -> None:
        """A notice for this guest; it may be kept until `flush`."""

    def flush(self) -> None:
        """All notices of this round are delivered: send them."""

    def pause(self, paused: bool) -> None:
        """Stop, or go on, taking in requests."""


class House:
    """Hall, journal and clock of one process. `drive` gives a bot that the hall has seated its driver."""

    def __init__(self, settings: Settings, drive: Callable[[Guest], Shell]) -> None:
        self._drive = drive
        self.settings = settings
        self.metrics = Metrics()
        self._loop = asyncio.get_running_loop()
        self._epoch = time.time() - time.monotonic()
        self.wheel = Wheel(self.now)
        self.defaults = GameDefaults(settings)
        limits = Limits(
            tables_max=settings.tables_max,
            guests_max=settings.connections_max + settings.tables_max,
            deserted_s=settings.deserted_s,
        )
        self.hall = Hall(
            games.load,
            self.defaults,
            lambda: secrets.randbits(128),
            limits,
            require_tokens=settings.require_tokens,
        )
        # Letters that wait for the journal: (the number of records that must be durable, since when, letters).
        self._waiting: deque[tuple[int, float, list[tuple[Guest, Notice]]]] = deque()
        self._dispatching = False
        self._appended = 0
        self._stored = 0
        self._alarm: float | None = None
        self.trouble = ""
        self.closing = False
        self.store = Store(
            settings.data_folder(),
            lambda count: self._call(self._on_durable, count),
            lambda reason: self._call(self._on_trouble, reason),
            durability=settings.durability,
        )

    def _call(self, function: Callable[[Any], None], argument: object) -> None:
        """From the writer's thread into the loop, unless that has ended already."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, argument)

    def now(self) -> float:
        """Seconds since 1970 that never jump back while the house stands."""
        return self._epoch + time.monotonic()

    # In.

    def arrive(self, protocol: str, shell: Shell, address: str) -> Guest:
        """Somebody comes in. Raises Refused when the house is full."""
        guest = self.hall.arrive(protocol, address=address)
        guest.shell = shell
        if self.trouble:
            shell.pause(True)
        return guest

    def submit(self, guest: Guest, requests: Iterable[Request]) -> None:
        """Carry out what a guest wants."""
        self.hall.handle(guest, requests, self.now())
        self.dispatch()

    def depart(self, guest: Guest) -> None:
        """A guest's connection is gone. While the house closes that is nobody's fault, and nothing happens."""
        if not self.closing:
            self.hall.depart(guest, self.now())
            self.dispatch()

    # Out.

    def dispatch(self) -> None:
        """Have the hall's post sent when this round of the loop is over: all that came in with it shares one hand-over."""
        if not self._dispatching:
            self._dispatching = True
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        """Send the hall's records to the journal, and its letters out as soon as those are durable."""
        self._dispatching = False
        post = self.hall.post
        for table, error in post.crashes:
            self.metrics.crashes.inc()
            log.error("table crashed", table=table, exc_info=error)
        post.crashes.clear()
        entries, letters = post.take()
        if entries:
            self._appended = self.store.append(entries)
            self._waiting.append((self._appended, time.monotonic(), letters))
        elif letters and self._waiting:
            self._waiting.append((self._appended, time.monotonic(), letters))
        elif letters:
            self._deliver(letters)
        self._set_alarm()

    def _on_durable(self, count: int) -> None:
        metrics, waiting, now = self.metrics, self._waiting, time.monotonic()
        metrics.commits.inc()
        metrics.records.inc(count - self._stored)
        self._stored = count
        ready: list[tuple[Guest, Notice]] = []
        while waiting and waiting[0][0] <= count:
            _, since, letters = waiting.popleft()
            metrics.commit_wait.observe(now - since)
            ready += letters
        if self.trouble:
            self._on_trouble("")
        self._deliver(ready)

    def _deliver(self, letters: list[tuple[Guest, Notice]]) -> None:
        self.metrics.letters.inc(len(letters))
        touched: dict[Shell, None] = {}
        for guest, notice in letters:
            shell: Shell | None = guest.shell
            if shell is None and guest.bot:
                shell = guest.shell = self._drive(guest)
            if shell is not None:
                shell.deliver(notice)
                touched[shell] = None
        for shell in touched:
            shell.flush()

    def _on_trouble(self, reason: str) -> None:
        """The journal cannot be written (or, without a reason, can again): nobody's requests are taken meanwhile."""
        if bool(reason) == bool(self.trouble):
            return
        self.trouble = reason
        self.metrics.trouble.set(1 if reason else 0)
        if reason:
            log.error("journal cannot be written, waiting", reason=reason)
        else:
            log.info("journal can be written again")
        notice = Trouble(reason or "moves are stored again", over=not reason)
        for guest in list(self.hall.guests):
            shell: Shell | None = guest.shell
            if shell is not None and not guest.bot:
                shell.deliver(notice)
                shell.flush()
                shell.pause(bool(reason))

    # Time.

    def _set_alarm(self) -> None:
        alarm = self.hall.alarm()
        if alarm is not None and (self._alarm is None or alarm < self._alarm):
            self._alarm = alarm
            self.wheel.at(alarm, self._tick)

    def _tick(self) -> None:
        self._alarm = None
        self.hall.tick(self.now())
        self.dispatch()

    # Start and end.

    def recover(self) -> int:
        """Bring back every table that was live; a damaged one is set aside alone. How many came back."""
        for table in self.store.live():
            try:
                self.hall.recover(self.store.lines(table), self.now())
            except JournalError as error:
                log.error("table set aside: its record does not replay", table=table, reason=str(error))
                self.store.quarantine(table)
        self._send()
        return len(self.hall.tables)

    async def close(self, reason: str) -> None:
        """Tell everybody, let what is stored go out, and stop."""
        self.hall.close(reason)
        self.closing = True
        self._send()
        await asyncio.to_thread(self.store.close)
        await asyncio.sleep(0)
        self.wheel.stop()
