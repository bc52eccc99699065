"""One evening's world: the real house and its server, without sockets, threads or processes, on a disk, a
network and clocks that are made up; and everything that goes wrong with them."""

import asyncio
import hashlib
import pickle
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from unittest.mock import patch

import msgspec
from tests.disk import Disk
from tests.simulation.ages import age_disk
from tests.simulation.crowd import KINDS, RATE, Impatient, Namesake
from tests.simulation.journal import Journal
from tests.simulation.judge import Failure, empty, hold_still, invariants, need
from tests.simulation.loop import SimulatedLoop
from tests.simulation.network import Client, Weather, Wire
from tests.simulation.plan import ACCIDENTS, ACCIDENTS_MAX, Plan
from tests.simulation.players import SWEEPER, Native, Person, Player
from tests.simulation.ways import End, Remote, Socket

from ludoteca import games
from ludoteca.core import Dice, Game, Refused, Seat
from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import Terms
from ludoteca.hall import acts
from ludoteca.hall.post import Entry, Summary
from ludoteca.hall.storage import Reader
from ludoteca.journal import Match, Record, encode
from ludoteca.journal.records import Opened, encode_body
from ludoteca.server import rpc, storyteller
from ludoteca.server.door import Door
from ludoteca.server.doors import Doors
from ludoteca.server.house import House
from ludoteca.server.metrics import Metrics
from ludoteca.server.schema import StoreError
from ludoteca.server.serve import Server
from ludoteca.server.settings import Settings
from ludoteca.server.worker import Answer, Thought
from ludoteca.server.workers import Breakdown
from ludoteca.server.world import World

EPOCH = 1_767_225_600.0
# Nobody's match takes so long; a house that stalls does.
EVENING_S = 2 * 3600.0
STEP_S = 5.0
DESERTED_S, ABANDONED_S, HANDSHAKE_S = 300.0, 60.0, 60.0
TABLES_PER_ADDRESS = 6
# After so long nothing is left of anybody.
QUIET_S = DESERTED_S + HANDSHAKE_S + 200.0

# What a house counts that must never come about, and what is met: by name and label.
BROKEN = ("ludoteca_table_crashes_total", "ludoteca_failures_total")
COUNTED: dict[tuple[str, ...], str] = {
    ("ludoteca_snapshots_total", "used"): "back by a snapshot",
    ("ludoteca_snapshots_total", "ignored"): "snapshot ignored",
    ("ludoteca_tables_back_total", "needed"): "back when needed",
    ("ludoteca_tables_aside", "damaged"): "set aside",
    ("ludoteca_dropped_total", "slow"): "dropped as slow",
    ("ludoteca_dropped_total", "handshake"): "dropped without a name",
    ("ludoteca_dropped_total", "header"): "dropped with half a request",
}


