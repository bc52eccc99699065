"""The full-screen client in a real terminal: what a headless one cannot show."""

from pathlib import Path

import pytest
from tests import rig
from tests.clients.terminal import PLAY, Terminal

from ludoteca.bench.processes import cpu_s

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

# What Santorini asks a player of an island without gods until the bot has made its first whole turn.
OPENING = (
    "Choose who begins",
    "Choose your colour",
    "Place worker 1",
    "Place worker 2",
    "Move one",
    "Build\\.",
)


def test_bots_really_think_behind_a_full_screen(tmp_path: Path) -> None:
    """The screen takes standard error for itself; workers must start all the same, or every
    bot plays at random."""
    terminal = Terminal(
        [*PLAY, "santorini", "--option", "gods=none", "--as", "Ann", "--level", "master"], tmp_path
    )
    try:
        for question in OPENING:
            terminal.until(question)
            terminal.type("/any")
        shown = terminal.until("Bot-Ada builds")
        assert "broke down" not in shown
        (worker,) = rig.workers_below(terminal.pid())
        # Starting takes a third of that; one search of 0.7 s serves a move and its building.
        assert cpu_s(worker) > 0.7, "the strongest bot has thought"
    finally:
        terminal.close()
