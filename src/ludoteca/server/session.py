"""One connection: a conversation on one side, a link that carries bytes on the other, the house behind."""

import asyncio
from typing import Protocol

import structlog

from ludoteca.core import Conversation, Notice, Refused, Request
from ludoteca.core.requests import Reply
from ludoteca.server.house import House
from ludoteca.wire.lines import LINE_BYTES_MAX

log = structlog.get_logger()


class Link(Protocol):
    """The bytes' way to the other side."""

    def write(self, data: bytes) -> None:
        """Send, without waiting; a peer that does not keep up is cut off."""

    def finish(self) -> None:
        """Send what there is, then close."""

    def pause(self, paused: bool) -> None:
        """Stop, or go on, reading."""


class Session:
    """Carries requests in and letters out, within the limits of one connection."""

    __slots__ = (
        "_alarm",
        "_conversation",
        "_finished",
        "_house",
        "_link",
        "_out",
        "_partial",
        "_silent",
        "_tokens",
        "_tokens_at",
        "guest",
    )

    def __init__(
        self, house: House, protocol: str, conversation: Conversation, link: Link, address: str
    ) -> None:
        self._house = house
        self._conversation = conversation
        self._link = link
        self._out: list[bytes] = []
        self._alarm: float | None = None
        self._finished = False
        self._silent = True
        self._partial = 0
        self._tokens = house.settings.rate_burst
        self._tokens_at = house.now()
        self.guest = house.arrive(protocol, self, address)

    def open(self) -> None:
        """The connection stands."""
        now = self._house.now()
        self._house.wheel.at(now + self._house.settings.handshake_s, self._check_handshake)
        self._do(self._conversation.greet(now))
        self._silent = not self._house.hall.waits(self.guest)

    def _check_handshake(self) -> None:
        """Whoever has had the time to say who they are and asked for nothing meanwhile is only in the way.

        Not so while others are waited for: some protocols ask for the name only when the table is full.
        """
        house, guest = self._house, self.guest
        if self._finished or guest.name:
            return
        waits = house.hall.waits(guest)
        if self._silent and not waits:
            self._drop("handshake")
            return
        self._silent = not waits
        house.wheel.at(house.now() + house.settings.handshake_s, self._check_handshake)

    def _drop(self, why: str) -> None:
        self._house.metrics.dropped.labels(why).inc()
        log.info("connection dropped", why=why, name=self.guest.name, protocol=self.guest.protocol)
        self.finish()

    def receive(self, data: bytes) -> None:
        """Bytes from the other side, cut anywhere."""
        if self._finished:
            return
        house = self._house
        if house.settings.line_bytes_max < LINE_BYTES_MAX and self._too_long(data):
            self._drop("line")
            return
        now = house.now()
        requests = self._conversation.receive(data, now)
        if requests:
            self._silent = False
            self._do(requests)
        self.flush()
        self._spend(data.count(b"\n"), now)

    def _too_long(self, data: bytes) -> bool:
        """Whether a line is longer than the operator allows; the protocols themselves only know the greatest length."""
        first, *others = data.split(b"\n")
        sizes = [self._partial + len(first), *map(len, others)]
        self._partial = sizes[-1]
        return max(sizes) > self._house.settings.line_bytes_max

    def _spend(self, messages: int, now: float) -> None:
        """A bucket of messages that refills steadily: whoever has emptied it is not read until it has refilled."""
        settings = self._house.settings
        refilled = self._tokens + (now - self._tokens_at) * settings.rate_per_s
        self._tokens = min(settings.rate_burst, refilled) - messages
        self._tokens_at = now
        if self._tokens < 0 and not self._finished:
            self._link.pause(True)
            asyncio.get_running_loop().call_later(-self._tokens / settings.rate_per_s, self._resume)

    def _resume(self) -> None:
        if not self._finished and not self._house.trouble:
            self._link.pause(False)

    def _do(self, requests: list[Request]) -> None:
        """Carry out what the conversation wants: replies straight away, the rest through the house."""
        wanted: list[Request] = []
        for request in requests:
            if isinstance(request, Reply):
                self._out.append(request.data)
            else:
                wanted.append(request)
        if wanted:
            self._house.submit(self.guest, wanted)
        self.flush()

    def deliver(self, notice: Notice) -> None:
        """A letter from the house."""
        if not self._finished:
            data = self._conversation.send(notice, self._house.now())
            if data:
                self._out.append(data)

    def flush(self) -> None:
        """Write what has gathered, set the alarm, close when the conversation is over."""
        if self._finished:
            return
        if self._out:
            data = self._out[0] if len(self._out) == 1 else b"".join(self._out)
            self._out.clear()
            self._link.write(data)
        if self._conversation.closing:
            self.finish()
            return
        alarm = self._conversation.alarm
        if alarm is not None and (self._alarm is None or alarm < self._alarm):
            self._alarm = alarm
            self._house.wheel.at(alarm, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if not self._finished:
            now = self._house.now()
            alarm = self._conversation.alarm
            if alarm is not None and alarm <= now:
                self._do(self._conversation.tick(now))
            else:
                self.flush()

    def finish(self) -> None:
        """No more from us: the link sends what it has and closes; the guest has left the house already now."""
        if not self._finished:
            self._finished = True
            self._link.finish()
            self._house.depart(self.guest)

    def pause(self, paused: bool) -> None:
        """The house cannot take requests now (or can again)."""
        self._link.pause(paused)

    def lost(self) -> None:
        """The connection is gone."""
        self._finished = True
        self._house.depart(self.guest)


def refuse(error: Refused) -> None:
    """Note that somebody was not let in."""
    log.warning("connection refused", reason=error.reason)
