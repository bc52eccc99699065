"""Players written in Java, each in a virtual machine of its own."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.java import build

PATIENCE_S = 60.0


class Player:
    """One that runs. `heard` are the lines it has told so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.heard: list[str] = []

    async def until(self, wanted: str) -> str:
        """Read on to the first line that begins like this."""
        async with asyncio.timeout(PATIENCE_S):
            while (line := await self._line()) is not None:
                if line.startswith(wanted):
                    return line
        raise AssertionError(f"it left before {wanted}: {self.heard[-5:]}")

    async def end(self) -> int:
        """Read to the end; the code it left with."""
        async with asyncio.timeout(PATIENCE_S):
            while await self._line() is not None:
                pass
            return await self._process.wait()

    async def _line(self) -> str | None:
        assert self._process.stdout is not None
        line = (await self._process.stdout.readline()).decode()
        if not line:
            return None
        self.heard.append(line.rstrip("\n"))
        return self.heard[-1]

    def kill(self) -> None:
        """End it without a word."""
        if self._process.returncode is None:
            self._process.kill()


@asynccontextmanager
async def player(game: str, program: str, address: tuple[str, int], *arguments: str) -> AsyncIterator[Player]:
    """One that plays at this address; killed at the end if it still runs."""
    host, port = address
    command = await asyncio.to_thread(build.command, game, program, host, str(port), *arguments)
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    started = Player(process)
    try:
        yield started
    finally:
        started.kill()
        await process.wait()
