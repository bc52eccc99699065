"""A process that answers one question after another, started when it is first asked and again
after it was lost.

Questions and answers are bytes, each with its length before it, over the child's standard input and output.
The child ends with the house, whose end closes its input, and can be killed at any time. multiprocessing
would want a standard error with a file behind it, which a full screen does not leave it, and cannot end one
child that never answers.
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO

from ludoteca.core import LudotecaError

SIZE_BYTES = 4
# To start Python and import a game takes a second; on a machine that has other things to do, many.
START_S_MAX = 60.0
# Descriptors or memory may be short for a moment, which is nobody's fault.
START_TRIES = 4
START_PAUSE_S = 0.5
WORDS_BYTES_MAX = 4096

# A process that finds modules where we find them, and not in whatever folder it happens to be started.
PROGRAM = "import sys, importlib; sys.path = sys.argv[2:]; importlib.import_module(sys.argv[1]).main()"


class ChildLost(LudotecaError):
    """No answer came; the text says why."""


class Child:
    """The house's side. `module` has a `main` that calls `serve`; one question at a time."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, question: bytes, limit_s: float) -> bytes:
        """The answer.

        Raises ChildLost when none comes within the limit, from when the child begins; then it is gone, too.
        """
        waits_for, before = "to begin", self._process
        try:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(_frame(question))
            async with asyncio.timeout(START_S_MAX):
                await _read(process.stdout)
            waits_for = "to answer"
            async with asyncio.timeout(limit_s):
                return await _read(process.stdout)
        except TimeoutError:
            await self.close()
            raise ChildLost(f"the process took too long {waits_for}") from None
        except (OSError, EOFError, RuntimeError) as error:
            # With a RuntimeError uvloop says that a pipe's other end is gone.
            if waits_for == "to begin" and before is not None and self._process is before:
                # It was lost while nobody asked it anything, and only now is that noticed: ask another.
                await self.close()
                return await self.ask(question, limit_s)
            raise ChildLost(f"the process is gone: {error}. {await self._last_words()}") from None
        except asyncio.CancelledError:
            # Whatever it says now would be no answer to the next question.
            await self.close()
            raise

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
            *(sys.executable, "-c", PROGRAM, self._module, *sys.path),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C in a terminal is for the house, which then ends its children.
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
        """Kill the child: it has nothing to lose."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()


def serve(prepare: Callable[[bytes], Callable[[], bytes]]) -> None:
    """The child's side: answer until the house ends.

    `prepare` does what is no part of the answer's time (imports) and returns what answers. An empty frame
    says that this begins.
    """
    # Whatever is printed must not be taken for an answer.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    while True:
        answer = prepare(questions.get())
        out.write(_frame(b""))
        out.flush()
        out.write(_frame(answer()))
        out.flush()


def _listen(source: BinaryIO, questions: "SimpleQueue[bytes]") -> None:
    """Take in questions; without a house there is nobody to answer, not even this one."""
    while size := source.read(SIZE_BYTES):
        questions.put(source.read(int.from_bytes(size, "big")))
    os._exit(0)


def _frame(data: bytes) -> bytes:
    return len(data).to_bytes(SIZE_BYTES, "big") + data


async def _read(source: asyncio.StreamReader) -> bytes:
    return await source.readexactly(int.from_bytes(await source.readexactly(SIZE_BYTES), "big"))
