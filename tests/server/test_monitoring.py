"""What docs/monitoring asks Prometheus for is what the house tells."""

import json
import re
from pathlib import Path

import pytest

from ludoteca.server.metrics import Metrics

MONITORING = Path(__file__).parents[2] / "docs/monitoring"
NAME = re.compile(r"\bludoteca_[a-z_]+")


def told() -> set[str]:
    """Every series of a house."""
    names = set()
    for family in Metrics().registry.collect():
        tails = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}.get(family.type, ("",))
        names |= {family.name + tail for tail in tails}
    return names


@pytest.mark.parametrize("file", ["grafana.json", "alerts.yml"])
def test_every_series_that_is_asked_for_is_told(file: str) -> None:
    asked = set(NAME.findall((MONITORING / file).read_text()))
    assert asked
    assert asked <= told()


def test_the_dashboard_is_one_that_grafana_reads() -> None:
    board = json.loads((MONITORING / "grafana.json").read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]}
    assert len(places) == len(board["panels"]), "one panel lies on another"


def test_on_several_machines_every_series_says_whose_it_is() -> None:
    metrics = Metrics()
    metrics.connections.labels("http").set(3)
    for _ in range(2):
        lines = [line for line in metrics.page("node-1").decode().splitlines() if not line.startswith("#")]
        assert lines
        assert all('node="node-1"' in line for line in lines)
        assert 'ludoteca_connections{listener="http",node="node-1"} 3.0' in lines
    assert b"node=" not in metrics.page(), "a machine alone has no name"
