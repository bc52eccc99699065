"""An evening with a real house to which everything happens that can happen to one; then all that anybody was
told is held against the journal, by the judge of the simulation."""

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from tests.proxy import Link, Weather
from tests.simulation.judge import verify
from tests.simulation.players import SWEEPER
from tests.soak.process import Soaked
from tests.soak.street import Street

from ludoteca import games as known
from ludoteca.server.journal_reader import JournalReader

# What the log may say, since it is what is done to the house.
EXPECTED = ("journal cannot be written, waiting",)
# Nobody's match takes so long after the last fault: whoever is not done then is stuck.
END_S = 150.0
# So many games are played on one evening, each by eight people.
GAMES = 2
# For so long a house is waited for that is to die of its next writes.
TORN_S = 4.0
WEATHERS = {
    "fair": Weather(),
    "late": Weather(delay_s=0.02),
    "dribbled": Weather(piece=1),
    "gathered": Weather(gather_s=0.05),
    "narrow": Weather(bytes_per_s=200_000),
}

Fault = Callable[["Evening"], Awaitable[None]]
FAULTS: dict[str, Fault] = {}


def fault(function: Fault) -> Fault:
    """One more thing that goes wrong."""
    FAULTS[function.__name__] = function
    return function


class Evening:
    """One house, its people, and what is done to them."""

    def __init__(
        self, folder: Path, seed: int, games: Sequence[str] = (), faults: Sequence[str] = ()
    ) -> None:
        self.folder = folder
        self.dice = random.Random(seed)
        self._faults = list(faults) or self.dice.sample(sorted(FAULTS), len(FAULTS))
        self._games = games or self.dice.sample(known.names(), GAMES)
        self.met: Counter[str] = Counter()
        self.street = Street(
            seed,
            {name: WEATHERS[self.dice.choice(sorted(WEATHERS))] for name in ("house", "http", *_spoken())},
        )
        defaults = tuple(f"multisweeper.{key}={value}" for key, value in SWEEPER.items())
        self.house = Soaked(
            folder,
            "house",
            "http",
            "shelfie-rpc",
            *_spoken(),
            defaults=defaults,
            rate_per_s="100000",
            bot_workers="1",
            bot_s="0.01",
            bot_wall_s="60",
        )
        self._neighbours: asyncio.subprocess.Process | None = None

    @property
    def links(self) -> list[Link]:
        """Every line that stands now."""
        return [link for proxy in self.street.proxies.values() for link in proxy.links]

    def some(self) -> list[Link]:
        """Some of them."""
        links = self.links
        return self.dice.sample(links, self.dice.randint(0, len(links)))

    async def play(self, faults: int, seconds: float, tell: Callable[[str], None]) -> None:
        """So many faults, or for so long; then all must come to an end. Raises AssertionError, Failure."""
        await self.house.start()
        await self.street.open(self.house.addresses)
        groups = {game: self.street.invite(game) for game in self._games}
        end = time.monotonic() + seconds
        try:
            await asyncio.sleep(2.0)
            count = 0
            while count < faults and time.monotonic() < end:
                # Each of them once, and then whatever chance says.
                name = self._faults[count] if count < len(self._faults) else self.dice.choice(self._faults)
                count += 1
                self.met[name] += 1
                tell(f"fault {count}: {name}, {sum(one.done for one in self.street.players)} at home")
                await FAULTS[name](self)
                await asyncio.sleep(self.dice.uniform(0.05, 0.8))
                for game, people in groups.items():
                    if all(one.done for one in people):
                        groups[game] = self.street.invite(game)
                for player in self.street.players:
                    player.patience()
            for link in self.links:
                link.release()
            late = await self.street.all_done(END_S)
            assert not late, f"{', '.join(late)} never came to an end"
        finally:
            await self._end_neighbours()
            await self.street.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.house.pid, signal.SIGCONT)
            code = await self.house.stop()
        assert code == 0, f"the house ended with {code}"
        self.judge()

    def judge(self) -> None:
        """What everybody was told is what is stored, and the log knows of no accident."""
        wrong = [text for player in self.street.players for text in player.wrong]
        assert not wrong, "; ".join(wrong[:5])
        archive = JournalReader(self.house.folder)
        records = verify(archive, self.street.players, set(), self.street.counts)
        self.met["records"] += records
        self.met["told and compared"] += self.street.counts["records compared"]
        self.met["matches over"] += self.street.counts["match over"]
        errors = [line for line in _logged(self.house.log) if not any(text in line for text in EXPECTED)]
        assert not errors, errors[:3]

    async def _end_neighbours(self) -> None:
        process, self._neighbours = self._neighbours, None
        if process is not None:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def neighbours(self) -> None:
        """Bad neighbours of every kind are there from now on."""
        if self._neighbours is None:
            self._neighbours = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.server.neighbours", json.dumps(self.house.addresses)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            assert self._neighbours.stdin is not None
            self._neighbours.stdin.write(b"\n")


