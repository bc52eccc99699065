"""Where bots think: a process or, where the operator wants none, a thread. Either can be stopped at any time."""

import asyncio
import contextlib
import ctypes
import pickle
import subprocess
import sys
import threading
from typing import Protocol

from ludoteca.core import LudotecaError
from ludoteca.server.worker import SIZE_BYTES, Answer, Thought, frame, think

# To start Python and import a game takes a second; on a machine that has other things to do, many.
START_S_MAX = 60.0
# Descriptors or memory may be short for a moment, which is no bot's fault.
START_TRIES = 4
START_PAUSE_S = 0.5
WORDS_BYTES_MAX = 4096

# A process that finds modules where we find them, and not in whatever folder it happens to be started.
PROGRAM = "import sys; sys.path = sys.argv[1:]; from ludoteca.server.worker import main; main()"


class Breakdown(LudotecaError):
    """A thought came to nothing; the text says why."""


class Worker(Protocol):
    """Thinks one thought at a time."""

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought. Raises Breakdown when none comes within the limit, or none at all."""

    async def close(self) -> None:
        """Stop, whatever is being thought."""


class ProcessWorker:
    """A process, started with the first thought and again after it was lost.

    Not multiprocessing's: that wants a standard error with a file behind it, which a full screen does not leave it,
    and a pool of its own making, in which one that never returns cannot be ended.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought. Raises Breakdown."""
        waits_for = "to begin"
        try:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(frame(thought))
            async with asyncio.timeout(START_S_MAX):
                await _read(process.stdout)
            waits_for = "to answer"
            async with asyncio.timeout(limit_s):
                answer: Answer = pickle.loads(await _read(process.stdout))
        except TimeoutError:
            await self.close()
            raise Breakdown(f"the worker took too long {waits_for}") from None
        except (OSError, EOFError) as error:
            raise Breakdown(f"the worker is gone: {error}. {await self._last_words()}") from None
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        """The process, started unless it runs. Raises OSError when it cannot be."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        for tried in range(1, START_TRIES):
            with contextlib.suppress(OSError):
                return await self._start()
            await asyncio.sleep(START_PAUSE_S * tried)
        return await self._start()

    async def _start(self) -> asyncio.subprocess.Process:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", PROGRAM, *sys.path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C in a terminal is for the house, which then ends its workers.
            start_new_session=True,
        )
        return self._process

    async def _last_words(self) -> str:
        process = self._process
        if process is None or process.stderr is None:
            return ""
        await self.close()
        words = (await process.stderr.read(WORDS_BYTES_MAX)).decode(errors="replace")
        return f"exit code {process.returncode}; {words}"

    async def close(self) -> None:
        """Kill the process: it has nothing to lose."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _read(source: asyncio.StreamReader) -> bytes:
    return await source.readexactly(int.from_bytes(await source.readexactly(SIZE_BYTES), "big"))


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
