"""Several machines keep one house: nodes and servers of NATS are killed and stopped while people play, and
nothing that anybody was told is lost or happens twice.
"""

import asyncio
import json
import os
from pathlib import Path

import pytest
from tests import chance, jet
from tests.server.faults import GIVEN, LISTENERS, Crowd, cluster
from tests.server.nodes import TURN_S, House

FAULTS = int(os.environ.get("LUDOTECA_FAULTS", "4"))
# What happens to the node with the hall: killed with a server of NATS, still for longer than anybody waits,
# cut off from all servers, asked to leave, stopped on purpose, killed; or to a gate, or a server, alone.
FAULT = ("both", "pause", "gate", "cut", "drain", "stop", "kill", "server")

# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(max(900, 60 * FAULTS))]


async def test_an_evening_with_faults_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Whichever of three nodes has the hall is lost, in every way there is, servers of NATS with it, while
    people come and go by all of them."""
    dice = chance.dice()
    crowd = Crowd()
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 3, *LISTENERS, cluster_rooms="false", **GIVEN) as house:
            await house.turn()
            async with crowd.at(house):
                for number in range(FAULTS):
                    await crowd.played(1)
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
                        await crowd.played(1)
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
                await crowd.played(2)
                found = json.loads(await cluster(servers, "status", "--json"))
            serving = await house.turn()
            assert found["serving"] == serving.name
            assert [node["node"] for node in found["nodes"] if not node["serves"]] == sorted(
                node.name for node in house.nodes if node is not serving
            )
            assert await serving.stop() == 0
            crowd.check(serving.folder)
