"""Masters of Renaissance on a screen: words for everything, and what its places mean."""

import re

import pytest
from tests.clients import stage
from tests.clients.test_board import overheard, place_of, ready, sights

from ludoteca.clients.widgets.board import Picture
from ludoteca.core import Room, Sight
from ludoteca.games.renaissance import GAME
from ludoteca.games.renaissance.data import CARDS, LEADERS, Stock
from ludoteca.games.renaissance.drawing import leader_words, stock_words

LARGE = (Room(117, 28), Room(171, 48))


def test_stocks_are_said_as_a_person_says_them():
    assert stock_words(Stock(1, 2, 0, 0), 1) == "1 coin 2 stones 1 faith"
    assert stock_words(Stock()) == "nothing"


@pytest.mark.parametrize("leader", LEADERS)
def test_every_leader_says_what_it_does_and_needs_on_one_line(leader):
    assert "needs" in leader_words(leader)
    assert len(f"in hand {leader} {leader_words(leader)}") <= 73


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_large_table_has_no_codes_and_cuts_nothing_off(seats):
    for long, _ in sights("renaissance", seats):
        sight = Sight(long.view, ("Ann", "Ben", "Cleo", "Dan")[:seats], long.seat, long.before)
        for room in LARGE:
            drawing = GAME.text.board(sight, room)
            assert drawing is not None
            shown = "\n".join(drawing.rows)
            assert not re.search(r"\d(CO|ST|SE|SH)\b|\dvp", shown)
            for pile in sight.view.grid:
                if pile.card is not None:
                    assert pile.card in shown
                    assert stock_words(CARDS[pile.card].cost) in shown
            cut = [row for row in drawing.rows if "…" in row]
            # What was begun may be too long for its line.
            assert all(row.startswith(("To be placed", "Begun", "This is the last")) for row in cut), cut


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_two_leaders_are_clicked(size):
    desk = stage.staged("renaissance", steps=0)
    assert desk.prompt is not None
    wanted = desk.prompt.answers[-1]
    first, second = wanted.split()[1:]
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, _ = await ready(app, pilot)
        # In whatever order.
        await pilot.click(Picture, offset=place_of(screen, second))
        await pilot.click(Picture, offset=place_of(screen, first))
        await stage.until(pilot, lambda: sent)
        assert sent == [wanted]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(120, 40), (200, 60)], ids=lambda size: f"{size[0]}")
async def test_a_line_of_the_market_is_taken_by_its_name(size):
    steps = 0
    while True:
        desk = stage.staged("renaissance", steps=steps)
        assert desk.prompt is not None
        if "take column 3" in desk.prompt.answers:
            break
        steps += 1
    sent = overheard(desk)
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        screen, _ = await ready(app, pilot)
        await pilot.click(Picture, offset=place_of(screen, "take column 3"))
        await stage.until(pilot, lambda: sent)
        assert sent == ["take column 3"]
