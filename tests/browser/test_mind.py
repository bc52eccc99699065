"""Santorini's searcher in the page: hints and analyses that cost the house nothing; the house where it
cannot run."""

from pathlib import Path

import pytest
from playwright.async_api import Page, WebSocket, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow

HINT = "Ask a bot for a hint"
DECISIONS_MAX = 80


async def reach_the_first_move(page: Page) -> None:
    await player.open_table(page, "santorini", options={"Gods": "none"})
    while await page.locator("#board").get_attribute("data-kind") != "move":
        await player.play(page, turns=1, seed=3)


async def test_hints_win_the_match_without_the_house_and_the_replay_is_analysed(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        sent: list[str | bytes] = []
        loaded: list[str] = []

        def listen(line: WebSocket) -> None:
            line.on("framesent", lambda frame: sent.append(frame))

        page.on("websocket", listen)
        page.on("response", lambda answer: loaded.append(answer.url))
        await page.reload()
        await reach_the_first_move(page)
        # Nobody has asked for it yet.
        assert not [url for url in loaded if ".wasm" in url]
        await page.keyboard.press("h")
        await expect(page.locator(".ask small")).to_contain_text("It would go on: Alba: build")
        await page.keyboard.press("Escape")
        asked, over = page.locator(".askbar[data-mine=true]"), page.locator("dialog.result")
        for _ in range(DECISIONS_MAX):
            await asked.or_(over).first.wait_for()
            if await over.count():
                break
            await page.keyboard.press("h")
            await expect(page.locator(".ask")).to_contain_text("would")
            await page.get_by_role("button", name="Do it").click()
            await expect(page.locator(".ask").filter(has_text="would")).to_have_count(0)
        await expect(over).to_contain_text("Alba wins")
        assert len([url for url in loaded if ".wasm" in url]) == 1
        assert not [frame for frame in sent if '"hint"' in str(frame)]

        await over.get_by_role("link", name="Replay").click()
        await page.wait_for_url("**/replay/*")
        await page.get_by_role("button", name="Analysis").click()
        said = page.locator(".ask small")
        await expect(said).to_contain_text("There is nothing to think about here.")
        slider = page.get_by_role("slider")
        last = int(await slider.get_attribute("max") or "0")
        # Before the last step, which won.
        await slider.fill(str(last - 1))
        await expect(said).to_contain_text("Alba wins in 1 turn. Best: Alba: move")
        await slider.fill(str(last // 2))
        await expect(said).to_contain_text("Best:")
        assert await player.accessibility(page) == []


async def test_where_no_webassembly_runs_the_house_gives_the_hint(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", motion="delete globalThis.WebAssembly")
        await reach_the_first_move(page)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url))
        await page.get_by_role("button", name=HINT).click()
        await expect(page.locator(".ask")).to_contain_text("would")
        assert not [url for url in sent if "wasm" in url or "mind" in url]
