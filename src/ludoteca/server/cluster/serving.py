"""A node at work: its doors are open from the start, and the hall is here when it is this node's turn."""

import asyncio
from collections.abc import Callable
from functools import partial

import msgspec
import structlog

from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.forward import Forward, Interior
from ludoteca.server.cluster.lodge import Lodge
from ludoteca.server.cluster.node import AVOIDED_S, Node
from ludoteca.server.cluster.placing import Placing
from ludoteca.server.cluster.reception import Reception
from ludoteca.server.cluster.room import Room
from ludoteca.server.cluster.thinkers import Thinkers
from ludoteca.server.collector import Collector
from ludoteca.server.doorman import Doorman
from ludoteca.server.doors import Doors
from ludoteca.server.serve import RELOADED, Call, Server, first, host_token, keep_reloading
from ludoteca.server.settings import Settings
from ludoteca.server.traces import Traces
from ludoteca.server.world import World

log = structlog.get_logger()

CLOSING = "the house closes and will be back"


class Gate(Doors):
    """The doors of a node; `hall` is the hall while that is here."""

    def __init__(self, settings: Settings, courier: Courier, name: str) -> None:
        self.lodge = Lodge(settings, courier, name)
        self.lodge.metrics.hall.set(0)
        self.hall: Hall | None = None
        super().__init__(self.lodge, Doorman(self.lodge), {}, Forward(self.lodge))

    async def start(self) -> None:
        """Raises PortTaken."""
        try:
            settings = self.lodge.settings
            if settings.traces:
                self.lodge.traces = Traces(settings.traces, settings.trace_share, self.lodge.metrics)
            await self.lodge.open()
            await self.open_doors()
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """Tell everybody here, and let them go."""
        await self.shut_doors()
        await self.lodge.close(CLOSING)
        if self.lodge.traces is not None:
            await self.lodge.traces.close()
        await self.see_off()

    async def reload(self, settings: Settings) -> list[str]:
        """Take up what the operator changed; what has to wait for a start. Raises SettingsError."""
        waiting = await self.hall.reload(settings) if self.hall is not None else []
        news = {name: getattr(settings, name) for name in RELOADED} | self._certify(settings)
        self.lodge.settings = msgspec.structs.replace(self.lodge.settings, **news)
        self._site.reload()
        return waiting


class Hall(Server):
    """The house without doors: gates bring its guests."""

    def __init__(self, gate: Gate, courier: Courier, node: Node) -> None:
        settings = gate.lodge.settings
        super().__init__(settings, World(keep=node.keep, elsewhere=Thinkers(settings)), gate.lodge.metrics)
        self.addresses.update(gate.addresses)
        self._interior = Interior(self.house, self._doorman, self._site)
        self.reception = Reception(
            self.house, courier, self.settings.cluster_name, node.epoch, self._interior.answer
        )
        self.placing = Placing(self.house, node) if settings.cluster_rooms else None
        self._taken = node.taken

    async def open_doors(self) -> None:
        """There are none."""
        await self._interior.open()
        if self.placing is not None:
            self.placing.begin(self._taken)

    async def stop(self, reason: str = CLOSING) -> None:
        """Leave the guests to their gates."""
        if self.placing is not None:
            self.placing.end()
        await self.reception.close()
        await self._interior.close()
        await super().stop(reason)


async def serve(
    settings: Settings,
    call: Call,
    say: Callable[[str], None],
    greet: Callable[[str, int, str], None],
    reread: Callable[[], Settings],
) -> bool:
    """Serve until the call comes, or a host wants the end: then True. Raises StoreError, PortTaken."""
    node = Node(settings)
    await node.open()
    try:
        courier = await Courier.open(settings)
        try:
            say("standby")
            return await _serve(Gate(settings, courier, node.name), courier, node, call, say, greet, reread)
        finally:
            await courier.close()
    finally:
        await node.close()


async def _serve(
    gate: Gate,
    courier: Courier,
    node: Node,
    call: Call,
    say: Callable[[str], None],
    greet: Callable[[str, int, str], None],
    reread: Callable[[], Settings],
) -> bool:
    room = Room(gate.lodge, courier, node) if node.has_room else None
    await gate.start()
    reloading = asyncio.create_task(keep_reloading(gate.reload, call.hangup, reread))
    try:
        node.addresses = gate.addresses
        node.avoided = partial(gate.lodge.leave, AVOIDED_S)
        for name, (host, port) in gate.addresses.items():
            say(f"listening {name} {host}:{port}")
        if room is not None:
            await room.open()
            node.rooms.leave = room.empty
        say("ready")
        while await first(call.stop.wait(), node.turn()):
            ended = await _have_hall(gate, courier, node, call, say, greet)
            await node.leave()
            if ended or call.stop.is_set():
                return ended
            say("standby")
        return False
    finally:
        reloading.cancel()
        log.info("closing")
        if room is not None:
            await room.close()
        await gate.stop()
        log.info("closed")


async def _have_hall(
    gate: Gate,
    courier: Courier,
    node: Node,
    call: Call,
    say: Callable[[str], None],
    greet: Callable[[str, int, str], None],
) -> bool:
    """Have the hall until another node does, or the call comes; whether a host wanted the end."""
    hall = Hall(gate, courier, node)
    collector = Collector(hall.house)
    collector.start()
    hall.house.waking.rested = collector.keep
    await hall.start()
    hall.desk.daybook.start()
    collector.keep()
    gate.hall, gate.lodge.inside = hall, hall.house.measure
    try:
        await hall.reception.open()
        gate.lodge.metrics.hall.set(1)
        say("serving")
        if "http" in gate.addresses:
            greet(*gate.addresses["http"], await host_token(hall))
        return await first(call.stop.wait(), hall.desk.drained.wait(), node.deposed.wait()) == 1
    finally:
        gate.lodge.metrics.hall.set(0)
        gate.hall = gate.lodge.inside = None
        await hall.stop()
