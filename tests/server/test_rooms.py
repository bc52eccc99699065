"""Tables are divided among the nodes: each is on one at a time, names and the lobby are one, and whatever is
lost is lost alone."""

import json
import os
from pathlib import Path

import pytest
from tests import jet, rig
from tests.server.faults import GIVEN, LISTENERS, Crowd, cluster, rooms, strike
from tests.server.nodes import House, Node
from tests.server.test_gates import move

# What happens in turn to a node that has a room alone, and to the one with the desk: most of it soon over, as
# often as is wanted; then all that there is, which takes longer.
MOMENTS = (
    *("blink", "flicker", "drain", "blink", "kill", "drain"),
    *("flicker", "kill", "blink", "flicker", "server", "blink"),
)
FAULT = ("kill", "kill", "pause", "cut", "drain", "both", "pause", "cut", "stop", "server", "still")
FAULTS = int(os.environ.get("LUDOTECA_FAULTS", "0"))
# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(max(600, 60 * FAULTS))]


async def _come(node: Node, name: str) -> rig.Client:
    client = await rig.connect(node, "house")
    await client.send({"type": "hello", "name": name, "options_max": 1000})
    assert (await client.until("welcome"))["name"] == name
    return client


class Pair:
    """Two who play with each other, and what they know of it."""

    def __init__(self, number: int) -> None:
        self.names = [f"{name}{number}" for name in ("Anna", "Bruno")]
        self.clients: list[rig.Client] = []
        self.table = self.token = ""

    async def begin(self, *nodes: Node) -> None:
        """Each by another door."""
        self.clients = [await _come(node, name) for node, name in zip(nodes, self.names, strict=True)]
        anna, bruno = self.clients
        terms = {"grace_s": 600}
        await anna.send({"type": "open", "game": "santorini", "seats": 2, "terms": terms})
        self.table = (await anna.until("seated"))["table"]["id"]
        await bruno.send({"type": "sit", "table": self.table})
        self.token = (await bruno.until("seated"))["token"]
        await self.move()

    async def move(self) -> None:
        await move(*self.clients)

    def check(self, *, calm: bool = True) -> None:
        """Nothing was told twice; where all was calm nobody has heard of trouble."""
        for client in self.clients:
            seen = [message["number"] for message in client.heard if message["type"] == "events"]
            assert seen == sorted(set(seen))
            assert not (calm and any(message["type"] == "trouble" for message in client.heard))


async def test_tables_are_in_rooms_and_whatever_is_lost_is_lost_alone(tmp_path: Path) -> None:
    with jet.Servers(tmp_path, 1) as servers:
        async with House(tmp_path, servers, 3, "house") as house:
            desk = await house.turn()
            gates = [node for node in house.nodes if node is not desk]
            await rooms(servers, 3)
            pairs = [Pair(number) for number in range(3)]
            for pair in pairs:
                await pair.begin(*gates)
                await rooms(servers, 3, tables=pairs.index(pair) + 1)
            assert await rooms(servers, 3) == dict.fromkeys((node.name for node in house.nodes), 1)

            # Names and the lobby are one, and whoever looks on or comes back is served where the table is.
            wanda = await _come(gates[1], "Wanda")
            await wanda.send({"type": "look"})
            listed = {one["id"] for one in (await wanda.until("lobby"))["tables"]}
            assert listed == {pair.table for pair in pairs}
            for pair in pairs:
                thief = await rig.connect(gates[0], "house")
                await thief.send({"type": "hello", "name": pair.names[1]})
                assert (await thief.until("declined"))["code"] == "taken"
                await wanda.send({"type": "watch", "table": pair.table})
                await wanda.until("view")
                await pair.clients[1].close()
                bruno = pair.clients[1] = await rig.connect(gates[0], "house")
                await bruno.send({"type": "return", "token": pair.token, "since": 0})
                await bruno.until("view")
                await pair.move()
                await wanda.until("events")

            # Of the loss of the desk those hear nothing whose tables are elsewhere.
            await desk.kill()
            second = await house.turn(desk)
            for pair in pairs:
                await pair.move()
            troubled = [pair for pair in pairs if _is_troubled(pair)]
            assert len(troubled) < len(pairs), "only those whose tables were on that node"
            assert (await _come(second, "Carla")).heard[-1]["name"] == "Carla"
            await wanda.send({"type": "look"})
            await wanda.until("lobby")

            # A node that is drained has no tables any more, and nobody is cut off.
            (other,) = (node for node in gates if node is not second)
            await cluster(servers, "drain", other.name)
            for pair in pairs:
                await pair.move()
                pair.check(calm=pair not in troubled)
            found = json.loads(await cluster(servers, "status", "--json"))
            assert [node["tables"] for node in found["nodes"] if node["node"] == other.name] == [0]


def _is_troubled(pair: Pair) -> bool:
    return any(message["type"] == "trouble" for client in pair.clients for message in client.heard)


async def test_an_evening_with_rooms_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Nodes with the desk and with rooms alone are lost in every way there is, while people come and go by
    all of them."""
    crowd = Crowd()
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 3, *LISTENERS, **GIVEN) as house:
            await house.turn()
            await rooms(servers, 3)
            faults = [*MOMENTS, *(FAULT[number % len(FAULT)] for number in range(FAULTS))]
            async with crowd.at(house):
                for number, fault in enumerate(faults):
                    await crowd.played(1)
                    desk = await house.turn()
                    others = [node for node in house.nodes if node is not desk]
                    victim = others[number // 2 % 2] if number % 2 == 0 else desk
                    await strike(fault, victim, house, servers, crowd)
                await crowd.played(2)
            serving = await house.turn()
            for node in house.nodes:
                if node is not serving:
                    assert await node.stop() == 0
            await serving.stop()
            crowd.check(serving.folder)
