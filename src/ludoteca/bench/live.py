"""Very many live tables: how long a move takes to arrive, and what the house needs for it."""

import asyncio
import contextlib
import os
import re
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludoteca.bench import stages
from ludoteca.bench.crowd import PACE_S, Played, Trouble
from ludoteca.bench.figures import Figure, percentile
from ludoteca.bench.links import Link, connect
from ludoteca.bench.processes import (
    LIMITS,
    LOAD_CORE,
    BenchError,
    Child,
    pin,
    program,
    raise_file_limit,
    running,
)

SECTION = "Live tables of all games, one move every two seconds at each (house protocol)"
PROCESSES = 2
ANSWER_S_MAX = 300.0
ANSWER_BYTES_MAX = 1 << 26
# Files that are no connections.
FILES = 60
PROBE_S = 0.02
METRICS_S_MAX = 20.0
SETTLE_S = 1.0
# What ten thousand tables may take: milliseconds, percent of a core, MB, milliseconds.
AIMS = {"p99": 30.0, "share": 80.0, "memory": 300.0, "pause": 50.0}


class Crowds:
    """The processes of the load."""

    def __init__(self, processes: list[asyncio.subprocess.Process]) -> None:
        self._processes = processes
        self.tables = 0

    async def seat(self, tables: int) -> None:
        """Have so many tables in all."""
        more, parts = tables - self.tables, len(self._processes)
        shares = [more // parts + (number < more % parts) for number in range(parts)]
        await asyncio.gather(*map(self._ask, self._processes, [f"seat {share}" for share in shares]))
        self.tables = tables

    async def play(self, seconds: float) -> Played:
        """What came of it, of all together."""
        answers = await asyncio.gather(*(self._ask(one, f"play {seconds}") for one in self._processes))
        found = [msgspec.json.decode(answer, type=Played) for answer in answers]
        return Played(
            sum(one.moves for one in found),
            sum(one.matches for one in found),
            sum(one.late for one in found),
            sorted(took for one in found for took in one.took_us),
            sorted(lag for one in found for lag in one.lag_us),
            [move for one in found for move in one.heard],
        )

    async def _ask(self, process: asyncio.subprocess.Process, words: str) -> bytes:
        assert process.stdin is not None, "it was asked for"
        assert process.stdout is not None, "it was asked for"
        process.stdin.write(words.encode() + b"\n")
        answer = await asyncio.wait_for(process.stdout.readline(), ANSWER_S_MAX)
        if not answer:
            raise BenchError("a process of the load has ended")
        if answer.startswith(b'{"trouble"'):
            raise BenchError(msgspec.json.decode(answer, type=Trouble).trouble)
        return answer


@contextlib.asynccontextmanager
async def crowds(
    address: tuple[str, int], path: str, name: str = "crowd", count: int = PROCESSES
) -> AsyncIterator[Crowds]:
    """Processes that play, while the block runs, under names that begin like this."""
    processes: list[asyncio.subprocess.Process] = []
    pin(LOAD_CORE)
    try:
        for number in range(count):
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "ludoteca.bench.crowd", address[0], str(address[1]), path),
                f"{name}{number}",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=ANSWER_BYTES_MAX,
            )
            processes.append(process)
        yield Crowds(processes)
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
            await process.wait()


class Probe:
    """Asks the house for a sign of life all the time: the longest it took is its longest pause."""

    link: Link

    def __init__(self) -> None:
        self.pauses_us: list[int] = []
        self._heard = asyncio.Event()

    def hear(self, line: bytes) -> None:
        """The answer."""
        self._heard.set()

    async def ask(self) -> None:
        """For ever."""
        while True:
            self._heard.clear()
            asked_s = time.perf_counter()
            self.link.send(b'{"type":"ping"}')
            await self._heard.wait()
            self.pauses_us.append(round((time.perf_counter() - asked_s) * 1e6))
            await asyncio.sleep(PROBE_S)


class Evening(NamedTuple):
    """What a time of play took: of the house's processor time, of its waiting for a core that
    others used, of its memory."""

    played: Played
    seconds: float
    cpu_s: float
    queued_s: float
    rss_kib: int
    pause_us: int


