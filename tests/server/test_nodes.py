"""Several machines keep one house: nodes and servers of NATS are killed and stopped while people play, and
nothing that anybody was told is lost or happens twice.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from tests import jet
from tests.server.nodes import TURN_S, House, told
from tests.server.test_kill import OPTIONS, OwnPlayer, RawPlayer, check_histories, end

FAULTS = int(os.environ.get("LUDOTECA_FAULTS", "4"))
# What happens to the node with the hall: killed with a server of NATS, still for longer than anybody waits,
# cut off from all servers, asked to leave, stopped on purpose, killed; or to a gate, or a server, alone.
FAULT = ("both", "pause", "gate", "cut", "drain", "stop", "kill", "server")

# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


async def test_an_evening_with_faults_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Whichever of three nodes has the hall is lost, in every way there is, servers of NATS with it, while
    people come and go by all of them."""
    dice = random.Random(20261116)
    own = [OwnPlayer(name, random.Random(name)) for name in ("Anna", "Bruno", "Carla", "Dario")]
    raw = [RawPlayer(name, random.Random(name)) for name in ("ada-", "bob-")]
    defaults = tuple(f"multisweeper.{key}={value}" for key, value in OPTIONS.items())
    with jet.Servers(tmp_path, 3) as servers:
        async with House(
            tmp_path, servers, 3, "house", "multisweeper", defaults=defaults, rate_per_s="100000"
        ) as house:
            await house.turn()
            tasks = [asyncio.create_task(player.play(house)) for player in raw]  # type: ignore[arg-type]
            for opener, partner in zip(own[::2], own[1::2], strict=True):
                tables: asyncio.Queue[str] = asyncio.Queue()
                tasks += [
                    asyncio.create_task(opener.play(house, tables, True)),  # type: ignore[arg-type]
                    asyncio.create_task(partner.play(house, tables, False)),  # type: ignore[arg-type]
                ]
            try:
                for number in range(FAULTS):
                    await played(own, 1)
                    for task in tasks:
                        assert not task.done(), task.exception()
                    fault = FAULT[number % len(FAULT)]
                    serving, server = await house.turn(), dice.randrange(3)
                    if fault in ("server", "both"):
                        servers.kill(server)
                    if fault in ("kill", "both", "stop"):
                        await (serving.stop() if fault == "stop" else serving.kill())
                        await house.turn(serving)
                        await serving.start()
                    elif fault == "gate":
                        gate = dice.choice([node for node in house.nodes if node is not serving])
                        await gate.kill()
                        await played(own, 1)
                        await gate.start()
                    elif fault in ("pause", "cut", "drain"):
                        if fault == "pause":
                            house.pause(serving)
                            await house.turn(serving)
                            house.go_on(serving)
                        elif fault == "cut":
                            house.cables[serving].cut()
                            await house.turn(serving)
                            house.cables[serving].mend()
                        else:
                            await cluster(servers, "drain", serving.name)
                        async with asyncio.timeout(TURN_S):
                            while serving.said[-1] != "standby":
                                await asyncio.sleep(0.02)
                    if fault in ("server", "both"):
                        await asyncio.sleep(dice.uniform(0, 2))
                        servers.start(server)
                await played(own, 2)
                found = json.loads(await cluster(servers, "status", "--json"))
            finally:
                await end(tasks)
            serving = await house.turn()
            assert found["serving"] == serving.name
            assert [node["node"] for node in found["nodes"] if not node["serves"]] == sorted(
                node.name for node in house.nodes if node is not serving
            )
            assert await serving.stop() == 0
            check_histories(serving.folder, own, raw)


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


async def played(own: list[OwnPlayer], more: int) -> None:
    """Wait until so many more have ended a match."""
    before = sum(player.ended for player in own)
    async with asyncio.timeout(120):
        while sum(player.ended for player in own) < before + more:
            await asyncio.sleep(0.05)
