"""Pieces fly where the view has them, in nobody's way; who wants no motion sees the marks alone."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit

from ludoteca import games

pytestmark = pytest.mark.slow

# Notes every animation, and whether it is a flight: a picture that waits for its turn is only unseen.
# With `held` set, those begun from then on stand still at their start.
WATCHED = """
  window.begun = [];
  window.held = false;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (keys, timing) {
    const one = animate.call(this, keys, timing);
    const flight = this.matches('.ghost') && keys.some((key) => 'transform' in key);
    window.begun.push({ flight, delay: timing.delay ?? 0, duration: timing.duration });
    if (window.held) one.pause();
    return one;
  };
"""
# Where a piece is drawn, and where its picture flies.
MIDDLE = """(selector) => {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box ? [box.left + box.width / 2, box.top + box.height / 2] : null;
}"""
SEEK = """(part) => document.getAnimations().filter((one) => one.effect.target.matches('.ghost'))
  .forEach((one) => { one.currentTime = one.effect.getTiming().duration * part; })"""
HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}"""

# Alba is asked, the last that is told was the bot's doing, and that is marked on the board.
MARKED = """() => document.querySelector('.askbar').dataset.mine === 'true'
  && [...document.querySelectorAll('.log li[data-step] .pip')].at(-1)?.classList.contains('s2')
  && document.querySelector('[data-mark]') !== null && window.begun.length > 3"""
AT = re.compile(r"\bat\b")
SMALL = {"multisweeper": {"Columns": "9", "Rows": "9", "Mines": "4"}}


async def first_options(client: rig.Client) -> None:
    """Take the first option, until the match is over."""
    while (asked := await client.until(lambda message: message["type"] in ("question", "over")))[
        "type"
    ] != "over":
        await client.send({"type": "act", "actions": asked["options"][:1], "at": asked["number"]})


@asynccontextmanager
async def still(page: Page) -> AsyncIterator[None]:
    """The page can do nothing meanwhile; whatever comes, comes at once."""
    asked, answered = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await answered.wait()
        await route.fulfill(body="")

    await page.route("**/hold", hold)
    held = asyncio.create_task(
        page.evaluate("const one = new XMLHttpRequest(); one.open('GET', '/hold', false); one.send();")
    )
    await asked.wait()
    yield
    answered.set()
    await held


@pytest_asyncio.fixture(loop_scope="session")
async def table(tmp_path: Path) -> AsyncIterator[tuple[Any, str, rig.Client, rig.Client]]:
    """A table of Santorini where two clients have chosen gods and colours."""
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        anna, bruno = [await rig.enter(server, name, options_max=200) for name in ("Anna", "Bruno")]
        await anna.send({"type": "open", "game": "santorini", "seats": 2, "options": {"gods": "none"}})
        number = (await anna.until("seated"))["table"]["id"]
        await bruno.send({"type": "sit", "table": number})
        yield server, number, anna, bruno


