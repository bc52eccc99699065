"""One evening of a house on several machines: real nodes, each a process of its own in the simulated loop,
with the servers of NATS between them; and everything that goes wrong with those."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import msgspec
from tests.simulation.journal import MEMORY, Writer
from tests.simulation.judge import (
    Failure,
    empty,
    invariants,
    left_at_gate,
    left_in_hall,
    need,
    need_none,
)
from tests.simulation.network import KEEPALIVE_S, Client, Wire
from tests.simulation.plan import LINES, NODES, Plan
from tests.simulation.processes import (
    CHANCE,
    Process,
    Thread,
    WorldLoop,
    bits,
    here,
    library,
    run_coroutine_threadsafe,
)
from tests.simulation.servers import Servers
from tests.simulation.ways import End, Remote, Socket
from tests.simulation.world import (
    EPOCH,
    STEP_S,
    TABLES_PER_ADDRESS,
    Doorway,
    Evening,
    SimulatedWorker,
    nowhere,
    rouse,
)

from ludoteca.core import Dice
from ludoteca.hall.storage import Reader
from ludoteca.server.cluster import serving
from ludoteca.server.cluster.lease import Leases
from ludoteca.server.cluster.node import LEAVE
from ludoteca.server.cluster.room import Room as ServedRoom
from ludoteca.server.journal_reader import JournalReader
from ludoteca.server.schema import StoreError
from ludoteca.server.world import World

# Long enough that nobody is waited for any more, and short, since nodes never rest.
DESERTED_S, ABANDONED_S, HANDSHAKE_S = 60.0, 30.0, 15.0
QUIET_S = KEEPALIVE_S + DESERTED_S + HANDSHAKE_S + 60.0
# Most of an evening nobody does anything: nodes say half as often that they are there, and whoever looks for
# more looks less often. What is waited for takes as long as ever.
RARELY = {
    "follower.FOLLOW_S": 0.9,
    "lease.RENEW_S": 2.0,
    "node.RENEW_S": 1.2,
    "lodge.BEAT_S": 1.0,
    "lodge.SILENT_BEATS": 2,
    "lodge.LOST_BEATS": 12,
    "reception.BEAT_S": 1.0,
    "room.LOOK_OUT_S": 1.0,
    "reception.SILENT_BEATS": 6,
}
HOUSE = "house"
# For so long after something went wrong nobody expects an answer at once.
SHAKEN_S = 60.0
# What is bad about servers all the time comes to an end: halls change with it, each waits for whoever is away
# from the beginning, and what must end is asked of a house that is left alone.
CALM_S = 400.0


class Gate(Doorway, serving.Gate):
    """The doors of a node."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.doors, self.calls = {}, {}
        _node().gate = self


class Hall(serving.Hall):
    """The hall of a node."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.calls: dict[str, Any] = {}
        self._hosting.listen = nowhere  # type: ignore[method-assign, assignment]
        rouse(self.house, here().dice)
        _node().hall = self

    @property
    def inside(self) -> int:
        """How many the doorman has counted in and not out."""
        return self._doorman._inside


class Room(ServedRoom):
    """The room of a node."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        rouse(self.house, here().dice)
        _node().room = self


class QuietLeases(Leases):
    """Where there are no rooms nobody asks which nodes there are."""

    async def say(self, key: str, value: bytes) -> None:
        """That one is, for whoever asks."""
        if _node().evening.plan.has("rooms"):
            await super().say(key, value)


class Collector:
    """Nobody's memory is looked after."""

    def __init__(self, _house: object) -> None:
        """There is nothing to do."""

    def start(self) -> None:
        """There is nothing to do."""

    keep = start


class CopyWriter(Writer):
    """A node's copy: the real file, written in the loop."""

    def __init__(self, folder: Path, durable: Any, trouble: Any, *, durability: str, stamp: Any) -> None:
        loop, node = asyncio.get_running_loop(), _node()
        node.writers.append(self)
        disk: Any = SimpleNamespace(
            broken="",
            later=lambda seconds, call: loop.call_later(seconds, call),
            sync_s=node.sync_s,
            spoil=lambda snapshot: snapshot,
            free=lambda: None,
        )
        super().__init__(disk, folder, durable, trouble, stamp)


class Call:
    """What an operator wants of a node."""

    def __init__(self) -> None:
        self.stop, self.hangup = asyncio.Event(), asyncio.Event()


