"""What hosts do to a house on several machines while people play: upgrade it node by node, empty a node, move
the house there and back. Nobody is cut off whose gate stays, nothing is lost, and nothing is told twice."""

import asyncio
import contextlib
import io
import itertools
import json
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests import jet, rig
from tests.server.faults import GIVEN, LISTENERS, Crowd, cluster, rooms
from tests.server.nodes import TURN_S, House
from tests.server.test_gates import move
from tests.server.test_kill import end

from ludoteca.server.cluster import moving
from ludoteca.server.journal_reader import JournalReader

# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

# How long people think, and how long they may wait where nothing is lost: less than a gate waits until it
# tells them that they have to, with what a busy machine takes longer.
PACE_S, LONGEST_S = 0.3, 6.0
# The commit to upgrade from: the last whose nodes know nothing of rooms.
OLDER = os.environ.get("LUDOTECA_OLDER", "0f2adcc")


@pytest.fixture
def older(tmp_path: Path) -> dict[str, str]:
    """What makes a process run the older version, which the history has."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("without git there is no older version")
    command = (git, "archive", OLDER, "src")
    packed = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, check=False)
    if packed.returncode:
        pytest.skip(f"the history has no {OLDER}: {packed.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(tmp_path / "older", filter="data")
    return {**os.environ, "PYTHONPATH": str(tmp_path / "older" / "src")}


async def _tables(servers: jet.Servers) -> dict[str, int]:
    """How many each node has that is not the one with the desk."""
    found = json.loads(await cluster(servers, "status", "--json"))
    return {node["node"]: node["tables"] for node in found["nodes"] if not node["serves"]}


async def test_nodes_are_upgraded_one_after_another_while_people_play(
    tmp_path: Path, older: dict[str, str]
) -> None:
    """Where the older version knows nothing of rooms, tables are divided when the last node is new, and not
    before."""
    crowd = Crowd()
    with jet.Servers(tmp_path, 3) as servers:
        house = House(tmp_path, servers, 3, *LISTENERS, **GIVEN)
        house.begin = {"env": older}
        async with house, crowd.at(house):
            await house.turn()
            for node in house.nodes:
                await crowd.played(1)
                assert not any((await _tables(servers)).values())
                await cluster(servers, "drain", node.name)
                await crowd.played(1)
                assert await node.stop() == 0
                await crowd.played(1)
                await node.start()
            async with asyncio.timeout(TURN_S):
                while not any((await _tables(servers)).values()):
                    await asyncio.sleep(0.1)
            await crowd.played(2)
            for node in house.nodes:
                assert await node.stop() == 0
    crowd.check(house.nodes[-1].folder)


class Match:
    """Two who play Eriantys, which is long, with each other; none is ever cut off unless they hang up."""

    def __init__(self, number: int) -> None:
        self._names = [f"{name}{number}" for name in ("Anna", "Bruno")]
        self._tokens = dict[str, str]()
        self._clients: list[rig.Client] = []
        self.moved_s = [time.monotonic()]

    async def begin(self, *doors: rig.Process) -> None:
        """Each by another door."""
        self._clients = [
            await rig.enter(door, name, options_max=1000)
            for door, name in zip(doors, self._names, strict=True)
        ]
        wanted = {"type": "open", "game": "eriantys", "seats": 2, "terms": {"grace_s": 600}}
        for name, client in zip(self._names, self._clients, strict=True):
            await client.send(wanted)
            seated = await client.until("seated")
            self._tokens[name] = seated["token"]
            wanted = {"type": "sit", "table": seated["table"]["id"]}
        await self.move()

    async def come_back(self, *doors: rig.Process) -> None:
        """Each by another door, and to all that was there."""
        self.hang_up()
        self._clients = [await rig.connect(door, "house") for door in doors]
        for client, token in zip(self._clients, self._tokens.values(), strict=True):
            await client.send({"type": "return", "token": token, "since": 0, "options_max": 1000})
            await client.until("seated")
        await self.move()

    async def move(self) -> None:
        await move(*self._clients)
        self.moved_s.append(time.monotonic())

    def hang_up(self) -> None:
        for client in self._clients:
            client.cut()

    def check(self) -> None:
        """Nothing was told twice, and nobody has heard of trouble."""
        for client in self._clients:
            seen = [message["number"] for message in client.heard if message["type"] == "events"]
            assert seen == sorted(set(seen))
            assert not any(message["type"] == "trouble" for message in client.heard)


@contextlib.asynccontextmanager
async def _playing(matches: list[Match]) -> AsyncIterator[None]:
    """All of them go on while the block runs."""

    async def play(match: Match) -> None:
        while True:
            await match.move()
            await asyncio.sleep(PACE_S)

    tasks = [asyncio.create_task(play(match)) for match in matches]
    try:
        yield
        for task in tasks:
            assert not task.done(), task.exception()
    finally:
        await end(tasks)


async def test_a_node_is_emptied_table_by_table_and_nobody_is_cut_off(tmp_path: Path) -> None:
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 3, "house") as house:
            desk = await house.turn()
            await rooms(servers, 3)
            matches = [Match(number) for number in range(12)]
            doors = itertools.cycle(house.nodes)
            for match in matches:
                await match.begin(next(doors), next(doors))
            assert min((await rooms(servers, 3, len(matches))).values()) > 1
            node, last = (node for node in house.nodes if node is not desk)
            async with _playing(matches):
                # One that has a room alone, and the one with the desk, which goes to the one that stays.
                for leaving, then in ((node, desk), (desk, last)):
                    await cluster(servers, "drain", leaving.name)
                    assert await house.turn(leaving) is then
                    await rooms(servers, 1, len(matches))
                    assert (await _tables(servers))[leaving.name] == 0
                    moves = [len(match.moved_s) for match in matches]
                    async with asyncio.timeout(TURN_S):
                        while any(
                            len(one.moved_s) < so_far + 2 for one, so_far in zip(matches, moves, strict=True)
                        ):
                            await asyncio.sleep(0.1)
            for match in matches:
                match.check()
                longest_s = max(after - before for before, after in itertools.pairwise(match.moved_s))
                assert longest_s < LONGEST_S
            assert house.serving() is last


async def test_a_house_moves_to_several_nodes_and_back_with_all_its_matches(tmp_path: Path) -> None:
    """From one machine to three, where tables are divided, and to one again; each time it is the same house,
    record by record."""
    alone, copied, back = (tmp_path / name for name in ("alone", "copied", "back"))
    matches = [Match(number) for number in range(4)]
    async with rig.process(alone, "house") as one:
        for match in matches:
            await match.begin(one, one)
        assert await one.stop() == 0
    before = moving.survey(JournalReader(alone))
    with jet.Servers(tmp_path, 3) as servers:
        assert before.digest in await cluster(servers, "import", str(alone))
        async with House(tmp_path, servers, 3, "house") as house:
            await house.turn()
            await rooms(servers, 3)
            for match in matches:
                await match.come_back(*house.nodes[:2])
            for number in range(4, 10):
                matches.append(Match(number))
                await matches[-1].begin(*house.nodes[1:])
            assert sum(count > 0 for count in (await rooms(servers, 3, len(matches))).values()) > 1
            async with _playing(matches):
                await asyncio.sleep(2.0)
                # Of a moment at which everybody plays, and of the end.
                await cluster(servers, "export", str(copied))
                await asyncio.sleep(1.0)
            for match in matches:
                match.hang_up()
            for node in house.nodes:
                assert await node.stop() == 0
            said = await cluster(servers, "export", str(back))
            found = moving.survey(JournalReader(back))
            assert found.digest in said
            last = house.nodes[-1].folder
            assert moving.survey(JournalReader(last)) == found, "a node that is stopped knows everything"
    assert found.tables == len(matches)
    then = JournalReader(copied)
    now = JournalReader(back)
    for table in now.ids():
        lines = then.lines(table)
        assert lines == now.lines(table)[: len(lines)]
    async with rig.process(back, "house") as one:
        for match in matches:
            await match.come_back(one, one)
            match.check()