async def test_a_worker_arrives_where_the_view_says_and_delays_nobody(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", motion=WATCHED)
        await player.open_table(page, "santorini", options={"Gods": "none"})
        moving = page.locator('#board[data-kind="move"]')
        while not await moving.count():
            await player.play(page, turns=1)
            await page.wait_for_timeout(150)
        await expect(page.locator(".flying > *")).to_have_count(0)
        worker = '#board [aria-selected="true"] [data-piece]'
        name = await page.locator(worker).get_attribute("data-piece")
        before = await page.evaluate(MIDDLE, worker)
        await page.evaluate("window.held = true")
        target = page.locator("#board [data-option]").first
        cell = await target.get_attribute("data-cell")
        await target.click()
        ghost = page.locator(".flying > .ghost")
        await expect(ghost).to_have_count(1)
        # Its picture starts where it stood; it is unseen where it will stand, which is where the view says.
        piece = f'#board [data-cell="{cell}"] [data-piece="{name}"]'
        await expect(page.locator(piece)).to_have_css("opacity", "0")
        assert await page.evaluate(MIDDLE, ".flying > .ghost > g > *") == pytest.approx(before, abs=1)
        await page.evaluate(SEEK, 0.5)
        over = await page.evaluate(MIDDLE, ".flying > .ghost > g > *")
        assert over != pytest.approx(before, abs=5)
        await page.evaluate(SEEK, 0.9999)
        there = await page.evaluate(MIDDLE, piece)
        assert await page.evaluate(MIDDLE, ".flying > .ghost > g > *") == pytest.approx(there, abs=1)
        # What is asked next can be pressed meanwhile; pressing ends all motion, and acts.
        asked = await player.asked(page)
        await page.evaluate("window.held = false")
        await page.locator("#board [data-option]").first.click()
        await expect(ghost).to_have_count(0)
        await expect(page.locator(piece)).to_have_css("opacity", "1")
        await expect(page.locator(".ask")).not_to_have_text(asked)


async def test_ten_moves_at_once_are_not_waited_for(table: Any, visit: Visit):
    server, number, anna, bruno = table
    page = await visit(server, f"/table/{number}", motion=WATCHED)
    await page.locator("#board[data-drawn=true]").wait_for()
    async with still(page):
        await asyncio.gather(first_options(anna), first_options(bruno))
    await page.locator("dialog.result").wait_for()
    moves = await page.locator(".log [data-step]").count()
    assert moves > 10
    # Nothing was put so far into the future that somebody would have to wait for it ...
    begun = await page.evaluate("window.begun")
    assert max(one["delay"] + one["duration"] for one in begun) < 2500
    # ... most of it not at all, and at the end the view stands there with its marks.
    assert sum(one["flight"] for one in begun) < moves / 2
    await expect(page.locator(".flying > *")).to_have_count(0)
    await expect(page.locator("#board [data-mark]").first).to_have_css("opacity", "1")


async def test_a_page_that_nobody_sees_draws_the_last_view_and_says_who_moved(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        page = await visit(server, name="Alba", motion=WATCHED)
        await player.open_table(page, "santorini", bots="", options={"Gods": "none"})
        bruno = await rig.enter(server, "Bruno", options_max=200)
        await bruno.send({"type": "sit", "table": page.url.rsplit("/", 1)[-1]})
        helper = asyncio.create_task(first_options(bruno))
        while not await page.locator('#board[data-kind="build"]').count():
            await player.play(page, turns=1)
            await page.wait_for_timeout(50)
        await page.evaluate(HIDE, True)
        await page.evaluate("window.begun = []")
        await page.locator("#board [data-option]").first.click()
        await page.locator('#board[data-kind="move"]').wait_for()
        assert await page.evaluate("window.begun") == []
        await page.evaluate(HIDE, False)
        await expect(page.locator(".ask")).to_contain_text("While you were away: Bruno.")
        # All that Bruno did is marked: where his worker went, and what he built.
        await expect(page.locator("#board .lastm")).to_have_count(2)
        await expect(page.locator("#board .trail")).to_have_count(1)
        assert await page.evaluate("window.begun") == []
        helper.cancel()


async def test_without_motion_the_marks_are_there_at_once(table: Any, visit: Visit):
    server, number, anna, bruno = table
    page = await visit(server, f"/table/{number}", motion=WATCHED)
    await page.emulate_media(reduced_motion="reduce")
    await page.locator("#board[data-drawn=true]").wait_for()
    await asyncio.gather(first_options(anna), first_options(bruno))
    # The match is won by a step, which is marked with where it came from.
    await expect(page.locator("#board .lastm")).to_have_count(1)
    await expect(page.locator("#board .trail")).to_have_count(1)
    assert await page.evaluate("window.begun") == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", games.names())
async def test_every_game_moves_marks_the_rivals_turn_and_tells_it_by_name(
    tmp_path: Path, visit: Visit, game: str
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", motion=WATCHED)
        await player.open_table(page, game, options=SMALL.get(game))
        # Until the rival's turn has been shown and marked: planning in Eriantys touches nothing.
        seen = page.locator(".askbar[data-mine=true]").or_(page.locator("dialog.result"))
        for seed in range(60):
            await player.play(page, turns=1, seed=seed)
            await seen.first.wait_for()
            # Whoever hits a mine before that plays again.
            if await page.locator("dialog.result").count():
                await page.get_by_role("button", name="Rematch").click()
                await page.locator(".askbar[data-mine=true]").wait_for()
            if await page.evaluate(MARKED):
                break
        assert await page.evaluate(MARKED), "no mark of the rival's turn"
        # Nothing is left in the air, and nothing in it can be found or pressed.
        await expect(page.locator(".flying > *")).to_have_count(0)
        begun = await page.evaluate("window.begun")
        assert all(one["duration"] <= 600 for one in begun if one["flight"])
        # Placing workers is marked, too, but is nobody's turn yet.
        turn = page.locator(".log .rule").filter(has_text="Turn 1 · ")
        while game != "multisweeper" and not await turn.count():
            await player.play(page, turns=1)
        await seen.first.wait_for()
        # A line of the log that is pointed at, or come to with the keys, shows its own marks.
        told = page.locator(".log [data-step]").filter(has=page.locator(".pip.s2")).last
        await told.hover()
        await expect(told).to_have_class(AT)
        await page.mouse.move(5, 5)
        await expect(page.locator(".log .at")).to_have_count(0)
        await page.locator(".log").press("ArrowDown")
        await expect(page.locator(".log .at")).not_to_have_count(0)
        await page.keyboard.press("Tab")
        await expect(page.locator(".log .at")).to_have_count(0)
        # The log goes to where one looks.
        await page.get_by_role("button", name="Look back through the moves").click()
        await expect(page.locator(".log .now").first).to_be_in_viewport()
        # What comes after the first move is still to come.
        await page.get_by_role("button", name="First move").click()
        await expect(page.locator(".log .later")).not_to_have_count(0)
        for speed in ("1×", "2×", "4×", "½×"):
            await page.get_by_role("button", name=f"Speed {speed}").click()