class Node:
    """One machine, over many lives."""

    def __init__(self, evening: "Spread", number: int, folder: Path) -> None:
        self.evening = evening
        self.name = f"node-{number}"
        self.folder = folder / self.name
        self.process: Process | None = None
        self.gate: Gate | None = None
        self.hall: Hall | None = None
        self.room: Room | None = None
        self.call: Call | None = None
        self.is_ready = self.serves = False
        self.wires: list[Wire | Remote] = []
        self.writers: list[CopyWriter] = []
        self.lives = 0
        self._wanted = True
        # Who waits for its disk to be slow.
        self.slowly: Callable[[float], object] | None = None

    def sync_s(self) -> float:
        """How long its disk takes."""
        assert self.process is not None
        dice = self.process.dice
        slowly, self.slowly = self.slowly, None
        if slowly is not None or (self.evening.plan.has("slow_disk") and not dice.below(15)):
            self.evening.met("slow_disk")
            took_s = dice.below(1000) / 1e3
            if slowly is not None:
                slowly(took_s / 2)
            return took_s
        return dice.below(3000) / 1e6

    def start(self) -> None:
        """Begin a life."""
        evening = self.evening
        self.lives += 1
        dice = evening.plan.dice(f"{self.name} {self.lives}")
        self.process = Process(evening.loop, self.name, dice, evening.servers.dial)
        self.process.node = self  # type: ignore[attr-defined]
        evening.processes.append(self.process)
        self.call = None
        task = self.process.run(self._live())
        task.add_done_callback(lambda done: evening.loop.call_soon(self._ended, done))

    async def _live(self) -> None:
        self.call = Call()
        settings = self.evening.settings_of(self)
        call: Any = self.call
        await serving.serve(settings, call, self._say, lambda *_given: None, lambda: settings)

    def _say(self, line: str) -> None:
        self.evening.note(f"{self.name} {line}".encode())
        if line == "ready":
            self.is_ready = True
        elif line in ("standby", "serving"):
            self.serves = line == "serving"

    def _ended(self, task: "asyncio.Task[None]") -> None:
        """The process has come to its end by itself: whoever looks after it starts it again."""
        process = self.process
        if process is None or process.is_gone:
            return
        error = task.exception() if not task.cancelled() else None
        # Who is told to stop ends, and does not give up.
        if error is not None and not (isinstance(error, StoreError) and self._wanted):
            self.evening.wrong.append(f"{self.name} ended: {error!r}")
        elif error is not None:
            self.evening.met("a node gave up")
            self.evening.note(f"{self.name} gave up: {error}".encode())
        self._examine()
        tasks = [task for loop in process.loops for task in asyncio.all_tasks(loop)]
        # A client that is closed while its server is away leaves those behind that wait for messages.
        left = [task for task in tasks if "Subscription." not in repr(task.get_coro())]
        if left and error is None:
            self.evening.wrong.append(f"{self.name}: {len(left)} tasks run on: {left[0]}")
        self._gone()
        if self._wanted:
            self.evening.loop.call_later(1.0 + process.dice.below(2000) / 1000, self._again)

    def _again(self) -> None:
        # It may be up already, and it may have been stopped for good since this was meant.
        if self.process is None and self._wanted:
            self.start()

    def _examine(self) -> None:
        if self.gate is not None:
            self.evening.examine(self.gate.lodge.metrics)

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self._examine()
            self._gone()

    def _gone(self) -> None:
        process = self.process
        assert process is not None
        process.kill()
        self.evening.servers.drop(self.name)
        for writer in self.writers:
            if not writer._ended:
                writer.cut()
        self.writers.clear()
        for wire in self.wires:
            if isinstance(wire, Remote):
                wire.lose()
            else:
                wire.cut()
        self.wires.clear()
        self.process = self.gate = self.hall = self.room = self.call = None
        self.is_ready = self.serves = False

    def plays(self) -> bool:
        """Whether it has tables of others' in its room."""
        return self.room is not None and any(True for _ in self.room.house.hall.tables)

    def stop(self) -> None:
        """SIGTERM."""
        if self.process is not None and self.call is not None:
            self.process.main.call_soon(self.call.stop.set)

    def retire(self) -> None:
        """SIGTERM, and it is not started again."""
        self._wanted = False
        self.stop()


def _node() -> Node:
    node: Node = here().node  # type: ignore[attr-defined]
    return node


