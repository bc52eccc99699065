"""When Python looks for cycles of objects that nobody needs any more: when nobody has to wait for it.

With ten thousand tables such a look takes half a second, in which the whole house stands still, and Python
would take it every few seconds. What comes and goes here leaves no cycles (tests/server/test_collector.py
counts them over a thousand evenings), so it hardly matters when the few are collected that libraries leave.
"""

import asyncio
import gc
import time

import structlog

from ludoteca.server.house import House

log = structlog.get_logger()

LOOK_S = 1.0
# Nothing came in for so many looks: whatever it takes, nobody notices.
QUIET_LOOKS = 60
# What the house itself makes while nobody is there.
GROWN_FEW = 1000
# So many more objects than after the last collection are worth one when nothing has come in for one look,
# twice as many when for two: the more there is to look through, the longer nobody must have been there.
GROWN_SOME = 50_000
# What a table with its two guests makes in a long match is no reason to look for cycles: ten thousand of them
# would take a second in which everybody waits. So many more objects are one. Something leaves cycles, and
# memory is worth a pause now.
GROWN_PER_TABLE = 300
GROWN_MAX = 1_000_000


class Collector:
    """The collector of this process, while one house stands in it."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._round = house.round
        self._quiet = 0
        self._clean = False
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """From now on nothing is collected but here."""
        gc.disable()
        self._house.metrics.objects_grown.set_function(grown)
        self.keep()
        self._again()

    def keep(self) -> None:
        """What is there now stays: it need not be looked through until the house is quiet."""
        gc.freeze()

    def stop(self) -> None:
        """Leave it to Python again."""
        if self._timer is not None:
            self._timer.cancel()
        gc.unfreeze()
        gc.enable()

    def _again(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        """Collect if it harms nobody, or has to be."""
        came, self._round = self._house.round != self._round, self._house.round
        self._quiet = 0 if came else self._quiet + 1
        self._clean = self._clean and not came and grown() < GROWN_FEW
        if grown() >= GROWN_MAX + GROWN_PER_TABLE * len(self._house.hall.tables):
            self._collect("pressed")
        elif self._quiet >= QUIET_LOOKS and not self._clean:
            # Also what was alive the last time: it may have become garbage since.
            gc.unfreeze()
            self._collect("quiet")
            self._clean = True
        elif GROWN_SOME <= grown() <= GROWN_SOME * self._quiet:
            self._collect("quiet")
        self._again()

    def _collect(self, why: str) -> None:
        metrics, began = self._house.metrics, time.monotonic()
        found = gc.collect()
        self.keep()
        pause_s = time.monotonic() - began
        metrics.collections.labels(why).inc()
        metrics.collection_pause.set(pause_s)
        metrics.garbage.set(found)
        if why == "pressed":
            log.warning("collected while people play", found=found, pause_s=round(pause_s, 3))


def grown() -> int:
    """How many more objects there are than after the last collection, about: Python counts what is made and
    what is freed, also while it collects nothing."""
    return gc.get_count()[0]
