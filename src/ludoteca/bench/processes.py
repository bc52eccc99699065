"""Processes under measurement: starting them on a core of their own, and reading what they have used."""

import asyncio
import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ludoteca.core import LudotecaError

START_S_MAX = 60.0
END_S_MAX = 10.0
SERVER_CORE, LOAD_CORE = 0, -1


class BenchError(LudotecaError):
    """A benchmark cannot be run, or did not do what it should; the text says why."""


def cpu_s(pid: int) -> float:
    """User and system time that all threads of a process have used, to the
    nanosecond (clock_getcpuclockid)."""
    return time.clock_gettime((~pid << 3) | 2)


def rss_kib(pid: int) -> int:
    """Resident memory."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise BenchError(f"process {pid} has ended")


def queued_s(pid: int) -> float:
    """How long the main thread was ready to run, and others had the core."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def raise_file_limit() -> int:
    """As many open files as the machine lets us have; children inherit it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


@cache
def cores() -> tuple[int, ...]:
    """The cores that are ours; asked for the first time before anything is pinned."""
    return tuple(sorted(os.sched_getaffinity(0)))


def pin(place: int) -> None:
    """Run on the first or last core only; children inherit it. One core is left alone."""
    os.sched_setaffinity(0, {cores()[place]})


class Child:
    """A server process that has said where it listens and that it is ready."""

    def __init__(self, process: asyncio.subprocess.Process, addresses: dict[str, tuple[str, int]]) -> None:
        self._process = process
        self.addresses = addresses
        # What starting took.
        self.start_cpu_s = self.cpu_s()

    def cpu_s(self) -> float:
        """What it has used so far."""
        if self._process.returncode is not None:
            raise BenchError(f"the server ended with code {self._process.returncode}")
        return cpu_s(self._process.pid)

    def queued_s(self) -> float:
        """How long it has waited for a core so far."""
        return queued_s(self._process.pid)

    def rss_kib(self) -> int:
        """What it holds now."""
        return rss_kib(self._process.pid)


@contextlib.asynccontextmanager
async def running(*command: str, source: Path | None = None) -> AsyncIterator[Child]:
    """A server process on the servers' core, while the block runs, of this source tree or of another.

    It says "listening NAME HOST:PORT" for each listener, then "ready".
    """
    before = os.sched_getaffinity(0)
    pin(SERVER_CORE)
    try:
        environment = None if source is None else {**os.environ, "PYTHONPATH": str(source)}
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, env=environment
        )
    finally:
        pin(LOAD_CORE)
    try:
        yield Child(process, await asyncio.wait_for(_addresses(process), START_S_MAX))
    finally:
        await _end(process)
        os.sched_setaffinity(0, before)


async def _addresses(process: asyncio.subprocess.Process) -> dict[str, tuple[str, int]]:
    assert process.stdout is not None
    found: dict[str, tuple[str, int]] = {}
    while (line := (await process.stdout.readline()).decode().strip()) != "ready":
        if not line:
            raise BenchError("a server did not start")
        word, _, rest = line.partition(" ")
        if word == "listening":
            name, address = rest.split()
            host, _, port = address.rpartition(":")
            found[name] = (host, int(port))
    return found


async def _end(process: asyncio.subprocess.Process) -> None:
    """Stop it, by force when it does not listen."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(number)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), END_S_MAX)


# Far above anything the load does: what is measured is the work, not the limits.
LIMITS = {
    "connections_per_address_max": "100000",
    "connections_max": "100000",
    "tables_max": "100000",
    "tables_per_address_max": "100000",
    "tables_per_guest_max": "100000",
    "rate_per_s": "1000000",
    "rate_burst": "1000000",
    "rate_per_address_per_s": "1000000",
    "rate_per_address_burst": "1000000",
    "requests_per_s": "1000000",
    "requests_burst": "1000000",
    "handshake_s": "3600",
    "chat_burst": "1000000",
    "chat_per_minute": "1000000",
    "chat_per_address_per_minute": "1000000",
    "chat_per_table_max": "1000000",
}


def program(
    data: Path, listeners: Sequence[str], given: Mapping[str, str], diary: Path | None = None
) -> list[str]:
    """The command of a house with these settings, on free ports of the loopback interface; one that keeps a
    diary in this file (see `stages`)."""
    module = ["ludoteca.cli"] if diary is None else ["ludoteca.bench.stages", str(diary)]
    command = [sys.executable, "-m", *module, "serve", "--data", str(data), "--log-level", "error"]
    command += ["--only", ",".join(listeners)]
    for name in listeners:
        command += ["--port", f"{name}=0"]
    for key, value in given.items():
        command += ["--set", f"{key}={value}"]
    return command


@contextlib.asynccontextmanager
async def house(data: Path, *listeners: str, **defaults: str) -> AsyncIterator[Child]:
    """A real house, durable as always."""
    async with other_house(None, data, *listeners, **defaults) as child:
        yield child


@contextlib.asynccontextmanager
async def other_house(
    source: Path | None, data: Path, *listeners: str, **defaults: str
) -> AsyncIterator[Child]:
    """The same of another source tree."""
    command = program(data, listeners, LIMITS)
    for key, value in defaults.items():
        command += ["--default", f"{key.replace('__', '.')}={value}"]
    async with running(*command, source=source) as child:
        yield child


@contextlib.asynccontextmanager
async def echo(kind: str) -> AsyncIterator[Child]:
    """A bare echo server, for comparison."""
    async with running(sys.executable, "-m", "ludoteca.bench.echo", kind) as child:
        yield child
