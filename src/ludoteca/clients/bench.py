"""How long the terminal client takes to be there: the help, and the first screen of a game."""

import contextlib
import os
import pty
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import NamedTuple

HELP_AIM_S = 0.3
SCREEN_AIM_S = 1.5
PATIENCE_S = 30.0
_COMMAND = (sys.executable, "-m", "ludoteca.cli")


class StartUp(NamedTuple):
    """One start-up time, with the time it ought to stay under; `processor_s` is what it costs on a busy machine too."""

    name: str
    seconds: float
    processor_s: float
    aim_s: float


def start_up_times(runs: int = 5) -> list[StartUp]:
    """Measure each start a few times and keep the quickest, which other programs disturbed least."""
    question = ("play", "santorini", "--new")
    return [
        _best("ludoteca --help", HELP_AIM_S, runs, _help_s),
        _best("ludoteca play, first screen", SCREEN_AIM_S, runs, lambda: _screen_s(b"Santorini", "play")),
        _best(
            "ludoteca play santorini, first question",
            2 * SCREEN_AIM_S,
            runs,
            lambda: _screen_s(b"gods on", *question),
        ),
    ]


def _best(name: str, aim_s: float, runs: int, measure: Callable[[], float]) -> StartUp:
    times = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = measure()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return StartUp(name, min(one for one, _ in times), min(one for _, one in times), aim_s)


def _help_s() -> float:
    started = time.perf_counter()
    subprocess.run([*_COMMAND, "--help"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _screen_s(wanted: bytes, *arguments: str) -> float:
    """From the start of the process to the moment a terminal shows the wanted words."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TERM": "xterm-256color", "XDG_DATA_HOME": home, "XDG_STATE_HOME": home}
        ours, theirs = pty.openpty()
        started = time.perf_counter()
        process = subprocess.Popen(
            [*_COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**environment, "LINES": "24", "COLUMNS": "80"},
            start_new_session=True,
        )
        os.close(theirs)
        try:
            return _wait_for(ours, wanted, started) - started
        finally:
            process.kill()
            process.wait()
            os.close(ours)


def _wait_for(terminal: int, wanted: bytes, started: float) -> float:
    seen = b""
    while time.perf_counter() < started + PATIENCE_S:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        with contextlib.suppress(OSError):
            seen += os.read(terminal, 1 << 16) if ready else b""
        if wanted in seen:
            return time.perf_counter()
    raise TimeoutError(f"the screen never showed {wanted.decode()!r}")


if __name__ == "__main__":
    for one in start_up_times():
        print(
            f"{one.name:<42} {one.seconds:6.2f} s ({one.processor_s:.2f} s of processor), aim {one.aim_s} s"
        )
