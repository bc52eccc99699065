"""A bot's opinion for one's own seat: in words, on the board, and only where nobody is wronged by it."""

from pathlib import Path

import pytest
from playwright.async_api import expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import DESKTOP, PHONE, Visit

from ludoteca import games

pytestmark = pytest.mark.slow

HINT = "Ask a bot for a hint"
# The frequencies of all tones.
HEARD = """window.heard = [];
  const make = BaseAudioContext.prototype.createOscillator;
  BaseAudioContext.prototype.createOscillator = function () {
    const one = make.call(this);
    setTimeout(() => window.heard.push(Math.round(one.frequency.value)));
    return one;
  };"""
# The note is inside the board, and does not cover the place it is about.
BESIDE = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const [note, mark, board] = [box('.note'), box('i.mark'), box('#board')];
  const beside = note.left >= mark.right || note.right <= mark.left;
  const inside = note.left >= board.left && note.right <= board.right;
  return inside && (beside || note.top >= mark.bottom || note.bottom <= mark.top)
    && note.top >= board.top && note.bottom <= board.bottom;
}"""
# What a new size of the window leads to has been done.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 80)))"


@pytest.mark.parametrize("game", games.names())
async def test_a_hint_is_told_marked_and_done(tmp_path: Path, visit: Visit, game: str):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, game)
        asked = page.locator(".askbar[data-mine=true]")
        await asked.wait_for()
        before = await page.locator("[data-option]").count()
        await page.get_by_role("button", name=HINT).click()
        await expect(page.locator(".ask")).to_contain_text("would")
        await expect(page.locator(".ask small")).to_contain_text("Your chances, as it sees them")
        assert "undefined" not in await player.asked(page)
        assert await page.locator("#board [data-option]").count() <= before
        await page.keyboard.press("Escape")
        await expect(page.locator(".ask")).not_to_contain_text("would")
        assert await page.locator("[data-option]").count() == before
        # Asked again it is told at once, and can be left to the page.
        await page.keyboard.press("h")
        await page.get_by_role("button", name="Do it").click()
        await expect(page.locator(".ask")).not_to_contain_text("would")
        # A click of Multisweeper may be the last of a match, and then nothing more is asked.
        over = page.locator("dialog.result")
        await asked.or_(over).first.wait_for()
        if not await over.count():
            await expect(page.get_by_role("button", name=HINT)).to_be_visible()


async def test_where_people_play_nobody_is_offered_a_hint(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(alba, "multisweeper", bots="")
        bruno = await visit(server, name="Bruno")
        await bruno.locator(".item").get_by_role("button", name="Sit down").click()
        await alba.locator("#board[data-drawn=true]").wait_for()
        await bruno.locator("#board[data-drawn=true]").wait_for()
        for page in (alba, bruno):
            await expect(page.get_by_role("button", name=HINT)).to_have_count(0)
            await page.keyboard.press("h")
            await expect(page.locator(".ask")).not_to_contain_text("Not possible")
        # Whoever has moved is told whose turn it is, and not for ever that the move is being sent.
        mover = alba if await alba.locator(".askbar[data-mine=true]").count() else bruno
        await mover.locator("#board [data-option]").first.click()
        await expect(mover.locator(".ask")).not_to_contain_text("Sending")


async def test_a_first_game_is_explained_question_by_question_until_it_is_over_or_unwanted(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "shelfie")
        tip = page.locator(".tip")
        await expect(tip).to_contain_text("First game, hint 1 of 6")
        await expect(tip).to_contain_text("each needs a free side")
        assert await player.accessibility(page) == []
        # Acting is as good as saying so: the next turn has the next hint.
        for press in range(20):
            await player.play(page, seed=press, turns=1)
            if "hint 3 of 6" in await tip.inner_text():
                break
        await expect(tip).to_contain_text("hint 3 of 6")
        await tip.get_by_role("button", name="Got it").click()
        await expect(tip).to_contain_text("hint 4 of 6")
        # On a phone it stands in the second line of the question.
        await page.set_viewport_size(PHONE)
        await expect(tip).to_have_count(0)
        await expect(page.locator(".ask small")).to_contain_text("These two goals are for all")
        await page.set_viewport_size(DESKTOP)
        await tip.get_by_role("button", name="No hints").click()
        await expect(tip).to_have_count(0)
        await page.reload()
        await page.locator("#board[data-kind]").wait_for()
        await expect(tip).to_have_count(0)
        await page.get_by_role("button", name="Settings").click()
        await page.get_by_role("button", name="Show the hints of first games again").click()
        await page.keyboard.press("Escape")
        await expect(tip).to_contain_text("hint 1 of 6")


async def test_what_cannot_be_pressed_says_why_in_the_numbers_of_the_position(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba", motion=HEARD)
        # It stands beside the place, which is marked, inside the board.
        why, mark = page.locator(".note"), page.locator("i.mark")
        await player.open_table(page, "santorini", options={"Gods": "none"})
        while await page.locator("#board").get_attribute("data-kind") != "move":
            await player.play(page, turns=1, seed=3)
        cells = page.locator('#board .cell:not([data-option]):not([aria-label*="Alba"])')
        labels = [await cells.nth(place).get_attribute("aria-label") for place in range(await cells.count())]
        assert len(labels) > 8
        for label in labels:
            place = str(label).split(",")[0]
            cell = page.locator(f'#board .cell[aria-label^="{place},"]')
            await cell.dispatch_event("click")
            await expect(why).to_contain_text(place)
            assert await page.evaluate(BESIDE)
        await expect(mark).to_have_count(1)
        assert await player.accessibility(page) == []
        # Refusals are heard by those who want to hear.
        assert await page.evaluate("heard") == []
        await page.keyboard.press("m")
        await cell.dispatch_event("click")
        await page.wait_for_function("heard.includes(150)")
        await page.keyboard.press("m")
        await why.get_by_role("button", name="Read the rule").click()
        await page.locator("dialog.drawer header button").click()
        # On a phone with no room beside the place it stands under the question, and the place is marked.
        await page.set_viewport_size({"width": 390, "height": 250})
        await cell.scroll_into_view_if_needed()
        await page.evaluate(SETTLED)
        await cell.dispatch_event("click")
        await expect(page.locator(".ask small")).to_contain_text(place)
        await expect(mark).to_have_count(1)
        await page.set_viewport_size(DESKTOP)
        # The next press, wherever it is, takes the answer away.
        await page.locator("#board .cell[data-option]").first.click()
        await expect(why).to_have_count(0)

        await page.goto(page.url.split("/table")[0])
        await player.open_table(page, "shelfie")
        await page.locator("#board[data-kind=take]").wait_for()
        await page.locator('.cell[aria-label*="no free side"]').first.click()
        await expect(why).to_contain_text("This tile has no free side")
        # A key does what a finger does, and the answer comes in the language of the page.
        await page.locator('.cell[aria-label*="no free side"]').first.press("Enter")
        await expect(why).to_contain_text("This tile has no free side")


@pytest.mark.parametrize(
    ("game", "kind", "places"),
    [
        (
            "eriantys",
            "student",
            {'[data-card="assistants/10"]': "First move", '[data-place="cloud/0"]': "First move"},
        ),
        ("renaissance", "action", {'[data-card^="cards/"]:not([data-option])': "You need"}),
    ],
)
async def test_cards_and_clouds_that_cannot_be_chosen_say_why_too(
    tmp_path: Path, visit: Visit, game: str, kind: str, places: dict[str, str]
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, game)
        for seed in range(60):
            if await page.locator("#board").get_attribute("data-kind") == kind:
                break
            await player.play(page, turns=1, seed=seed)
        for place, why in places.items():
            await page.locator(f"#board {place}").first.click(force=True)
            # A card opens with its text, and there it stands.
            answer = page.locator("dialog .why, .note")
            await expect(answer.filter(has_text=why).first).to_be_visible()
            await page.keyboard.press("Escape")
