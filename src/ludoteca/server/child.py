"""A process that answers one question after another, started when it is first asked and again after it was lost.

Questions and answers are bytes, each with its length before it, over the child's standard input and output. The child ends
with the house, whose end closes its input, and can be killed at any time. multiprocessing would want a standard error
with a file behind it, which a full screen does not leave it, and cannot end one child that never answers.
"""

import asyncio
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

# A process that finds modules where we find them, and not in whatever folder it happens to be started.
_PROGRAM = "import sys, importlib; sys.path = sys.argv[2:]; importlib.import_module(sys.argv[1]).main()"


class ChildLost(LudotecaError):
    """No answer came; the text says why."""


class Child:
    """The house's side. `module` has a `main` that calls `serve`; one question at a time."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, question: bytes, limit_s: float) -> bytes:
        """The answer. Raises ChildLost when none comes within the limit; then the child is gone, too."""
        try:
            process = await self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(_frame(question))
            async with asyncio.timeout(limit_s):
                return await _read(process.stdout)
        except (OSError, EOFError, TimeoutError) as error:
            await self.close()
            raise ChildLost(str(error) or "it took too long") from None
        except asyncio.CancelledError:
            # Whatever it says now is no answer to the next question.
            await self.close()
            raise

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", _PROGRAM, self._module, *sys.path),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # Ctrl-C in a terminal is for the house, which then ends its children.
                start_new_session=True,
            )
            assert process.stdout is not None
            async with asyncio.timeout(START_S_MAX):
                await _read(process.stdout)
        return self._process

    async def close(self) -> None:
        """Kill the child: it has nothing to lose."""
        process, self._process = self._process, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()


def serve(answer: Callable[[bytes], bytes]) -> None:
    """The child's side: answer until the house ends. An empty frame says that it has begun."""
    # Whatever is printed must not be taken for an answer.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, questions), daemon=True).start()
    data = b""
    while True:
        out.write(_frame(data))
        out.flush()
        data = answer(questions.get())


def _listen(source: BinaryIO, questions: "SimpleQueue[bytes]") -> None:
    """Take in questions; without a house there is nobody to answer, not even this one."""
    while size := source.read(SIZE_BYTES):
        questions.put(source.read(int.from_bytes(size, "big")))
    os._exit(0)


def _frame(data: bytes) -> bytes:
    return len(data).to_bytes(SIZE_BYTES, "big") + data


async def _read(source: asyncio.StreamReader) -> bytes:
    return await source.readexactly(int.from_bytes(await source.readexactly(SIZE_BYTES), "big"))
