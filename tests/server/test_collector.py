"""The collector of cycles: nothing that comes and goes needs it, so it works only when nobody has to wait."""

import asyncio
import gc
import re
import subprocess
import sys
import weakref
from collections import Counter
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest
from structlog.testing import capture_logs
from tests import rig
from tests.disk import Disk
from tests.simulation.loop import SimulatedLoop
from tests.simulation.world import SimulatedWorker

from ludoteca import games
from ludoteca.core import Dice
from ludoteca.core.requests import Enter, Open
from ludoteca.core.talk import Caller
from ludoteca.server import collector as collecting
from ludoteca.server.collector import Collector
from ludoteca.server.doorman import Doorman
from ludoteca.server.house import House
from ludoteca.server.settings import Settings
from ludoteca.server.tcp import LineLink
from ludoteca.server.workshop import Workshop
from ludoteca.server.world import World
from ludoteca.wire.either import Either
from ludoteca.wire.house import Copier, HouseConversation

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
MOVES = 4
EVENINGS = 1000
# Every way to spend one, twice: what is loaded or looked up once has been.
FIRST = 60
# After so long everybody has gone home, and the last alarm has rung.
HOME_S = 700.0


class Socket(asyncio.Transport):
    """The house's end of a line that loses nothing and takes no time."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.over = False

    def write(self, data: Any) -> None:
        self.sent.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return 0

    def can_write_eof(self) -> bool:
        return False

    def is_closing(self) -> bool:
        return self.over

    def close(self) -> None:
        self.over = True

    abort = close

    def is_reading(self) -> bool:
        return True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


def _ignore(*_: object) -> None:
    """Nobody asks for a hint, or which move decided."""


class Inn:
    """A house in which many evenings pass."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.dice = Dice(5)
        disk = Disk(loop.call_later)
        world = World(
            wall=lambda: 1_767_225_600.0 + loop.time(),
            monotonic=loop.time,
            bits=lambda count: (self.dice.below(1 << 64) << 64 | self.dice.below(1 << 64)) >> (128 - count),
            keep=disk.keep,
            hire=lambda _settings: SimulatedWorker(self.dice, late=False, met=lambda _what: None),
        )
        generous = Settings(rate_per_s=1e9, rate_burst=1e9, rate_per_address_per_s=1e9, deserted_s=300.0)
        self.house = House(generous, lambda guest: self.workshop.drive(guest), _ignore, _ignore, world)
        self.workshop = Workshop(self.house)
        self.doorman = Doorman(self.house)
        self.copier = Copier()
        # The other side's programs are not what is looked at.
        self.callers: list[Caller] = []

    def visit(self, listener: str, caller: Caller | None = None) -> "Visitor":
        """Somebody comes in."""
        if listener == "house":
            converse: Any = partial(HouseConversation, games.load, self.copier)
        else:
            wire, settings = games.load(listener).protocol(), self.house.defaults[listener].settings
            converse = partial(wire.converse, settings)
            if wire.java is not None:
                converse = partial(Either, converse, partial(wire.java, settings))
        link = LineLink(self.house, listener, converse, self.doorman.admit("10.0.0.1", listener))
        return Visitor(self, link, caller)

    async def evening(self, number: int) -> None:
        """Two meet, or one and a bot, with Ludoteca's own protocol or the game's; they watch, return, err."""
        game = games.names()[number % len(games.names())]
        if number % 2:
            await self._own(game, number)
        else:
            await self._native(game, number)
        await asyncio.sleep(5.0)

    async def _own(self, game: str, number: int) -> None:
        anna, bruno, carla = (self.visit("house") for _ in range(3))
        for visitor, name in ((anna, "Anna"), (bruno, "Bruno"), (carla, "Carla")):
            await visitor.say({"type": "hello", "name": f"{name}{number}", "options_max": 1000})
        await anna.say({"type": "open", "game": game, "seats": 2})
        seated = anna.last("seated")
        if number % 3:
            await bruno.say({"type": "sit", "table": seated["table"]["id"]})
        else:
            await anna.say({"type": "bot", "level": "random"})
        await carla.say({"type": "watch", "table": seated["table"]["id"]}, {"type": "say", "text": "hello"})
        for _ in range(MOVES):
            await asyncio.sleep(2.0)
            for visitor in (anna, bruno):
                question = visitor.news("question")
                if question is not None:
                    action = self.dice.choice(question["options"])
                    await visitor.say({"type": "act", "action": action, "at": question["number"]})
                    await visitor.say({"type": "act", "action": action, "at": question["number"]})
        anna.hang_up()
        await carla.say({"type": "list"}, {"type": "nonsense"}, {"type": "leave"})
        anna = self.visit("house")
        await anna.say({"type": "return", "token": seated["token"]})
        for visitor in (anna, bruno):
            await visitor.say({"type": "leave"})
        await bruno.say({"type": "return", "token": "nobody's"})
        for visitor in (anna, bruno, carla):
            visitor.hang_up()

    async def _native(self, game: str, number: int) -> None:
        callers = [games.load_client(game)(f"{name}{number}") for name in ("Elsa", "Fabio")]
        self.callers += callers
        visitors = [self.visit(game, caller) for caller in callers]
        for _ in range(4 * MOVES):
            for visitor in visitors:
                await visitor.answer()
        for visitor in visitors:
            visitor.hang_up()


