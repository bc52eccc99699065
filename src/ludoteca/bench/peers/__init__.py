"""The same kind of work at peers: boardgame.io and Colyseus, installed into a temporary
folder for the occasion.

A match has two seats and 64 cells; whoever is on turn writes a number into one, and both are told. That is
less than a click of Multisweeper, and only FlatFile writes anything down.
"""

import asyncio
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from ludoteca.bench.figures import Figure, percentile
from ludoteca.bench.processes import BenchError, running

SECTION = "Peers: server CPU of a move, as a multiple of a durable Multisweeper click of ours in the same run"
MATCHES = 50
INSTALL_S_MAX = 300.0
STEP_S_MAX = 60.0
PACKAGES = {
    "boardgame.io": "0.50.2",
    "@colyseus/core": "0.17.51",
    "@colyseus/ws-transport": "0.17.13",
    "@colyseus/schema": "4.0.31",
    "@colyseus/sdk": "0.17.43",
    "socket.io-client": "4.8.4",
    "node-persist": "4.0.4",
    "express": "5.1.0",
}


class Peer(NamedTuple):
    """One way to run a peer. `moves` is small where a move is dear."""

    name: str
    script: str
    argument: str
    moves: int


PEERS = (
    Peer("boardgame.io, in memory", "boardgame", "", 20),
    Peer("boardgame.io, FlatFile (durable)", "boardgame", "records", 8),
    Peer("Colyseus, sent at once", "colyseus", "eager", 60),
    Peer("Colyseus, as it comes (every 50 ms)", "colyseus", "", 10),
)


def install(folder: Path) -> None:
    """Fetch the peers with npm. Raises BenchError when that does not work here."""
    if not shutil.which("node") or not shutil.which("npm"):
        raise BenchError("--peers needs Node and npm")
    # A newer koa-compose answers 404 to all of boardgame.io's lobby.
    package = {"private": True, "dependencies": PACKAGES, "overrides": {"koa-compose": "4.1.0"}}
    (folder / "package.json").write_text(json.dumps(package))
    for script in resources.files(__name__).iterdir():
        if script.name.endswith(".mjs"):
            (folder / script.name).write_bytes(script.read_bytes())
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=INSTALL_S_MAX)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise BenchError(f"npm cannot install the peers: {error}") from None


async def moves_of(folder: Path, peer: Peer, rounds: int) -> tuple[float, list[float]]:
    """The median cost of a move in microseconds, and how long each took until the other player was told, in
    order; the first round warms up."""
    arguments = [str(folder / peer.argument)] if peer.argument == "records" else [peer.argument]
    server_script = str(folder / f"{peer.script}.mjs")
    async with running("node", server_script, *filter(None, arguments)) as server:
        port = server.addresses["peer"][1]
        async with _load(folder, peer.script, port) as load:
            costs, took_s = [], []
            for number in range(rounds + 1):
                before = server.cpu_s()
                done = await _step(load, b"%d\n" % peer.moves, b"done")
                if number:
                    costs.append((server.cpu_s() - before) / (peer.moves * MATCHES) * 1e6)
                    took_s += [float(took_ms) / 1e3 for took_ms in done]
    return statistics.median(costs), sorted(took_s)


@contextlib.asynccontextmanager
async def _load(folder: Path, script: str, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        "node",
        str(folder / "load.mjs"),
        script,
        str(port),
        str(MATCHES),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 20,
    )
    try:
        await _step(process, b"", b"ready")
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _step(process: asyncio.subprocess.Process, words: bytes, answer: bytes) -> list[bytes]:
    """Say something and wait for the answer; what stands behind it."""
    assert process.stdin is not None, "it was asked for"
    assert process.stdout is not None, "it was asked for"
    process.stdin.write(words)
    async with asyncio.timeout(STEP_S_MAX):
        while line := await process.stdout.readline():
            word, *rest = line.split()
            if word == answer:
                return rest
    raise BenchError("the load of a peer has ended")


async def figures(ours_us: float, ours_took_s: list[float], rounds: int) -> AsyncGenerator[Figure, None]:
    """What a click of ours takes, and each peer beside it: processor time, and how long it takes at full load
    until the other player is told."""
    os.environ["NODE_ENV"] = "production"
    yield _latency("ludoteca, a durable click", ours_took_s)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        await asyncio.to_thread(install, folder)
        for peer in PEERS:
            try:
                cost, took_s = await moves_of(folder, peer, rounds)
            except (BenchError, TimeoutError) as error:
                note = f"not measured: {str(error) or 'it took too long'}"
                yield Figure(SECTION, peer.name, None, "x", note=note)
                continue
            note = f"{cost:.0f} us; ours {ours_us:.0f} us"
            yield Figure(SECTION, peer.name, cost / ours_us, "x", note=note)
            yield _latency(peer.name, took_s)


def _latency(name: str, took_s: list[float]) -> Figure:
    p50, p99 = (percentile(took_s, part) * 1e3 for part in (50, 99))
    note = f"p50 {p50:.1f} ms; {MATCHES} matches that move without pause, wall time"
    return Figure(SECTION, f"{name}: p99", p99, "ms", note=note, noise=None)
