"""The command `ludoteca bench`."""

import asyncio
import contextlib
import itertools
import os
import platform
import signal
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from ludoteca import __version__
from ludoteca.bench import (
    audience,
    beside,
    choices,
    compare,
    environments,
    idle,
    live,
    lobby,
    moves,
    playouts,
    several,
    starts,
    storage,
    tongues,
)
from ludoteca.bench.figures import Figure, line
from ludoteca.bench.processes import BenchError, cores, raise_file_limit

PARTS = ("moves", "choices", "live", "audience", "lobby", "rest", "games", "start", "journal", "cluster")


class Size(NamedTuple):
    """How much of everything is done."""

    rounds: int
    connections: int
    idle_s: float
    playout_s: float
    games: int
    recovered: int
    finished: int
    tables: tuple[int, ...]
    live_s: float
    audience: tuple[int, ...]
    listed: tuple[int, ...]
    lookers: int
    shared: int
    taken_over: int


USUAL = Size(
    rounds=5,
    connections=1000,
    idle_s=5.0,
    playout_s=2.0,
    games=1000,
    recovered=10_000,
    finished=1_000_000,
    tables=(1000, 5000, 10_000),
    live_s=10.0,
    audience=(0, 10, 100, 1000),
    listed=(100, 1000, 10_000),
    lookers=1000,
    shared=1000,
    taken_over=1000,
)
QUICK = Size(
    rounds=3,
    connections=600,
    idle_s=3.0,
    playout_s=0.5,
    games=1,
    recovered=500,
    finished=50_000,
    tables=(500,),
    live_s=4.0,
    audience=(0, 100),
    listed=(100, 1000),
    lookers=100,
    shared=100,
    taken_over=200,
)


async def _figures(size: Size, parts: tuple[str, ...], where: bool) -> AsyncGenerator[Figure, None]:
    yield compare.machine()
    if "moves" in parts:
        async with contextlib.aclosing(moves.figures(size.rounds)) as found:
            async for figure in found:
                yield figure
        for figure in tongues.figures(size.rounds):
            yield figure
    if "choices" in parts:
        for figure in choices.figures():
            yield figure
    if "live" in parts:
        async with contextlib.aclosing(live.figures(size.tables, size.live_s, where)) as found:
            async for figure in found:
                yield figure
    if "audience" in parts:
        async with contextlib.aclosing(audience.figures(size.audience)) as found:
            async for figure in found:
                yield figure
    if "lobby" in parts:
        for figure in lobby.figures(size.listed, size.lookers):
            yield figure
    if "rest" in parts:
        async with contextlib.aclosing(idle.figures(size.connections, size.idle_s)) as found:
            async for figure in found:
                yield figure
    if "games" in parts:
        for figure in playouts.figures(size.playout_s, size.games):
            yield figure
        for figure in playouts.bot_figures(size.playout_s):
            yield figure
        for figure in environments.figures(size.playout_s):
            yield figure
    if "start" in parts:
        beginnings = starts.recovery_figures(size.recovered, 40, size.finished)
        with starts.installed():
            for figure in starts.command_figures(size.rounds):
                yield figure
            async with contextlib.aclosing(beginnings) as found:
                async for figure in found:
                    yield figure
    if "journal" in parts:
        for figure in itertools.chain(storage.record_figures(), storage.list_figures(size.finished)):
            yield figure
    if "cluster" in parts:
        async with contextlib.aclosing(several.figures(size.shared, size.live_s, size.taken_over)) as found:
            async for figure in found:
                yield figure
    if "peers" in parts:
        from ludoteca.bench import peers

        ours = await moves.clicks(size.rounds)
        async with contextlib.aclosing(peers.figures(*ours, size.rounds)) as found:
            async for figure in found:
                yield figure


async def _run(figures: AsyncGenerator[Figure, None], say: Callable[[str], None]) -> list[Figure]:
    """Print figures as they are found. Asked to stop, it first stops the servers that it has started."""
    task = asyncio.current_task()
    assert task is not None, "this is a coroutine"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    found: list[Figure] = []
    async with contextlib.aclosing(figures):
        async for figure in figures:
            if not found or found[-1].section != figure.section:
                say(f"\n{figure.section}")
            say(line(figure))
            found.append(figure)
    return found


@click.command("bench")
@click.option("--quick", is_flag=True, help="A few seconds for each row; the figures are rougher.")
@click.option("--only", multiple=True, type=click.Choice(PARTS), help="Only this part; may be repeated.")
@click.option(
    "--games", "games_min", type=click.IntRange(1), metavar="N", help="At least N random games of each game."
)
@click.option("--peers", is_flag=True, help="Compare with boardgame.io and Colyseus (needs Node and npm).")
@click.option("--json", "file", type=click.Path(dir_okay=False, path_type=Path), help="Figures as JSON, too.")
@click.option(
    "--compare",
    "earlier",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Compare with figures that --json wrote earlier; ends with 1 when something got slower by more than"
    " a tenth and more than chance explains.",
)
@click.option(
    "--beside",
    "source",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Only a few rows of moves, or with --only games random ones, in turns with the source tree in this"
    " folder; ends with 1 when one is slower here by more than a tenth and more than chance explains.",
)
@click.option("--where", is_flag=True, help="Also say where the time of the slowest moves of `live` goes.")
def command(
    quick: bool,
    only: tuple[str, ...],
    games_min: int | None,
    peers: bool,
    file: Path | None,
    earlier: Path | None,
    source: Path | None,
    where: bool,
) -> None:
    """Measure what moves, connections, tables and random games cost, and compare with the aims.

    Servers run in processes of their own on this machine's loopback interface, with journals in temporary
    folders. Figures are processor time of the server, or ratios within this run. It
    takes about ten minutes.
    """
    if platform.system() != "Linux":
        raise BenchError("the benchmarks read /proc and pin cores: they run on Linux only")
    import uvloop

    before = compare.read(earlier) if earlier is not None else []
    raise_file_limit()
    # Servers are started while calls run: gRPC would remark on each.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    parts = only or PARTS
    if peers:
        parts = (*parts, "peers")
    size = QUICK if quick else USUAL
    if games_min is not None:
        size = size._replace(games=games_min)
    load = os.getloadavg()[0]
    click.echo(
        f"Ludoteca {__version__}, Python {platform.python_version()}, {len(cores())} cores, load {load:.1f}"
    )
    try:
        if source is None:
            figures = _figures(size, parts, where)
        elif only == ("games",):
            figures = beside.random_figures(source.absolute())
        else:
            figures = beside.figures(source.absolute())
        found = uvloop.run(_run(figures, click.echo))
    except asyncio.CancelledError:
        raise BenchError("stopped") from None
    missed = sum(figure.met is False for figure in found)
    click.echo(f"\n{sum(figure.met is True for figure in found)} aims met, {missed} missed.")
    if file is not None:
        file.write_bytes(msgspec.json.format(msgspec.json.encode(found)))
    if (earlier is not None and not _compare(before, found)) or (source is not None and missed):
        raise SystemExit(1)


def _compare(before: list[Figure], found: list[Figure]) -> bool:
    """Print what became of each figure; whether none got slower."""
    changes = list(compare.changes(before, found))
    click.echo("\nBeside the earlier run (above 1 is worse; times as multiples of the machine's own)")
    for change in changes:
        click.echo(str(change))
    slower = sum(change.slower for change in changes)
    click.echo(f"\n{len(changes)} figures compared, {slower} slower.")
    return not slower