class Visitor:
    """Somebody at the other end."""

    def __init__(self, inn: Inn, link: LineLink, caller: Caller | None) -> None:
        self._inn = inn
        self._link: LineLink | None = link
        self._socket = Socket()
        self._caller = caller
        self.heard: list[dict[str, Any]] = []
        link.connection_made(self._socket)
        if caller is not None:
            self._send(caller.open(inn.loop.time()))

    def _send(self, data: bytes) -> None:
        if self._link is not None and data:
            self._link.data_received(data)

    async def say(self, *messages: dict[str, Any]) -> None:
        for message in messages:
            self._send(msgspec.json.encode(message) + b"\n")
            await asyncio.sleep(0.1)

    def _listen(self) -> None:
        sent, self._socket.sent[:] = b"".join(self._socket.sent), []
        self.heard += [msgspec.json.decode(line) for line in sent.splitlines()]

    def last(self, kind: str) -> dict[str, Any]:
        self._listen()
        return [message for message in self.heard if message["type"] == kind][-1]

    def news(self, kind: str) -> dict[str, Any] | None:
        self._listen()
        heard, self.heard = self.heard, []
        return next((message for message in heard if message["type"] == kind), None)

    async def answer(self) -> None:
        """As the game's own client, at random."""
        caller, now = self._caller, self._inn.loop.time
        assert caller is not None
        await asyncio.sleep(0.3)
        sent, self._socket.sent[:] = b"".join(self._socket.sent), []
        self._send(caller.receive(sent, now()))
        if caller.alarm is not None and caller.alarm <= now():
            self._send(caller.tick(now()))
        if caller.answers and not caller.over:
            few = tuple(one for one in caller.answers if one.startswith("join")) or tuple(
                one for one in caller.answers if "2" in one.split()
            )
            self._send(caller.answer(self._inn.dice.choice(few or caller.answers)))

    def hang_up(self) -> None:
        link, self._link = self._link, None
        self._socket.over = True
        if link is not None:
            link.connection_lost(None)


def test_a_thousand_evenings_leave_no_cycle_behind() -> None:
    """In a process of its own: what other tests left behind is none of this house's business."""
    code = "from tests.server.test_collector import spend; spend()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def spend() -> None:
    """A thousand evenings, after which there is nothing to collect."""
    loop = SimulatedLoop()

    async def evenings() -> tuple[int, list[Any]]:
        inn = Inn(loop)
        for number in range(FIRST):
            await inn.evening(number)
        await asyncio.sleep(HOME_S)
        gc.collect()
        gc.disable()
        gc.set_debug(gc.DEBUG_SAVEALL)
        try:
            for number in range(FIRST, FIRST + EVENINGS):
                await inn.evening(number)
            await asyncio.sleep(HOME_S)
            assert not inn.house.hall.tables
            assert not inn.house.hall.guests
            return gc.collect(), list(gc.garbage)
        finally:
            gc.set_debug(0)
            gc.enable()
            gc.garbage.clear()
            assert len(inn.house.archive.matches(count=10_000)) > EVENINGS / 2, "matches were played"
            assert sample(inn, "ludoteca_records_total") > 10 * EVENINGS
            await inn.workshop.close()

    found, garbage = loop.run_until_complete(evenings())
    assert not loop.failures
    loop.close()
    assert not found, Counter(type(one).__qualname__ for one in garbage).most_common(20)


class Ring:
    """Nobody can let go of it but the collector."""

    def __init__(self) -> None:
        self.itself = self


class Rings:
    """Cycles of which it can be seen whether they are still there."""

    def __init__(self, count: int) -> None:
        self._made = [weakref.ref(Ring()) for _ in range(count)]

    def left(self) -> int:
        return sum(ring() is not None for ring in self._made)


