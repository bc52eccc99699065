"""Machines of one house, each a process of its own, behind a balancer that knows which of them are there."""

import asyncio
import contextlib
import functools
import itertools
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

from tests import jet, rig

_NOBODY = ("127.0.0.1", 9)
_EVER = itertools.count(1)
# A node that was lost is noticed after some seconds, and the busy machine that tests run on takes its time.
TURN_S = 60.0


class Node(rig.Process):
    """One machine; `addresses` are there while its doors are open, which is said by `ready`; `serves` is
    0 unless the hall is there, and larger the later that was."""

    def __init__(self, folder: Path, *listeners: str, defaults: tuple[str, ...] = (), **more: str) -> None:
        super().__init__(folder, *listeners, defaults=defaults, **more)
        self.said: list[str] = []
        self.ready, self.serves = False, 0
        self.name = folder.name
        self._reading: asyncio.Task[None] | None = None

    async def start(self, **keywords: Any) -> "Node":
        """Start, and wait until its doors are open: for the hall it may have to wait."""
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
            while not self.ready:
                assert "ended" not in self.said, "the node did not start"
                await asyncio.sleep(0.01)
        return self

    async def _read(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        while line := (await self._process.stdout.readline()).decode().strip():
            if line in ("standby", "serving"):
                self.serves = next(_EVER) if line == "serving" else 0
            elif line == "ready":
                self.ready = True
            elif line.startswith("listening "):
                _, name, address = line.split()
                host, _, number = address.rpartition(":")
                self.addresses[name] = (host, int(number))
            self.said.append(line)
        self.addresses, self.ready, self.serves = {}, False, 0
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
        self._left_out: set[Node] = set()
        self.cables: dict[Node, Cable] = {}
        self._turn = 0
        # What the processes are started with at first.
        self.begin: dict[str, Any] = {}

    async def __aenter__(self) -> "House":
        for node in self.nodes:
            cable = self.cables[node] = Cable(node.more["cluster"].split(","))
            node.more["cluster"] = ",".join(await cable.lay())
        await asyncio.gather(*(node.start(**self.begin) for node in self.nodes))
        return self

    async def __aexit__(self, *_error: object) -> None:
        for node in self.nodes:
            with contextlib.suppress(AssertionError):
                await node.kill()
            self.cables[node].take_away()

    @property
    def addresses(self) -> "Doors":
        """Where the balancer sends people now."""
        return Doors(self)

    def next(self) -> Node | None:
        """The node that the balancer sends the next one to: each in turn."""
        ready = [node for node in self.nodes if node.ready and node not in self._paused | self._left_out]
        self._turn += 1
        return ready[self._turn % len(ready)] if ready else None

    def serving(self) -> Node | None:
        """The node that has the hall, as far as is known: who was cut off does not know better."""
        found = max(self.nodes, key=lambda node: node.serves if node not in self._paused else 0)
        return found if found.serves and found not in self._paused else None

    def pause(self, node: Node) -> None:
        """SIGSTOP: the balancer sends nobody there any more."""
        self._paused.add(node)
        node.pause()

    def send_nobody_to(self, node: Node) -> None:
        """The balancer knows this one no more."""
        self._left_out.add(node)

    def send_somebody_to(self, node: Node) -> None:
        """It does again."""
        self._left_out.discard(node)

    def go_on(self, node: Node) -> None:
        """SIGCONT."""
        self._paused.discard(node)
        node.go_on()

    async def turn(self, but: Node | None = None) -> Node:
        """Wait until one (other than this) has the hall."""
        async with asyncio.timeout(TURN_S):
            while (serving := self.serving()) is None or serving is but:
                await asyncio.sleep(0.02)
        return serving


class Doors(dict[str, tuple[str, int]]):
    """The addresses of a node that is there; where none is nobody answers."""

    def __init__(self, house: House) -> None:
        super().__init__()
        self._house = house

    def __missing__(self, listener: str) -> tuple[str, int]:
        node = self._house.next()
        return _NOBODY if node is None else node.addresses.get(listener, _NOBODY)


class Cable:
    """The way of one node to all servers of NATS, which can be cut."""

    def __init__(self, addresses: list[str]) -> None:
        self._ports = [int(address.rpartition(":")[2]) for address in addresses]
        self._addresses = addresses
        self._listening: list[asyncio.Server] = []
        self._open: set[asyncio.StreamWriter] = set()
        self.is_cut = False

    async def lay(self) -> list[str]:
        """Where the servers are found at its end."""
        found = []
        for address, port in zip(self._addresses, self._ports, strict=True):
            server = await asyncio.start_server(functools.partial(self._carry, port), "127.0.0.1", 0)
            self._listening.append(server)
            before, _, _ = address.rpartition(":")
            found.append(f"{before}:{server.sockets[0].getsockname()[1]}")
        return found

    def cut(self) -> None:
        """Nothing gets through."""
        self.is_cut = True
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        """It does again."""
        self.is_cut = False

    def take_away(self) -> None:
        """Lay it no more."""
        for server in self._listening:
            server.close()
        self.cut()

    async def _carry(self, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, back}
        try:
            await asyncio.gather(_pour(reader, back), _pour(there, writer))
        finally:
            self._open -= {writer, back}


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()
