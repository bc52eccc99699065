"""This tree beside another one: the same moves in turns, so that both see the same weather. It is the short
form that guards against slowing down."""

import statistics
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

from ludoteca.bench.bouts import Spent
from ludoteca.bench.compare import SLOWER_MAX
from ludoteca.bench.figures import Figure
from ludoteca.bench.moves import cases
from ludoteca.bench.processes import BenchError, house, other_house
from ludoteca.bench.traffic import Case, bout, doubt, typical_us

SECTION = "Beside another tree: server CPU of a durable move, as a multiple of what it takes there"
ROUNDS = 4
# One row for each way through the house, and for each game.
GUARDED = (
    "eriantys, house protocol",
    "multisweeper, its own lines",
    "multisweeper, its own lines over WebSocket",
    "renaissance, its own lines",
    "santorini, its own lines",
    "shelfie, its own lines",
)


async def figures(source: Path) -> AsyncGenerator[Figure, None]:
    """One figure for each guarded row. `source` is the folder that has the other tree's package."""
    if not (source / "ludoteca" / "cli").is_dir():
        raise BenchError(f"there is no ludoteca in {source}")
    for case in cases():
        if case.name in GUARDED:
            yield await compared(case, source)


async def compared(case: Case, source: Path, rounds: int = ROUNDS) -> Figure:
    """One row: bouts of both houses in turns, each the first as often as the other."""
    here: list[Spent] = []
    there: list[Spent] = []
    with tempfile.TemporaryDirectory() as folder:
        mine, other = Path(folder, "mine"), Path(folder, "other")
        try:
            async with (
                house(mine, case.listener, **case.settings) as new,
                other_house(source, other, case.listener, **case.settings) as old,
            ):
                sides = [(new, case.driver(mine), mine, here), (old, case.driver(other), other, there)]
                # The first bout warms up and is not counted.
                for number in range(rounds + 1):
                    for server, driver, data, spent in sides[:: -1 if number % 2 else 1]:
                        spent.append(await bout(server, driver, case, data))
        except (BenchError, TimeoutError, ConnectionError) as error:
            note = f"not measured: {str(error) or 'it took too long'}"
            return Figure(SECTION, case.name, None, "x", 1 + SLOWER_MAX, note=note)
    noise = doubt(here[1:], there[1:])
    # Of pairs that came one after the other: what slows the machine down slows both.
    pairs = zip(here[1:], there[1:], strict=True)
    ratio = statistics.median(one.move_us / two.move_us for one, two in pairs)
    note = f"{typical_us(there[1:]):.0f} us there, {typical_us(here[1:]):.0f} us here"
    return Figure(SECTION, case.name, ratio, "x", 1 + SLOWER_MAX + noise, note=note, noise=noise)
