"""What is asked of the hall over HTTP through a gate. Halls change, and whoever only reads need not know:
what they ask waits until there is one, and is asked again where it was lost with another.
"""

import asyncio
import contextlib
from collections.abc import Callable

from ludoteca.core import Refused
from ludoteca.server.cluster.words import Answer, Ask

# The hall has so long for an answer.
ANSWER_S = 30.0
# And the next hall so long to come: longer than it takes where a machine is lost.
HELD_S = 10.0
# A gate that closes waits so long for what has been asked already.
LAST_S = 1.0


class Inquiries:
    """The requests of one gate. `say` tells the hall; `away` is why nothing is answered without one."""

    def __init__(self, say: Callable[[Ask], None], away: str) -> None:
        self._say = say
        self._away = away
        self._asked = 0
        self._open: dict[int, tuple[asyncio.Future[bytes | None], list[bytes]]] = {}
        # Set while there is a hall to ask, and when there will be none any more.
        self._settled = asyncio.Event()
        self._closing = ""

    async def ask(self, address: str, data: bytes, *, reads: bool) -> bytes:
        """The hall's answer. What does not only read is said to one hall at most, which may have carried it
        out although it was lost. Raises Refused."""
        try:
            async with asyncio.timeout(ANSWER_S):
                while True:
                    await self._find_hall()
                    answer = await self._ask(address, data)
                    if answer is not None:
                        return answer
                    if not reads:
                        raise Refused(self._away, "trouble")
        except TimeoutError:
            raise Refused("the hall does not answer", "busy") from None

    async def _find_hall(self) -> None:
        """Wait until somebody can be asked. Raises Refused."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HELD_S):
                while not self._settled.is_set():
                    await self._settled.wait()
        if self._closing or not self._settled.is_set():
            raise Refused(self._closing or self._away, "trouble")

    async def _ask(self, address: str, data: bytes) -> bytes | None:
        """The answer of this hall, None if it is lost before."""
        self._asked += 1
        number = self._asked
        future: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._open[number] = future, []
        self._say(Ask(number, address, data))
        try:
            return await future
        finally:
            del self._open[number]

    def hear(self, word: Answer) -> None:
        """A part of an answer."""
        if word.number in self._open:
            future, parts = self._open[word.number]
            parts.append(word.data)
            if not word.more and not future.done():
                future.set_result(b"".join(parts))

    # The halls.

    def resume(self) -> None:
        """There is a hall that answers."""
        self._settled.set()

    def hold(self) -> None:
        """There is none, or it is silent: what it has been asked it may still answer."""
        if not self._closing:
            self._settled.clear()

    def lose(self) -> None:
        """The one that was asked answers nothing any more."""
        self.hold()
        for future, _ in self._open.values():
            if not future.done():
                future.set_result(None)

    async def close(self, reason: str) -> None:
        """Nothing more is asked; what was is answered, where that is soon."""
        self._closing = reason
        self._settled.set()
        if self._open:
            await asyncio.wait([future for future, _ in self._open.values()], timeout=LAST_S)
        self.lose()
