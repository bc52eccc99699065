"""Little things that people stumbled over, each as they met it."""

import asyncio
import itertools
import json
import re
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow


async def halfway(client: rig.Client, name: str) -> str:
    """Take first options until a decision has been begun that is not complete; whose it is."""
    while True:
        asked = await client.until("question")
        if any(option["type"] == "TakeBack" for option in asked["options"]):
            return name
        await client.send({"type": "act", "actions": asked["options"][:1], "at": asked["number"]})


async def test_who_comes_back_into_half_a_decision_of_renaissance_reads_words(tmp_path: Path, visit: Visit):
    """What was begun with another client can go on, in words of which nothing is cut off; to whoever waits
    for it nothing of the kind is said."""
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        clients = {name: await rig.enter(server, name, options_max=200) for name in ("Anna", "Bruno")}
        await clients["Anna"].send({"type": "open", "game": "renaissance", "seats": 2})
        table, tokens = "", {}
        for name, client in clients.items():
            if table:
                await client.send({"type": "sit", "table": table})
            seated = await client.until("seated")
            table, tokens[name] = seated["table"]["id"], seated["token"]
        playing = [asyncio.create_task(halfway(client, name)) for name, client in clients.items()]
        done, waiting = await asyncio.wait(playing, timeout=20, return_when=asyncio.FIRST_COMPLETED)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        mover = done.pop().result()
        for name in clients:
            page = await visit(server)
            held = {"table": table, "token": tokens[name], "game": "renaissance", "label": "", "name": name}
            await page.evaluate(
                "([id, seat]) => localStorage.setItem('ludoteca.seat.' + id, seat)", [table, json.dumps(held)]
            )
            await page.goto(f"{page.url}table/{table}")
            await page.locator("#board[data-drawn=true]").wait_for()
            mine = page.locator(".askbar[data-mine=true]")
            if name == mover:
                await expect(mine).to_contain_text("A decision was begun elsewhere")
                choices = await page.locator(".choices button").all_inner_texts()
                assert "Take back" in choices
                # No word of the protocol: those are written together.
                assert not [choice for choice in choices if re.search("[a-z][A-Z]", choice)]
                for size in reach.TIGHT:
                    await page.set_viewport_size({"width": size[0], "height": size[1]})
                    assert await reach.probe(page) == [], size
                await page.get_by_role("button", name="Take back").click()
                await expect(mine).not_to_contain_text("A decision was begun elsewhere")
            else:
                await expect(page.locator(".ask")).to_contain_text(mover)
                await expect(mine).to_have_count(0)


async def test_alone_in_renaissance_lorenzo_has_a_seat_and_the_log_points_at_depots_and_track(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "renaissance", players=1)
        lorenzo = page.locator(".seat.lorenzo").first
        await expect(lorenzo).to_contain_text("Lorenzo")
        await expect(lorenzo).to_contain_text("of 24")
        # Depots that were filled and cells that were reached are marked by their own lines, and by no other.
        marks = page.locator(".track .last, .depot.last")
        marked = page.locator(".log [data-step]").filter(has_text=re.compile("Faith|cross|placed everything"))
        seeds = itertools.count()
        while not await marked.count():
            await player.play(page, turns=1, seed=next(seeds))
        await marked.last.hover()
        await expect(marks).not_to_have_count(0)
        await page.locator(".log [data-step]").filter(has_text="kept two leaders").hover()
        await expect(marks).to_have_count(0)


async def test_a_single_tile_goes_where_it_is_dropped_and_what_has_no_words_says_what_it_is(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "shelfie")
        await page.locator("#board [data-cell][data-option]").first.wait_for()
        await page.locator("#board [role=grid] [tabindex='0']").focus()
        await page.keyboard.press(".")
        await page.keyboard.press("Enter")
        await page.locator("#board .col[data-option]").first.focus()
        await page.keyboard.press("Enter")
        await expect(page.locator(".log")).to_contain_text("Alba")
        await expect(page.get_by_role("button", name="Put into column")).to_have_count(0)
        nameless = """() => [...document.querySelectorAll('.table button')]
          .filter((one) => one.checkVisibility() && !one.textContent.trim() && !one.title)
          .map((one) => one.outerHTML.slice(0, 120))"""
        assert await page.evaluate(nameless) == []
        # What everybody expects behind a question mark.
        await page.get_by_role("button", name="Rules", exact=True).click()
        await expect(page.get_by_role("dialog")).to_contain_text("My Shelfie")


async def test_what_a_card_is_paid_with_is_changed_step_by_step(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, "/lessons/renaissance/card")
        await page.locator(".dev[data-option]").first.click()
        buy = page.get_by_role("button", name=re.compile("^Buy for"))
        await expect(buy).to_be_enabled()
        row = page.locator("tbody tr").first
        less, more = [row.get_by_role("button", name=name, exact=True).first for name in ("−", "+")]
        paid = row.locator("td").last
        whole = await paid.inner_text()
        await expect(more).to_have_attribute("aria-disabled", "true")
        await less.click()
        await expect(buy).to_be_disabled()
        await expect(paid).not_to_have_text(whole)
        await more.click()
        await expect(buy).to_be_enabled()
        await more.click(force=True)
        await expect(paid).to_have_text(whole)
        await buy.click()
        await expect(page.locator(".ask")).to_contain_text("Right.")
