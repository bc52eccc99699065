"""A run beside an earlier one: what got slower by more than a tenth, and more than chance explains."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludoteca.bench.figures import Figure, number
from ludoteca.bench.processes import BenchError

SECTION = "The machine"
LOOP = "a loop of Python"
SLOWER_MAX = 0.1
# What is counted in times of this machine, and not in multiples of another program's.
_ABSOLUTE = ("CPU", "/s", "of a core")


def machine() -> Figure:
    """How quick this machine is now: times of two runs are compared as multiples of it."""
    best_s = min(_loop_s() for _ in range(7))
    return Figure(
        SECTION, LOOP, best_s * 1e3, "ms CPU", note="by which times are compared with another run's"
    )


def _loop_s() -> float:
    """The processor time of something that Python does all the time: names, calls, small objects."""
    began_s, found = time.process_time(), {}
    for turn in range(20_000):
        found[turn % 97] = (turn, str(turn))
    return time.process_time() - began_s


class Change(NamedTuple):
    """One figure of both runs. `ratio` is above 1 for what got worse."""

    figure: Figure
    before: float
    ratio: float
    slower: bool

    def __str__(self) -> str:
        now, verdict = self.figure, "  SLOWER" if self.slower else ""
        was = f"{number(self.before)} -> {number(now.value)} {now.unit}"
        return f"  {now.name:<52} {was:<30} {self.ratio:.2f}{verdict}"


def changes(before: Iterable[Figure], now: Iterable[Figure]) -> Iterator[Change]:
    """Every figure that both runs have."""
    old = {(figure.section, figure.name): figure for figure in before}
    new = list(now)
    pace = _pace(old.values()) / _pace(new)
    for figure in new:
        was = old.get((figure.section, figure.name))
        if was is None or not was.value or not figure.value or figure.section == SECTION:
            continue
        ratio = was.value / figure.value if figure.more_is_better else figure.value / was.value
        if figure.unit.endswith(_ABSOLUTE):
            ratio *= pace
        if figure.noise is None or was.noise is None:
            yield Change(figure, was.value, ratio, slower=False)
        else:
            yield Change(figure, was.value, ratio, ratio > 1 + SLOWER_MAX + figure.noise + was.noise)


def _pace(figures: Iterable[Figure]) -> float:
    """How long the machine took; 1 where a run does not say."""
    return next((figure.value for figure in figures if figure.name == LOOP and figure.value), 1.0)


def read(file: Path) -> list[Figure]:
    """The figures of an earlier run, as `--json` wrote them. Raises BenchError."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=list[Figure])
    except (OSError, msgspec.DecodeError) as error:
        raise BenchError(f"{file} cannot be compared with: {error}") from None
