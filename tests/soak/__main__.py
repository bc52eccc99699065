"""Trials that take long: `make soak`, or `make soak ARGS="--minutes 60 --only churn,faults --seed 7"`.

churn     matches and connections without end; memory, tasks, descriptors and names must not grow
faults    evenings with a real house that is killed, stopped, paused, filled, torn and cut off
kills     a house is killed at any moment, again and again, while people play
writes    a journal's writer is killed in the middle of every byte it writes
machines  anything at all is done to hall and conversations, beside a model; and planted bugs must be found
fuzz      guests who garble what they say, as in `make fuzz`
cluster   nodes and servers of NATS are killed and stopped while people play
drift     the project with the oldest and the newest packages that it allows (needs an index)

They share the time; the last two are tried when they are named or there is more than an hour. A seed repeats
every choice; in which order things then happen is up to the machine. Ends with 1 when anything failed.
"""

import argparse
import asyncio
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import uvloop
from tests.fuzz.run import run as fuzz
from tests.soak import drift, writes
from tests.soak.churn import churn
from tests.soak.faults import FAULTS, Evening
from tests.soak.machines import machines, planted

# By trial: its share of the time.
SHARES = {"churn": 4, "faults": 5, "kills": 2, "writes": 1, "machines": 2, "fuzz": 2}
LONG = ("cluster", "drift")
LONG_MINUTES = 60
EVERY_S = 20.0

Tell = Callable[[str], None]


class Trials:
    """One run of all of them, in a folder of its own."""

    def __init__(self, folder: Path, seed: int, given: argparse.Namespace) -> None:
        self._folder = folder
        self._seed = seed
        self._given = given
        self._began = self._told = time.monotonic()

    def tell(self, text: str) -> None:
        """Progress: in one line that changes or, where nobody looks, in a line now and then."""
        if sys.stdout.isatty():
            print(f"\r\033[K{time.monotonic() - self._began:5.0f} s  {text[:100]}", end="", flush=True)
        elif time.monotonic() - self._told > EVERY_S:
            self._told = time.monotonic()
            self.say(text)

    def say(self, text: str) -> None:
        """What stays."""
        clear = "\r\033[K" if sys.stdout.isatty() else ""
        print(f"{clear}{time.monotonic() - self._began:5.0f} s  {text}", flush=True)

    def churn(self, seconds: float) -> list[str]:
        """Matches and connections."""
        counts, wrong = asyncio.run(
            churn(self._folder / "churn", self._seed, seconds, self._given.matches, self.tell)
        )
        self.say(f"churn: {_words(counts)}")
        return wrong

    def faults(self, seconds: float) -> list[str]:
        """Evenings, one after the other."""
        end, met, number = time.monotonic() + seconds, Counter[str](), 0
        while number == 0 or time.monotonic() < end:
            seed = self._seed + number
            evening = asyncio.run(self._evening(seed, max(30.0, end - time.monotonic())))
            number += 1
            met += evening.met
            self.say(f"evening {number}, seed {seed}: {_words(evening.met)}")
        self.say(f"faults: {sum(met[name] for name in FAULTS)} in {number} evenings: {_words(met)}")
        return []

    async def _evening(self, seed: int, seconds: float) -> Evening:
        evening = Evening(self._folder / f"evening-{seed}", seed)
        await evening.play(self._given.faults, seconds, self.tell)
        return evening

    def writes(self, seconds: float) -> list[str]:
        """Deaths at ever more bytes, until there is no time left."""
        folder = self._folder / "writes"
        folder.mkdir()
        end, count = time.monotonic() + seconds, 0
        # Beyond the longest file nobody dies.
        last = 3 * writes.longest(folder)
        # A step that is prime to the length of pages meets every byte of them in the end.
        for limit, _, wrong in writes.deaths(
            folder, ((at * 4099 + self._seed) % last for at in range(1 << 30))
        ):
            count += 1
            self.tell(f"writes: {count} deaths, at byte {limit}")
            if wrong:
                return [f"killed at byte {limit}: {text}" for text in wrong]
            if time.monotonic() > end:
                break
        self.say(f"writes: {count} lives of a writer, each ended at another byte")
        return []

    def machines(self, seconds: float) -> list[str]:
        """Hall and conversations."""
        missed = planted(self.tell)
        count, wrong = machines(self._seed, seconds, self.tell)
        self.say(f"machines: {count} runs of 40 times 40 steps")
        return missed + wrong

    def fuzz(self, seconds: float) -> list[str]:
        """As in `make fuzz`."""
        folder = self._folder / "fuzz"
        folder.mkdir()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop if self._seed % 3 else None) as runner:
            report = runner.run(fuzz(folder, self._seed, seconds))
        self.say(f"fuzz: {report.text()}")
        return [] if report.ok else [report.text()]

    def cluster(self, seconds: float) -> list[str]:
        """The tests of several nodes, with as many faults as there is time for."""
        files = ("tests/server/test_nodes.py", "tests/server/test_rooms.py")
        return self._tests("cluster", files, "FAULTS", max(6, int(seconds / 30)))

    def kills(self, seconds: float) -> list[str]:
        """The test of kills, with as many as there is time for."""
        return self._tests("kills", ("tests/server/test_kill.py",), "KILLS", max(10, int(seconds / 2)))

    def _tests(self, name: str, files: tuple[str, ...], what: str, count: int) -> list[str]:
        """The tests of some files, with so many of something, and other choices than in `make test`."""
        environment = {**os.environ, f"LUDOTECA_{what}": str(count), "CHANCE": str(self._seed)}
        command = [sys.executable, "-m", "pytest", "-q", "-x", *files]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.say(f"{name}: {count} {what.lower()}")
        return [done.stdout[-4000:]] if done.returncode else []

    def drift(self, _seconds: float) -> list[str]:
        """Oldest and newest packages."""
        return drift.drift(self._folder / "drift", self.say)


def _words(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="make soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of them together")
    parser.add_argument("--only", default="", help="some of them, with commas between")
    parser.add_argument("--seed", type=int, default=None, help="make the choices of this run again")
    parser.add_argument("--matches", type=int, default=0, help="churn until so many matches are over")
    parser.add_argument("--faults", type=int, default=40, help="so many on one evening, if there is time")
    parser.add_argument("--keep", action="store_true", help="leave the folder with journals and logs behind")
    given = parser.parse_args()
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    wanted = (
        given.only.split(",") if given.only else [*SHARES, *(LONG if given.minutes > LONG_MINUTES else ())]
    )
    unknown = set(wanted) - {*SHARES, *LONG}
    if unknown:
        parser.error(f"there is no trial {', '.join(sorted(unknown))}")
    share = 60 * given.minutes / sum(SHARES.get(name, 3) for name in wanted)
    again = f'make soak ARGS="--minutes {given.minutes:g} --only {",".join(wanted)} --seed {seed}"'
    print(f"seed {seed}; again with: {again}", flush=True)
    failed: list[str] = []
    folder = Path(tempfile.mkdtemp(prefix="ludoteca-soak-"))
    trials = Trials(folder, seed, given)
    for name in wanted:
        try:
            wrong = getattr(trials, name)(share * SHARES.get(name, 3))
        except Exception:
            wrong = [traceback.format_exc()]
        for text in wrong:
            trials.say(f"FAILED {name}: {text}")
        failed += [name] if wrong else []
    if failed or given.keep:
        print(f"journals and logs are in {folder}")
    else:
        shutil.rmtree(folder)
    print(f"failed: {', '.join(failed)}" if failed else f"all of it holds: {', '.join(wanted)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