class Spread(Evening):
    """The world of one run with several nodes."""

    evening_s = 2000.0
    loop: WorldLoop

    def __init__(self, plan: Plan, loop: WorldLoop, trace: Callable[[bytes], object] | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.processes: list[Process] = []
        self.wrong: list[str] = []
        super().__init__(plan, loop, trace)
        self.servers = Servers(loop, plan.dice("servers"), self.met)
        self.servers.forgetful, self.servers.lossy = plan.has("forgetful"), plan.has("lossy")
        self.nodes = [Node(self, number, self._folder) for number in range(plan.nodes)]
        self._shaken_at = self._broken_at = -SHAKEN_S
        self._turns = plan.dice("balancer")
        self._background: list[asyncio.Task[None]] = []
        happen: dict[str, Callable[[Dice], Awaitable[None]]] = {
            name: getattr(self, f"_{name}") for name in (*LINES, *NODES)
        }
        self._happen = happen

    @property
    def archive(self) -> Reader:
        """What is stored, as one of the nodes has it."""
        return JournalReader(self.nodes[0].folder)

    def settings_of(self, node: Node) -> Any:
        """What a node is told."""
        return msgspec.structs.replace(
            self._settings(),
            data=str(node.folder),
            cluster=self.servers.urls,
            cluster_name=HOUSE,
            cluster_node=node.name,
            cluster_sync="trust",
            cluster_rooms=self.plan.has("rooms"),
            deserted_s=DESERTED_S,
            abandoned_s=ABANDONED_S,
            handshake_s=HANDSHAKE_S,
        )

    def world(self) -> World:
        """What a process is given."""
        late = self.plan.has("late_bots")
        return World(
            wall=lambda: EPOCH + self.loop.time(),
            monotonic=self.loop.time,
            bits=bits,
            hire=lambda _settings: SimulatedWorker(here().dice, late, self.met),
        )

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Time, chance and threads of the nodes are the world's; in all else they are as they are."""
        world, cluster = self.world(), "ludoteca.server.cluster"
        clock = SimpleNamespace(monotonic=self.loop.time)
        with ExitStack() as stack:
            stack.enter_context(library(self.loop))
            for place, thing in {
                "asyncio.run_coroutine_threadsafe": run_coroutine_threadsafe,
                "asyncio.new_event_loop": lambda: here().new_loop(),
                f"{cluster}.follower.time": clock,
                f"{cluster}.lease.time": clock,
                f"{cluster}.node.time": clock,
                f"{cluster}.follower.secrets": CHANCE,
                **{f"{cluster}.{place}": number for place, number in RARELY.items()},
                f"{cluster}.follower.threading": SimpleNamespace(Thread=Thread),
                f"{cluster}.copy.JournalWriter": CopyWriter,
                f"{cluster}.porch.REAL": world,
                f"{cluster}.serving.World": lambda **more: msgspec.structs.replace(world, **more),
                f"{cluster}.room.World": lambda **more: msgspec.structs.replace(world, **more),
                f"{cluster}.serving.Room": Room,
                f"{cluster}.node.Leases": QuietLeases,
                f"{cluster}.serving.Gate": Gate,
                f"{cluster}.serving.Hall": Hall,
                f"{cluster}.serving.Collector": Collector,
            }.items():
                stack.enter_context(patch(place, thing))
            yield

    # What guests see of it.

    def _serving(self) -> Node | None:
        """Who has the hall: the last who took over, if there are several who believe so."""
        found = [node for node in self.nodes if node.serves and node.hall is not None]
        return max(found, key=lambda node: _epoch(node), default=None)

    def _some_table(self) -> str:
        node = self._serving()
        tables = [table.id for table in node.hall.house.hall.tables] if node and node.hall else []
        return self._dice.choice(tables) if tables else ""

    def together(self, one: str, other: str) -> bool:
        """Whether two sit at one table."""
        node = self._serving()
        tables = node.hall.house.hall.tables if node and node.hall else ()
        return any({one, other} <= {chair.name for _, chair in table.taken()} for table in tables)

    def connect(self, listener: str, way: str, client: Client, address: str) -> End | None:
        """A connection to some node: the balancer knows whose doors are open, and not much more."""
        ready = [node for node in self.nodes if node.is_ready and node.gate is not None]
        if not ready:
            return None
        node = self._turns.choice(ready)
        gate, process = node.gate, node.process
        assert gate is not None
        assert process is not None
        self._connections[client.name] += 1
        dice = self.plan.dice(f"{client.name} {self._connections[client.name]}")
        trace = lambda data: self.note(client.name.encode() + data)  # noqa: E731
        self.met(f"by {way} to {listener}")
        self.met(f"at {node.name}")
        if way == "calls":
            if gate.is_shut:
                return None
            remote = Remote(self.loop, dice, self.weather, client, address, trace, process.main)
            remote.harmed = self._is_shaken()
            node.wires.append(remote)
            return remote.open(gate.calls[f"{listener}-rpc"])
        wire = Wire(self.loop, dice, self.weather, trace, address, process.main)
        wire.harmed = self._is_shaken()
        node.wires.append(wire)
        if way == "socket":
            path = "/ws" if listener == "house" else f"/ws/{listener}"
            socket = Socket(client, path, packs=self.plan.has("packed"))
            wire.begin(socket)
            process.main.call_soon(self._admit, gate, "http", wire, socket, address)
            return socket.open(wire)
        wire.begin(client)
        process.main.call_soon(self._admit, gate, listener, wire, client, address)
        return wire

    def _admit(self, gate: Gate, name: str, wire: Wire, client: Client, address: str) -> None:
        if wire.is_closing():
            return
        if not gate.admit(name, wire, client, address):
            self.met("turned away")
            wire.cut()

    # Accidents.

    def is_shaken(self) -> bool:
        """Whether something went wrong lately, or goes wrong all the time, so that nobody expects an answer
        at once. Nothing has when a node was drained."""
        is_broken = self.loop.time() - self._broken_at < SHAKEN_S
        return is_broken or self.servers.forgetful or self.servers.lossy

    def _is_shaken(self) -> bool:
        return self.loop.time() - self._shaken_at < SHAKEN_S

    def _shake(self, seconds: float = 0.0, *, gently: bool = False) -> None:
        """Something goes wrong that all may notice, for so long; nothing does that is only a pause."""
        self._shaken_at = max(self._shaken_at, self.loop.time() + seconds)
        if not gently:
            self._broken_at = self._shaken_at
        for node in self.nodes:
            for wire in node.wires:
                wire.harmed = True

    def _aside(self, after_s: float, call: Callable[[], None]) -> None:
        """Do something later, while other things go wrong."""
        self.loop.call_later(after_s, call)

    def _a_node(self, dice: Dice) -> Node:
        """Often the one with the hall."""
        serving = self._serving()
        return serving if serving is not None and dice.below(2) else dice.choice(self.nodes)

    async def _node_dies(self, dice: Dice) -> None:
        """kill -9, and it is started again; with a slow disk often while that writes."""
        node = self._a_node(dice)
        if self.plan.has("slow_disk") and dice.below(3):
            slow = self.loop.create_future()
            node.slowly = lambda half_s: self.loop.call_later(half_s, slow.set_result, None)
            await asyncio.wait([slow], timeout=20.0)
            self.counts["died while writing"] += slow.done()
            node.slowly = None
        self._shake()
        self.counts["died with the hall"] += node.serves
        self.counts["died with a room"] += node.plays()
        self.note(f"{node.name} dies".encode())
        node.kill()
        self._aside(dice.below(20_000) / 1000, node._again)

    async def _node_stops(self, dice: Dice) -> None:
        """The operator stops it, and starts it again."""
        node = self._a_node(dice)
        self._shake()
        self.counts["stopped with the hall"] += node.serves
        self.counts["stopped with a room"] += node.plays()
        self.note(f"{node.name} stops".encode())
        node.stop()

    async def _node_drained(self, dice: Dice) -> None:
        """The operator has it leave serving to others (`ludoteca cluster drain`)."""
        node = self._a_node(dice)
        self._shake(gently=True)
        self.counts["drained with the hall"] += node.serves
        self.counts["drained with a room"] += node.plays()
        self.note(f"{node.name} is drained".encode())
        self.servers.say(f"{LEAVE}.{HOUSE}.{node.name}", "operator.hears", b"")

    async def _node_pauses(self, dice: Dice) -> None:
        """SIGSTOP for a while: then it goes on with what it knew."""
        node = self._a_node(dice)
        process = node.process
        if process is None or process.is_paused:
            return
        seconds = dice.below(15_000) / 1000
        self._shake(seconds)
        self.counts["paused with the hall"] += node.serves
        self.counts["paused with a room"] += node.plays()
        self.note(f"{node.name} pauses".encode())
        process.pause()
        self._aside(seconds, process.go_on)

    async def _node_cut(self, dice: Dice) -> None:
        """It cannot reach some of the servers, or all, for a while."""
        node = self._a_node(dice)
        seconds = dice.below(15_000) / 1000
        self._shake(seconds)
        self.counts["cut off with the hall"] += node.serves
        self.counts["cut off with a room"] += node.plays()
        self.note(f"{node.name} is cut off".encode())
        numbers = list(range(len(self.servers.alive)))
        self.servers.sever(node.name, numbers if dice.below(3) else dice.sample(numbers, 2))
        self._aside(seconds, lambda: self.servers.mend(node.name))

    async def _server_dies(self, dice: Dice) -> None:
        """kill -9 of a server; of the leader, often."""
        leader = self.servers.leader
        number = leader if leader is not None and dice.below(2) else dice.below(len(self.servers.alive))
        if all(self.servers.alive):
            self._shake(10.0)
            self.note(b"server %d dies" % number)
            self.servers.kill(number)
            self._aside(dice.below(15_000) / 1000, lambda: self.servers.start(number))

    async def _server_parted(self, dice: Dice) -> None:
        """A server whose clients can reach it, and no other server."""
        leader = self.servers.leader
        number = leader if leader is not None and dice.below(2) else dice.below(len(self.servers.alive))
        if not self.servers.apart:
            seconds = dice.below(15_000) / 1000
            self._shake(seconds + 10.0)
            self.note(b"server %d is parted" % number)
            self.servers.part(number)
            self._aside(seconds, lambda: self.servers.join(number))

    async def _no_majority(self, dice: Dice) -> None:
        """Two servers are away: nothing is stored."""
        numbers = dice.sample(range(len(self.servers.alive)), 2)
        if all(self.servers.alive):
            seconds = dice.below(12_000) / 1000
            self._shake(seconds + 10.0)
            self.note(b"no majority")
            for number in numbers:
                self.servers.kill(number)
                self._aside(seconds, lambda number=number: self.servers.start(number))  # type: ignore[misc]

    async def _new_leader(self, dice: Dice) -> None:
        """The leader is another one, after a silence."""
        self._shake(10.0)
        self.note(b"new leader")
        self.servers.step_down()

    # The evening.

    def _calm(self) -> None:
        self.servers.forgetful = self.servers.lossy = False

    async def _start(self) -> None:
        self._aside(CALM_S, self._calm)
        for node in self.nodes:
            node.start()
        while not any(node.is_ready for node in self.nodes):
            await asyncio.sleep(0.1)

    def _look(self) -> None:
        node = self._serving()
        if node is not None and node.hall is not None:
            invariants(node.hall, TABLES_PER_ADDRESS, self._owners)
        for node in self.nodes:
            if node.room is not None:
                invariants(node.room, TABLES_PER_ADDRESS, self._owners)
        if self.wrong or self.loop.failures:
            raise Failure("; ".join([*self.wrong, *self.loop.failures][:3]))

    async def _close(self) -> None:
        """Everybody has gone home: after a while nothing is left of them, and the nodes end."""
        self._calm()
        end = self.loop.time() + QUIET_S
        while True:
            await asyncio.sleep(STEP_S)
            self._look()
            try:
                self._leave_nothing()
                break
            except Failure:
                if self.loop.time() > end:
                    raise
        # Who follows has what was written last.
        await asyncio.sleep(STEP_S)
        await self._compare()
        for one in self.nodes:
            one.retire()
        for _ in range(20):
            await asyncio.sleep(STEP_S)
            if not any(one.process for one in self.nodes):
                break
        self._look()
        left = [one.name for one in self.nodes if one.process is not None]
        need(not left, f"{left} do not end")

    def _leave_nothing(self) -> None:
        node = self._serving()
        if node is None or node.hall is None:
            raise Failure("nobody has the hall, and nothing is wrong")
        empty(node.hall)
        for one in self.nodes:
            need(one.gate is not None, f"{one.name} is not there")
            if one.gate is not None:
                left_at_gate(one.gate)
            if one.room is not None:
                need_none(
                    left_in_hall(one.room.house, one.room.workshop), f"left behind in the room of {one.name}"
                )

    async def _compare(self) -> None:
        """Every node's copy is the stream's."""
        copies = [JournalReader(node.folder) for node in self.nodes]
        tables = copies[0].ids()
        for node, copy in zip(self.nodes, copies, strict=True):
            need(copy.ids() == tables, f"the copy of {node.name} has other tables")
            for table in tables:
                need(copy.lines(table) == copies[0].lines(table), f"{node.name} has {table} otherwise")
        self.counts["tables compared"] += len(tables) * len(copies)

    def bury(self) -> None:
        """Leave nothing to the next evening."""
        for node in self.nodes:
            for writer in node.writers:
                if not writer._ended:
                    writer.cut()
        # One that was about to come, or to go, waits for its threads on its way out.
        with patch("asyncio.run_coroutine_threadsafe", run_coroutine_threadsafe):
            for process in self.processes:
                process.bury()
        shutil.rmtree(self._folder, ignore_errors=True)

    def failures(self) -> list[str]:
        """What nobody has looked at."""
        return [failure for process in self.processes for failure in process.failures()]


def _epoch(node: Node) -> int:
    assert node.hall is not None
    return node.hall.reception._epoch
