"""Lines over a WebSocket: what `tcp` is to a plain connection. HTTP hands its socket over, and is done."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from ludoteca.core import Conversation, Refused
from ludoteca.hall.acts import Role
from ludoteca.server.doorman import Ticket
from ludoteca.server.front import Front
from ludoteca.server.session import LINES_PER_TURN, Session
from ludoteca.server.tcp import TransportLink
from ludoteca.wire import frames
from ludoteca.wire.frames import Broken, Frames

# How long a house that closes waits for goodbyes, and how often it looks.
GOODBYE_S, LOOK_S = 0.3, 0.02


class Sockets:
    """All WebSockets of a house, so that they hear of its end."""

    def __init__(self) -> None:
        self._open: set[SocketLink] = set()

    def add(self, link: "SocketLink") -> None:
        """One more."""
        self._open.add(link)

    def discard(self, link: "SocketLink") -> None:
        """One less."""
        self._open.discard(link)

    async def close(self) -> None:
        """Tell all of them that the house goes away, and give them a moment to say that they have heard."""
        for link in list(self._open):
            link.end(frames.GOING_AWAY)
        for _ in range(round(GOODBYE_S / LOOK_S)):
            if not self._open:
                break
            await asyncio.sleep(LOOK_S)
        for link in list(self._open):
            link.hang_up()


class SocketLink(TransportLink):
    """One WebSocket that carries a conversation: a line is a message.

    No more of what came is looked at than may be carried out: a packed message can be a thousand times what
    was sent. Control frames and fragments are paid for like messages.
    """

    __slots__ = ("_frames", "_is_ending", "_is_paused", "_is_waiting", "_pack_from", "_sockets")
    # What was sent last, from how many bytes on it was packed, and its frames.
    _last: ClassVar[tuple[bytes, int, bytes]] = (b"", 0, b"")

    def __init__(self, house: Front, ticket: Ticket, sockets: Sockets, *, packs: bool) -> None:
        super().__init__(house, ticket)
        settings = house.settings
        self._sockets = sockets
        self._frames: Frames | None = Frames(settings.line_bytes_max, may_pack=packs)
        self._pack_from = settings.pack_bytes_min if packs else 0
        # The session wants nothing at the moment; something will call `_go_on`; we have said that we leave.
        self._is_paused = False
        self._is_waiting = False
        self._is_ending = False

    def open(
        self,
        transport: asyncio.Transport,
        protocol: str,
        converse: Callable[[], Conversation],
        early: bytes,
        role: Role = "guest",
    ) -> None:
        """The connection is ours from now on; `early` is what has come already."""
        self._transport = transport
        self._sockets.add(self)
        try:
            session = Session(self._house, protocol, converse(), self, self._ticket.address, role)
        except Refused as error:
            is_banned = error.code == "banned"
            self._house.refusals.note("banned" if is_banned else "full", self._ticket.address, error.reason)
            self.end(frames.NOT_WELCOME if is_banned else frames.TRY_LATER)
            return
        except BaseException:
            transport.close()
            raise
        self._session = session
        session.open()
        if early:
            self.data_received(early)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone, for whatever reason."""
        self._sockets.discard(self)
        super().connection_lost(exc)

    # In.

    def data_received(self, data: bytes) -> None:
        """Bytes came."""
        if self._frames is not None:
            self._frames.feed(data)
            if not self._is_paused and not self._is_waiting:
                self._go_on()

    def _go_on(self) -> None:
        """Carry out what came, message by message, as far as that may be done now."""
        waited, self._is_waiting = self._is_waiting, False
        try:
            for _ in range(LINES_PER_TURN):
                if self._is_paused or self._frames is None or not self._frames.waiting:
                    break
                found = self._frames.take()
                if found is None:
                    break
                kind, data = found
                if kind == frames.TEXT or kind == frames.BINARY:
                    if self._session is not None:
                        self._session.receive(data + b"\n")
                elif not self._heard(kind, data):
                    return
            else:
                self._wait(0.0)
                return
        except Broken as error:
            self._broke(error)
            return
        if waited:
            self._read()

    def _heard(self, kind: int, data: bytes) -> bool:
        """A control frame or a fragment; whether the next one may be looked at now."""
        transport = self._transport
        if kind == frames.CLOSE:
            answer = frames.close(frames.answer(data))
            if not self._is_ending:
                self._is_ending = True
                self.send(answer)
            self._frames = None
            self._cut()
            return False
        if kind == frames.PING and not self._is_ending:
            self.send(frames.control(frames.PONG, data))
        wait_s = self._session.pay() if self._session is not None else 0.0
        if wait_s and transport is not None:
            self._wait(wait_s)
            return False
        return True

    def _broke(self, error: Broken) -> None:
        """Nothing that comes after this can be understood."""
        self._frames = None
        if self._is_ending:
            return
        if error.code == frames.TOO_BIG:
            self._house.metrics.dropped.labels("line").inc()
        else:
            self._house.refusals.note("unreadable", self._ticket.address, str(error))
        self.end(error.code)
        if self._session is not None:
            self._session.finish()

    def _wait(self, seconds: float) -> None:
        self._is_waiting = True
        self._read()
        loop = asyncio.get_running_loop()
        if seconds:
            loop.call_later(seconds, self._go_on)
        else:
            loop.call_soon(self._go_on)

    def _read(self) -> None:
        super().pause(self._is_paused or self._is_waiting)

    def pause(self, paused: bool) -> None:
        """Stop or go on carrying out what comes."""
        if self._is_ending:
            paused = False
        self._is_paused = paused
        if not self._is_paused and not self._is_waiting and self._frames is not None and self._frames.waiting:
            self._wait(0.0)
        else:
            self._read()

    # Out.

    def write(self, data: bytes) -> None:
        """Send each line as a message. An audience is given the very same bytes, one after the other: they
        are framed once for all who agreed on the same."""
        if self._is_ending:
            return
        last = SocketLink._last
        if last[0] is not data or last[1] != self._pack_from:
            last = SocketLink._last = data, self._pack_from, frames.lines(data, self._pack_from)
        self.send(last[2])

    def finish(self) -> None:
        """Send what there is, then close."""
        self.end(frames.NORMAL)

    def end(self, code: int) -> None:
        """Say goodbye, and hang up when the other side has, too, or has had the time to."""
        if self._is_ending or self._transport is None or self._transport.is_closing():
            return
        self._is_ending = True
        self.send(frames.close(code))
        if self._is_waiting:
            # It has sent more than it may: whether it says goodbye in there nobody will find out.
            self._frames = None
            self._is_waiting = False
        self.pause(False)
        self._linger()

    def hang_up(self) -> None:
        """Do not wait any longer; what was sent still leaves."""
        self._cut()
