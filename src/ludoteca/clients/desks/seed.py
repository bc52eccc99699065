"""A desk over a game's own protocol, at any server that speaks it: `ludoteca connect`."""

import asyncio
import contextlib
import time
from typing import Any

from ludoteca.clients.address import Address
from ludoteca.clients.ascii import harmless
from ludoteca.clients.desks.desk import Desk, Player, Prompt
from ludoteca.clients.link import plainly
from ludoteca.core import Drawing, Refused, RemoteError, Room, Sight, Text
from ludoteca.core.talk import Caller

READ_BYTES = 1 << 16
# These protocols do not say what an answer brought about: the next question is waited for so long.
ANSWER_S = 1.0


class CallerDesk(Desk):
    """Carries bytes between a socket and the game's own client, and shows what that one knows."""

    def __init__(self, title: str, caller: Caller, text: Text | None = None) -> None:
        super().__init__(title)
        self.chats = False
        # Why it could not begin or go on; "" when it ended as such things end.
        self.failed = ""
        self.connected = asyncio.Event()
        self.inks = text.inks if text is not None else ()
        self._text = text
        # What we saw when we answered last: what differs is the last turn.
        self._before: Any = None
        self._caller = caller
        self._writer: asyncio.StreamWriter | None = None
        self._rang = asyncio.Event()

    async def run(self, address: Address) -> None:
        """Connect and play until the server hangs up or the desk is left. Raises AddressError."""
        where = f"{address.host}:{address.port}"
        self.log("note", f"Connecting to {where}.")
        try:
            reader, self._writer = await asyncio.open_connection(
                address.host, address.port, ssl=address.tls()
            )
        except OSError as error:
            self._fail(f"There is nobody at {where}: {await plainly(error, address)}.")
            self._closed()
            return
        finally:
            self.connected.set()
        ticking = asyncio.create_task(self._tick())
        try:
            self._send(self._caller.open(time.monotonic()))
            self._refresh()
            while data := await reader.read(READ_BYTES):
                self._send(self._caller.receive(data, time.monotonic()))
                self._refresh()
        except (OSError, RemoteError) as error:
            self._fail(f"The connection broke: {error}.")
        finally:
            ticking.cancel()
            self._writer.close()
            with contextlib.suppress(OSError):
                await self._writer.wait_closed()
        self._caller.close()
        self._closed()

    def _fail(self, why: str) -> None:
        self.failed = why
        self.log("error", why)

    async def _tick(self) -> None:
        while True:
            self._rang.clear()
            alarm = self._caller.alarm
            delay = None if alarm is None else max(0.0, alarm - time.monotonic())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rang.wait(), delay)
            due = self._caller.alarm
            if due is not None and due <= time.monotonic():
                self._send(self._caller.tick(time.monotonic()))
                self._refresh()

    def _send(self, data: bytes) -> None:
        if data and self._writer is not None:
            self._writer.write(data)

    def _closed(self) -> None:
        self.phase = "over"
        self._refresh()

    def board(self, room: Room) -> Drawing | None:
        """The board as large as there is room."""
        caller = self._caller
        if self._text is None or caller.view is None:
            return None
        # A server may talk of places that there are not: the client understood what it could, and has a
        # picture of that.
        with contextlib.suppress(LookupError, ValueError):
            names = tuple(map(harmless, caller.players))
            return self._text.board(Sight(caller.view, names, caller.mine, self._before), room)
        return None

    def answer(self, words: str) -> None:
        """Answer the question."""
        if self.phase == "over":
            raise Refused("it is over; /quit ends", "over")
        self._before = self._caller.view
        self._send(self._caller.answer(words))
        self._settled_at = time.monotonic() + ANSWER_S
        self._refresh()

    def leave(self) -> None:
        """Hang up."""
        if self._writer is not None:
            self._writer.close()
        super().leave()

    def _refresh(self) -> None:
        caller = self._caller
        self.log("event", *caller.news)
        caller.news.clear()
        self._rang.set()
        if self.phase != "over":
            self.phase = "over" if caller.over else "playing" if caller.picture else "open"
        self.picture = harmless(caller.picture)
        self.players = tuple(
            Player(harmless(name), mine=seat == caller.mine, turn=seat == caller.mover)
            for seat, name in enumerate(caller.players)
        )
        if self.phase == "over":
            last = self.lines[-1].text if self.lines else "It is over."
            self.prompt = Prompt(last, ("/quit",))
        elif not caller.sentence:
            self.prompt = None
        elif self.prompt is None or (self.prompt.sentence, self.prompt.answers) != (
            caller.sentence,
            caller.answers,
        ):
            self.prompt = Prompt(harmless(caller.sentence), tuple(map(harmless, caller.answers)))
        self.changed()
