"""People who come and go by all nodes of a house while something happens to those, and what must come of it:
a `Crowd` that plays match after match, and `strike`."""

import asyncio
import contextlib
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from tests import jet
from tests.server.nodes import TURN_S, House, Node, told
from tests.server.test_kill import OPTIONS, OwnPlayer, RawPlayer, check_histories, end, heard, played

from ludoteca.server.cluster.lease import Leases
from ludoteca.server.cluster.status import said_by
from ludoteca.server.cluster.stream import Stream, Unavailable, connect
from ludoteca.server.settings import Settings

# What a house for a crowd is told: small boards, and nobody is too quick.
LISTENERS = ("house", "multisweeper")
GIVEN: dict[str, Any] = {
    "defaults": tuple(f"multisweeper.{key}={value}" for key, value in OPTIONS.items()),
    "rate_per_s": "100000",
}
# How long a node is away that is not given up.
MOMENT_S = 1.0


class Crowd:
    """Four who know each other, and two who play with whoever comes by the game's own protocol."""

    def __init__(self) -> None:
        self.own = [OwnPlayer(name, random.Random(name)) for name in ("Anna", "Bruno", "Carla", "Dario")]
        self.raw = [RawPlayer(name, random.Random(name)) for name in ("ada-", "bob-")]
        self._tasks: list[asyncio.Task[None]] = []

    @contextlib.asynccontextmanager
    async def at(self, house: Any) -> AsyncIterator["Crowd"]:
        """They play while the block runs, and after it until there is enough to `check`."""
        self._tasks = [asyncio.create_task(player.play(house)) for player in self.raw]
        for opener, partner in zip(self.own[::2], self.own[1::2], strict=True):
            tables: asyncio.Queue[str] = asyncio.Queue()
            self._tasks += [
                asyncio.create_task(opener.play(house, tables, True)),
                asyncio.create_task(partner.play(house, tables, False)),
            ]
        try:
            yield self
            await heard(self.own, self.raw)
        finally:
            await end(self._tasks)

    async def played(self, more: int) -> None:
        """Wait until so many more have ended a match, and nobody has given up."""
        await played(self.own, more)
        for task in self._tasks:
            assert not task.done(), task.exception()

    def check(self, folder: Path) -> None:
        """What everybody was told is what the copy in this folder says."""
        check_histories(folder, self.own, self.raw)


async def strike(fault: str, victim: Node, house: House, servers: jet.Servers, crowd: Crowd) -> None:
    """Something happens to a node, or to the server of NATS that leads; people play on meanwhile, and when it
    is over."""
    if fault in ("server", "both", "still"):
        server = await leader(servers)
        if fault == "still":
            servers.pause(server)
        else:
            servers.kill(server)
        if fault == "both":
            await victim.kill()
        await crowd.played(1)
        if fault == "still":
            servers.go_on(server)
        else:
            servers.start(server)
        if fault == "both":
            await victim.start()
    elif fault in ("kill", "stop"):
        await (victim.kill() if fault == "kill" else victim.stop())
        await crowd.played(2)
        await victim.start()
    elif fault == "drain":
        await cluster(servers, "drain", victim.name)
    elif fault in ("pause", "blink"):
        house.pause(victim)
        await (crowd.played(2) if fault == "pause" else asyncio.sleep(MOMENT_S))
        house.go_on(victim)
    elif fault in ("cut", "flicker"):
        house.cables[victim].cut()
        house.send_nobody_to(victim)
        await (crowd.played(2) if fault == "cut" else asyncio.sleep(MOMENT_S))
        house.cables[victim].mend()
        house.send_somebody_to(victim)
    else:
        raise AssertionError(fault)


async def cluster(servers: jet.Servers, *words: str) -> str:
    """What `ludoteca cluster` says."""
    options = [f"--set={key}={value}" for key, value in told(servers.settings("evening")).items()]
    command = (sys.executable, "-m", "ludoteca.cli", "cluster", *words, *options)
    async with asyncio.timeout(TURN_S):
        while True:
            asked = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
            said, _ = await asked.communicate()
            if asked.returncode == 0:
                return said.decode()
            # A server that was started again may not have everything yet.
            assert words[0] == "status", said.decode()


async def leader(servers: jet.Servers) -> int:
    """The server of NATS by which everything is stored."""
    settings = Settings(**servers.settings("evening"))
    stream = Stream(await connect(settings, settings.cluster), settings.cluster_name)
    try:
        async with asyncio.timeout(TURN_S):
            while True:
                with contextlib.suppress(Unavailable):
                    group = (await stream.api("STREAM.INFO", {})).get("cluster") or {}
                    if group.get("leader"):
                        return int(group["leader"].rpartition("-")[2])
                await asyncio.sleep(0.1)
    finally:
        await stream.close()


async def rooms(servers: jet.Servers, count: int, tables: int = 0) -> dict[str, int]:
    """Wait until there are so many rooms and, on all nodes, so many tables; how many each has."""
    settings = Settings(**servers.settings("evening"))
    stream = Stream(await connect(settings, settings.cluster), settings.cluster_name)
    leases = Leases(stream, settings.cluster_replicas)
    try:
        async with asyncio.timeout(TURN_S):
            while True:
                with contextlib.suppress(Unavailable):
                    known = {one.node: one.tables for one in said_by(await leases.all()) if one.room}
                    if len(known) >= count and sum(known.values()) >= tables:
                        return known
                await asyncio.sleep(0.1)
    finally:
        await stream.close()


async def empty(servers: jet.Servers, name: str) -> None:
    """Wait until nobody knows this node any more."""
    async with asyncio.timeout(TURN_S):
        while name in await rooms(servers, 3):
            await asyncio.sleep(0.1)
