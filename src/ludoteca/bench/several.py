"""A house on several machines, all of them this one: what a durable move costs in all processes together, how
long it takes to be acknowledged, and how long until other nodes have the tables of one that is lost.
"""

import asyncio
import contextlib
import json
import socket
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from ludoteca.bench.crowd import PACE_S, Played
from ludoteca.bench.figures import Figure, percentile
from ludoteca.bench.live import SETTLE_S, Crowds, crowds
from ludoteca.bench.processes import (
    LIMITS,
    LOAD_CORE,
    SERVER_CORE,
    BenchError,
    Child,
    cpu_s,
    house,
    pin,
    program,
)
from ludoteca.server.cluster.local import nats_server
from ludoteca.server.settings import Settings, SettingsError

SECTION = "One house on several machines (all on this one; house protocol)"
# In all processes together, as a multiple of the house alone.
AIM = 2.5
TAKEN_OVER_AIM_S = 10.0
START_S_MAX = 60.0
# No shape takes longer: then it was not measured.
SHAPE_S_MAX = 180.0
# So many houses alone, which know nothing of each other, show what it costs that several processes have one
# core.
HOUSES = (2, 4)
POLL_S = 0.02
REST_S = 3.0


class Shape(NamedTuple):
    """So many servers of NATS, and nodes; with `rooms` tables are divided among these."""

    servers: int
    nodes: int
    rooms: bool = False

    def __str__(self) -> str:
        rooms = ", rooms" if self.rooms else ""
        return f"{self.nodes} node{'s' * (self.nodes > 1)}, {self.servers} NATS{rooms}"


SHAPES = (
    *(Shape(1, 1), Shape(3, 1), Shape(3, 2), Shape(3, 4)),
    *(Shape(3, 1, rooms=True), Shape(3, 2, rooms=True), Shape(3, 4, rooms=True)),
)


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in sockets]


class Node:
    """One node: its process, its doors, and whether the hall with all tables is there."""

    def __init__(self, name: str, process: asyncio.subprocess.Process) -> None:
        self.name, self.process = name, process
        self.address: tuple[str, int] | None = None
        self.has_hall = False
        self._reading = asyncio.create_task(self._read())

    @property
    def door(self) -> tuple[str, int]:
        """Where people come in. Raises BenchError."""
        if self.address is None:
            raise BenchError(f"{self.name} has no doors")
        return self.address

    async def _read(self) -> None:
        """What it says, for as long as it says anything."""
        assert self.process.stdout is not None
        while line := (await self.process.stdout.readline()).decode().strip():
            if line.startswith("listening house "):
                host, _, port = line.split()[2].rpartition(":")
                self.address = host, int(port)
            elif line in ("serving", "standby"):
                self.has_hall = line == "serving"


class Cluster:
    """Servers and nodes, while they run."""

    def __init__(
        self, settings: Settings, servers: list[asyncio.subprocess.Process], nodes: list[Node]
    ) -> None:
        self.settings, self.servers, self.nodes = settings, servers, nodes

    async def serving(self, but: Node | None = None) -> Node:
        """The node with the hall, when there is one and all others have opened their doors. Raises
        BenchError."""
        end_s = time.monotonic() + START_S_MAX
        while time.monotonic() < end_s:
            with_hall = [node for node in self.nodes if node.has_hall and node is not but]
            if with_hall and all(node.address is not None for node in self.nodes):
                return with_hall[0]
            await asyncio.sleep(POLL_S)
        raise BenchError("no node has begun to serve")

    def cpu_s(self) -> float:
        """What all of them have used so far. Raises BenchError."""
        processes = [*self.servers, *(node.process for node in self.nodes)]
        if any(process.returncode is not None for process in processes):
            raise BenchError("a server or a node has ended")
        return sum(cpu_s(process.pid) for process in processes)


