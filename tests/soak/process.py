"""The house of a soak: a real process, which can be asked what is in it and given another time of day."""

import asyncio
import itertools
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests import rig
from tests.jet import end_with_me

# What a house says that does not get its port again, how often it is started then, and after how long.
TAKEN, TRIES, TAKEN_S = b"Address already in use", 10, 3.0


class Soaked(rig.Process):
    """`tests.soak.house`, started and ended like any other."""

    program = (sys.executable, "-m", "tests.soak.house")
    # A soak is no measurement: the machine may have much else to do.
    patience_s = 120.0

    def __init__(self, folder: Path, *listeners: str, defaults: tuple[str, ...] = (), **more: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(folder / "data", *listeners, defaults=defaults, **more)
        self._control = folder / "control"
        self._asked = itertools.count(1)
        self.log = folder / "log"
        self.wall = 0.0

    async def start(self, **keywords: Any) -> "Soaked":
        """Start, with what it logs in a file."""
        self._write(0)
        environment = {**os.environ, "SOAK_CONTROL": str(self._control), **keywords.pop("more", {})}
        with self.log.open("ab") as log:
            for tries in range(TRIES, 0, -1):
                before = log.seek(0, os.SEEK_END)
                try:
                    await super().start(stderr=log, env=environment, preexec_fn=end_with_me, **keywords)
                    break
                except AssertionError:
                    # Meanwhile somebody on this machine may have come to have the port, for a while.
                    if tries == 1 or TAKEN not in self.log.read_bytes()[before:]:
                        raise
                    await self.wait()
                    await asyncio.sleep(TAKEN_S)
        if self.wall:
            await self.census()
        return self

    async def wait(self) -> None:
        """Until it has ended by itself."""
        assert self._process is not None
        await self._process.wait()

    @property
    def code(self) -> int | None:
        """What it ended with, if it has."""
        assert self._process is not None
        return self._process.returncode

    def _write(self, asked: int) -> None:
        self._control.write_text(json.dumps({"wall": self.wall, "asked": asked}))

    async def census(self) -> dict[str, Any]:
        """What there is in it now."""
        asked = next(self._asked)
        self._write(asked)
        os.kill(self.pid, signal.SIGUSR1)
        answer = self._control.with_suffix(".census")
        async with asyncio.timeout(self.patience_s):
            while True:
                await asyncio.sleep(0.01)
                found = json.loads(answer.read_text()) if answer.exists() else {}
                if found.get("asked") == asked:
                    return dict(found)
