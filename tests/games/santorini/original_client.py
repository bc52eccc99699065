"""A stand-in for the original command-line client, with the weakness that matters: it is not ready at once.

What it types goes out first, and only some milliseconds later it notes for itself that it waits. A question
that arrives in between is lost: the note covers it, and the client waits for ever. It answers pings, and it
has a mind of its own to answer questions (`RawPlayer`).
"""

import asyncio
import json
from typing import Any

from tests import rig
from tests.games.santorini.raw_player import RawPlayer

# How long it takes from the answer to the note. The original needs far less than a millisecond unless its
# machine is busy.
BUSY_S = 0.015


class Frozen(AssertionError):
    """A question was lost."""


class OriginalClient:
    """One player at the keyboard of the original program."""

    def __init__(self, player: RawPlayer, client: rig.Client) -> None:
        self.player = player
        self._client = client
        self._pinged = asyncio.Event()
        self._asked = asyncio.Event()
        self._answer: dict[str, Any] | None = None
        self._typing: dict[str, Any] | None = None
        self.answers = 0

    async def play(self, answers: int) -> None:
        """Play to the end, or until so many answers were given; or raise Frozen."""
        keyboard = asyncio.create_task(self._type())
        try:
            while self.answers < answers and (message := await self._client.message()) is not None:
                match message["type"]:
                    case "ping":
                        await self._client.send({"type": "pong"})
                        self._pinged.set()
                    case "disconnect":
                        return
                    case _:
                        self._hear(message)
                if keyboard.done():
                    keyboard.result()
        finally:
            keyboard.cancel()
            await self._client.close()

    def _hear(self, message: dict[str, Any]) -> None:
        answer = self.player.answer(message)
        if answer is not None:
            if self._typing is not None:
                raise Frozen(f"{message} came while {self._typing} was being noted")
            self._answer = answer
            self._asked.set()

    async def _type(self) -> None:
        """The keyboard's side. People are slower than the first ping."""
        await self._pinged.wait()
        while True:
            await self._asked.wait()
            self._asked.clear()
            self._typing = self._answer
            await self._client.send(json.dumps(self._typing))
            await asyncio.sleep(BUSY_S)
            self._typing = None
            self.answers += 1