@contextlib.asynccontextmanager
async def cluster(folder: Path, shape: Shape) -> AsyncIterator[Cluster]:
    """Real servers and nodes on the servers' core, while the block runs. Raises BenchError, SettingsError."""
    found = nats_server()
    clients, routes = _free_ports(shape.servers), _free_ports(shape.servers)
    settings = Settings(
        cluster=[f"nats://127.0.0.1:{port}" for port in clients],
        cluster_replicas=shape.servers,
        # They are ours, and the configuration is below.
        cluster_sync="trust",
    )
    servers: list[asyncio.subprocess.Process] = []
    nodes: list[Node] = []
    pin(SERVER_CORE)
    try:
        for number in range(shape.servers):
            config = folder / f"nats-{number}.conf"
            config.write_text(json.dumps(_config(folder, number, clients, routes)))
            with (folder / f"nats-{number}.log").open("wb") as log:
                servers.append(
                    await asyncio.create_subprocess_exec(found, "-c", str(config), stdout=log, stderr=log)
                )
        given = {**LIMITS, "cluster": ",".join(settings.cluster), "cluster_sync": "trust"}
        given["cluster_replicas"] = str(shape.servers)
        given["cluster_rooms"] = str(shape.rooms).lower()
        for number in range(shape.nodes):
            command = program(
                folder / f"node-{number}", ("house",), {**given, "cluster_node": f"node-{number}"}
            )
            process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
            nodes.append(Node(f"node-{number}", process))
        pin(LOAD_CORE)
        yield Cluster(settings, servers, nodes)
    finally:
        for process in (*(node.process for node in nodes), *servers):
            if process.returncode is None:
                process.kill()
            await process.wait()


def _config(folder: Path, number: int, clients: list[int], routes: list[int]) -> dict[str, object]:
    written: dict[str, object] = {
        "server_name": f"server-{number}",
        "listen": f"127.0.0.1:{clients[number]}",
        "jetstream": {"store_dir": str(folder / f"nats-{number}"), "sync_interval": "always"},
    }
    if len(clients) > 1:
        written["cluster"] = {
            "name": "bench",
            "listen": f"127.0.0.1:{routes[number]}",
            "routes": [f"nats-route://127.0.0.1:{port}" for port in routes],
        }
    return written


class Used(Protocol):
    """Whatever can say what it has used."""

    def cpu_s(self) -> float:
        """In seconds of processor time."""


class Evening(NamedTuple):
    """What was played, and what all processes together used for it."""

    played: Played
    cpu_s: float

    @property
    def move_us(self) -> float:
        """Processor time of a move."""
        return self.cpu_s / self.played.moves * 1e6


async def _rest(used: Used, seconds: float) -> float:
    """The share of a core that is used while nobody is there."""
    await asyncio.sleep(SETTLE_S)
    before_s, began_s = used.cpu_s(), time.monotonic()
    await asyncio.sleep(seconds)
    return (used.cpu_s() - before_s) / (time.monotonic() - began_s)


class _Apart:
    """Houses that have nothing to do with each other."""

    def __init__(self, houses: list[Child]) -> None:
        self._houses = houses

    def cpu_s(self) -> float:
        """All of them together."""
        return sum(one.cpu_s() for one in self._houses)


