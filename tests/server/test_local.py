"""Several nodes on one machine: one command starts them with a server of NATS, and ends all of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests import needs, rig
from tests.server.faults import GIVEN, LISTENERS, Crowd
from tests.server.nodes import TURN_S

from ludoteca.server.schema import journal_in

# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Nodes(rig.Process):
    """`ludoteca serve --nodes 2`."""

    program = (sys.executable, "-m", "ludoteca.cli")

    async def start(self, **keywords: object) -> "Nodes":
        """Start, and wait until all of it is there."""
        command = [*self.program, "serve", "--nodes", "2", "--data", str(self.folder)]
        command += ["--only", ",".join(self.listeners), "--log-level", "warning"]
        for name in self.listeners:
            command += ["--port", f"{name}=0"]
        for default in self.defaults:
            command += ["--default", default]
        for key, value in self.more.items():
            command += ["--set", f"{key}={value}"]
        self._process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        async with asyncio.timeout(2 * TURN_S):
            while (line := (await self._process.stdout.readline()).decode().strip()) != "ready":
                word, name, address = line.split()
                assert word == "listening"
                self.addresses[name] = ("127.0.0.1", int(address.rpartition(":")[2]))
        return self

    def children(self) -> dict[str, int]:
        """What it keeps: pids by name."""
        found = {}
        for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split():
            command = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
            name = "server" if "nats" in command[0] else Path(command[-2]).parent.name
            found[name] = int(pid)
        return found

    def ask(self, *words: str) -> str:
        """What `ludoteca cluster` says."""
        config = str(self.folder / "cluster.toml")
        command = (*self.program, "cluster", *words, "--config", config)
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


async def test_one_command_keeps_several_nodes_whatever_becomes_of_one(tmp_path: Path) -> None:
    """People are divided among the nodes; one node is lost, and then the server, and all goes on."""
    needs.nats_server()
    crowd = Crowd()
    nodes = Nodes(tmp_path, *LISTENERS, **GIVEN)
    await nodes.start()
    async with crowd.at(nodes):
        watching = [await rig.connect(nodes, "house") for _ in range(16)]
        await crowd.played(1)
        again = subprocess.run(
            [*nodes.program, "serve", "--nodes", "2", "--data", str(tmp_path)], capture_output=True, text=True
        )
        assert (again.returncode, "another house is running" in again.stderr) == (1, True), again.stderr
        before = nodes.children()
        assert sorted(before) == ["node-1", "node-2", "server"]
        os.kill(before["node-1"], signal.SIGKILL)
        cut = [client for client in watching if await _is_cut(client)]
        assert 0 < len(cut) < len(watching), "the system divides whoever comes"
        await crowd.played(2)
        os.kill(before["server"], signal.SIGKILL)
        await crowd.played(2)
        async with asyncio.timeout(TURN_S):
            while len(nodes.children()) < 3:
                await asyncio.sleep(0.05)
        serving = json.loads(nodes.ask("status", "--json"))["serving"]
    left = nodes.children()
    assert await nodes.stop() == 0
    assert not [name for name, pid in left.items() if Path(f"/proc/{pid}").exists()]
    crowd.check(tmp_path / serving)


async def _is_cut(client: rig.Client) -> bool:
    """Whether a connection, on which nothing is said, has ended."""
    try:
        await client.send({"type": "ping"})
        async with asyncio.timeout(TURN_S):
            while (line := await client.reader.readline()) and b'"pong"' not in line:
                pass
        return not line
    except ConnectionError:
        return True


def test_a_folder_with_a_house_on_one_machine_is_left_alone(tmp_path: Path) -> None:
    needs.nats_server()
    journal_in(tmp_path).write_bytes(b"")
    command = (sys.executable, "-m", "ludoteca.cli", "serve", "--nodes", "2", "--data", str(tmp_path))
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (refused.returncode, "has a house on one machine" in refused.stderr) == (1, True), refused.stderr
