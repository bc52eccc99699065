"""The house at work: requests go to the hall, its records to the journal, its letters out once those are
durable.

There is no task and no queue for each table: the hall is quick and never waits, so an input is executed where
it arrives, and what must wait for the disk is only the letters. They stand in one line, in the order they
were written, behind the records they tell about (docs/decisions/0003).
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, cast

import msgspec
import structlog

from ludoteca import games
from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Trouble
from ludoteca.hall import Guest, GuestId, Hall, Limits
from ludoteca.hall.acts import Role
from ludoteca.hall.keeping import Keeping
from ludoteca.hall.lobby import LATELY_MAX
from ludoteca.hall.post import Letter, Look
from ludoteca.server.front import Front, Shell
from ludoteca.server.gallery import Gallery
from ludoteca.server.metrics import Metrics
from ludoteca.server.settings import Settings
from ludoteca.server.snapshots import Snapshots
from ludoteca.server.waking import Waking
from ludoteca.server.world import REAL, World

log = structlog.get_logger()

Plain = list[tuple[GuestId, Notice]]

# How long a request that changes nothing waits for the journal.
SETTLE_S = 5.0


class House(Front):
    """Hall, journal and clock of one process. `drive` gives a bot that the hall has seated its driver;
    `advise` has a bot think about a person's question, `look_back` finds out about
    matches that are over.

    The letters of a round go out together, when its records are durable.
    """

    waking: Waking

    def __init__(
        self,
        settings: Settings,
        drive: Callable[[Guest], Shell],
        advise: Callable[[Guest, int], None],
        look_back: Callable[[Guest, Look], None],
        world: World = REAL,
        metrics: Metrics | None = None,
    ) -> None:
        super().__init__(settings, world, metrics)
        self._drive = drive
        self._advise = advise
        self._look_back = look_back
        limits = Limits(
            tables_max=settings.tables_max,
            guests_max=settings.connections_max + settings.tables_max,
            deserted_s=settings.deserted_s,
            abandoned_s=settings.abandoned_s,
            sequel_s=settings.sequel_s,
            choosing_s=settings.choosing_s,
            tables_per_address_max=settings.tables_per_address_max,
            tables_per_guest_max=settings.tables_per_guest_max,
            chat_burst=settings.chat_burst,
            chat_per_minute=settings.chat_per_minute,
            mute_s=settings.mute_s,
            chat_per_address_per_minute=settings.chat_per_address_per_minute,
            chat_per_table_max=settings.chat_per_table_max,
        )
        self.store = world.keep(
            settings,
            lambda count: self._call(self._on_durable, count),
            lambda reason: self._call(self._on_trouble, reason),
        )
        self.archive = self.store.archive
        keeping = Keeping()
        keeping.load(self.archive.deeds())
        self.hall = Hall(
            games.load,
            self.defaults,
            lambda: world.bits(128),
            limits,
            return_by_name="never" if settings.require_tokens else settings.return_by_name,
            secret=self.store.secret,
            keeping=keeping,
            bring_back=lambda table: self.waking.wake(table),
            is_behind=self._is_behind,
        )
        self.waking = Waking(self)
        self.snapshots = Snapshots(self)
        # What stands behind each guest who is no bot.
        self._shells: dict[GuestId, Shell] = {}
        # Letters that wait for the journal: (the number of records that must be durable, since when, round,
        # letters); and those of an audience, behind all others.
        self._waiting: deque[tuple[int, float, int, list[Letter]]] = deque()
        self.gallery = Gallery(self._tell_aside)
        # Who wants to go on when a round has been told.
        self._behind: list[tuple[int, Callable[[], None]]] = []
        self._dispatching = False
        self._appended = 0
        self._stored = 0
        # When `_tick` is called, the next one last: an alarm cannot be taken back when an earlier one is set.
        self._alarms: list[float] = []
        # Since when nothing was stored, while there is trouble.
        self._stopped = 0.0
        # Called with each round, before that is told, where the house has other halls: see `cluster.placing`
        # and `cluster.room`.
        self.halls: Callable[[int], None] | None = None
        self.is_hall: Callable[[str], bool] = lambda _where: False

    def _call(self, function: Callable[[Any], None], argument: object) -> None:
        """From the writer's thread into the loop, unless that has ended already."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, argument)

    # In.

    def role(self, listener: str, key: str = "") -> Role:
        """What somebody is who comes by this listener, and shows this key."""
        role = self.hall.keeping.role(key, self.now())
        return role or ("member" if listener in self.settings.exempt else "guest")

    def arrive(self, protocol: str, shell: Shell, address: str, role: Role = "guest") -> Guest:
        """Somebody comes in. Raises Refused when the house is full, or keeps this address out."""
        now = self.now()
        self.hall.porter.arrive(address, now)
        guest = self.hall.arrive(protocol, address=address)
        guest.role, guest.since = role, now
        self._shells[guest.id] = shell
        if self.trouble:
            shell.pause(True)
        return guest

    def submit(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Carry out what a guest wants."""
        self.hall.handle(guest, requests, now)
        if not self._dispatching:
            self.dispatch()

    def depart(self, guest: Guest) -> None:
        """A guest's connection is gone. While the house closes that is nobody's fault, and nothing
        happens."""
        if not self.closing:
            try:
                self.hall.depart(guest, self.now())
                self._shells.pop(guest.id, None)
            except Exception as error:
                self.failed("closing", error, name=guest.name, protocol=guest.protocol)
            self.dispatch()

    def after(self, number: int, call: Callable[[], None], guest: Guest | None = None) -> None:
        """Call back when this round has been told to everybody it concerns."""
        self._behind.append((number, call))

    def waits(self, guest: Guest) -> bool:
        """Whether the guest waits for other people."""
        return self.hall.waits(guest)

    def game_of(self, guest: Guest) -> str:
        """The name of the game that is played at the guest's table, "" at none."""
        table = self.hall.tables.get(guest.table)
        return table.game.name if table is not None else ""

    async def settled(self) -> None:
        """Wait until all that has come about so far is durable: what is not, nobody may be shown. Raises
        Refused."""
        settled = asyncio.Event()
        # While there is trouble nobody joins those who wait: that could go on for long.
        if not self.trouble:
            self.after(self.round, settled.set)
            self.dispatch()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SETTLE_S):
                    await settled.wait()
        if not settled.is_set():
            raise Refused("moves cannot be stored at the moment", "trouble")

    def let_go(self, guest: Guest) -> None:
        """Somebody is at another hall now: nothing happens, and nothing more is told here."""
        self.hall.desk.dismiss(guest)
        self.hall.names.leave(guest)
        self._shells.pop(guest.id, None)

    def shell(self, guest: Guest) -> Shell | None:
        """What stands behind somebody who is no bot."""
        return self._shells.get(guest.id)

    # What breaks down.

    def measure(self) -> None:
        """Look up what nobody counts as it comes about; for whoever reads the metrics."""
        metrics, hall = self.metrics, self.hall
        for phase, count in hall.lobby.phases.items():
            metrics.tables.labels(phase).set(count)
        metrics.bots.set(hall.desk.bots)
        metrics.lookers.set(len(hall.lookers.gazes))
        metrics.unstored.set(self._appended - self._stored)
        for code, count in hall.post.declined.items():
            metrics.declined.labels(code).inc(count)
        hall.post.declined.clear()
        metrics.measure(self.settings.data_folder())

    def _drop(self, what: str, number: GuestId, error: Exception) -> None:
        """End one guest's connection, whose letters could not be told, and go on with the others'."""
        guest, shell = self.hall.desk.guest(number), self._shells.get(number)
        name, protocol = (guest.name, guest.protocol) if guest is not None else ("", "")
        self.failed(what, error, name=name, protocol=protocol)
        try:
            if shell is not None:
                shell.fail()
        except Exception as worse:
            self.failed("closing", worse, name=name, protocol=protocol)

    # Out.

    def dispatch(self) -> None:
        """Have the hall's post sent when this round of the loop is over: all that came in with it shares one
        hand-over."""
        if not self._dispatching:
            self._dispatching = True
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        """Send the hall's records to the journal, and its letters out as soon as those are durable."""
        self._dispatching = False
        number, self.round = self.round, self.round + 1
        post = self.hall.post
        for table, error in post.crashes:
            self.metrics.crashes.inc()
            log.error("table crashed", table=table, exc_info=error)
        post.crashes.clear()
        for guest, refusal in post.refusals:
            self.refusals.note(refusal.budget, guest.address, refusal.reason)
        post.refusals.clear()
        for guest, question in post.wonders:
            self._advise(guest, question)
        post.wonders.clear()
        for guest, request in post.looks:
            self._look_back(guest, request)
        post.looks.clear()
        for guest in post.outs:
            self.after(number, partial(self._show_out, guest.id))
        post.outs.clear()
        if post.asides:
            self.gallery.expect(post)
        entries, letters = post.take()
        if entries:
            self._appended = self.store.append(entries)
        if self.halls is not None:
            self.halls(number)
        if entries or self._waiting:
            self._waiting.append((self._appended, self._monotonic(), number, letters))
        else:
            self._tell(letters, number, self.now())
        self._set_alarm()

    def _on_durable(self, count: int) -> None:
        metrics, waiting, now = self.metrics, self._waiting, self._monotonic()
        metrics.commits.inc()
        metrics.records.inc(count - self._stored)
        self._stored = count
        ready: list[Letter] = []
        number = self.told
        while waiting and waiting[0][0] <= count:
            _, since, number, letters = waiting.popleft()
            metrics.commit_wait.observe(now - since)
            if self.traces is not None:
                self.traces.span(
                    "store", self._epoch + since, self._epoch + now, {"ludoteca.letters": len(letters)}
                )
            ready += letters
        if self.trouble:
            self._on_trouble("")
        self._tell(ready, number, self._epoch + now)

    def _tell(self, letters: list[Letter], number: int, now: float) -> None:
        """Everything up to this round may be known: deliver the letters, then let those go on who waited for
        it."""
        told: dict[GuestId, list[Notice]] = {}
        # Asides there are only where the gallery expects some.
        plain = self.gallery.sort(letters) if self.gallery.is_needed else cast(Plain, letters)
        self.metrics.letters.inc(len(plain))
        for guest, notice in plain:
            if guest in told:
                told[guest].append(notice)
            else:
                told[guest] = [notice]
        self._hand_out(told, now)
        self.told = number
        if self._behind:
            due = [call for behind, call in self._behind if behind <= number]
            self._behind = [waiting for waiting in self._behind if waiting[0] > number]
            for call in due:
                call()

    def _tell_aside(self, told: dict[GuestId, list[Notice]]) -> None:
        self.metrics.letters.inc(sum(map(len, told.values())))
        self._hand_out(told, self.now())

    def _hand_out(self, told: dict[GuestId, list[Notice]], now: float) -> None:
        for guest, notices in told.items():
            try:
                shell = self._shells.get(guest) or self._bot_shell(guest)
                if shell is not None:
                    shell.tell(notices, now)
            except Exception as error:
                self._drop("telling", guest, error)

    def _show_out(self, number: GuestId) -> None:
        """Close the connection of somebody who has been told why."""
        self.gallery.hurry((number,))
        shell = self._shells.get(number)
        if shell is not None:
            self.metrics.dropped.labels("out").inc()
            shell.finish()

    def _is_behind(self, number: GuestId) -> bool:
        """Whether somebody has not taken what was told before; who is gone never will."""
        shell = self._shells.get(number)
        return shell is None or shell.is_behind()

    def _bot_shell(self, number: GuestId) -> Shell | None:
        """What stands behind a bot for one round of letters; nothing, behind somebody who is gone."""
        guest = self.hall.desk.guest(number)
        return self._drive(guest) if guest is not None and guest.bot else None

    def _on_trouble(self, reason: str) -> None:
        """The journal cannot be written (or, without a reason, can again): nobody's requests are taken
        meanwhile."""
        if bool(reason) == bool(self.trouble):
            return
        self.trouble = reason
        self.metrics.trouble.set(1 if reason else 0)
        if reason:
            self._stopped = self._waiting[0][1] if self._waiting else self._monotonic()
            log.error("journal cannot be written, waiting", reason=reason)
        else:
            self.hall.floor.give_back(self._monotonic() - self._stopped, self.now())
            self.dispatch()
            log.info("journal can be written again")
        self.gallery.hurry()
        notice = Trouble(reason or "moves are stored again", over=not reason)
        for guest, shell in list(self._shells.items()):
            try:
                shell.tell([notice], self.now())
                shell.pause(bool(reason))
            except Exception as error:
                self._drop("telling", guest, error)

    # Time.

    def _set_alarm(self) -> None:
        alarm = self.hall.alarm()
        if alarm is not None and (not self._alarms or alarm < self._alarms[-1]):
            self.timers.at(alarm, self._tick)
            self._alarms.append(alarm)

    def _tick(self) -> None:
        self._alarms.pop()
        if self.trouble:
            return  # Nobody's time runs out while nobody can do anything.
        try:
            self.hall.tick(self.now())
        finally:
            # Whatever happens, the next alarm is set when the round is sent.
            self.dispatch()

    # Start and end.

    def recover(self) -> int:
        """Know of every table that was live, and have them brought back; how many there are. What there is
        time for is back when this returns; one that cannot be is set aside alone."""
        self.waking.begin()
        self.snapshots.begin()
        for game in games.names():
            for summary in self.archive.matches(game, count=LATELY_MAX):
                # One that cannot be read is missing from the list of the last: nobody is kept out for that.
                with contextlib.suppress(msgspec.DecodeError):
                    self.hall.lobby.recall(game, summary)
        return len(self.hall.tables)

    async def close(self, reason: str) -> None:
        """Tell everybody, let what is stored go out, and stop."""
        self.hall.close(reason)
        self.closing = True
        self._send()
        self.snapshots.take_rest()
        await asyncio.to_thread(self.store.close)
        await asyncio.sleep(0)
        self.gallery.hurry()
        self.timers.stop()