async def spend(server: Child, load: Crowds, seconds: float) -> Evening:
    """Let the crowd play for so long."""
    probe = Probe()
    await connect(server.addresses["house"], "", probe)
    asking = asyncio.create_task(probe.ask())
    try:
        cpu_s, queued_s = server.cpu_s(), server.queued_s()
        played = await load.play(seconds)
        cpu_s, queued_s = server.cpu_s() - cpu_s, server.queued_s() - queued_s
    except BenchError:
        server.cpu_s()  # If it was the house that ended, this says so.
        raise
    finally:
        asking.cancel()
        probe.link.close()
    if not played.moves:
        raise BenchError("not one move has arrived")
    return Evening(played, seconds, cpu_s, queued_s, server.rss_kib(), max(probe.pauses_us, default=0))


def rows(name: str, tables: int, evening: Evening, aims: bool) -> list[Figure]:
    """The figures of one evening."""
    played = evening.played
    aim = AIMS if aims else {}
    took, lag = played.took_us, played.lag_us
    asked = tables / PACE_S
    move_us = evening.cpu_s / played.moves * 1e6
    share = move_us * asked / 1e6 * 100
    p50, p95, p99 = (percentile(took, part) / 1e3 for part in (50, 95, 99))
    queued = evening.queued_s / (evening.seconds + PACE_S) * 100
    note = f"p50 {p50:.1f}, p95 {p95:.1f}, longest {took[-1] / 1e3:.0f}; of the load's own doing "
    note += f"{percentile(lag, 99) / 1e3:.1f}; {queued:.0f} % of the time no core was free for the house"
    rate = (
        f"{move_us:.0f} us a move; {played.moves / evening.seconds:,.0f} of {asked:,.0f} moves/s came about"
    )
    slower = f"the slowest answer to a ping, one every {PROBE_S * 1e3:.0f} ms"
    return [
        Figure(SECTION, f"{name}: p99 of a move", p99, "ms", aim.get("p99"), note=note, noise=None),
        Figure(SECTION, f"{name}: processor", share, "% of a core", aim.get("share"), note=rate, noise=0.2),
        Figure(SECTION, f"{name}: memory", evening.rss_kib / 1024, "MB", aim.get("memory")),
        Figure(
            SECTION,
            f"{name}: longest pause",
            evening.pause_us / 1e3,
            "ms",
            aim.get("pause"),
            note=slower,
            noise=None,
        ),
    ]


def hung_up(server: Child) -> str:
    """Whose connections the house has closed by itself, and why."""
    host, port = server.addresses["metrics"]
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=METRICS_S_MAX) as answer:
            page = answer.read().decode()
    except OSError as error:
        return f"the house does not say whom it has hung up on: {error}"
    found = re.findall(r'^ludoteca_dropped_total\{why="(\w+)"\} (\d+)', page, re.MULTILINE)
    return f"the house has hung up on {', '.join(f'{count} ({why})' for why, count in found) or 'nobody'}"


async def figures(sizes: Sequence[int], seconds: float, where: bool = False) -> AsyncGenerator[Figure, None]:
    """More and more tables in one house, over TCP and then over WebSocket; and `where` the time goes, which
    costs the house a little more of it."""
    room = (raise_file_limit() - FILES) // 2
    for listener, path, way in (("house", "", "TCP"), ("http", "/ws", "WebSocket")):
        with tempfile.TemporaryDirectory() as folder:
            diary = Path(folder, "diary") if where else None
            evenings: dict[str, Evening] = {}
            command = program(Path(folder, "house"), ("house", "http", "metrics"), LIMITS, diary)
            async with running(*command) as server, crowds(server.addresses[listener], path) as load:
                for wanted in sizes:
                    tables = min(wanted, room)
                    name = f"{tables:,} tables, {way}"
                    try:
                        await load.seat(tables)
                        await asyncio.sleep(SETTLE_S)
                        evening = evenings[name] = await spend(server, load, seconds)
                    except (BenchError, TimeoutError) as error:
                        closed = await asyncio.to_thread(hung_up, server)
                        note = f"not measured: {str(error) or 'it took too long'}; {closed}"
                        yield Figure(SECTION, name, None, "", note=note)
                        break
                    aims = wanted == max(sizes) >= 10_000 and way == "TCP"
                    for figure in rows(name, tables, evening, aims):
                        yield figure
            if diary is not None:
                kept = stages.read(diary)
                for name, evening in evenings.items():
                    for figure in stages.figures(name, kept, evening.played.heard):
                        yield figure
    if room < max(sizes):
        note = (
            f"{os.sysconf('SC_OPEN_MAX'):,} files may be open here (ulimit -n), so there is room for so many"
        )
        yield Figure(SECTION, "tables that fit", room, "tables", max(sizes), more_is_better=True, note=note)
