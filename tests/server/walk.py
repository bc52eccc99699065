"""How far a line walks through the house: from the bytes that arrive to the bytes that everybody is sent.

`python -m tests.server.walk` shows it for a click of Multisweeper and a market line of Renaissance over their
own lines, and over Ludoteca's own protocol for a click and for moves of Santorini, alone or watched.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from tests import rig

import ludoteca
from ludoteca.bench.audience import Spectator
from ludoteca.bench.links import connect
from ludoteca.bench.players import multisweeper, renaissance
from ludoteca.bench.players.house import HouseDriver
from ludoteca.bench.traffic import Driver
from ludoteca.server.serve import Server
from ludoteca.server.world import World

SOURCE = f"{Path(ludoteca.__file__).parent}/"
PLAYERS = f"{SOURCE}bench/"


class Walk:
    """One line of a client: which of our functions were called until all was told, and how deep."""

    def __init__(self, line: bytes) -> None:
        self.line = line
        self.calls: list[tuple[int, str, str]] = []

    @property
    def depth(self) -> int:
        """How many of our functions were at work at once."""
        return max(depth for depth, _, _ in self.calls)

    @property
    def files(self) -> set[str]:
        """Whose functions those were."""
        return {file for _, file, _ in self.calls}

    def __str__(self) -> str:
        said = self.line.decode().strip()[:50]
        return f"{said:50} {len(self.calls):4} calls, {self.depth} deep, {len(self.files)} files"


@contextmanager
def walks() -> Iterator[list[Walk]]:
    """Every line that arrives meanwhile, one after the other: whoever plays waits for what is told."""
    found: list[Walk] = []
    depth = elsewhere = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth, elsewhere
        file, name = frame.f_code.co_filename, frame.f_code.co_name
        if not file.startswith(SOURCE) or event not in ("call", "return"):
            return
        if elsewhere or file.startswith(PLAYERS):
            # What a player needs to decide is no part of the way.
            elsewhere += 1 if event == "call" else -1
            return
        if event == "return":
            depth -= 1
            return
        if name == "data_received":
            found.append(Walk(frame.f_locals["data"]))
        depth += 1
        if found:
            found[-1].calls.append((depth, file.removeprefix(SOURCE), name))

    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)


async def of_a_table(driver: Driver, address: tuple[str, int], moves: int, watchers: int = 0) -> list[Walk]:
    """The walks of a few moves at a table of two, before so many who look on and follow views."""
    table = await driver.seat(address)
    audience = []
    for _ in range(watchers):
        assert isinstance(driver, HouseDriver)
        audience.append(Spectator(driver.last_table.encode()))
        await connect(address, "", audience[-1])
        audience[-1].link.send(b'{"type":"hello","follow":"views"}')
        await audience[-1].seated
    # Signs of life that were due are over.
    await asyncio.sleep(0.2)
    try:
        with walks() as found:
            table.begin(moves)
            while not (table.done and all(one.events >= moves for one in audience)):
                await asyncio.sleep(0.005)
        assert not table.over
        return found
    finally:
        table.close()
        for one in audience:
            one.link.close()


async def all_walks(folder: Path) -> dict[str, list[Walk]]:
    """Clicks of Multisweeper and a turn of Renaissance over their own lines; over Ludoteca's own protocol a
    click, and moves of Santorini, alone and before an audience."""
    # Chance is a number that counts up: the same cards and marbles every time.
    numbers = count(1)
    world = World(bits=lambda _: next(numbers))
    server = Server(rig.settings(folder, "multisweeper", "renaissance", "house", java=False), world)
    await server.start()
    try:
        own = {game: server.addresses[game] for game in ("multisweeper", "renaissance")}
        house = server.addresses["house"]
        return {
            "multisweeper": await of_a_table(multisweeper.Driver(folder), own["multisweeper"], 3),
            "renaissance": await of_a_table(renaissance.Driver(folder), own["renaissance"], 3),
            # The first finds out what all others know, and during some the house does something else, too.
            "a click": [
                walk
                for number in range(5)
                for walk in await of_a_table(HouseDriver("multisweeper", name=f"sweeper{number}"), house, 1)
            ],
            "a move": await of_a_table(HouseDriver("santorini", name="builder"), house, 3),
            "a move before 10": await of_a_table(HouseDriver("santorini", name="ten"), house, 3, 10),
            "a move before 20": await of_a_table(HouseDriver("santorini", name="twenty"), house, 3, 20),
        }
    finally:
        await server.stop()


def main() -> None:
    """Show them."""
    with tempfile.TemporaryDirectory() as folder:
        for found in asyncio.run(all_walks(Path(folder))).values():
            print(*found, sep="\n")


if __name__ == "__main__":
    main()
