"""One connection: a conversation on one side, a link that carries bytes on the other, the house behind."""

import asyncio
import weakref
from bisect import bisect_left
from collections.abc import Callable
from typing import Protocol

import structlog

from ludoteca.core import Conversation, Notice, Request
from ludoteca.core.requests import Act, Reply
from ludoteca.hall.acts import Role
from ludoteca.hall.budget import Bucket
from ludoteca.server.front import Front
from ludoteca.server.latency import BOUNDS, SUM, Row
from ludoteca.wire.lines import LINE_BYTES_MAX, end_of_line

log = structlog.get_logger()


class Link(Protocol):
    """The bytes' way to the other side."""

    def write(self, data: bytes) -> None:
        """Send, without waiting; a peer that does not keep up is cut off."""

    def backlog(self) -> int:
        """How many bytes the other side has not taken yet."""

    def finish(self) -> None:
        """Send what there is, then close."""

    def pause(self, paused: bool) -> None:
        """Stop, or go on, reading."""


# However much arrives in one packet, others have their turn after so many lines.
LINES_PER_TURN = 16
# Whoever has spent what there is tries again no sooner: a crowd that waits must not cost more than
# one that plays.
RETRY_S = 0.05


def _as_it_is(_now: float) -> None:
    """`excuse`, where a conversation does not mind silence."""


