"""One connection's session at a real house, in a loop whose time is made up."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tests.disk import Disk
from tests.simulation.loop import SimulatedLoop

from ludoteca import games
from ludoteca.core import Notice, Request
from ludoteca.server.house import House
from ludoteca.server.session import Session
from ludoteca.server.settings import Settings
from ludoteca.server.timers import SLOT_S
from ludoteca.server.world import World
from ludoteca.wire.house import Copier, HouseConversation

OPEN = b'{"type":"open","game":"santorini","seats":2}\n'


class Line:
    """A link that takes everything at once."""

    def __init__(self) -> None:
        self.told = b""
        self.paused = False

    def write(self, data: bytes) -> None:
        self.told += data

    def backlog(self) -> int:
        return 0

    def finish(self) -> None:
        pass

    def pause(self, paused: bool) -> None:
        self.paused = paused


class Clock:
    """A conversation that wants to be called at each of these times, and whenever anything comes."""

    closing = False

    def __init__(self, *times: float) -> None:
        self._times = list(times)
        self.rang: list[float] = []
        self.alarm: float | None = None

    def greet(self, now: float) -> list[Request]:
        self.alarm = self._times.pop(0)
        return []

    def receive(self, data: bytes, now: float) -> list[Request]:
        self.alarm = now
        return []

    def send(self, notice: Notice, now: float) -> bytes:
        return b""

    def tick(self, now: float) -> list[Request]:
        self.rang.append(now)
        self.alarm = self._times.pop(0) if self._times else None
        return []


@pytest.fixture
def loop() -> Iterator[SimulatedLoop]:
    made = SimulatedLoop()
    asyncio.set_event_loop(made)
    yield made
    asyncio.set_event_loop(None)
    made.close()


def _ignore(*_: object) -> None:
    """There are no bots, and nobody asks about matches that are over."""


async def _house(loop: SimulatedLoop, disk: Disk, **settings: Any) -> House:
    numbers = itertools.count(1)
    world = World(wall=loop.time, monotonic=loop.time, bits=lambda _count: next(numbers), keep=disk.keep)
    drive: Any = _ignore
    return House(Settings(**settings), drive, _ignore, _ignore, world)


def test_what_had_to_wait_is_not_carried_out_while_nothing_can_be_stored(loop: SimulatedLoop) -> None:
    async def evening() -> None:
        disk = Disk(loop.call_later)
        house = await _house(loop, disk, rate_per_s=0.5, rate_burst=1.0)
        lines = [Line(), Line()]
        anna, bruno = (
            Session(house, "house", HouseConversation(games.load, Copier()), line, f"10.0.0.{number}")
            for number, line in enumerate(lines)
        )
        for line in (b'{"type":"hello","name":"Anna"}\n', OPEN):
            anna.receive(line)
            await asyncio.sleep(5.0)
        bruno.receive(b'{"type":"hello","name":"Bruno"}\n')
        await asyncio.sleep(0.1)
        bruno.receive(OPEN)  # This comes too early, and waits.
        stored = house._appended
        disk.broken = "the disk is full"
        anna.receive(b'{"type":"say","text":"hello"}\n')
        await asyncio.sleep(60.0)
        assert house.trouble
        assert house._appended == stored + 1, "what nobody stores must not gather"
        disk.broken = ""
        await asyncio.sleep(5.0)
        assert b'"said"' in lines[0].told
        assert b'"seated"' in lines[1].told
        assert not any(line.paused for line in lines)
        house.timers.stop()

    loop.run_until_complete(evening())


def test_an_alarm_that_comes_before_another_does_not_have_that_one_set_twice(loop: SimulatedLoop) -> None:
    async def evening() -> None:
        house = await _house(loop, Disk(loop.call_later), handshake_s=3600.0)
        begin = house.now()
        clock = Clock(*[begin + 600.0] * 11)
        session = Session(house, "house", clock, Line(), "10.0.0.1")
        session.open()
        for _ in range(10):
            session.receive(b"now\n")
            await asyncio.sleep(1.0)
        alarms = house.timers._slots[int((begin + 600.0) / SLOT_S) + 1]
        assert len(alarms) == 1
        await asyncio.sleep(700.0)
        assert len(clock.rang) == 11
        house.timers.stop()

    loop.run_until_complete(evening())
