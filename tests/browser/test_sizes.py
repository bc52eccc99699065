"""Every game with every number of players on every screen: what is offered can be seen, read and pressed."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit

from ludoteca import games

pytestmark = pytest.mark.slow

# So many presses of a match try what was tried least: enough to meet every kind of question.
CURIOUS = {"eriantys": 36, "multisweeper": 12, "renaissance": 40, "santorini": 26, "shelfie": 24}
TABLES = [(name, seats) for name in games.names() for seats in games.load(name).seats]
# Whoever clicks at random needs a field of few mines to see more than its beginning.
FIELDS = {2: {"Mines": "20"}, 8: {"Mines": "30"}}
SMALL = {"Columns": "9", "Rows": "9", "Mines": "4"}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("game", "seats"), TABLES)
async def test_a_whole_match_in_which_every_option_is_in_reach_on_every_screen(
    tmp_path: Path, visit: Visit, game: str, seats: int
):
    """Before each press; no text is small or lies on another, and nothing is found by axe."""
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        options = FIELDS.get(seats, SMALL) if game == "multisweeper" else None
        await player.open_table(page, game, players=seats, options=options)
        alba = reach.Explorer.at(page, seats)
        # Where most sit there is least room; the others see as many sizes of fewer states.
        most = seats == max(games.load(game).seats)
        await alba.play(CURIOUS.get(game, 20) // (1 if most else 2), everywhere=most, axe=most)
        assert alba.wrong == []
        assert alba.clicks > 0
        looked = {size for sizes in alba.seen.values() for size in sizes}
        assert looked == set(reach.SIZES)


# What a player beside a desktop sees of a rival without doing anything.
RIVAL = {
    "eriantys": "text=Dining room",
    "multisweeper": "text=Knock-out",
    "renaissance": "text=Development slots",
    "santorini": ".god .text",
    "shelfie": "[aria-label*=bookshelf]",
}


@pytest.mark.parametrize("game", games.names())
async def test_on_a_phone_a_rival_is_a_tap_away_and_so_are_settings_events_and_the_way_out(
    tmp_path: Path, visit: Visit, game: str
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", phone=True)
        options = {"Gods": "14 to start with"} if game == "santorini" else None
        await player.open_table(page, game, players=3, options=options)
        # A match of Multisweeper may be over after a few clicks, and then its result lies over everything.
        await player.play(page, turns=1 if game == "multisweeper" else 6, seed=5)
        sheet = page.locator("dialog")
        if game == "eriantys":
            facts = re.compile("[0-9] towers( [0-9]+ coins?)?")
            assert all(facts.search(told) for told in await page.locator(".seat .facts").all_inner_texts())
        await page.locator(".seat").nth(1).tap()
        await expect(sheet).to_contain_text("Bot-Ada")
        if game in RIVAL:
            assert await sheet.locator(RIVAL[game]).count() > 0
        await sheet.get_by_role("button", name="Close").tap()

        await page.get_by_role("button", name="Settings").tap()
        for setting in ("Sound", "Theme", "Language"):
            await expect(sheet.get_by_role("radiogroup", name=setting)).to_be_visible()
        await expect(sheet.get_by_role("button", name="Keys")).to_be_visible()
        await sheet.get_by_text("Italiano").tap()
        await expect(sheet).to_contain_text("Lascia il tavolo")
        await sheet.get_by_text("English").tap()
        await sheet.get_by_role("button", name="Close").tap()

        await page.get_by_role("button", name="Events and chat").tap()
        await expect(sheet.locator(".log li").first).to_be_visible()
        await sheet.get_by_role("tab", name="Chat").tap()
        await sheet.get_by_placeholder("Say something").fill("hello")
        await page.keyboard.press("Enter")
        await expect(sheet.locator(".chat")).to_contain_text("hello")
        await sheet.get_by_role("button", name="Close").first.tap()

        await page.get_by_role("button", name="Settings").tap()
        await sheet.get_by_role("button", name="Leave the table").tap()
        await sheet.get_by_role("button", name="Leave", exact=True).tap()
        await expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play tonight?")
