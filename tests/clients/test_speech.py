"""Line by line the board is told in sentences, which a screen reader can read out."""

import os

import pytest
from tests.clients import stage

from ludoteca import games
from ludoteca.clients import linear, parsing
from ludoteca.clients.desks.house import HouseTable
from ludoteca.games.santorini.data import Cell
from ludoteca.games.santorini.events import Built

GAMES = [game.name for game in games.load_all() if game.text.speak.__name__ == "speak"]


def test_every_game_of_the_house_can_be_heard() -> None:
    assert {"eriantys", "multisweeper", "renaissance", "santorini", "shelfie"} <= set(GAMES)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("steps", [0, 30, 10_000])
def test_a_board_is_sentences_of_words(name: str, steps: int) -> None:
    desk = stage.staged(name, steps=steps, seats=3)
    sentences = desk.sentences()
    assert len(sentences) >= 2
    for sentence in sentences:
        assert sentence.endswith(".")
        assert sentence.isascii(), "no sign that is only drawn"
        assert "  " not in sentence.strip()
        assert not any(sign in sentence for sign in "[]<>|*")
    assert any("Ann" in sentence for sentence in sentences)


def test_santorini_tells_where_everybody_stands() -> None:
    desk = stage.staged("santorini", steps=40)
    view = desk.view
    said = " ".join(desk.sentences())
    for worker in view.workers:
        level = view.levels[worker.i][worker.j]
        place = f"{'ABCDE'[worker.j]}{worker.i + 1}"
        height = f"level {level}, " if level else ""
        assert f"{place}: {height}{desk.names[worker.seat]}'s worker {worker.number}." in said


async def test_after_the_first_time_only_what_changed_is_told() -> None:
    desk = stage.staged("santorini", steps=20)
    said: list[str] = []
    with open(os.devnull) as nothing:
        shown = linear.Linear(desk, linear.Typed(nothing), said.append, ascii_only=False)
        shown._ask()
    assert "All other spaces are empty ground." in said
    before = len(said)
    desk.picture += " "
    desk.view = desk.game.update(desk.view, _built(desk))
    shown._asked = None
    shown._ask()
    news = said[before:]
    assert "All other spaces are empty ground." not in news
    assert any("level" in line for line in news)
    shown._do(parsing.parse("/board drawn"))
    assert any(line.startswith("  1  ") for line in said), "who sees it may have it drawn"


def _built(desk: HouseTable) -> object:
    """Somebody builds on a space that is bare."""
    taken = {(worker.i, worker.j) for worker in desk.view.workers}
    i, j = next(
        (i, j) for i in range(5) for j in range(5) if not desk.view.levels[i][j] and (i, j) not in taken
    )
    return Built(0, 1, Cell(i, j), Cell(i, j), False)
