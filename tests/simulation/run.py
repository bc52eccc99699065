"""One simulated evening: a house with its disk, its network, its players and its accidents, all made
up from one seed."""

import asyncio
import hashlib
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec
from structlog.testing import capture_logs
from tests.disk import Disk
from tests.simulation.loop import BEGIN_S, SimulatedLoop
from tests.simulation.network import Client, Wire
from tests.simulation.players import SWEEPER, Native, Person, Player, Told

from ludoteca import games
from ludoteca.core import Dice, Refused, Seat
from ludoteca.hall import Guest
from ludoteca.hall.post import Look
from ludoteca.journal import damage, replay
from ludoteca.journal.records import Acted
from ludoteca.server.doorman import Doorman
from ludoteca.server.house import House, Shell
from ludoteca.server.keeping import examine
from ludoteca.server.settings import Settings
from ludoteca.server.tcp import LineLink
from ludoteca.server.worker import Answer, Thought
from ludoteca.server.workers import Breakdown
from ludoteca.server.workshop import Workshop
from ludoteca.server.world import World
from ludoteca.wire.house import Copier, HouseConversation

UUID = "ludoteca.games.eriantys.wire.conversation.uuid4"
EPOCH = 1_767_225_600.0
ACCIDENTS = 8
# Nobody's match takes so long; a house that stalls does.
EVENING_S = 2 * 3600.0
# What the log may say when the disk fails and bots break down, which they are made to.
EXPECTED_ERRORS = ("journal cannot be written, waiting", "bot broke down")


class Failure(Exception):
    """A promise was broken; the text says which."""


class Report(NamedTuple):
    """What came of a run: a digest of every byte that went over a wire or to the disk, and some figures.

    After crashes so many tables were `needed` before they were back, so many were not back at the next, so
    many came back by a snapshot, and so many snapshots were of no use.
    """

    digest: str
    game: str
    crashes: int
    needed: int
    cut_short: int
    resumed: int
    ignored: int
    records: int
    told: int
    matches: int
    virtual_s: float


