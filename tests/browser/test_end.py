"""The end of a match: how it was won, when it turned, what is next; broken off, it says so."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit
from tests.browser.test_motion import first_options

from ludoteca.bots import hope

pytestmark = pytest.mark.slow


async def test_who_looks_on_sees_how_it_was_won_and_follows_to_the_rematch(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        anna, bruno = [await rig.enter(server, name, options_max=200) for name in ("Anna", "Bruno")]
        await anna.send({"type": "open", "game": "santorini", "seats": 2, "options": {"gods": "none"}})
        number = (await anna.until("seated"))["table"]["id"]
        await bruno.send({"type": "sit", "table": number})
        page = await visit(server, f"/table/{number}")
        await page.locator("#board[data-drawn=true]").wait_for()
        await asyncio.gather(first_options(anna), first_options(bruno))
        result = page.locator("dialog.result")
        await expect(result).to_contain_text("wins")
        await expect(result).to_contain_text("went up to the third level")
        await expect(result.locator("tbody th")).to_have_text(["Blocks built", "Climbs"])
        await expect(result.get_by_role("img", name="Highest worker over the match: Anna ")).to_be_visible()
        # The board as it stood, small, and nothing in it can be pressed or read.
        await expect(result.locator(".final [data-piece^=w]")).to_have_count(4)
        assert await result.locator(".final").evaluate("(one) => one.inert && one.ariaHidden === 'true'")
        await expect(result.locator(".chip")).to_have_text(
            [re.compile(r"^\d+ minutes?$"), re.compile(r"^\d+ turns$")]
        )
        assert await player.accessibility(page) == []
        # The move that decided it is one press away, and the log goes there.
        await result.get_by_role("button", name="See it").click()
        await expect(page.locator(".ask")).to_contain_text("You are looking at move")
        await expect(page.locator(".log .now").first).to_be_in_viewport()
        await page.get_by_role("button", name="Back to live").click()
        for one in (anna, bruno):
            await one.send({"type": "rematch"})
        await page.get_by_role("button", name="Follow to the rematch").click()
        await page.wait_for_url(lambda address: number not in address)
        await expect(page.locator(".seat .name")).to_have_text(["Anna", "Bruno"])
        await expect(page.locator("dialog.result")).to_have_count(0)


async def test_a_match_that_was_broken_off_has_no_winner_and_can_be_played_on(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", "house", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", phone=True)
        await player.open_table(page, "santorini", bots="", options={"Gods": "none"})
        first = page.url
        bruno = await rig.enter(server, "Bruno", options_max=200)
        await bruno.send({"type": "sit", "table": first.rsplit("/", 1)[-1]})
        helper = asyncio.create_task(first_options(bruno))
        while not await page.locator('#board[data-kind="build"]').count():
            await player.play(page, turns=1)
            await page.wait_for_timeout(50)
        helper.cancel()
        await bruno.send({"type": "leave"})
        result = page.locator("dialog.result")
        await expect(result).to_contain_text("The match was broken off")
        await expect(result).to_contain_text(
            "Bruno left; the match is broken off. Nobody wins; it does not count."
        )
        await expect(result.locator(".gold")).to_have_count(0)
        await expect(result.locator(".win")).to_have_count(0)
        await expect(result.locator("thead")).to_contain_text("As it stood")
        await expect(result.locator(".primary")).to_have_text(["Play on against a bot"])
        assert await player.fits(page)
        assert await player.accessibility(page) == []
        await result.get_by_role("button", name="Play on against a bot").click()
        await page.wait_for_url(lambda address: address != first)
        await expect(page.locator("dialog.result")).to_have_count(0)
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()


async def test_who_wins_because_a_bot_gave_up_is_told_so_in_both_languages(tmp_path: Path, visit: Visit):
    """The games know nothing of it: Santorini said that the winner had gone up to the third level."""
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini", bots="strong", options={"Gods": "none"})
        await player.play(page, turns=4)
        (bot,) = [guest for guest in server.house.hall.guests if guest.bot]
        server.house.hall.resign(bot, hope.FAREWELL, server.house.now())
        server.house.dispatch()
        result = page.locator("dialog.result")
        await expect(result.locator("h2")).to_have_text("Alba wins")
        await expect(result).to_contain_text("Bot-Ada saw no hope any more and gave up.")
        await expect(result).not_to_contain_text("third level")
        looking = reach.Explorer.at(page)
        for size in ((1366, 650), reach.PHONE):
            await looking.resize(size)
            assert await reach.probe(page) == [], size
        await player.close_result(page)
        await expect(page.locator(".askbar")).to_contain_text("Bot-Ada saw no hope any more and gave up.")
        nina = await visit(server, f"/table/{page.url.rsplit('/', 1)[-1]}", language="it")
        await expect(nina.locator("body")).to_contain_text("Bot-Ada non vedeva più speranze e ha rinunciato.")


async def test_after_a_victory_the_next_bot_is_one_press_away(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "multisweeper", options={"Columns": "4", "Rows": "4", "Mines": "6"})
        won = page.locator("dialog.result h2").filter(has_text="Alba wins")
        first = page.url
        # Who had hints is told so at the end, also after coming back, and not in the next match.
        await player.offered(page)
        await page.keyboard.press("h")
        await expect(page.locator(".ask")).to_contain_text("would")
        await page.reload()
        for seed in range(20):
            await player.play(page, seed=seed)
            result = page.locator("dialog.result")
            await expect(result.get_by_text("with 1 hint")).to_have_count(int(seed == 0))
            await expect(result.locator("tbody th")).to_have_text(["Rounds played", "Cells opened"])
            if await won.count():
                break
            await result.get_by_role("button", name="Rematch").click()
            await page.locator("dialog.result").wait_for(state="detached")
            first = page.url
        await page.get_by_role("button", name="Next: a bot").click()
        await page.wait_for_url(lambda address: address != first)
        await expect(page.locator(".seat .name")).to_have_text(["Alba", "Bot-Ada"])