class Session:
    """Carries requests in and letters out, within the limits of one connection.

    Lines are carried out one after the other: a line is paid for before it is looked at, and looked at when
    everything that the line before it brought about has been told. So what a client gets depends neither on
    how its bytes were cut, nor can a packet full of requests hold up the house. What came too early is held
    here, and nothing more is read meanwhile.
    """

    __slots__ = (
        "__weakref__",
        "_alarms",
        "_asked",
        "_at",
        "_bucket",
        "_bytes_max",
        "_conversation",
        "_cut",
        "_end",
        "_facts",
        "_finished",
        "_halted",
        "_held",
        "_house",
        "_link",
        "_mark",
        "_out",
        "_partial",
        "_paused",
        "_row",
        "_shared",
        "_silent",
        "_spoken",
        "_table",
        "_waking",
        "guest",
    )

    def __init__(
        self,
        house: Front,
        protocol: str,
        conversation: Conversation,
        link: Link,
        address: str,
        role: Role = "guest",
    ) -> None:
        self._house = house
        self._conversation = conversation
        self._link = link
        self._out: list[bytes] = []
        # When `_ring` is called, the next one last: none can be taken back when an earlier one is set.
        self._alarms: tuple[float, ...] = ()
        self._finished = False
        self._silent = True
        self._partial = 0
        # What the operator allows, where that is less than what the protocols do.
        limit = house.settings.line_bytes_max
        self._bytes_max = limit if limit < LINE_BYTES_MAX else 0
        self._spoken = ""
        # What was received and not yet carried out begins at `_at`; its first message ends at `_end`, if that
        # is known; something will call `_wake` when `_waking`.
        self._held = b""
        self._at = 0
        self._end = 0
        self._cut: Callable[[bytes, int], int] = getattr(conversation, "cut", end_of_line)
        self._waking = False
        self._paused = False
        # The house takes nothing in at the moment.
        self._halted = False
        # The round in which the house tells about our last request.
        self._mark = 0
        # Since when a move waits to be told about, and where that is counted: by the game of this table.
        self._asked = 0.0
        self._table = ""
        self._row: Row = []
        self._facts: dict[str, str] = {}
        self._bucket = Bucket(house.settings.rate_per_s, house.settings.rate_burst, house.now())
        self._shared = house.bucket(address)
        self.guest = house.arrive(protocol, self, address, role)

    def open(self) -> None:
        """The connection stands."""
        try:
            now = self._house.now()
            log.debug("connection opened", address=self.guest.address, **self._who())
            self._expect_handshake(now)
            self._do(self._conversation.greet(now), now)
            self._silent = not self._house.waits(self.guest)
        except Exception as error:
            self._broke(error)

    def become(self, spoken: str, conversation: Conversation) -> None:
        """It is known now which tongue is spoken: the conversation goes on without who has found out."""
        self._spoken = spoken
        self._conversation = conversation
        self._cut = getattr(conversation, "cut", end_of_line)

    def _call_at(self, when: float, call: Callable[["Session"], None]) -> None:
        """Have this called at a time, without keeping a connection in memory that has ended by then."""
        me = weakref.ref(self)

        def later() -> None:
            session = me()
            if session is not None:
                call(session)

        self._house.timers.at(when, later)

    def _expect_handshake(self, now: float) -> None:
        """Look again when the time to say who one is has passed."""
        self._call_at(now + self._house.settings.handshake_s, Session._check_handshake)

    def _check_handshake(self) -> None:
        """End a connection that has not said who it is by now, and has asked for nothing since the last look.

        It is left alone while it waits for others: some protocols ask for the name only when the table is
        full.
        """
        house, guest = self._house, self.guest
        if self._finished or guest.name:
            return
        waits = house.waits(guest)
        if self._silent and not waits:
            self._drop("handshake")
            return
        self._silent = not waits
        self._expect_handshake(house.now())

    def _drop(self, why: str) -> None:
        self._house.metrics.dropped.labels(why).inc()
        log.info("connection dropped", why=why, **self._who())
        self.finish()

    def _who(self) -> dict[str, str]:
        """What the log says about who was there."""
        guest = self.guest
        facts = {"connection": str(guest.id), "name": guest.name, "protocol": guest.protocol}
        return {**facts, "tongue": self._spoken} if self._spoken else facts

    def _broke(self, error: Exception) -> None:
        """An error of ours: it ends this connection, and nobody else's."""
        self._house.failed("session", error, **self._who())
        self.fail()

    def fail(self) -> None:
        """What was to be done for this connection broke down."""
        if not self._finished:
            self._drop("error")

    # In.

    def receive(self, data: bytes) -> None:
        """Bytes from the other side, cut anywhere."""
        if self._finished:
            return
        try:
            self._held = self._held[self._at :] + data if self._held else data
            self._end = max(0, self._end - self._at)
            self._at = 0
            if not self._waking:
                self._go_on()
        except Exception as error:
            self._broke(error)

    def _wake(self) -> None:
        """Something that was waited for has come about."""
        self._waking = False
        if not self._finished:
            try:
                self._go_on()
            except Exception as error:
                self._broke(error)

    def _go_on(self) -> None:
        """Carry out what was received, line by line, as far as that may be done now."""
        house = self._house
        for _ in range(LINES_PER_TURN):
            if self._halted:
                return  # `pause` goes on when the house does.
            if self._mark > house.told:
                house.after(self._mark, self._wake, self.guest)
                self._wait()
                return
            if house.waking.crowded and self.guest.seat is None:
                house.waking.line_up(self._wake)
                self._wait()
                return
            now, held = house.now(), self._held
            end = self._end = self._end or self._cut(held, self._at)
            if end:
                wait_s = self.pay(now)
                if wait_s:
                    asyncio.get_running_loop().call_later(wait_s, self._wake)
                    self._wait()
                    return
                self._end = 0
            if self._bytes_max and self._too_long((end or len(held)) - self._at, whole=bool(end)):
                self._drop("line")
                return
            if (end or len(held)) == len(held):
                line = held[self._at :] if self._at else held
                self._held, self._at = b"", 0
            else:
                line = held[self._at : end]
                self._at = end
            requests = self._conversation.receive(line, now)
            if requests:
                self._silent = False
            self._do(requests, now)
            if self._finished:
                return
            if not self._held:
                if self._paused:
                    self._paused = False
                    self._link.pause(self._halted)
                return
        asyncio.get_running_loop().call_soon(self._wake)
        self._wait()

    def pay(self, now: float | None = None) -> float:
        """Pay for the next line, or what costs as much; or how long it must wait, because too many came
        or because the answers to others are not taken."""
        if self._link.backlog() > self._house.settings.outbox_bytes_max // 4:
            self._house.metrics.held.labels("backlog").inc()
            return RETRY_S
        if now is None:
            now = self._house.now()
        wait_s, why = self._bucket.take(now), "rate"
        if not wait_s:
            wait_s, why = self._shared.take(now), "address"
            if not wait_s:
                return 0.0
            self._bucket.put_back()
        self._house.metrics.held.labels(why).inc()
        return max(wait_s, RETRY_S)

    def _wait(self) -> None:
        self._waking = self._paused = True
        self._link.pause(True)

    def _too_long(self, size: int, *, whole: bool) -> bool:
        """Whether the operator allows less than this; what ends a line does not count."""
        size += self._partial
        self._partial = 0 if whole else size
        return size - whole > self._bytes_max

    def _do(self, requests: list[Request], now: float) -> None:
        """Carry out what the conversation wants: replies straight away, the rest through the house."""
        wanted: list[Request] = []
        for request in requests:
            if type(request) is Reply:
                self._out.append(request.data)
            else:
                wanted.append(request)
                if type(request) is Act:
                    self._asked = now
        if wanted:
            self._mark = self._house.round
            self._house.submit(self.guest, wanted, now)
        # Most requests are answered in a later round: then there is nothing to write yet.
        conversation, alarm = self._conversation, self._conversation.alarm
        is_earlier = alarm is not None and (not self._alarms or alarm < self._alarms[-1])
        if self._out or conversation.closing or is_earlier:
            self._flush()

    # Out.

    def tell(self, notices: list[Notice], now: float) -> None:
        """Letters from the house."""
        if not self._finished:
            if self._asked:
                # In place: this is on the way of every move.
                took = now - self._asked
                if not self._row or self.guest.table not in ("", self._table):
                    self._choose_row()
                self._row[bisect_left(BOUNDS, took)] += 1
                self._row[SUM] += took
                if self._house.traces is not None:
                    self._house.traces.span("move", self._asked, now, self._facts, served=True)
                self._asked = 0.0
            conversation, out = self._conversation, self._out
            for notice in notices:
                data = conversation.send(notice, now)
                if data:
                    out.append(data)
            if len(out) == 1 and conversation.alarm is None and not conversation.closing:
                self._link.write(out.pop())  # Nearly always: there is nothing else to flush.
            else:
                self._flush()

    def _choose_row(self) -> None:
        """Where moves of this guest count, who has come to another table since the last."""
        self._table = self.guest.table
        game, protocol = self._house.game_of(self.guest), self.guest.protocol
        self._row = self._house.metrics.moves.row(game, protocol)
        self._facts = {"ludoteca.game": game, "ludoteca.protocol": protocol}

    def _flush(self) -> None:
        """Write what has gathered, set the alarm, close when the conversation is over."""
        if self._finished:
            return
        if self._out:
            data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
            self._out.clear()
            self._link.write(data)
        if self._conversation.closing:
            complaint = getattr(self._conversation, "complaint", "")
            if complaint:
                self._house.refusals.note("unreadable", self.guest.address, complaint)
            self.finish()
            return
        alarm = self._conversation.alarm
        if alarm is not None and (not self._alarms or alarm < self._alarms[-1]):
            self._alarms += (alarm,)
            self._call_at(alarm, Session._ring)

    def _ring(self) -> None:
        self._alarms = self._alarms[:-1]
        if self._finished:
            return
        try:
            now = self._house.now()
            alarm = self._conversation.alarm
            if alarm is not None and alarm <= now:
                if self._waking or self._halted:
                    getattr(self._conversation, "excuse", _as_it_is)(now)
                self._do(self._conversation.tick(now), now)
            else:
                self._flush()
        except Exception as error:
            self._broke(error)

    def finish(self) -> None:
        """No more from us: the link sends what it has and closes; the guest has left
        the house already now."""
        if not self._finished:
            self._finished = True
            self._held = b""
            try:
                self._link.finish()
            finally:
                self._house.depart(self.guest)

    def pause(self, paused: bool) -> None:
        """The house cannot take requests now (or can again)."""
        self._halted = paused
        if self._held and not paused and not self._waking:
            asyncio.get_running_loop().call_soon(self._wake)
            self._wait()
        else:
            self._link.pause(paused or self._paused)

    def is_behind(self) -> bool:
        """Whether the other side has not taken yet what it was sent."""
        return self._link.backlog() > 0

    def lost(self) -> None:
        """The connection is gone."""
        self._finished = True
        self._held = b""
        self._house.depart(self.guest)
