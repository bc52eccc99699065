"""Machines of one house, each a process of its own, behind a balancer that knows which of them serves."""

import asyncio
import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests import jet, rig

_NOBODY = ("127.0.0.1", 9)
# A node that was lost is noticed after some seconds, and the busy machine that tests run on takes its time.
TURN_S = 60.0


class Node(rig.Process):
    """One machine; `addresses` are there while it serves."""

    def __init__(self, folder: Path, *listeners: str, defaults: tuple[str, ...] = (), **more: str) -> None:
        super().__init__(folder, *listeners, defaults=defaults, **more)
        self.said: list[str] = []
        self.ready = False
        self.name = folder.name
        self._reading: asyncio.Task[None] | None = None

    async def start(self, **keywords: Any) -> "Node":
        """Start, and wait until it knows the house: it may have to wait for its turn."""
        command = [*self.program, "serve", "--data", str(self.folder), "--log-level", self.log_level]
        command += ["--only", ",".join(self.listeners)]
        for name in self.listeners:
            command += ["--port", f"{name}=0"]
        for default in self.defaults:
            command += ["--default", default]
        for key, value in self.more.items():
            command += ["--set", f"{key}={value}"]
        self._process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, **keywords)
        self.said.clear()
        self._reading = asyncio.create_task(self._read())
        async with asyncio.timeout(TURN_S):
            while not self.said:
                await asyncio.sleep(0.01)
        assert self.said[0] == "standby", "the node did not start"
        return self

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        while line := (await self._process.stdout.readline()).decode().strip():
            if line == "standby":
                self.addresses, self.ready = {}, False
            elif line == "ready":
                self.ready = True
            elif line.startswith("listening "):
                _, name, address = line.split()
                host, _, number = address.rpartition(":")
                self.addresses[name] = (host, int(number))
            self.said.append(line)
        self.addresses, self.ready = {}, False
        self.said.append("ended")

    def pause(self) -> None:
        """SIGSTOP."""
        os.kill(self.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT."""
        os.kill(self.pid, signal.SIGCONT)

    async def _end(self, number: signal.Signals) -> int:
        with contextlib.suppress(ProcessLookupError):
            self.go_on()
        code = await super()._end(number)
        if self._reading is not None:
            await self._reading
        return code


def told(given: dict[str, Any]) -> dict[str, str]:
    """Settings as they are said on a command line."""
    return {key: ",".join(value) if isinstance(value, list) else str(value) for key, value in given.items()}


class House:
    """So many nodes, and where to go."""

    def __init__(self, folder: Path, servers: jet.Servers, count: int, *listeners: str, **more: Any) -> None:
        defaults: tuple[str, ...] = more.pop("defaults", ())
        self.nodes = [
            Node(
                folder / f"node-{number}",
                *listeners,
                defaults=defaults,
                **{"cluster_node": f"node-{number}", **told(servers.settings("evening")), **more},
            )
            for number in range(count)
        ]
        self._paused: set[Node] = set()

    async def __aenter__(self) -> "House":
        await asyncio.gather(*(node.start() for node in self.nodes))
        return self

    async def __aexit__(self, *_error: object) -> None:
        for node in self.nodes:
            with contextlib.suppress(AssertionError):
                await node.kill()

    @property
    def addresses(self) -> "Doors":
        """Where the balancer sends people now."""
        return Doors(self)

    def serving(self) -> Node | None:
        """The node that serves, as far as the balancer knows."""
        ready = [node for node in self.nodes if node.ready and node not in self._paused]
        return ready[0] if ready else None

    def pause(self, node: Node) -> None:
        """SIGSTOP: the balancer sends nobody there any more."""
        self._paused.add(node)
        node.pause()

    def go_on(self, node: Node) -> None:
        """SIGCONT."""
        self._paused.discard(node)
        node.go_on()

    async def turn(self, but: Node | None = None) -> Node:
        """Wait until one (other than this) serves."""
        async with asyncio.timeout(TURN_S):
            while (serving := self.serving()) is None or serving is but:
                await asyncio.sleep(0.02)
        return serving


class Doors(dict[str, tuple[str, int]]):
    """The addresses of whichever node serves; where none does nobody answers."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def __missing__(self, listener: str) -> tuple[str, int]:
        serving = self._house.serving()
        return _NOBODY if serving is None else serving.addresses.get(listener, _NOBODY)