def _spoken() -> tuple[str, ...]:
    return tuple(name for name in known.names() if known.load(name).wire is not None)


def _logged(log: Path) -> list[str]:
    return [line for line in log.read_text(errors="replace").splitlines() if "error" in line.lower()]


@fault
async def kill(evening: Evening) -> None:
    """kill -9."""
    await evening.house.kill()
    await evening.house.start()


@fault
async def stop(evening: Evening) -> None:
    """The operator stops it, and starts it again."""
    assert await evening.house.stop() == 0
    await evening.house.start()


@fault
async def pause(evening: Evening) -> None:
    """SIGSTOP: nothing is done for a while, and nobody is to blame."""
    os.kill(evening.house.pid, signal.SIGSTOP)
    await asyncio.sleep(evening.dice.uniform(0.2, 3.0))
    os.kill(evening.house.pid, signal.SIGCONT)


@fault
async def full(evening: Evening) -> None:
    """No file may grow any more: what a full disk is to SQLite. Sometimes it is killed meanwhile."""
    pid = evening.house.pid
    largest = max(file.stat().st_size for file in evening.house.folder.iterdir() if file.is_file())
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, hard))
    await asyncio.sleep(evening.dice.uniform(0.2, 2.0))
    if evening.dice.random() < 0.3:
        await kill(evening)
    else:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))


@fault
async def torn(evening: Evening) -> None:
    """Killed in the middle of a write, at a byte that chance says."""
    await evening.house.stop()
    # The log begins anew with every life, and a commit adds some thousand bytes; or it dies at its start.
    byte = evening.dice.randrange(20_000, 120_000)
    with contextlib.suppress(AssertionError, TimeoutError):
        await evening.house.start(more={"SOAK_DIE_AT": str(byte)})
        async with asyncio.timeout(TORN_S):
            await evening.house.wait()
    evening.met["died of a write"] += evening.house.code == -signal.SIGXFSZ
    await evening.house.kill()
    await evening.house.start()


@fault
async def clock(evening: Evening) -> None:
    """Somebody sets the clock on the wall: back, forward, by a year."""
    evening.house.wall += evening.dice.choice((3600.0, -7200.0, 86_400.0, -86_400.0 * 365, 86_400.0 * 365))
    await evening.house.census()


@fault
async def cut(evening: Evening) -> None:
    """Some lines break."""
    for link in evening.some():
        link.cut()


@fault
async def deaf(evening: Evening) -> None:
    """Some do not read for a while."""
    links = evening.some()
    for link in links:
        link.hold("out")
    await asyncio.sleep(evening.dice.uniform(0.2, 3.0))
    for link in links:
        link.release()


@fault
async def half_open(evening: Evening) -> None:
    """A few lines are dead, and neither side knows."""
    for link in evening.some()[:2]:
        link.hold()


@fault
async def partition(evening: Evening) -> None:
    """Some cannot be reached for a while."""
    links = evening.some()
    for link in links:
        link.hold()
    await asyncio.sleep(evening.dice.uniform(0.2, 4.0))
    for link in links:
        link.release()


@fault
async def swizzle(evening: Evening) -> None:
    """One line after the other stops, and they come back in another order."""
    links = evening.some()
    for link in links:
        link.hold()
        await asyncio.sleep(evening.dice.uniform(0, 0.1))
    for link in evening.dice.sample(links, len(links)):
        link.release()
        await asyncio.sleep(evening.dice.uniform(0, 0.1))


@fault
async def bad_neighbours(evening: Evening) -> None:
    """More than twenty kinds of guests whom nobody wants, for some seconds."""
    await evening.neighbours()
    await asyncio.sleep(evening.dice.uniform(1.0, 4.0))
    await evening._end_neighbours()
