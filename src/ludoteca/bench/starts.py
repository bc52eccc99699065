"""How long it takes to begin: the command line, and a house with tables to bring back."""

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import resource
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

from ludoteca import games
from ludoteca.bench.figures import Figure
from ludoteca.bench.journal import write_tables
from ludoteca.bench.processes import BenchError, Child, house
from ludoteca.bench.storage import fill
from ludoteca.server.schema import connect, journal_in

SECTION = "Beginning"
SCREEN_S_MAX = 30.0
DOORS_S_MAX = 1.0
# Ten thousand tables in five seconds; and how long all are waited for, on whatever machine this is.
BACK_MS_MAX = 0.5
BACK_S_MAX = 600.0
LETTERS_MIN = 40
_CONTROL = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|[PX^_\]].*?(\x1b\\|\x07)|.)", re.DOTALL)
_EVERYTHING = """import ludoteca.clients.app, ludoteca.cli.serve, ludoteca.server.serve
from ludoteca import games
for name in games.names():
    games.load(name)"""
COMPILE_S_MAX = 120.0
_LUDOTECA = (sys.executable, "-m", "ludoteca.cli")


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """Children have compiled modules meanwhile, as pip installs them and the container has them. Where the
    environment forbids to keep any (PYTHONDONTWRITEBYTECODE), every start would compile everything."""
    keys = ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
    before = {key: os.environ.pop(key, None) for key in keys}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTHONPYCACHEPREFIX"] = folder
        try:
            subprocess.run([sys.executable, "-c", _EVERYTHING], check=True, timeout=COMPILE_S_MAX)
            yield
        finally:
            del os.environ["PYTHONPYCACHEPREFIX"]
            os.environ.update({key: value for key, value in before.items() if value is not None})


def command_figures(rounds: int) -> Iterator[Figure]:
    """The command line as people call it; wall time, the best of several, because others
    may use the machine."""
    took, used = [], _children_cpu_s()
    for _ in range(rounds):
        began = time.monotonic()
        subprocess.run([*_LUDOTECA, "--help"], check=True, stdout=subprocess.DEVNULL, timeout=SCREEN_S_MAX)
        took.append(time.monotonic() - began)
    used = (_children_cpu_s() - used) / rounds
    note = f"wall time, best of {rounds}; {used:.2f} s CPU"
    yield Figure(SECTION, "ludoteca --help", min(took), "s", 0.3, note=note, noise=None)
    used, rounds = _children_cpu_s(), min(rounds, 3)
    screens = [first_screen_s("play") for _ in range(rounds)]
    used = (_children_cpu_s() - used) / rounds
    note = f"wall time, best of {rounds}; {used:.2f} s CPU"
    yield Figure(SECTION, "ludoteca play, to the first screen", min(screens), "s", 1.5, note=note, noise=None)


def _children_cpu_s() -> float:
    """Processor time of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def first_screen_s(*arguments: str) -> float:
    """How long a command takes in a terminal of its own until its screen shows something."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with tempfile.TemporaryDirectory() as home:
        # A home of its own: no settings, names or matches of whoever runs this.
        places = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
        environment = {**os.environ, **places, "TERM": "xterm-256color"}
        began = time.monotonic()
        process = subprocess.Popen(
            [*_LUDOTECA, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)
        try:
            return _until_drawn(ours, began)
        finally:
            process.kill()
            process.wait()
            os.close(ours)


def _until_drawn(terminal: int, began: float) -> float:
    shown = b""
    while (left := began + SCREEN_S_MAX - time.monotonic()) > 0:
        if select.select([terminal], [], [], left)[0]:
            try:
                shown += os.read(terminal, 65_536)
            except OSError:
                break
            # Letters that are no part of a control sequence; a drawn screen has at least so many.
            if len(re.findall(rb"\w", _CONTROL.sub(b"", shown))) >= LETTERS_MIN:
                return time.monotonic() - began
    raise BenchError(f"no screen was drawn; the last words were {shown[-200:]!r}")


async def recovery_figures(tables: int, moves: int, finished: int) -> AsyncGenerator[Figure, None]:
    """A house that finds tables in its journal, against one that finds none; processor time."""
    with tempfile.TemporaryDirectory() as folder:
        yield await _doors(Path(folder), "nothing to bring back", None)
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.to_thread(fill, Path(folder), finished)
        await asyncio.to_thread(write_tables, Path(folder), games.names(), tables, moves)
        amount = f"{tables:,} tables, {finished:,} finished matches"
        yield await _doors(Path(folder), amount, DOORS_S_MAX)
        # As versions wrote it that knew no slips (decision 22).
        with contextlib.closing(connect(journal_in(Path(folder)))) as connection:
            connection.execute("DELETE FROM slips")
        yield await _doors(Path(folder), f"{tables:,} tables of an older version", None)
        # It was stopped before they all were back. Once they are, and it closes, there are snapshots of all.
        about = f"{tables:,} tables of {moves} moves, all games"
        for name, aim in (("executed again", None), ("from snapshots", BACK_MS_MAX)):
            async with house(Path(folder), "house", "metrics") as server:
                await asyncio.to_thread(_wait_for_all, server)
                took_s = server.cpu_s() - server.start_cpu_s
            each_ms = took_s / tables * 1e3
            note = f"{about}, in {took_s:.2f} s while the doors were open"
            yield Figure(SECTION, f"a table brought back, {name}", each_ms, "ms CPU", aim, note=note)


async def _doors(folder: Path, what: str, aim: float | None) -> Figure:
    began_s = time.monotonic()
    async with house(folder, "house") as server:
        note = f"{time.monotonic() - began_s:.2f} s wall time; {what}"
        return Figure(SECTION, f"doors open, {what}", server.start_cpu_s, "s CPU", aim, note=note)


def _wait_for_all(server: Child) -> None:
    """Until no table is missing any more."""
    host, port = server.addresses["metrics"]
    end_s = time.monotonic() + BACK_S_MAX
    while time.monotonic() < end_s:
        with urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=SCREEN_S_MAX) as answer:
            if b"\nludoteca_tables_waking 0.0\n" in answer.read():
                return
        time.sleep(0.5)
    raise BenchError("the tables of a house did not all come back")
