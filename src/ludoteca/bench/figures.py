"""What a benchmark found: one figure with its unit and, where there is one, its aim; and
how figures are printed."""

from collections.abc import Sequence

import msgspec

# Of a figure that was taken once.
NOISE = 0.1


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the report.

    `aim` is the greatest value that is good enough, or the least with `more_is_better`.

    `value` is None for what could not be measured; the note says why. `noise` is how far the value may be off
    by chance, as a part of it; None for wall time, which says nothing about another run.
    """

    section: str
    name: str
    value: float | None
    unit: str
    aim: float | None = None
    more_is_better: bool = False
    note: str = ""
    noise: float | None = NOISE

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None where there is none."""
        if self.aim is None:
            return None
        if self.value is None:
            return False
        return self.value >= self.aim if self.more_is_better else self.value <= self.aim


def percentile(ordered: Sequence[float], part: float) -> float:
    """What so many percent of these do not exceed; they are in order."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * part / 100))]


def number(value: float | None) -> str:
    """Three digits that mean something."""
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:,.0f}"
    if value >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def line(figure: Figure) -> str:
    """One figure as text."""
    verdict = ""
    if figure.aim is not None:
        sign = "at least" if figure.more_is_better else "at most"
        verdict = f"aim {sign} {number(figure.aim)}: {'yes' if figure.met else 'NO'}"
    text = f"  {figure.name:<44} {number(figure.value):>9} {figure.unit:<14} {verdict:<22} {figure.note}"
    return text.rstrip()
