"""The day's curve: how many were here and how busy the house was, in steps of five minutes since it was
opened."""

import asyncio
import os
import shutil
import time
from collections import deque
from pathlib import Path

import msgspec

from ludoteca.server.house import House

# A step of the curve, how many are kept, and how often somebody is counted in a step.
STEP_S, STEPS, LOOK_S = 300.0, 288, 10.0


class Step(msgspec.Struct, frozen=True):
    """What one step came to: the most people at once, tables being played at its end, people's moves, and
    the part of one processor in percent that the house used, without its bots."""

    at_ms: int
    people: int
    playing: int
    moves: int
    processor: int


class Day(msgspec.Struct, frozen=True):
    """The last day, oldest first; the last step is still going on. `memory` and `disk_free` are the bytes
    that the house uses, and that are left on its disk."""

    steps: list[Step]
    step_s: int
    memory: int
    disk_free: int


class Daybook:
    """Counts while the house is open."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._steps: deque[Step] = deque(maxlen=STEPS - 1)
        self._task: asyncio.Task[None] | None = None
        self._begin()

    def _begin(self) -> None:
        self._began = self._house.now()
        self._people = 0
        self._moves = self._house.metrics.moves.count()
        self._used_s = time.process_time()

    def start(self) -> None:
        """Count from now on."""
        self._task = asyncio.get_running_loop().create_task(self._count())

    def close(self) -> None:
        """Count no more."""
        if self._task is not None:
            self._task.cancel()

    def day(self) -> Day:
        """What the day was like so far."""
        self.look()
        return Day([*self._steps, self._step()], int(STEP_S), _memory(), self._disk_free())

    def look(self) -> None:
        """Count who is here; begin a new step when it is time."""
        self._people = max(self._people, self._house.hall.desk.people)
        if self._house.now() - self._began >= STEP_S:
            self._steps.append(self._step())
            self._begin()
            self._people = self._house.hall.desk.people

    def _step(self) -> Step:
        house = self._house
        took_s = max(house.now() - self._began, 1e-3)
        return Step(
            int(self._began * 1000),
            self._people,
            house.hall.lobby.counts("").playing,
            house.metrics.moves.count() - self._moves,
            round(100 * (time.process_time() - self._used_s) / took_s),
        )

    def _disk_free(self) -> int:
        try:
            return shutil.disk_usage(self._house.settings.data_folder()).free
        except OSError:
            return 0  # The house itself says what is wrong with its disk.

    async def _count(self) -> None:
        while True:
            self.look()
            await asyncio.sleep(LOOK_S)


def _memory() -> int:
    """Bytes that the process has in memory; 0 where nobody says."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