class SimulatedWorker:
    """Thinks of something after a made up time, or breaks down."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    async def think(self, thought: bytes, limit_s: float) -> Answer:
        """Answer a pickled thought."""
        asked: Thought = pickle.loads(thought)
        await asyncio.sleep(self._dice.below(2000) / 1000)
        if not self._dice.below(40):
            raise Breakdown("it was made to")
        imagined = games.load(asked.game).redeal(asked.state, Seat(asked.seat), self._dice)
        return Answer(self._dice.choice(imagined.questions[asked.seat].choices), "", 0.1)

    async def close(self) -> None:
        """Nothing runs on."""


class Evening:
    """The world of one run.

    It decides everything by its dice; each house gets dice of its own, that die with it.
    """

    def __init__(
        self, seed: int, game: str, loop: SimulatedLoop, trace: Callable[[bytes], object] | None = None
    ) -> None:
        self.game = game
        self.loop = loop
        self.dice = Dice(seed)
        self.crashes = 0
        self.needed = self.cut_short = self.resumed = self.ignored = 0
        self._hash = hashlib.sha256()
        self._trace = trace
        self._wall_offset = EPOCH
        self._disk = Disk(loop.call_later, self._sync_s)
        self._disk.spoil = self._spoil
        self._wires: list[Wire] = []
        self._house: House | None = None
        self._workshop: Workshop | None = None
        self._doorman: Doorman | None = None
        self._converse: dict[str, Callable[[], Any]] = {}
        self.players = self._invite()

    def _sync_s(self) -> float:
        return self.dice.below(3000) / 1e6 if self.dice.below(20) else self.dice.below(2000) / 1e3

    def _spoil(self, snapshot: bytes) -> bytes:
        """Snapshots are a cache: a disk that spoils some of them harms nobody."""
        at = self.dice.below(len(snapshot))
        match self.dice.below(8):
            case 0:
                return snapshot[:at]
            case 1:
                return snapshot[:at] + bytes([snapshot[at] ^ 1]) + snapshot[at + 1 :]
            case _:
                return snapshot

    def _invite(self) -> list[Player]:
        """Two who play with each other while somebody looks on, one who plays a bot, two with
        the game's own client."""
        anna, bruno = (Person(self, name, self.game, opens=name == "Anna") for name in ("Anna", "Bruno"))
        carla = Person(self, "Carla", self.game, opens=False)
        carla.watches = True
        anna.guests = [bruno, carla]
        bruno.partner = carla.partner = anna
        level = self.dice.choice(["random", ""])
        dario = Person(self, "Dario", self.game, opens=True, bot=level)
        elsa, fabio = (Native(self, name, self.game, opens=name == "Elsa") for name in ("Elsa", "Fabio"))
        elsa.partner, fabio.partner = fabio, elsa
        return [anna, bruno, carla, dario, elsa, fabio]

    # What players see of it.

    def now(self) -> float:
        """The time."""
        return self.loop.time()

    def later(self, seconds: float, call: Callable[[], None]) -> object:
        """Call back."""
        return self.loop.call_later(seconds, call)

    def connect(self, listener: str, client: Client, address: str) -> Wire | None:
        """A connection to the house that runs now."""
        house, doorman = self._house, self._doorman
        if house is None or doorman is None:
            return None
        try:
            ticket = doorman.admit(address, listener)
        except Refused:
            return None
        wire = Wire(self.loop, self.dice, lambda data: self._note(client.name.encode() + data))
        self._wires.append(wire)
        wire.connect(LineLink(house, listener, self._converse[listener], ticket), client)
        return wire

    def _note(self, what: bytes) -> None:
        line = b"%.6f %b\n" % (self.loop.time(), what)
        self._hash.update(line)
        if self._trace is not None:
            self._trace(line)

    # The house.

    def _start(self) -> None:
        dice = self.dice.fork()
        world = World(
            wall=lambda: self._wall_offset + self.loop.time(),
            monotonic=self.loop.time,
            bits=lambda count: (dice.below(1 << 64) << 64 | dice.below(1 << 64)) & ((1 << count) - 1),
            keep=self._disk.keep,
            hire=lambda _settings: SimulatedWorker(dice),
        )
        default = {f"multisweeper.{key}": value for key, value in SWEEPER.items()}
        settings = Settings(bot_workers=2, default=default if self.game == "multisweeper" else {})
        workshop: Workshop

        def drive(guest: Guest) -> Shell:
            return workshop.drive(guest)

        def advise(guest: Guest, number: int) -> None:
            workshop.advise(guest, number)

        def look_back(guest: Guest, request: Look) -> None:
            raise AssertionError("nobody here looks back")

        house = House(settings, drive, advise, look_back, world)
        workshop = Workshop(house)
        self._house, self._workshop, self._doorman = house, workshop, Doorman(house)
        wire = games.load(self.game).wire
        assert wire is not None
        self._converse = {
            "house": partial(HouseConversation, games.load, Copier()),
            self.game: partial(wire.converse, house.defaults[self.game].settings),
        }
        # Tables come back late, one by one, so that people and clocks meet some that are not back yet.
        house.waking.rest_s = lambda _took_s: dice.below(10_000) / 1000
        house.waking.first_s, house.waking.at_once, house.waking.turn_s = 0.0, 1, 0.0
        house.snapshots.every = 4
        house.recover()

    def _examine(self, house: House) -> None:
        """What a house that ends has to say for itself."""
        sample = house.metrics.registry.get_sample_value
        self.resumed += int(sample("ludoteca_snapshots_total", {"what": "used"}) or 0)
        self.ignored += int(sample("ludoteca_snapshots_total", {"what": "ignored"}) or 0)
        self.needed += int(sample("ludoteca_tables_back_total", {"why": "needed"}) or 0)
        for name in ("ludoteca_crashes_total", "ludoteca_failures_total"):
            if sample(name):
                raise Failure(f"{name} is {sample(name)}")

    async def _crash(self) -> None:
        """The power fails, and comes back."""
        assert self._house is not None
        assert self._workshop is not None
        house, workshop = self._house, self._workshop
        self._house = self._doorman = None
        self.crashes += 1
        self.cut_short += len(house.waking)
        self._note(b"crash")
        self._disk.crash(landed=bool(self.dice.below(2)))
        for wire in self._wires:
            wire.cut(house_knows=False)
        self._wires.clear()
        house.timers.stop()
        house.closing = True
        await workshop.close()
        self._examine(house)
        await asyncio.sleep(self.dice.below(3000) / 1000)
        # Whoever sets the clock meanwhile sets it to anything.
        self._wall_offset += self.dice.choice([0, 0, 3600, -7200, 86_400])
        self._start()

    async def _trouble(self) -> None:
        """The disk is full for a while."""
        self._disk.broken = "the disk is full"
        await asyncio.sleep(self.dice.below(8000) / 1000)
        self._disk.broken = ""

    # The evening.

    async def run(self) -> None:
        """Play, with accidents, until everybody has finished."""
        dice = self.dice
        self._start()
        for player in self.players:
            self.later(dice.below(2000) / 1000, player.come)
        for _ in range(ACCIDENTS):
            await asyncio.sleep(dice.below(12_000) / 1000)
            match dice.below(6):
                case 0 | 1 | 2:
                    await self._crash()
                case 3:
                    await self._trouble()
                case _:
                    dice.choice(self.players).cut()
        end = self.loop.time() + EVENING_S
        while not all(player.done for player in self.players):
            await asyncio.sleep(5.0)
            for player in self.players:
                player.patience()
            if self.loop.time() > end:
                late = [player.name for player in self.players if not player.done]
                raise Failure(f"{', '.join(late)} never came to an end")
        assert self._house is not None
        assert self._workshop is not None
        await self._workshop.close()
        await self._house.close("good night")
        await asyncio.sleep(5.0)
        self._examine(self._house)

    # What must be so.

    def check(self) -> Report:
        """Hold what everybody was told against what is stored. Raises Failure."""
        wrong = [*self.loop.failures, *(line for player in self.players for line in player.wrong)]
        if wrong:
            raise Failure("; ".join(wrong[:5]))
        records = 0
        for table in self._disk.ids():
            lines = self._disk.lines(table)
            records += len(lines)
            state, sentence = examine(lines)
            found = damage(lines)
            if state != "ok" or found:
                raise Failure(f"{table} is {state}: {sentence or found}")
            self._hash.update(b"".join(lines))
        told = [
            told for player in self.players if isinstance(player, Person) for told in player.told.values()
        ]
        count = sum(self._compare(one) for one in told)
        matches = len(self._disk.matches(count=1000, private=True))
        return Report(
            digest=self._hash.hexdigest(),
            game=self.game,
            crashes=self.crashes,
            needed=self.needed,
            cut_short=self.cut_short,
            resumed=self.resumed,
            ignored=self.ignored,
            records=records,
            told=count,
            matches=matches,
            virtual_s=round(self.loop.time() - BEGIN_S, 3),
        )

    def _compare(self, told: Told) -> int:
        lines = self._disk.lines(told.table)
        if not lines:
            if told.events:
                raise Failure(f"{told.table}: told of {sorted(told.events)}, and nothing of it is stored")
            return 0
        played = replay(lines, games.load)
        game, seat = played.game, None if told.seat is None else Seat(told.seat)
        truth: dict[int, list[Any]] = {}
        for step in played.steps:
            number = step.record.number
            if step.events:
                seen = (game.seen(event, seat) for event in step.events)
                truth[number] = [event for event in seen if event is not None]
            if number in told.views and _plain(game.view(step.state, seat)) != told.views[number]:
                raise Failure(f"{told.table}: seat {seat} saw another {number} than is stored")
        for number, events in told.events.items():
            if number not in truth or _plain(truth[number]) != events:
                raise Failure(
                    f"{told.table}: seat {seat} was told {number} as {events}, stored: {truth.get(number)}"
                )
        missed = [
            number
            for number in truth
            if number <= told.number
            and number not in told.events
            and not any(first < number <= last for first, last in told.leaps)
        ]
        if missed:
            raise Failure(f"{told.table}: seat {seat} was never told of {missed}")
        if seat is not None:
            self._compare_acts(told, [step.record for step in played.steps])
        return len(told.events)

    @staticmethod
    def _compare_acts(told: Told, records: list[Any]) -> None:
        """Everything a seat did was sent by its player, as the answer to one question, and counts once."""
        answered = 0
        for record in records:
            if isinstance(record.input, Acted) and record.input.seat == told.seat:
                action = _plain(record.input.actions[0])
                fitting = [
                    at for at in told.sent if answered <= at < record.number and action in told.sent[at]
                ]
                if not fitting:
                    raise Failure(f"{told.table}: nobody did what record {record.number} says")
                answered = fitting[0] + 1


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def simulate(seed: int, game: str = "", trace: Callable[[bytes], object] | None = None) -> Report:
    """One evening. Raises Failure (or whatever else went wrong), with the seed in its text."""
    game = game or games.names()[seed % len(games.names())]
    loop = SimulatedLoop()
    try:
        # The one piece of chance below the shell that nobody passes in (pyproject.toml says why).
        ids = Dice(seed)
        with capture_logs() as logs, patch(UUID, lambda: f"{ids.below(1 << 64):032x}"):
            evening = Evening(seed, game, loop, trace)
            loop.run_until_complete(evening.run())
        errors = [line for line in logs if line["log_level"] in ("error", "critical")]
        unexpected = [line for line in errors if line["event"] not in EXPECTED_ERRORS]
        if unexpected:
            raise Failure(f"the log says {unexpected[0]}")
        return evening.check()
    except Exception as error:
        error.add_note(f'repeat it with: make simulate ARGS="--seed {seed} --game {game}"')
        raise
    finally:
        loop.close()