async def _alone(count: int, tables: int, seconds: float) -> "Evening":
    """So many houses alone, with a share of the tables each. Raises BenchError."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        houses: list[Child] = []
        loads: list[Crowds] = []
        for number in range(count):
            one = await stack.enter_async_context(house(folder / str(number), "house"))
            door = one.addresses["house"]
            houses.append(one)
            loads.append(
                await stack.enter_async_context(crowds(door, "", f"house{number}x", 1 if count > 1 else 2))
            )
        return await _spend(loads, tables, seconds, _Apart(houses))


async def _spend(loads: list[Crowds], tables: int, seconds: float, used: Used) -> Evening:
    """Have so many tables in all, and play for so long."""
    share = [tables // len(loads) + (number < tables % len(loads)) for number in range(len(loads))]
    await asyncio.gather(*(load.seat(count) for load, count in zip(loads, share, strict=True)))
    await asyncio.sleep(SETTLE_S)
    before_s = used.cpu_s()
    all_played = await asyncio.gather(*(load.play(seconds) for load in loads))
    spent_s = used.cpu_s() - before_s
    played = Played(
        sum(one.moves for one in all_played),
        sum(one.matches for one in all_played),
        sum(one.late for one in all_played),
        sorted(took for one in all_played for took in one.took_us),
        sorted(lag for one in all_played for lag in one.lag_us),
    )
    if not played.moves:
        raise BenchError("not one move has arrived")
    return Evening(played, spent_s)


def _rows(name: str, evening: Evening, alone_us: float | None, aim: float | None = None) -> Iterator[Figure]:
    took = evening.played.took_us
    note = f"{evening.move_us:.0f} us in all processes; {evening.played.moves:,} moves"
    if alone_us is None:
        yield Figure(
            SECTION, f"{name}: a move", evening.move_us, "us CPU", note=f"{evening.played.moves:,} moves"
        )
    else:
        yield Figure(SECTION, f"{name}: a move", evening.move_us / alone_us, "times alone", aim, note=note)
    p50, p99 = (percentile(took, part) / 1e3 for part in (50, 99))
    note = f"p50 {p50:.1f}, longest {took[-1] / 1e3:.0f}; of the load's own doing "
    note += f"{percentile(evening.played.lag_us, 99) / 1e3:.1f}"
    yield Figure(SECTION, f"{name}: acknowledged, p99", p99, "ms", note=note, noise=None)


def _missing(name: str, error: Exception) -> Figure:
    return Figure(SECTION, name, None, "", note=f"not measured: {str(error) or 'it took too long'}")


async def figures(tables: int, seconds: float, taken_over: int) -> AsyncGenerator[Figure, None]:
    """The house alone, and in every shape; then forwarded moves, and a takeover."""
    try:
        nats_server()
    except SettingsError as missing:
        yield Figure(SECTION, "all of it", None, "", note=f"not measured: {missing}")
        return
    alone = await _alone(1, tables, seconds)
    for figure in _rows(f"alone, {tables:,} tables", alone, None):
        yield figure
    for count in HOUSES:
        apart = await _alone(count, tables, seconds)
        for figure in _rows(f"{count} houses alone, as many tables in all", apart, alone.move_us):
            yield figure
    for shape in SHAPES:
        async with contextlib.aclosing(_shape_figures(shape, tables, seconds, alone.move_us)) as found:
            async for figure in found:
                yield figure
    for taking in (_takeover_figures, _room_figures):
        async with contextlib.aclosing(taking(taken_over)) as found:
            async for figure in found:
                yield figure


async def _shape_figures(
    shape: Shape, tables: int, seconds: float, alone_us: float
) -> AsyncGenerator[Figure, None]:
    """People at all nodes; with two of them also all at the one with the tables, or all at the other."""
    ways: dict[str, Callable[[Cluster, Node], list[Node]]] = {str(shape): _everywhere}
    if shape.nodes == 2 and not shape.rooms:
        ways |= {f"{shape}, local moves": _with_the_tables, f"{shape}, forwarded moves": _without_them}
    for name, way in ways.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                async with (
                    asyncio.timeout(SHAPE_S_MAX),
                    cluster(Path(folder), shape) as made,
                    contextlib.AsyncExitStack() as stack,
                ):
                    nodes = way(made, await made.serving())
                    rest_s = await _rest(made, min(seconds, REST_S))
                    loads = [
                        await stack.enter_async_context(
                            crowds(node.door, "", f"{node.name}x", 1 if len(nodes) > 1 else 2)
                        )
                        for node in nodes
                    ]
                    evening = await _spend(loads, tables, seconds, made)
            except (BenchError, TimeoutError) as error:
                yield Figure(
                    SECTION, name, None, "", note=f"not measured: {str(error) or 'it took too long'}"
                )
                continue
        for figure in _rows(name, evening, alone_us, AIM if way is _everywhere else None):
            yield figure
        if way is _everywhere:
            yield Figure(SECTION, f"{name}: at rest", rest_s * 100, "% of a core", noise=0.3)


def _everywhere(made: Cluster, _serving: Node) -> list[Node]:
    return made.nodes


def _with_the_tables(_made: Cluster, serving: Node) -> list[Node]:
    return [serving]


def _without_them(made: Cluster, serving: Node) -> list[Node]:
    return [node for node in made.nodes if node is not serving]


async def _takeover_figures(tables: int) -> AsyncGenerator[Figure, None]:
    """From kill -9 of the node that has the tables until another one has them."""
    shape, name = Shape(3, 2), f"takeover of {tables:,} tables"
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with asyncio.timeout(SHAPE_S_MAX), cluster(Path(folder), shape) as made:
                serving = await made.serving()
                async with crowds(serving.door, "") as load:
                    await load.seat(tables)
                    await load.play(PACE_S)
                    serving.process.kill()
                    began_s = time.monotonic()
                    await made.serving(but=serving)
                    took_s = time.monotonic() - began_s
        except (BenchError, TimeoutError) as error:
            yield _missing(name, error)
            return
    note = "from kill -9 until another node serves, 4.5 s of it to be sure that it is lost"
    yield Figure(SECTION, name, took_s, "s", TAKEN_OVER_AIM_S, note=note, noise=None)


async def _room_figures(tables: int) -> AsyncGenerator[Figure, None]:
    """From kill -9 of a node with so many tables in its room until the other one has them."""
    shape, name = Shape(3, 2, rooms=True), f"takeover of {tables:,} tables of a room"
    with tempfile.TemporaryDirectory() as folder:
        try:
            async with (
                asyncio.timeout(SHAPE_S_MAX),
                cluster(Path(folder), shape) as made,
                _divided(made.settings) as divided,
            ):
                serving = await made.serving()
                (other,) = _without_them(made, serving)
                async with crowds(serving.door, "") as load:
                    # The room where their people are may have an eighth more.
                    await load.seat(tables * 17 // 8)
                    await asyncio.sleep(SETTLE_S)
                    before = await divided()
                    other.process.kill()
                    began_s = time.monotonic()
                    while (await divided())[serving.name] < sum(before.values()):
                        if time.monotonic() - began_s > START_S_MAX:
                            raise BenchError("the tables of the room were not taken over")
                        await asyncio.sleep(POLL_S)
                    took_s = time.monotonic() - began_s
        except (BenchError, TimeoutError) as error:
            yield _missing(name, error)
            return
    note = f"{before[other.name]:,} of {sum(before.values()):,}; from kill -9 until the other node has them"
    yield Figure(SECTION, name, took_s, "s", TAKEN_OVER_AIM_S, note=note, noise=None)


@contextlib.asynccontextmanager
async def _divided(settings: Settings) -> AsyncIterator[Callable[[], Awaitable[dict[str, int]]]]:
    """Asks how many tables each node has, as it says itself. Raises BenchError."""
    # Imported here: the library for NATS is an extra.
    from ludoteca.server.cluster.lease import Leases
    from ludoteca.server.cluster.status import said_by
    from ludoteca.server.cluster.stream import Stream, Unavailable, connect

    stream = Stream(await connect(settings, settings.cluster), settings.cluster_name)
    leases = Leases(stream, settings.cluster_replicas)

    async def ask() -> dict[str, int]:
        try:
            return {one.node: one.tables for one in said_by(await leases.all())}
        except Unavailable as error:
            raise BenchError(str(error)) from None

    try:
        yield ask
    finally:
        await stream.close()
