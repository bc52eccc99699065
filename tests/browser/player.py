"""A person at the page: opens tables, plays by clicking only what is offered, or with the keyboard alone."""

import asyncio
import random
from pathlib import Path
from typing import Any

from playwright.async_api import Page

AXE = Path(__file__).parent.parent.parent / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE_S = 100.0

# What can be done now. Options that throw something away come last: a person who wants to finish avoids them.
_LOOK = """() => {
  const mine = document.querySelector('.askbar')?.dataset.mine === 'true';
  const over = document.querySelector('dialog.result') !== null;
  const all = [...document.querySelectorAll('[data-option]:not([disabled])')].filter((one) => !one.closest('[hidden]'));
  document.querySelectorAll('[data-try]').forEach((one) => one.removeAttribute('data-try'));
  const good = all.filter((one) => !('discard' in one.dataset));
  (good.length ? good : all).forEach((one, index) => one.setAttribute('data-try', String(index)));
  const confirms = all.filter((one) => 'confirm' in one.dataset).map((one) => Number(one.dataset.try ?? -1)).filter((one) => one >= 0);
  return { mine, over, count: (good.length ? good : all).length, confirms };
}"""


async def open_table(
    page: Page,
    game: str,
    *,
    players: int = 2,
    bots: str = "random",
    private: bool = False,
    options: dict[str, str] | None = None,
) -> None:
    """Open a table in the lobby's dialog.

    `bots` "random" or "strong" take the other chairs; options are by label.
    """
    await page.locator(f'.game[data-game="{game}"] .do .btn:not(.tint)').click()
    dialog = page.locator("dialog")
    await choose(page, "Players", str(players))
    if bots and players > 1:
        await choose(page, "Empty chairs", "seat bots")
        levels = dialog.get_by_role("radiogroup", name="Bots", exact=True).locator("label")
        await (levels.first if bots == "random" else levels.last).click()
    if private:
        await choose(page, "Who may come", "only with the link")
    if options:
        await dialog.locator("summary").click()
    for label, value in (options or {}).items():
        field = dialog.get_by_label(label, exact=True)
        if await field.get_attribute("role") == "radiogroup":
            await field.get_by_text(value, exact=True).click()
        else:
            await field.fill(value)
    await dialog.get_by_role("button", name="Open the table").click()
    await page.wait_for_url("**/table/*")


async def choose(page: Page, label: str, value: str) -> None:
    """One of a few choices of the dialog."""
    await (
        page.locator("dialog")
        .get_by_role("radiogroup", name=label, exact=True)
        .get_by_text(value, exact=True)
        .click()
    )


async def play(page: Page, *, seed: int = 1, turns: int | None = None) -> int:
    """Click offered options, at random, until the match is over (or so many clicks are done);
    how many it were."""
    chance = random.Random(seed)
    clicks = 0
    end = asyncio.get_running_loop().time() + PATIENCE_S
    while turns is None or clicks < turns:
        assert asyncio.get_running_loop().time() < end, f"no end after {clicks} clicks: {await asked(page)}"
        seen = await page.evaluate(_LOOK)
        if seen["over"]:
            break
        if not seen["mine"] or not seen["count"]:
            await asyncio.sleep(0.02)
            continue
        sure = seen["confirms"] and chance.random() < 0.8
        index = chance.choice(seen["confirms"]) if sure else chance.randrange(seen["count"])
        try:
            await page.locator(f'[data-try="{index}"]').click(timeout=2_000)
        except Exception:
            # The table moved on between looking and clicking: look again.
            continue
        clicks += 1
    return clicks


async def play_by_keyboard(page: Page, *, seed: int = 1) -> None:
    """The same with keys only: `.` to an option of the board and Enter, a figure for a choice of the bar."""
    chance = random.Random(seed)
    end = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        assert asyncio.get_running_loop().time() < end, f"no end: {await asked(page)}"
        seen = await page.evaluate(_LOOK)
        if seen["over"]:
            return
        if not seen["mine"] or not seen["count"]:
            await asyncio.sleep(0.02)
            continue
        choices = await page.locator(".choices [data-option]").count()
        on_board = await page.locator("#board [role=grid] [data-option]").count()
        if choices and not on_board:
            # Choices that take a step back are counted too: press the figure of the first that does not.
            buttons = page.locator(".choices button")
            kinds = [await buttons.nth(n).get_attribute("data-option") for n in range(await buttons.count())]
            await page.keyboard.press(str(1 + next(n for n, kind in enumerate(kinds) if kind is not None)))
        elif on_board:
            await tab_into(page, "#board [role=grid]")
            for _ in range(chance.randrange(1, 6)):
                await page.keyboard.press(".")
            await page.keyboard.press("Enter")
        else:
            await tab_into(page, "#board [data-option]")
            await page.keyboard.press("Enter")


async def tab_into(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(80):
        if await page.evaluate("(where) => document.activeElement?.closest(where) !== null", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


async def asked(page: Page) -> str:
    """The sentence above the board."""
    return await page.locator(".ask").inner_text()


async def close_result(page: Page) -> None:
    """Look at the board again."""
    await page.locator("dialog.result header button").click()


async def accessibility(page: Page) -> list[str]:
    """What axe finds moderate or worse."""
    await page.evaluate(AXE.read_text())
    found: dict[str, Any] = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in found["violations"]
        if one["impact"] in ("moderate", "serious", "critical")
    ]


async def fits(page: Page) -> bool:
    """Whether nothing makes the page scroll sideways."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth + 1"))
