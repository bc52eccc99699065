"""Rules in the house: the page of every game, the rules beside a table, and the full text of every card."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import PHONE, Visit

from ludoteca import games

pytestmark = pytest.mark.slow


async def test_the_rules_of_every_game_are_one_press_from_the_lobby_in_both_languages(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server)
        for name in games.names():
            title = games.load(name).title
            await page.get_by_role("link", name=f"Rules of {title}").click()
            await expect(page.get_by_role("heading", level=1)).to_have_text(f"Rules of {title}")
            await expect(page.locator(".short > li")).to_have_count(4)
            parts = await page.locator(".part").count()
            cards = await page.locator(".card").count()
            assert await player.accessibility(page) == []
            await page.get_by_role("button", name="Italiano").click()
            await expect(page.get_by_role("heading", level=1)).to_have_text(f"Le regole di {title}")
            assert (await page.locator(".part").count(), await page.locator(".card").count()) == (
                parts,
                cards,
            )
            await page.set_viewport_size(PHONE)
            assert await player.fits(page)
            await page.set_viewport_size({"width": 1366, "height": 650})
            await page.get_by_role("button", name="English").click()
            await page.get_by_role("link", name="Back to the lobby", exact=True).click()


async def test_cards_are_found_by_typing_and_parts_by_their_address(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, "/rules/santorini#part-3")
        await expect(page.locator("#part-3")).to_be_in_viewport()
        await page.get_by_role("searchbox").fill("rivals cannot")
        await expect(page.locator(".card h3")).not_to_have_count(0)
        await page.get_by_role("searchbox").fill("minot")
        await expect(page.locator(".card h3")).to_have_text(["Minotaur"])
        await page.get_by_role("searchbox").fill("zzz")
        await expect(page.locator(".part").last).to_contain_text("No card is called that.")


async def test_printed_there_is_everything_but_bars_and_buttons(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, "/rules/eriantys")
        await page.locator(".card").first.wait_for()
        await page.emulate_media(media="print")
        for hidden in (".topbar", "nav", ".find", "button"):
            assert not await page.locator(hidden).first.is_visible()
        assert await page.locator(".card").last.is_visible()


async def read(page: Page, name: str) -> None:
    """The sheet of a card is open; close it, and the focus is back."""
    sheet = page.locator("dialog")
    await expect(sheet.get_by_role("heading", level=2)).to_have_text(name)
    assert len(await sheet.locator(".text p").first.inner_text()) > 20
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)


async def test_at_a_table_the_rules_open_beside_it_at_the_part_that_is_asked_about(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "eriantys")
        await page.locator("#board[data-kind=assistant]").wait_for()
        await page.keyboard.press("?")
        await expect(page.locator("dialog #part-2")).to_be_in_viewport()
        assert await player.accessibility(page) == []
        await page.keyboard.press("Escape")
        await page.set_viewport_size(PHONE)
        await page.get_by_role("button", name="Rules", exact=True).click()
        await expect(page.locator("dialog #part-2")).to_be_in_viewport()


async def test_every_kind_of_card_opens_by_press_by_key_and_by_the_other_button(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "shelfie")
        await page.locator("#board[data-kind=take]").wait_for()
        goal = page.locator('[data-card^="common/"]').first
        name = (await goal.locator(".title").inner_text()).split("\n")[0].strip()
        await goal.click()
        await read(page, name)
        await goal.focus()
        await page.keyboard.press("Enter")
        await read(page, name)

        # A god that can be chosen is read without being chosen.
        await page.goto(page.url.split("/table")[0])
        await player.open_table(page, "santorini", options={"Gods": "14 to start with"})
        await page.locator(".gods .card").first.wait_for()
        god = await page.locator(".gods .card b").first.inner_text()
        count = await page.locator(".gods .card").count()
        await page.locator(".gods .info").first.click()
        await read(page, god)
        await page.locator(".gods .card").first.focus()
        await page.keyboard.press("i")
        await read(page, god)
        assert await page.locator(".gods .card").count() == count

        # A leader is read by the other button, a card that cannot be bought by a press.
        await page.goto(page.url.split("/table")[0])
        await player.open_table(page, "renaissance")
        await page.locator(".choice").first.click(button="right")
        await expect(page.locator("dialog h2")).to_contain_text(":")
        await page.keyboard.press("Escape")
        for leader in (0, 1):
            await page.locator(".choice").nth(leader).click()
        await page.locator(".choices [data-confirm]").click()
        await page.locator('[data-card^="cards/"]:not([data-option])').first.click()
        await expect(page.locator("dialog h2")).to_contain_text("3")