@pytest.fixture
async def inn() -> AsyncIterator[Inn]:
    made = Inn(asyncio.get_running_loop())
    yield made
    await made.workshop.close()


@pytest.fixture
async def collector(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collector]:
    monkeypatch.setattr(collecting, "LOOK_S", 0.01)
    monkeypatch.setattr(collecting, "QUIET_LOOKS", 5)
    made = Collector(inn.house)
    made.start()
    yield made
    made.stop()


def sample(inn: Inn, name: str, **labels: str) -> float:
    return inn.house.metrics.registry.get_sample_value(name, labels) or 0.0


async def busy(inn: Inn, looks: int) -> None:
    """People play for so long."""
    for _ in range(looks * 5):
        inn.house.dispatch()
        await asyncio.sleep(0.002)


async def test_while_people_play_nothing_is_collected(inn: Inn, collector: Collector) -> None:
    rings = Rings(3000)
    await busy(inn, 20)
    assert rings.left() == 3000
    assert sample(inn, "ludoteca_objects_grown") >= 3000
    assert not sample(inn, "ludoteca_collections_total", why="quiet")


async def test_when_it_is_quiet_also_what_was_there_at_the_start_is_collected(
    inn: Inn, collector: Collector
) -> None:
    rings = Rings(3000)
    collector.keep()
    async with asyncio.timeout(rig.PATIENCE_S):
        while rings.left():
            await asyncio.sleep(0.01)
    assert sample(inn, "ludoteca_garbage_objects") >= 3000
    assert sample(inn, "ludoteca_collection_pause_seconds") > 0
    before = sample(inn, "ludoteca_collections_total", why="quiet")
    await asyncio.sleep(0.2)
    assert sample(inn, "ludoteca_collections_total", why="quiet") == before, "once is enough"


async def test_the_more_there_is_to_look_through_the_longer_it_must_have_been_quiet(
    inn: Inn, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "QUIET_LOOKS", 1 << 30)
    monkeypatch.setattr(collecting, "GROWN_SOME", 2)
    rings = Rings(3000)
    # Some looks without anything to do, but not fifteen hundred.
    await asyncio.sleep(0.2)
    assert rings.left() == 3000
    monkeypatch.setattr(collecting, "GROWN_SOME", 2000)
    async with asyncio.timeout(rig.PATIENCE_S):
        while rings.left():
            await asyncio.sleep(0.01)


async def test_what_live_tables_make_is_no_reason_for_a_pause(
    inn: Inn, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "GROWN_MAX", 0)
    monkeypatch.setattr(collecting, "GROWN_PER_TABLE", 1_000_000)
    first = inn.house.hall.arrive("house")
    inn.house.submit(first, [Enter("first"), Open("multisweeper", 2)], 0.0)
    rings = Rings(3000)
    await busy(inn, 20)
    assert rings.left() == 3000
    monkeypatch.setattr(collecting, "GROWN_PER_TABLE", 2000)
    await busy(inn, 20)
    assert not rings.left()


async def test_when_there_is_much_a_moment_of_quiet_is_enough(
    inn: Inn, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "QUIET_LOOKS", 1 << 30)
    monkeypatch.setattr(collecting, "GROWN_SOME", 2000)
    rings = Rings(3000)
    await busy(inn, 10)
    assert rings.left() == 3000
    async with asyncio.timeout(rig.PATIENCE_S):
        while rings.left():
            await asyncio.sleep(0.01)


async def test_too_much_is_collected_at_once_and_said_so(
    inn: Inn, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "GROWN_MAX", 2000)
    rings = Rings(3000)
    with capture_logs() as logs:
        await busy(inn, 20)
    assert not rings.left()
    assert sample(inn, "ludoteca_collections_total", why="pressed") >= 1
    (line,) = [line for line in logs if line["event"] == "collected while people play"][:1]
    assert line["found"] >= 3000


async def test_a_house_that_serves_collects_by_itself(tmp_path: Path) -> None:
    """Python would have collected after every 700 objects."""
    async with rig.process(tmp_path, "house", "metrics") as server, aiohttp.ClientSession() as session:
        guests = [await rig.enter(server, f"guest {number}") for number in range(100)]
        url = f"http://127.0.0.1:{server.addresses['metrics'][1]}/metrics"
        async with session.get(url) as answer:
            text = await answer.text()
        for guest in guests:
            guest.cut()
    grown = re.search(r"^ludoteca_objects_grown (\S+)$", text, re.M)
    assert grown is not None
    assert float(grown[1]) > 700