class SimulatedWorker:
    """Thinks of something after a made up time, comes too late, or breaks down."""

    def __init__(self, dice: Dice, late: bool, met: Callable[[str], None]) -> None:
        self._dice = dice
        self._late = late
        self._met = met

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought."""
        asked: Thought = pickle.loads(thought)
        await asyncio.sleep(self._dice.below(2000) / 1000)
        if self._late and not self._dice.below(12):
            self._met("late_bots")
            await asyncio.sleep(limit_s)
            raise Breakdown("it took too long")
        imagined = games.load(asked.game).redeal(asked.state, Seat(asked.seat), self._dice)
        return Answer(self._dice.choice(imagined.questions[asked.seat].choices), "", 0.1)

    async def close(self) -> None:
        """Nothing runs on."""


class SimulatedTeller:
    """Tells of matches after a made up time, as the process does that it stands for."""

    def __init__(self, _module: str) -> None:
        """There is nothing to start."""

    async def ask(self, question: bytes, limit_s: float) -> bytes:
        """Grant a wish."""
        await asyncio.sleep(0.05)
        wish = msgspec.msgpack.decode(question, type=storyteller.Wish)
        return msgspec.msgpack.encode(storyteller.tell(wish))

    async def close(self) -> None:
        """Nothing runs on."""


class Doorway(Doors):
    """Doors without sockets, that somebody else stands in."""

    doors: dict[str, Door]
    calls: dict[str, rpc.Calls]
    is_shut = False

    async def _listen(self, name: str, port: int) -> None:
        if name in rpc.listeners():
            game = rpc.listeners()[name]
            self.calls[name] = rpc.Calls(self._front, self._doorman, name, game, rpc.load(game))
        else:
            self.doors[name] = await self._door(name)
        self.addresses[name] = ("127.0.0.1", 1)

    async def shut_doors(self) -> None:
        """Nobody comes in any more."""
        self.is_shut = True
        await super().shut_doors()

    def admit(self, name: str, wire: Wire, client: Client, address: str) -> bool:
        """Somebody stands in a door."""
        if self.is_shut:
            return False
        try:
            ticket = self._doorman.admit(address, name)
        except Refused:
            return False
        wire.connect(self.doors[name]._serve(ticket), client)
        return True

    @property
    def inside(self) -> int:
        """How many connections the doorman has counted in and not out."""
        return self._doorman._inside


class SimulatedServer(Doorway, Server):
    """The server as it is, but for its doors."""

    def __init__(self, settings: Settings, world: World) -> None:
        super().__init__(settings, world)
        self.doors, self.calls = {}, {}
        self._hosting.listen = nowhere  # type: ignore[method-assign, assignment]


async def nowhere(_folder: object) -> None:
    """There is no folder for a socket."""


def rouse(house: House, dice: Dice) -> None:
    """Tables come back late, one by one, so that people and clocks meet some that are not back yet."""
    house.waking.rest_s = lambda _took_s: dice.below(10_000) / 1000
    house.waking.first_s, house.waking.at_once, house.waking.turn_s = 0.0, 1, 0.0
    house.snapshots.every = 4


class Evening:
    """The world of one run. Each part of the plan has dice of its own, and so has each life of the house."""

    evening_s = EVENING_S

    def __init__(
        self, plan: Plan, loop: SimulatedLoop, trace: Callable[[bytes], object] | None = None
    ) -> None:
        self.plan = plan
        self.game = plan.game
        self.loop = loop
        self.counts: Counter[str] = Counter()
        self.hash = hashlib.sha256()
        self._trace = trace
        self._dice = plan.dice("world")
        self._disk_dice = plan.dice("disk")
        self._wall_offset = EPOCH
        self.weather = Weather(frozenset(plan.parts), self.counts)
        disk = Journal if plan.has("file") else Disk
        self.disk: Any = disk(loop.call_later, self._sync_s)
        self.disk.spoil = self._spoil
        # Tables of which the disk has lost or spoilt something: about these nothing is promised.
        self.harmed: set[str] = set()
        # By the key of a chair: the address of whoever sat down there.
        self._owners: dict[str, str] = {}
        self._connections: Counter[str] = Counter()
        self._wires: list[Wire | Remote] = []
        self._lives = 0
        # How many versions newer the rules of this life are, and what may break down in it.
        self._newer = 0
        # Who waits for the disk to be slow; it is so for each of them.
        self._slowly: list[Callable[[float], object]] = []
        self._load = games.load
        self.expected: frozenset[str] = frozenset()
        self.server: SimulatedServer | None = None
        self.players = self._invite()
        # What the accidents do.
        self._happen: dict[str, Callable[[Dice], Awaitable[None]]] = {
            name: getattr(self, f"_{name}") for name in ACCIDENTS
        }

    def patched(self) -> AbstractContextManager[None]:
        """Pieces of the world that nobody passes in."""
        return nullcontext()

    def failures(self) -> list[str]:
        """What nobody has looked at elsewhere than in the loop."""
        return []

    def bury(self) -> None:
        """Leave nothing to the next evening."""

    @property
    def archive(self) -> Reader:
        """What is stored."""
        archive: Reader = self.disk.archive if isinstance(self.disk, Journal) else self.disk
        return archive

    # Who comes.

    def _invite(self) -> list[Player]:
        plan, game, dice = self.plan, self.game, self.plan.dice("guests")
        house_ways = [dice.choice(["line", "socket"]) for _ in range(8)]
        native_ways = ["line", "line", "socket", *(["calls"] if f"{game}-rpc" in rpc.listeners() else [])]
        found: list[Player] = []
        anna: Person | None = None
        if plan.has("couple"):
            anna = Person(self, "Anna", game, opens=True, way=house_ways[0], address="10.0.0.1")
            bruno = Person(self, "Bruno", game, opens=False, way=house_ways[1], address="10.0.0.2")
            carla = Person(self, "Carla", game, opens=False, way=house_ways[2], address="10.0.0.3")
            carla.watches = True
            # Two worlds are compared by what everybody hears who stays.
            carla.looks_away = plan.parts != ("couple",)
            anna.guests = [bruno, carla]
            bruno.partner = carla.partner = anna
            found += [anna, bruno, carla]
        if plan.has("solo"):
            level = dice.choice(["random", ""])
            found.append(
                Person(self, "Dario", game, opens=True, bot=level, way=house_ways[3], address="10.0.0.4")
            )
        if plan.has("natives"):
            elsa, fabio = (
                Native(self, name, game, opens=name == "Elsa", way=dice.choice(native_ways), address=address)
                for name, address in (("Elsa", "10.0.1.1"), ("Fabio", "10.0.1.2"))
            )
            elsa.partner, fabio.partner = fabio, elsa
            found += [elsa, fabio]
        if plan.has("impatient"):
            gina = Impatient(self, "Gina", game, opens=True, way=house_ways[4], address="10.0.2.1")
            hugo = Impatient(self, "Hugo", game, opens=False, way=house_ways[5], address="10.0.2.2")
            gina.partner, hugo.partner, gina.guests = hugo, gina, [hugo]
            gina.elsewhere = hugo.elsewhere = self._some_table
            found += [gina, hugo]
        for number, kind in enumerate(part for part in plan.parts if part in KINDS):
            neighbour = KINDS[kind](self, f"Bad{kind}", game, address=f"10.9.{number}.1")
            neighbour.secret_ids, neighbour.granted = self._private_tables, self._look
            neighbour.others = self._honest_names
            found.append(neighbour)
        return found

    def _some_table(self) -> str:
        house = self.server.house if self.server is not None else None
        tables = [table.id for table in house.hall.tables] if house is not None else []
        return self._dice.choice(tables) if tables else ""

    def _honest_names(self) -> list[str]:
        return [player.name for player in self.players if type(player) in (Person, Impatient)]

    def _private_tables(self) -> list[str]:
        return [
            table
            for player in self.players
            if isinstance(player, Person) and player.opens and player.terms["private"]
            for table in player.opened
        ]

    # What guests see of it.

    def dice_of(self, name: str) -> Dice:
        """Somebody's own chance."""
        return self.plan.dice(name)

    def now(self) -> float:
        """The time."""
        return self.loop.time()

    def later(self, seconds: float, call: Callable[[], None]) -> object:
        """Call back."""
        return self.loop.call_later(seconds, call)

    def met(self, what: str) -> None:
        """Something worth counting came about."""
        self.counts[what] += 1

    def together(self, one: str, other: str) -> bool:
        """Whether two sit at one table of the house that runs now."""
        tables = self.server.house.hall.tables if self.server is not None else ()
        return any({one, other} <= {chair.name for _, chair in table.taken()} for table in tables)

    def is_shaken(self) -> bool:
        """Its disk may be full at any time."""
        return True

    def connect(self, listener: str, way: str, client: Client, address: str) -> End | None:
        """A connection to the house that runs now."""
        server = self.server
        if server is None:
            return None
        self._connections[client.name] += 1
        dice = self.plan.dice(f"{client.name} {self._connections[client.name]}")
        trace = lambda data: self.note(client.name.encode() + data)  # noqa: E731
        self.met(f"by {way} to {listener}")
        if way == "calls":
            remote = Remote(self.loop, dice, self.weather, client, address, trace)
            self._wires.append(remote)
            return remote.open(server.calls[f"{listener}-rpc"])
        wire = Wire(self.loop, dice, self.weather, trace, address)
        if way == "socket":
            path = "/ws" if listener == "house" else f"/ws/{listener}"
            socket = Socket(client, path, packs=self.plan.has("packed"))
            if not server.admit("http", wire, socket, address):
                return None
            self._wires.append(wire)
            return socket.open(wire)
        if not server.admit(listener, wire, client, address):
            self.met("turned away")
            return None
        self._wires.append(wire)
        return wire

    def note(self, what: bytes) -> None:
        """Something went over a wire."""
        line = b"%.6f %b\n" % (self.loop.time(), what)
        self.hash.update(line)
        if self._trace is not None:
            self._trace(line)

    # The disk.

    def _sync_s(self) -> float:
        dice = self._disk_dice
        if self.plan.has("slow_disk") and (self._slowly or not dice.below(15)):
            self.met("slow_disk")
            took_s = dice.below(2000) / 1e3
            if self._slowly:
                self._slowly.pop()(took_s * 0.9)
            return took_s
        return dice.below(3000) / 1e6

    def _spoil(self, snapshot: bytes) -> bytes:
        """Snapshots are a cache: a disk that spoils some of them harms nobody."""
        if not self.plan.has("spoiled") or self._disk_dice.below(3):
            return snapshot
        self.met("spoiled")
        at = self._disk_dice.below(len(snapshot))
        if self._disk_dice.below(2):
            return snapshot[:at]
        return snapshot[:at] + bytes([snapshot[at] ^ 1]) + snapshot[at + 1 :]

    # The house.

    async def _start(self) -> None:
        self._lives += 1
        dice = self.plan.dice(f"house {self._lives}")
        late = self.plan.has("late_bots")
        world = World(
            wall=lambda: self._wall_offset + self.loop.time(),
            monotonic=self.loop.time,
            bits=lambda count: (dice.below(1 << 64) << 64 | dice.below(1 << 64)) & ((1 << count) - 1),
            keep=self.disk.keep,
            hire=lambda _settings: SimulatedWorker(dice, late, self.met),
        )
        with patch.object(games, "load", self._rules_of):
            server = SimulatedServer(self._settings(), world)
        rouse(server.house, dice)
        hold_still(server.house, self.loop.time)
        await server.start()
        self.server = server

    def _settings(self) -> Settings:
        default = {f"multisweeper.{key}": value for key, value in SWEEPER.items()}
        calls = [name for name, game in rpc.listeners().items() if game == self.game]
        return Settings(
            only=["house", "http", self.game, *calls],
            data="/nowhere",
            java=False,
            bot_workers=2,
            default=default if self.game == "multisweeper" else {},
            deserted_s=DESERTED_S,
            abandoned_s=ABANDONED_S,
            handshake_s=HANDSHAKE_S,
            tables_per_address_max=TABLES_PER_ADDRESS,
            tables_per_guest_max=4,
            connections_per_address_max=8,
            rate_per_s=RATE,
            rate_burst=RATE,
            outbox_bytes_max=6_000 if self.plan.has("small_outbox") else 1 << 20,
        )

    def _rules_of(self, name: str) -> Game:
        """A game, of the version that this life of the house has of it."""
        game = self._load(name)
        return msgspec.structs.replace(game, version=game.version + self._newer)

    def examine(self, metrics: Metrics) -> None:
        """What a house that ends has to say for itself."""
        for metric in metrics.registry.collect():
            for one in metric.samples:
                broken = one.labels.get("what", "table")
                if one.value and one.name in BROKEN and broken not in self.expected:
                    raise Failure(f"{one.name}{dict(one.labels)} is {one.value}")
                what = COUNTED.get((one.name, *one.labels.values()))
                if what is not None:
                    self.counts[what] += int(one.value)

    async def _die(self) -> None:
        """The process is gone; the loop it ran in is ours, so what is left of it reaches nobody."""
        server = self.server
        assert server is not None
        self.server = None
        server.house.timers.stop()
        server.house.closing = True
        for wire in self._wires:
            wire.cut()
        self._wires.clear()
        await server.workshop.close()
        for runner in server._runners:
            await runner.cleanup()
        self.counts["crash before all tables were back"] += len(server.house.waking) > 0
        self.examine(server.house.metrics)

    # Accidents.

    async def _crash(self, dice: Dice) -> None:
        """The power fails, and comes back; with a slow disk often while that writes."""
        if self.plan.has("slow_disk") and dice.below(3):
            slow = self.loop.create_future()
            # During the second of two: what came during the first is what it writes.
            self._slowly = [lambda half_s: self.loop.call_later(half_s, slow.set_result, None), float]
            await asyncio.wait([slow], timeout=20.0)
            self.counts["crash while writing"] += slow.done()
            self._slowly.clear()
        if self.server is None:
            return
        self.note(b"crash")
        landed = bool(dice.below(2))
        if isinstance(self.disk, Journal):
            if self.disk.crash(landed=landed, cut=dice.below):
                self._harm(self.archive.ids())
        else:
            self.disk.crash(landed=landed)
            if self.disk.confess(dice.below(4)):
                self.met("lost what was called safe")
                self._harm(self.archive.ids())
        await self._die()
        await asyncio.sleep(dice.below(3000) / 1000)
        while not await self._try_start():
            await asyncio.sleep(1.0)

    async def _try_start(self) -> bool:
        """Start the house; where the disk does not let it, it must say why."""
        try:
            await self._start()
        except StoreError as error:
            need(self.disk.broken, f"it does not start, and nothing is wrong: {error}")
            need(self.disk.broken in str(error), f"the disk is full, and it says: {error}")
            self.met("did not start")
            return False
        return True

    async def _lie(self, dice: Dice) -> None:
        """The disk calls safe what is not; the next power failure shows it."""
        self.disk.lie()
        await asyncio.sleep(dice.below(3000) / 1000)
        if self.server is not None:
            self._harm([*self.archive.ids(), *(table.id for table in self.server.house.hall.tables)])
        await self._crash(dice)

    async def _rot(self, dice: Dice) -> None:
        """A bit of a record has turned over."""
        await self._damage(dice, lambda line, _other: _flipped(line, dice))

    async def _misdirect(self, dice: Dice) -> None:
        """A record lies where another belongs: often the first of another table."""
        await self._damage(dice, lambda _line, other: other, firsts=not dice.below(3))

    async def _alien(self, dice: Dice) -> None:
        """The disk has a live table of another version: of a game that is gone, or with odd options."""
        if self.server is None or isinstance(self.disk, Journal):
            return
        table = f"{dice.below(1 << 48):012x}"
        game, ms = dice.choice(["gone", self.game]), int(self.server.house.now() * 1000)
        opened = Opened(table, game, "alien", 2, dice.choice(["odd", [1], 7]), Terms(), 1)
        body = encode_body(Record(1, ms, opened))
        line = encode(body, Match(games.load(self.game)).seal(body, []))
        info = TableInfo(table, game, "alien", "open", (None, None), None, Terms(), ms)
        self.disk.write([Entry(table, 1, line, "live", Summary(info))])
        self.harmed.add(table)
        await self._crash(dice)

    async def _second(self, dice: Dice) -> None:
        """Somebody starts another house on the same journal, which must not be."""
        if isinstance(self.disk, Journal) and self.server is not None and not self.disk.is_taken():
            raise Failure("two houses write one journal")

    async def _damage(
        self, dice: Dice, spoil: Callable[[bytes, bytes], bytes], *, firsts: bool = False
    ) -> None:
        if self.server is None:
            return
        live = self.archive.live()
        if isinstance(self.disk, Journal) or not live:
            await self._crash(dice)
            return
        table = dice.choice(live)
        other = dice.choice([one for one in live if one != table] or live)
        lines = self.disk.lines(table)
        number = 1 if firsts else 1 + dice.below(len(lines))
        others = self.disk.lines(other)
        spoilt = spoil(lines[number - 1], others[0] if firsts else dice.choice(others))
        if spoilt != lines[number - 1]:
            self.disk.spoil_line(table, number, spoilt)
            self._harm([table])
        await self._crash(dice)

    def fall(self, table: str) -> None:
        """A table breaks down, as it is made to."""
        self._harm([table])

    def _harm(self, tables: list[str]) -> None:
        """Who plays there goes home: what becomes of it nobody can promise."""
        self.harmed.update(tables)
        for player in self.players:
            if isinstance(player, Native) or (isinstance(player, Person) and player.table in self.harmed):
                player.end()

    async def _stop(self, dice: Dice) -> None:
        """The operator stops the house, and starts it again."""
        if await self._halt():
            await asyncio.sleep(dice.below(3000) / 1000)
            await self._start()

    async def _halt(self) -> bool:
        """The operator stops the house, if it stands."""
        server = self.server
        if server is None:
            return False
        self.note(b"stop")
        self.server = None
        await server.stop()
        for wire in self._wires:
            wire.cut()
        self._wires.clear()
        self.examine(server.house.metrics)
        return True

    async def _upgrade(self, dice: Dice) -> None:
        """The operator had an older version until now, and starts this one, of newer rules, on it."""
        if not await self._halt():
            return
        older = self.disk.age(dice) if isinstance(self.disk, Journal) else age_disk(self.disk, dice)
        self.met(f"upgraded from {older}")
        self._newer = dice.below(3)
        await self._start()

    async def _downgrade(self, dice: Dice) -> None:
        """The operator goes back to older rules; what a newer version has written is left alone."""
        if not await self._halt():
            return
        if isinstance(self.disk, Journal):
            need(self.disk.is_too_new(), "a journal of a newer version is not left alone")
            self.met("left alone as too new")
        self._newer = -dice.below(2)
        await self._start()

    async def _stuck(self, dice: Dice) -> None:
        """The power fails while the disk is full, and comes back before there is room."""
        self.disk.broken = "the disk is full"
        heals = asyncio.create_task(self._full(dice))
        await self._crash(dice)
        await heals

    async def _drain(self, dice: Dice) -> None:
        """The host lets nobody open tables for a while, and sees to it that they may again."""
        if self.server is None:
            return
        if not await self._order(acts.Drain()):
            self.met("the host was refused")
        await asyncio.sleep(dice.below(20_000) / 1000)
        while self.server is not None and not await self._order(acts.Resume()):
            if not self.server.house.hall.keeping.drained:
                break
            await asyncio.sleep(1.0)

    async def _order(self, act: acts.Act) -> bool:
        """The host wants something; whether it is known to be done."""
        if self.server is None:
            return False
        try:
            await self.server.desk.do("host", act, "")
        except Refused:
            return False
        return True

    async def _full(self, dice: Dice) -> None:
        """The disk is full for a while; mostly a host says so to all, and so the house finds out at once."""
        self.disk.broken = "the disk is full"
        told = asyncio.create_task(self._order(acts.Say("no room left"))) if dice.below(4) else None
        await asyncio.sleep(dice.below(8000) / 1000)
        self.disk.broken = ""
        if told is not None:
            await told

    def _some(self, dice: Dice) -> Player:
        return dice.choice(self.players)

    async def _cut(self, dice: Dice) -> None:
        """A line breaks, at once or after a while in which nothing passed."""
        player = self._some(dice)
        if player.wire is not None and dice.below(2):
            player.wire.hold(10.0)
            await asyncio.sleep(dice.below(9000) / 1000)
        player.cut()

    async def _half_open(self, dice: Dice) -> None:
        wire = self._some(dice).wire
        if wire is not None:
            wire.vanish()

    async def _deaf(self, dice: Dice) -> None:
        """Somebody does not read for a while."""
        wire = self._some(dice).wire
        if wire is not None:
            wire.hold(5.0 + dice.below(20), into=False)

    async def _partition(self, dice: Dice) -> None:
        """Some cannot be reached for a while, and all of it comes at once."""
        seconds = dice.below(10_000) / 1000
        for player in self.players:
            if dice.below(2) and player.wire is not None:
                player.wire.hold(seconds)

    async def _swizzle(self, dice: Dice) -> None:
        """One line after the other stops, and they come back in another order."""
        players = dice.sample(self.players, len(self.players))
        for player in players:
            if player.wire is not None:
                player.wire.hold(1.0 + dice.below(8000) / 1000)
            await asyncio.sleep(dice.below(500) / 1000)

    async def _clock(self, dice: Dice) -> None:
        """Whoever sets the clock sets it to anything: the next life of the house begins then."""
        self._wall_offset += dice.choice([3600, -7200, 86_400, -86_400 * 365, 86_400 * 365])

    # The evening.

    async def run(self) -> None:
        """Play, with accidents, until everybody has finished."""
        plan, dice = self.plan, self._dice
        await self._start()
        for player in self.players:
            self.later(player.dice.below(2000) / 1000, player.come)
        namesake = None
        if plan.has("namesake") and plan.has("impatient"):
            namesake = self.loop.call_later(20.0 + dice.below(20), self._send_namesake)
        accidents = [part for part in plan.parts if part in self._happen]
        for _ in range(min(ACCIDENTS_MAX, 2 * len(accidents))):
            await asyncio.sleep(dice.below(8000) / 1000)
            name = dice.choice(accidents)
            self.met(name)
            await self._happen[name](dice.fork())
            self._look()
        end = self.loop.time() + self.evening_s
        while not all(player.done for player in self.players):
            await asyncio.sleep(STEP_S)
            for player in self.players:
                player.patience()
            self._look()
            if self.loop.time() > end:
                late = [player.name for player in self.players if not player.done]
                raise Failure(f"{', '.join(late)} never came to an end")
        # On a short evening nobody comes when all have gone.
        if namesake is not None:
            namesake.cancel()
        await self._close()

    def _send_namesake(self) -> None:
        gone = [player for player in self.players if isinstance(player, Impatient) and player.done]
        for player in gone[:1]:
            other = Namesake(self, player.name, self.game, opens=False, address="10.9.99.1")
            other.watches, other.table = True, next(iter(player.told), ("", None))[0]
            other.partner = player
            self.players.append(other)
            self.met("namesake")
            other.come()

    def _look(self) -> None:
        """What must be so at every moment."""
        if self.server is not None:
            invariants(self.server, TABLES_PER_ADDRESS, self._owners)

    async def _close(self) -> None:
        """Everybody has gone home: after a while nothing is left of them, and the house ends."""
        server = self.server
        assert server is not None
        await asyncio.sleep(QUIET_S)
        self._look()
        empty(server)
        await server.stop("good night")
        await asyncio.sleep(STEP_S)
        self.examine(server.house.metrics)
        left = [task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()]
        if left:
            raise Failure(f"{len(left)} tasks run on: {left[0]}")


def _flipped(line: bytes, dice: Dice) -> bytes:
    at = dice.below(len(line))
    return line[:at] + bytes([line[at] ^ (1 << dice.below(7))]) + line[at + 1 :]
