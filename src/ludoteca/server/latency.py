"""How long people wait for what their move brings, by game and protocol, counted where it costs next to
nothing: a row of plain numbers for each pair, which a connection keeps at hand."""

from collections.abc import Iterator

from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

# From a move that stays in memory to one whose disk is in trouble.
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
# Behind the counts of the buckets stands the sum of all seconds.
Row = list[float]
SUM = len(BOUNDS) + 1


class Latencies(Collector):
    """All rows, as one histogram for Prometheus."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], Row] = {}

    def row(self, game: str, protocol: str) -> Row:
        """The row of this game over this protocol: `row[bisect_left(BOUNDS, s)] += 1; row[SUM] += s`."""
        return self._rows.setdefault((game, protocol), [0.0] * (SUM + 1))

    def count(self) -> int:
        """All moves so far."""
        return int(sum(sum(row[:SUM]) for row in self._rows.values()))

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """For whoever reads the metrics."""
        family = HistogramMetricFamily(
            "ludoteca_move_seconds",
            "From a person's move to what is told about it; its count is that of the moves",
            labels=["game", "protocol"],
        )
        for labels, row in self._rows.items():
            total, buckets = 0.0, []
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), row, strict=False):
                total += count
                buckets.append((bound, total))
            family.add_metric(labels, buckets, row[SUM])
        yield family
