"""Whole matches played by pressing keys in the headless application: of a game whose answers have one part,
and of one whose answers have several. All five are walked through in real terminals (`test_tmux.py`)."""

import random

import pytest
from tests.clients import stage

from ludoteca.clients.commands import wish_to_play
from ludoteca.clients.widgets.line import Composer

# Whole screens take their time: not for make check.
pytestmark = pytest.mark.slow

# The keys that walk over the choices: a random walk, then Enter, and again until the answer is complete.
ARROWS = ("right", "left", "down", "up")
PRESSES_MAX = 6000


@pytest.mark.parametrize("name", ["multisweeper", "santorini"])
async def test_a_whole_match_is_played_with_arrows_and_enter(name):
    dice = random.Random(name)
    async with stage.application(wish_to_play(name, level="random")) as (app, pilot):
        screen = await stage.at_table(app, pilot)
        desk = screen.desk
        for _ in range(PRESSES_MAX):
            await stage.until(pilot, lambda: desk.asking or desk.phase == "over")
            if desk.phase == "over":
                break
            walk = [dice.choice(ARROWS) for _ in range(dice.randint(1, 2))]
            await stage.quick_press(app, *walk, "enter")
        assert desk.phase == "over"
        await stage.shows(app, pilot, desk.ending()[0][:40])
        await stage.shows(app, pilot, "/rematch")
        # The end panel offers another match, and takes it at once.
        await pilot.press("right", "left", "enter")
        await stage.until(pilot, lambda: desk.phase == "playing")
        composer = screen.query_one(Composer)
        await stage.until(pilot, lambda: desk.asking)
        assert composer.grid.choice is not None
