"""Lessons on the page: every game's are shown, missed and solved on its own board."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import PHONE, Visit

from ludoteca import games

pytestmark = pytest.mark.slow

# Lessons after whose good answer it is the rival's turn, and that leave a mark.
REPLIES = ("dome", "group", "onetwoone")


async def answer(page: Page) -> str:
    """Press what is offered until there is a verdict: what completes a decision first, else the latest."""
    for _ in range(12):
        await player.settled(page)
        verdict = await page.locator("#board").get_attribute("data-verdict")
        if verdict:
            return verdict
        confirm = page.locator(".askbar [data-confirm]:enabled")
        ready = confirm if await confirm.count() else page.locator("[data-option]:not([aria-pressed=true])")
        await ready.last.click()
    raise AssertionError("no verdict")


@pytest.mark.parametrize("game", games.names())
async def test_every_lesson_of_a_game_is_shown_and_one_is_missed_and_tried_again(
    tmp_path: Path, visit: Visit, game: str
):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server)
        home = page.url
        await page.get_by_role("link", name=f"Lessons of {games.load(game).title}").click()
        verdict = page.locator("#board[data-verdict]")
        if await answer(page) == "wrong":
            await expect(page.locator(".ask")).to_contain_text("Not quite.")
            await page.keyboard.press("Enter")
            await expect(verdict).to_have_count(0)
        else:
            await page.get_by_role("button", name="Try again").click()
        for number, lesson in enumerate(games.lessons(game), start=1):
            await expect(page.locator(".ask")).to_contain_text(lesson.ask["en"])
            await page.get_by_role("button", name="Hint").click()
            await expect(page.locator(".ask")).to_contain_text(lesson.hint["en"])
            await page.get_by_role("button", name="Show me").click()
            await expect(page.locator(".ask")).to_contain_text("Right.")
            if lesson.id in REPLIES:
                # The rival goes on, and it is told and marked.
                await page.locator("#board[data-replied]").wait_for()
                await expect(page.locator(".ask small")).to_contain_text("Bruno")
                await expect(page.locator("[data-mark]").first).to_be_attached()
            if number == 1:
                assert await player.accessibility(page) == []
            await page.locator(".askbar [data-confirm]").click()
        await expect(page).to_have_url(home)


async def test_a_solved_lesson_is_remembered_and_leads_on_to_the_next_in_italian_on_a_phone(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, "/lessons/santorini/climb", phone=True, language="it")
        lesson = games.lessons("santorini")[0]
        await expect(page.locator(".ask")).to_contain_text(lesson.ask["it"])
        assert page.viewport_size == PHONE
        assert await player.fits(page)
        await page.locator('[data-cell="7"]').tap()
        await expect(page.locator(".ask")).to_contain_text("Giusto.")
        await page.reload()
        await expect(page.locator(".mark.done")).to_have_count(1)
        await page.goto(page.url.replace("climb", "nowhere"))
        await expect(page.locator(".ask")).to_contain_text("Questa lezione si è spostata.")
