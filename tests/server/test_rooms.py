"""Tables are divided among the nodes: each is on one at a time, names and the lobby are one, and whatever is
lost is lost alone."""

import asyncio
import json
import os
import random
from pathlib import Path

import pytest
from tests import jet, rig
from tests.server.nodes import TURN_S, House, Node
from tests.server.test_gates import LISTENERS, PATIENT, Calm, move, unless_over
from tests.server.test_kill import OPTIONS, OwnPlayer, RawPlayer, check_histories, end
from tests.server.test_nodes import cluster, played

FAULTS = int(os.environ.get("LUDOTECA_FAULTS", "0"))
# Real processes, disks and clocks; rooms are not on by default.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not FAULTS, reason="rooms are tried with LUDOTECA_FAULTS=4"),
]
ROOMS = {"cluster_rooms": "true"}


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
        async with House(tmp_path, servers, 3, "house", **ROOMS) as house:
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
            assert len(troubled) == 1, "the one whose table was in a room of the same node"
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


async def test_all_games_go_on_while_rooms_and_the_desk_are_lost(tmp_path: Path) -> None:
    """Ten tables by all protocols, their people at the doors of two of four nodes. Nobody comes back by
    themselves: who is cut off, told something twice or not at all, ends no match."""
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 4, *LISTENERS, defaults=PATIENT, **ROOMS) as house:
            desk = await house.turn()
            spare = next(node for node in house.nodes if node is not desk)
            for node in (desk, spare):
                house.send_nobody_to(node)
            await rooms(servers, 4)
            evening = Calm(house, "room")  # type: ignore[arg-type]
            playing = asyncio.create_task(evening.play())
            try:
                await unless_over(playing, evening.begun.wait())
                evening.take_time(20)
                tables = await rooms(servers, 4)
                assert sum(tables.values()) >= 5, "tables are divided"
                assert tables[spare.name]
                await spare.kill()
                await unless_over(playing, empty(servers, spare.name))
                await spare.start()
                await desk.kill()
                await unless_over(playing, house.turn(desk))
                await desk.start()
                await cluster(servers, "drain", spare.name)
                evening.take_time(0.5)
                async with asyncio.timeout(240):
                    await playing
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            for node in house.nodes:
                assert await node.stop() == 0


async def rooms(servers: jet.Servers, count: int, tables: int = 0) -> dict[str, int]:
    """Wait until there are so many rooms and, in all of them, so many tables; how many each has."""
    async with asyncio.timeout(TURN_S):
        while True:
            found = json.loads(await cluster(servers, "status", "--json"))
            known = {node["node"]: node["tables"] for node in found["nodes"] if node["room"]}
            if len(known) >= count and sum(known.values()) >= tables:
                return known
            await asyncio.sleep(0.1)


async def empty(servers: jet.Servers, name: str) -> None:
    """Wait until nobody knows this node any more."""
    async with asyncio.timeout(TURN_S):
        while name in await rooms(servers, 3):
            await asyncio.sleep(0.1)


async def test_an_evening_with_rooms_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """Nodes with the desk and with rooms alone are lost in every way there is, while people come and go by
    all of them."""
    own = [OwnPlayer(name, random.Random(name)) for name in ("Anna", "Bruno", "Carla", "Dario")]
    raw = [RawPlayer(name, random.Random(name)) for name in ("ada-", "bob-")]
    defaults = tuple(f"multisweeper.{key}={value}" for key, value in OPTIONS.items())
    with jet.Servers(tmp_path, 3) as servers:
        async with House(
            tmp_path, servers, 3, "house", "multisweeper", defaults=defaults, rate_per_s="100000", **ROOMS
        ) as house:
            await house.turn()
            await rooms(servers, 3)
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
                    desk = await house.turn()
                    others = [node for node in house.nodes if node is not desk]
                    victim = others[number // 2 % 2] if number % 2 == 0 else desk
                    await _strike(FAULT[number % len(FAULT)], victim, house, servers, own)
                await played(own, 2)
            finally:
                await end(tasks)
            serving = await house.turn()
            for node in house.nodes:
                if node is not serving:
                    assert await node.stop() == 0
            await serving.stop()
            check_histories(serving.folder, own, raw)


FAULT = ("kill", "kill", "pause", "cut", "drain", "pause", "cut", "stop", "server")


async def _strike(fault: str, victim: Node, house: House, servers: jet.Servers, own: list[OwnPlayer]) -> None:
    """Something happens to a node; people play on meanwhile, and when it is over."""
    if fault == "server":
        servers.kill(0)
        await played(own, 1)
        servers.start(0)
    elif fault in ("kill", "stop"):
        await (victim.kill() if fault == "kill" else victim.stop())
        await played(own, 2)
        await victim.start()
    elif fault == "drain":
        await cluster(servers, "drain", victim.name)
    elif fault == "pause":
        house.pause(victim)
        await played(own, 2)
        house.go_on(victim)
    elif fault == "cut":
        house.cables[victim].cut()
        house.send_nobody_to(victim)
        await played(own, 2)
        house.cables[victim].mend()
        house.send_somebody_to(victim)
