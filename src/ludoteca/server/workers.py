"""Where bots think: a process or, where the operator wants none, a thread.

Either can be stopped at any time.
"""

import asyncio
import contextlib
import ctypes
import pickle
import threading
from collections.abc import Callable
from typing import Protocol

from ludoteca.core import LudotecaError
from ludoteca.server.child import Child, ChildLost
from ludoteca.server.metrics import Metrics
from ludoteca.server.worker import Answer, Thought, think


class Breakdown(LudotecaError):
    """A thought came to nothing; the text says why."""


class NotThere(Breakdown):
    """A worker on another machine gave no answer that is one: no fault of the bot, which thinks at home."""


class Worker(Protocol):
    """Thinks one thought at a time."""

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought. Raises Breakdown when none comes within the limit, or none at all."""

    async def close(self) -> None:
        """Stop, whatever is being thought."""


class Elsewhere(Protocol):
    """Machines that only think."""

    def begin(self, metrics: Metrics, changed: Callable[[], None]) -> None:
        """A house uses them; `changed` is called when there may be room for more thoughts."""

    def room(self) -> int:
        """How many more thoughts could be asked now."""

    def workers(self) -> int:
        """How many could be asked at once."""

    def take(self, game: str, level: str) -> Worker | None:
        """Somebody who can think about this now, for one thought: `close` gives it back. Its `think` raises
        NotThere."""

    async def close(self) -> None:
        """Ask nobody any more."""


class Nowhere:
    """No other machines (`Elsewhere`)."""

    def begin(self, metrics: Metrics, changed: Callable[[], None]) -> None:
        """Nothing ever changes."""

    def room(self) -> int:
        """None."""
        return 0

    def workers(self) -> int:
        """None."""
        return 0

    def take(self, game: str, level: str) -> Worker | None:
        """Nobody."""
        return None

    async def close(self) -> None:
        """Nothing to do."""


class ProcessWorker:
    """A process of its own."""

    def __init__(self) -> None:
        self._child = Child("ludoteca.server.worker")

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought. Raises Breakdown."""
        try:
            answer: Answer = pickle.loads(await self._child.ask(thought, limit_s))
        except ChildLost as error:
            raise Breakdown(str(error)) from None
        return answer

    async def close(self) -> None:
        """End the process."""
        await self._child.close()


class _Stopped(BaseException):
    """Raised within a thread that has thought for too long."""


class ThreadWorker:
    """A thread of this process. It is stopped at its next step in Python, which all bots are made of."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought. Raises Breakdown."""
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Answer] = loop.create_future()

        def tell(answer: Answer) -> None:
            if not answered.done():
                answered.set_result(answer)

        def run() -> None:
            question: Thought = pickle.loads(thought)
            with contextlib.suppress(_Stopped):
                answer = think(question)
                if not loop.is_closed():
                    loop.call_soon_threadsafe(tell, answer)

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        try:
            async with asyncio.timeout(limit_s):
                answer = await answered
        except TimeoutError:
            await self.close()
            raise Breakdown("the thread took too long to answer") from None
        self._thread = None
        return answer

    async def close(self) -> None:
        """Have the thread stop thinking."""
        thread, self._thread = self._thread, None
        if thread is not None and thread.is_alive() and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident), ctypes.py_object(_Stopped)
            )
