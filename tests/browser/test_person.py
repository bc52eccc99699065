"""One browser is one person: at several tables under one name, and told where it is their turn."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow

MY_TURN = re.compile("^● Your turn")
# A browser whose window nobody sees, and which writes down what it would notify of.
UNSEEN = """
  Object.defineProperty(document, "visibilityState", { get: () => window.seen ? "visible" : "hidden" });
  window.told = [];
  window.seen = true;
  window.Notification = class {
    static permission = "granted";
    constructor(title, about) { window.told.push([title, about]); }
  };
"""


async def chairs(page: Page, table: str) -> list[dict[str, Any]]:
    """Who sits at a table, as the house says it."""
    found: list[dict[str, Any]] = await page.evaluate(
        "(id) => fetch(`/api/v1/tables/${id}`).then((found) => found.json()).then((table) => table.chairs)",
        table,
    )
    return found


async def play_bots(page: Page, game: str) -> str:
    """A table with bots, opened from the lobby with one click, where it is our turn; its id."""
    await page.locator(f'.game[data-game="{game}"] .bots .btn').first.click()
    await page.wait_for_url("**/table/*")
    await expect(page).to_have_title(MY_TURN)
    return page.url.rsplit("/", 1)[1]


async def test_one_browser_plays_at_several_tables_under_one_name(tmp_path: Path, visit: Visit) -> None:
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        first = await play_bots(page, "santorini")
        await page.get_by_role("link", name="Ludoteca").click()
        second = await play_bots(page, "shelfie")
        for table in (first, second):
            mine, _ = await chairs(page, table)
            assert (mine["name"], mine["here"]) == ("Alba", True), (
                "the other table was left, or by another name"
            )

        # At one table the other is one click away; in the lobby both say that they wait.
        await expect(page.get_by_role("link", name="Your turn at 1 other table")).to_be_visible()
        await page.get_by_role("link", name="Your turn at 1 other table").click()
        await page.wait_for_url(f"**/table/{first}")
        await expect(page).to_have_title("● Your turn · Santorini · Ludoteca")
        await page.get_by_role("link", name="Ludoteca").click()
        await expect(page.locator(".item .chip", has_text="Your turn")).to_have_count(2)
        await expect(page).to_have_title("(2) Ludoteca")
        icon = page.locator('link[rel="icon"]')
        assert (await icon.get_attribute("href") or "").startswith("data:image/svg+xml,")

        # Loaded anew, the page is there for both again; a second tab takes nothing away from the first.
        await page.reload()
        await expect(page).to_have_title("(2) Ludoteca")
        await page.locator(".item").get_by_role("button", name="Go on").first.click()
        await expect(page).to_have_title(MY_TURN)
        tab = await page.context.new_page()
        await tab.goto(page.url.split("/table")[0])
        await expect(tab.locator(".item .chip", has_text="Your turn")).to_have_count(2)
        await expect(page.locator(".banner")).to_have_count(0)

        # Somebody else of that name is somebody else.
        other = await visit(server)
        await other.evaluate(
            "localStorage.setItem('ludoteca.settings', JSON.stringify({ nickname: 'Alba' }))"
        )
        await other.reload()
        await play_bots(other, "santorini")
        await expect(other.locator(".seat .name").first).to_have_text("Alba 2")

        # What is left or lost is no table of mine any more.
        await tab.close()
        await page.get_by_role("button", name="Leave", exact=True).click()
        await page.locator("dialog").get_by_role("button", name="Leave").click()
        await expect(page.locator(".item").get_by_role("button", name="Go on")).to_have_count(1)
        await expect(page).to_have_title("(1) Ludoteca")


async def test_whoever_looks_elsewhere_is_told_when_it_is_their_turn_if_they_want(
    tmp_path: Path, visit: Visit
) -> None:
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        alba, bruno = await visit(server, name="Alba"), await visit(server, name="Bruno")
        await alba.add_init_script(UNSEEN)
        await alba.reload()
        await alba.get_by_role("button", name="Settings").click()
        await player.choose(alba, "Notifications", "on")
        await alba.keyboard.press("Escape")
        await player.open_table(alba, "santorini", bots="", options={"Gods": "none"})
        await alba.evaluate("window.seen = false")
        await bruno.goto(alba.url)
        await bruno.get_by_role("button", name="Sit down").click()
        await bruno.locator("#board[data-drawn=true]").wait_for()
        # Whoever is asked first answers until the other is asked.
        while "●" not in await alba.title():
            if "●" in await bruno.title():
                await player.play(bruno, turns=1)
            await asyncio.sleep(0.1)
        told = await alba.evaluate("window.told")
        assert told
        assert told[-1][0] == "Santorini"
        assert told[-1][1]["data"]["path"] in alba.url


async def test_an_invitation_is_a_link_a_code_and_what_the_system_shares(
    tmp_path: Path, visit: Visit
) -> None:
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba", phone=True)
        await page.add_init_script(
            "navigator.share = (what) => { window.shared = what; return Promise.resolve(); };"
        )
        await page.reload()
        await player.open_table(page, "santorini", bots="", private=True)
        await expect(page.get_by_role("img", name="QR code")).to_be_visible()
        await page.get_by_role("button", name="Share", exact=True).click()
        await player.settled(page)
        assert await page.evaluate("window.shared") == {"title": "Santorini", "url": page.url}


async def test_what_is_set_is_kept_and_does_something(tmp_path: Path, visit: Visit) -> None:
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        phone = await visit(server, phone=True, language="it")
        await phone.get_by_role("button", name="Impostazioni").click()
        await player.choose(phone, "Ritmo delle mosse", "lento")
        assert await phone.evaluate(
            "[...document.querySelectorAll('dialog .btn, dialog .seg')]"
            ".every((one) => one.getBoundingClientRect().right <= innerWidth)"
        )
        await phone.reload()
        assert await phone.evaluate("JSON.parse(localStorage.getItem('ludoteca.settings')).pace") == "slow"

        page = await visit(server, name="Alba")
        await page.get_by_role("button", name="Settings").click()
        await player.choose(page, "Confirm moves", "on")
        await player.choose(page, "Board", "large")
        await page.keyboard.press("Escape")
        await page.reload()
        await play_bots(page, "santorini")
        await expect(page.locator("#board[data-drawn=true]")).to_be_visible()
        await expect(page.locator(".aside")).to_have_count(0)
        choice = page.get_by_role("button", name="Alba begins")
        await choice.click()
        # Nothing is sent before it is confirmed, and what is taken back was never done.
        await page.get_by_role("button", name="Take back").click()
        await choice.click()
        await page.get_by_role("button", name="Confirm", exact=True).click()
        await expect(choice).to_have_count(0)
