"""Every game from the lobby to its replay, by clicking only what is offered."""

import re
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit

from ludoteca import games

pytestmark = pytest.mark.slow

# What is only there to be seen when all cards are face up.
REVEALED = {"multisweeper": "#board .mine", "renaissance": ".seats .hand", "shelfie": "#board .wanted"}
SMALL = {"multisweeper": {"Columns": "6", "Rows": "6", "Mines": "5"}}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", games.names())
async def test_a_match_by_touch_on_a_phone_to_its_end_then_its_replay_on_a_desktop(
    tmp_path: Path, visit: Visit, game: str
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", phone=True)
        assert await player.fits(page)
        await player.open_table(page, game, options=SMALL.get(game))
        alba = reach.Explorer.at(page, 3, sizes=(reach.PHONE,))
        await alba.play(0, axe=True)
        assert alba.wrong == []
        await alba.resize((1440, 900))

        result = page.locator("dialog.result")
        await result.get_by_role("link", name="Replay").click()
        await page.wait_for_url("**/replay/*")
        await page.locator("#board[data-drawn=true]").wait_for()
        assert await player.accessibility(page) == []
        total = int((await page.locator(".scrub .at").inner_text()).split("/")[1])
        assert total > 0
        await page.get_by_role("button", name="One move forward").click()
        await page.wait_for_url("**move=1")
        await page.get_by_label("Seen by").select_option(label="Bot-Ada")
        await page.wait_for_url("**seat=1&move=1")
        await page.locator('.scrub input[type="range"]').fill(str(total))
        assert "." in await player.asked(page)
        # A link leads to the very move.
        await page.reload()
        await page.locator("#board[data-drawn=true]").wait_for()
        assert f"{total} / {total}" in await page.locator(".scrub .at").inner_text()
        # One click leads to the move that decided it, and says how.
        await page.get_by_role("button", name="See the decisive move").click()
        await expect(page.locator(".askbar")).to_contain_text(
            re.compile("the match as much|changed it as much|decided")
        )
        # Where something was hidden, it can be looked at with all cards face up.
        everything = page.get_by_label("Seen by").locator('option[value="all"]')
        await expect(everything).to_have_count(1 if game in REVEALED else 0)
        if game in REVEALED:
            await page.locator('.scrub input[type="range"]').fill("1")
            await page.get_by_label("Seen by").select_option(label="a spectator")
            await page.wait_for_url("**?move=1")
            await expect(page.locator(REVEALED[game])).to_have_count(0)
            await page.get_by_label("Seen by").select_option(label="everything")
            await page.wait_for_url("**seat=all&move=1")
            await expect(page.locator(REVEALED[game])).not_to_have_count(0)
            assert await player.accessibility(page) == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", games.names())
async def test_a_match_to_its_end_with_the_keyboard_alone(tmp_path: Path, visit: Visit, game: str):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server)
        await player.tab_into(page, f'.game[data-game="{game}"] .btn.tint')
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/table/*")
        await player.play_by_keyboard(page)
        await page.locator("dialog.result").wait_for()
        await page.keyboard.press("Escape")
        await page.locator("dialog.result").wait_for(state="detached")
