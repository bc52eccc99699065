"""This tree beside another one: the same moves in turns, so that both see the same weather. It is the short
form that guards against slowing down."""

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from pathlib import Path

import ludoteca
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

RANDOM = "Beside another tree: CPU of a random move on the bare rules, as a multiple of what it takes there"
# So many times each tree plays the same games, in turns; what counts is the best turn of each, for whoever
# else is on the machine only ever makes it slower.
TURNS = 40
GAMES = 6
SHORT_GAMES = {"multisweeper": 60}
# Plays so many random games for each line it reads, by its own tree's benchmark.
_PLAYER = """
import sys
from ludoteca import games
from ludoteca.bench.playouts import play, ways
rows = {name: (game, options) for game in games.load_all() for name, options in ways(game)}
print(*rows, sep="\\t", flush=True)
for line in sys.stdin:
    name, count = line.rstrip("\\n").split("\\t")
    played = play(*rows[name], 2, 0.0, int(count))
    print(played.moves, played.cpu_s, flush=True)
"""


def _checked(source: Path) -> Path:
    if not (source / "ludoteca" / "cli").is_dir():
        raise BenchError(f"there is no ludoteca in {source}")
    return source


class _Player:
    """Another process that plays by the rules of one tree."""

    def __init__(self, source: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PLAYER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
        )
        self.rows = self._hear().split("\t")

    def _hear(self) -> str:
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        if not said:
            raise BenchError("a tree cannot play its random games")
        return said.rstrip("\n")

    def play(self, row: str, games: int) -> tuple[int, float]:
        """The moves that so many games took, and the seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{row}\t{games}\n")
        self._process.stdin.flush()
        moves, seconds = self._hear().split()
        return int(moves), float(seconds)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


async def random_figures(source: Path, turns: int = TURNS) -> AsyncGenerator[Figure, None]:
    """One figure for each game that both trees know, in every way to play it."""
    here, there = Path(ludoteca.__file__).parent.parent, _checked(source)
    with contextlib.closing(_Player(here)) as mine, contextlib.closing(_Player(there)) as other:
        for row in mine.rows:
            if row in other.rows:
                yield _played(row, mine, other, turns)


def _played(row: str, mine: _Player, other: _Player, turns: int) -> Figure:
    games = SHORT_GAMES.get(row, GAMES)
    best = dict.fromkeys((mine, other), 0.0)
    for turn in range(turns):
        for player in (mine, other)[:: -1 if turn % 2 else 1]:
            moves, seconds = player.play(row, games)
            best[player] = max(best[player], moves / seconds)
    ratio = best[other] / best[mine]
    note = f"{best[other]:,.0f} moves/s there, {best[mine]:,.0f} here, {1 / ratio:.2f} times as many"
    return Figure(RANDOM, row, ratio, "x", 1 + SLOWER_MAX, note=note)


async def figures(source: Path) -> AsyncGenerator[Figure, None]:
    """One figure for each guarded row. `source` is the folder that has the other tree's package."""
    _checked(source)
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
