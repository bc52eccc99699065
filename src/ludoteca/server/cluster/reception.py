"""The hall's side of its gates: who is there, who has fallen silent, and that the hall is here."""

import asyncio
import contextlib

import msgspec
import structlog

from ludoteca.core import Refused
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import split
from ludoteca.server.cluster.lodge import BEAT_S
from ludoteca.server.cluster.porch import here
from ludoteca.server.cluster.way import Answering, Waits, Way
from ludoteca.server.cluster.words import Here
from ludoteca.server.house import House

log = structlog.get_logger()

# A gate that has not said anything for so many beats is lost, and its guests with it.
SILENT_BEATS = 12
# A hall that leaves waits so long for what is being stored.
LAST_S = 1.0


class Reception:
    """All gates of one hall of this process: the one with the desk, known by its epoch, which says that it is
    here, or a room, known by the life of its node."""

    def __init__(
        self,
        house: House,
        courier: Courier,
        name: str,
        which: int | str,
        answer: Answering,
        room: Waits | None = None,
    ) -> None:
        self._house = house
        self._courier = courier
        self._answer = answer
        self._epoch = which if isinstance(which, int) else 0
        self._subject = words.hall_subject(name, which)
        self._here = here(name)
        self._room = room
        self._ways: dict[str, Way] = {}
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Let gates come."""
        await self._courier.hear(self._subject, self._receive)
        self._task = asyncio.get_running_loop().create_task(self._beat())

    async def close(self) -> None:
        """The hall is not here any more: gates keep their guests for the next one. What was done here they
        hear before that: whoever sat down just now has a token that no other hall knows."""
        await self._courier.overhear(self._subject)
        with contextlib.suppress(Refused, TimeoutError):
            async with asyncio.timeout(LAST_S):
                await self._house.settled()
        # What was told is on its way with the end of this turn of the loop.
        await asyncio.sleep(0)
        if self._task is not None:
            self._task.cancel()
        for way in self._ways.values():
            way.forget()
        if self._room is None:
            self._courier.send(self._here, words.encode(Here(self._epoch, self._subject, leaves=True)))

    def _receive(self, data: bytes) -> None:
        head, _ = split(data)
        way = self._ways.get(head.line)
        if way is None:
            if head.number != 1:
                # It was given up, or was another hall's.
                over = msgspec.json.encode(msgspec.structs.replace(head, over=True, number=0))
                self._courier.send(head.back, over)
                return
            way = Way(self._house, self._courier, head.line, head.back, self._room)
            self._ways[head.line] = way
            log.info("gate", line=head.line)
        way.receive(data, self._answer)

    async def _beat(self) -> None:
        while True:
            if self._room is None:
                here = Here(self._epoch, self._subject, trouble=self._house.trouble)
                self._courier.send(self._here, words.encode(here))
            for name, way in list(self._ways.items()):
                way.beat()
                if way.silent_beats > SILENT_BEATS or way.is_over:
                    log.warning("gate lost", line=name)
                    way.end()
                    del self._ways[name]
            await asyncio.sleep(BEAT_S)
