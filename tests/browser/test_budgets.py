"""What a page may cost: bytes before the lobby and each board are shown, and the wait after a press."""

import json
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit

from ludoteca import games

pytestmark = pytest.mark.slow

FIRST_LOAD_BYTES_MAX = 70_000
BOARD_BYTES_MAX = 25_000
SLOWER = 6
PAINT_MS_MAX = 100
# Once in a while the browser has something else to do, and with several things to do for each processor even
# the time it is used is longer.
LATE_PAINT_MS_MAX = 400
PRESSES = 9


# When the lobby and each board are first there: what is fetched for later must not be counted, however late
# somebody looks.
SHOWN = """
  window.shown = [];
  let last = '';
  new MutationObserver(() => {
    const board = document.querySelector('#board[data-drawn=true]');
    const now = board ? 'board' : document.querySelector('.game') ? 'lobby' : '';
    if (now && now !== last) window.shown.push(performance.now());
    last = now || last;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-drawn'] });
"""
# What has come since then until the last of these moments, packed, without headers: as the build counts it.
CAME = """(since) => performance.getEntries()
  .filter((one) => one.encodedBodySize && one.startTime >= since && one.responseEnd <= window.shown.at(-1))
  .map((one) => [one.name, one.encodedBodySize])"""


def board(files: list[tuple[str, int]]) -> int:
    """So many bytes of files that draw a board; the rules, which first hints are read from, and panels that
    are opened later come after it."""
    later = ("/rules-", "/panels-")
    return sum(size for url, size in files if "/assets/" in url and not any(part in url for part in later))


async def test_the_lobby_and_each_board_come_over_the_wire_within_their_budgets(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, "/api/v1/games")
        await page.add_init_script(SHOWN)
        host, port = server.addresses["http"]
        await page.goto(f"http://{host}:{port}/")
        await page.locator(".game").first.wait_for()
        first = sum(size for _, size in await page.evaluate(CAME, 0))
        print(f"first load: {first / 1000:.1f} kB over the wire")
        assert 0 < first <= FIRST_LOAD_BYTES_MAX
        await page.wait_for_load_state("networkidle")
        # What all tables have in common comes with the first, which is the smallest.
        for game in sorted(games.names(), key=lambda name: name != "multisweeper"):
            since = await page.evaluate("performance.now()")
            await page.locator(f'.game[data-game="{game}"] .bots .btn').first.click()
            await expect(page.locator("#board")).to_have_attribute("data-drawn", "true")
            drawn = board(await page.evaluate(CAME, since))
            print(f"{game}: {drawn / 1000:.1f} kB over the wire")
            assert 0 < drawn <= BOARD_BYTES_MAX, game
            await page.get_by_role("link", name="Ludoteca").click()
            await page.wait_for_load_state("networkidle")


_TIMELINE = ["devtools.timeline", "disabled-by-default-devtools.timeline"]


@pytest.mark.timeout(600)
async def test_every_press_is_shown_at_once_on_a_slow_processor(tmp_path: Path, visit: Visit):
    """From each press to the next paint, whatever it leads to after that.

    Tests share this machine, and the page waits for a processor: what counts is how long its thread used one
    until the frame was handed over, times what a slow one is slower.
    """
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        for game in games.names():
            chance = random.Random(1)
            took: list[float] = []
            # A mine may end a match before enough was pressed: then there is another.
            while len(took) < PRESSES:
                page = await visit(server, name="Alba")
                options = {"Mines": "20"} if game == "multisweeper" else None
                await player.open_table(page, game, options=options)
                await player.offered(page)
                took += await costs(page, chance, PRESSES - len(took))
                await page.context.close()
            print(f"{game}: {statistics.median(took):.0f} ms from press to paint, {max(took):.0f} at most")
            assert statistics.median(took) < PAINT_MS_MAX, (game, took)
            assert max(took) < LATE_PAINT_MS_MAX, (game, took)


async def costs(page: Page, chance: random.Random, presses: int) -> list[float]:
    """How long the page's thread would have used a slow processor, for each of so many presses."""
    assert page.context.browser is not None
    await page.context.browser.start_tracing(page=page, categories=_TIMELINE)
    pressed = 0
    while pressed < presses and await press(page, chance):
        pressed += 1
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    told: list[dict[str, Any]] = json.loads(await page.context.browser.stop_tracing())["traceEvents"]
    told.sort(key=lambda one: float(one["ts"]))
    took: list[float] = []
    began = clicked = None
    for one in told:
        kind = one["args"]["data"]["type"] if one["name"] == "EventDispatch" else ""
        if kind == "pointerdown":
            began, clicked = one, None
        elif kind == "click":
            clicked = one
        elif began and clicked and one["name"] == "Commit" and one["tid"] == began["tid"]:
            took.append((one["tts"] + one["tdur"] - began["tts"]) / 1000 * SLOWER)
            began = None
    assert len(took) == pressed
    return took


async def press(page: Page, chance: random.Random) -> bool:
    """Press something that leads on, unless the match is over."""
    now = await player.offered(page)
    point = None if now.over else await reach.aim(page, now.leading_on(chance))
    if point is not None:
        await page.mouse.click(*point)
    return point is not None
