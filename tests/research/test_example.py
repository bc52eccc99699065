"""The example learns, and draws that it does; the page is as it says."""

import doctest
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ludoteca import games, research

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_example_learns_and_draws_a_curve(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    command = [sys.executable, str(ROOT / "examples" / "learning.py"), "80", str(picture)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, timeout=100).stdout
    wins = [int(percent) for percent in re.findall(r"(\d+)% of the time", told)]
    assert len(wins) == 8
    assert max(wins) >= 75
    (curve,) = ET.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}polyline")
    assert len(curve.attrib["points"].split()) == 9


def test_the_page_does_what_it_says() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "research.md"), module_relative=False)
    assert tried > 8
    assert failed == 0


def test_the_page_has_the_true_numbers() -> None:
    page = (ROOT / "docs" / "research.md").read_text()
    for game in games.load_all():
        deal = research.Deal(game)
        assert f"| {game.title} | {deal.numbers:,} | {deal.length:,} |" in page
