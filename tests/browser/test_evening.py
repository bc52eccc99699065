"""A person's evening: inviting, watching, losing the network, a server that is killed
and comes back, Italian."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit

pytestmark = pytest.mark.slow


async def test_two_browsers_and_a_raw_client_play_one_match(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", "multisweeper", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(
            alba, "multisweeper", players=3, bots="", options={"Columns": "5", "Rows": "5", "Mines": "4"}
        )
        link = await alba.locator("#board input").input_value()
        bruno = await visit(server, name="Bruno")
        await bruno.goto(link)
        await bruno.get_by_role("button", name="Sit down").click()
        await expect(alba.locator(".seat .name")).to_have_text(["Alba", "Bruno", "free chair"])
        raw = await rig.connect(server, "multisweeper")
        await raw.send("multisweeper client v1", "name Carla")

        async def play_raw() -> None:
            cells = ["9"] * 25
            while (line := await raw.line()) is not None:
                word, *rest = line.split()
                if word == "board_update":
                    cells = rest
                elif word in ("start", "end_condition"):
                    cells = ["9"] * 25
                elif word == "turn_start":
                    closed = cells.index("9")
                    await raw.send(f"click {closed % 5} {closed // 5}")

        await asyncio.wait_for(
            asyncio.gather(player.play(alba, seed=2), player.play(bruno, seed=3), play_raw()), 60
        )
        for page in (alba, bruno):
            await expect(page.locator("dialog.result")).to_be_visible()
            await expect(page.locator(".seat .name")).to_have_text(["Alba", "Bruno", "Carla"])


async def test_a_private_table_chat_and_a_rematch(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(
            alba, "multisweeper", bots="", private=True, options={"Columns": "4", "Rows": "4", "Mines": "6"}
        )
        bruno = await visit(server, name="Bruno")
        await expect(bruno.get_by_text("No table is waiting")).to_be_visible()
        await bruno.goto(alba.url)
        await bruno.get_by_role("button", name="Sit down").click()
        await bruno.get_by_placeholder("Say something").fill("<b>good luck</b>")
        await bruno.keyboard.press("Enter")
        await expect(alba.locator(".chat")).to_contain_text("<b>good luck</b>")
        # Whom one does not want to hear is not heard, until one does; nobody else notices.
        await alba.get_by_role("button", name="Mute Bruno").click()
        await expect(alba.locator(".chat")).not_to_contain_text("good luck")
        await bruno.get_by_placeholder("Say something").fill("hello?")
        await bruno.keyboard.press("Enter")
        await expect(bruno.locator(".chat")).to_contain_text("hello?")
        await alba.reload()
        await expect(alba.get_by_text("You do not see what Bruno says.")).to_be_visible()
        await expect(alba.locator(".chat")).not_to_contain_text("hello?")
        await expect(alba.locator(".unread")).to_have_count(0)
        await alba.get_by_role("button", name="Show", exact=True).click()
        await expect(alba.locator(".chat")).to_contain_text("hello?")
        await expect(alba.get_by_role("button", name="Mute Alba")).to_have_count(0)
        await asyncio.gather(player.play(alba, seed=2), player.play(bruno, seed=3))
        first = alba.url
        for page in (alba, bruno):
            await page.get_by_role("button", name="Rematch").click()
        for page in (alba, bruno):
            await page.wait_for_url(lambda address: address != first)
            await expect(page.locator(".seat .name")).to_have_text(["Alba", "Bruno"])


async def test_the_network_goes_and_comes_back(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini")
        await player.play(page, turns=6)
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        before = await player.asked(page)
        await page.context.set_offline(True)
        await expect(page.get_by_text("Connection lost.").last).to_be_visible()
        assert (await player.asked(page)).startswith("Your turn.")
        await page.context.set_offline(False)
        await expect(page.locator(".banner")).to_have_count(0)
        # What is asked is told again a moment after that.
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        assert await player.asked(page) == before
        await player.play(page, turns=3)
        # Reloading the page is the same as returning.
        await page.reload()
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        await expect(page.locator(".log li").nth(3)).to_be_attached()


@pytest.mark.timeout(600)
async def test_the_server_is_killed_under_an_open_page_which_plays_on(tmp_path: Path, visit: Visit):
    async with rig.process(tmp_path, "http") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "shelfie")
        await player.play(page, turns=8)
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        step = await page.locator(".log .n").last.inner_text()
        await server.kill()
        await expect(page.locator(".banner")).to_be_visible()
        await server.start()
        await expect(page.locator(".banner")).to_have_count(0)
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        await expect(page.locator(".log .n").last).to_have_text(step)
        await player.play(page)
        await expect(page.locator("dialog.result")).to_be_visible()


async def test_a_spectator_sees_nothing_secret(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(alba, "shelfie")
        await player.play(alba, turns=4)
        secret = "Your secret goal"
        await expect(alba.get_by_role("button", name=secret)).to_be_visible()

        heard: list[str] = []
        nina = await visit(server)
        _listen(nina, heard)
        await nina.goto(alba.url)
        await nina.locator("#board[data-drawn=true]").wait_for()
        await player.play(alba, turns=6)
        await expect(nina.get_by_role("button", name=secret)).to_have_count(0)
        await expect(nina.get_by_text(secret)).to_have_count(0)
        await expect(nina.locator("[data-option]")).to_have_count(0)
        await expect(alba.locator(".watching")).to_be_attached()
        views = [message["view"] for message in map(json.loads, heard) if message.get("view")]
        assert views
        assert all(view["wishes"] == [] and set(view["cards"]) == {None} for view in views)
        story = await nina.evaluate(
            "(id) => fetch(`/api/v1/tables/${id}/story`).then((found) => found.json())", _id(alba)
        )
        assert story["seat"] is None
        assert all(set(step["view"]["cards"]) == {None} for step in story["steps"])


def _listen(page: Page, heard: list[str]) -> None:
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: heard.append(str(data))))


def _id(page: Page) -> str:
    return page.url.rsplit("/", 1)[-1]


async def test_looking_back_while_the_match_goes_on(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini")
        await player.play(page, turns=6)
        await expect(page.locator(".askbar[data-mine=true]")).to_be_visible()
        await expect(page.locator(".scrub")).to_have_count(0)
        await page.get_by_role("button", name="Look back through the moves").click()
        await expect(page.locator(".ask")).to_contain_text("You are looking at move")
        await expect(page.locator("[data-option]")).to_have_count(0)
        await page.get_by_role("button", name="Back to live").click()
        await expect(page.locator("#board [data-option]").first).to_be_visible()


# Notes every tone; and a moment later it is so many seconds later.
TONES = """() => {
  window.tones = [];
  const start = AudioScheduledSourceNode.prototype.start;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    window.tones.push(this.frequency.value);
    return start.apply(this, when);
  };
}"""
LATER = "(seconds) => { const now = Date.now; Date.now = () => now() + seconds * 1000; }"
LOW_HZ = 660


async def test_the_own_clock_is_read_out_and_heard_when_it_is_low(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "shelfie", options={"Time for a move": "1 min"})
        spoken = page.get_by_role("status").filter(has_text="60 seconds left")
        await expect(spoken).to_have_count(1)
        await expect(spoken).to_have_count(0)
        await expect(page.get_by_role("timer")).to_have_count(1)
        await page.evaluate(TONES)
        await page.keyboard.press("m")
        await expect(page.get_by_role("timer")).to_have_text(re.compile("^0:[2-5]"))
        assert LOW_HZ not in await page.evaluate("window.tones")
        minutes, seconds = (await page.get_by_role("timer").inner_text()).split(":")
        await page.evaluate(LATER, int(minutes) * 60 + int(seconds) - 20)
        await page.wait_for_function(f"() => window.tones.includes({LOW_HZ})")


async def test_italian_from_the_lobby_to_the_result(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, language="it")
        await expect(page.get_by_role("heading", level=1)).to_have_text("A che cosa giochiamo stasera?")
        assert await page.locator("html").get_attribute("lang") == "it"
        await page.get_by_role("button", name="Contro i bot facile , Multisweeper").click()
        await page.wait_for_url("**/table/*")
        await expect(page.locator(".log")).to_contain_text("Manche 1")
        await player.play(page)
        await expect(page.locator("dialog.result")).to_contain_text("Vince")
        await player.close_result(page)
        await page.get_by_role("button", name="English").click()
        await expect(page.locator(".log")).to_contain_text("Round 1")


async def test_leaving_asks_once_and_gives_the_seat_up(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini")
        await page.get_by_role("button", name="Leave", exact=True).click()
        await page.get_by_role("button", name="Stay", exact=True).click()
        await expect(page.locator("dialog")).to_have_count(0)
        await page.get_by_role("button", name="Leave").click()
        await page.locator("dialog").get_by_role("button", name="Leave").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("What shall we play tonight?")
        await expect(page.get_by_text("Go on")).to_have_count(0)


async def test_the_lobby_is_accessible_in_light_and_dark_with_its_dialog(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server)
        await page.locator(".game").first.wait_for()
        assert await player.accessibility(page) == []
        await page.get_by_role("button", name="Switch between light and dark").click()
        await player.settled(page)
        assert await player.accessibility(page) == []
        await page.get_by_role("button", name="New table").click()
        await page.locator("dialog summary").click()
        assert await player.accessibility(page) == []
        # Nobody is asked how old he is.
        await page.keyboard.press("Escape")
        await page.locator('.game[data-game="santorini"] .do .btn:not(.tint)').click()
        await page.locator("dialog summary").click()
        await expect(page.locator("dialog")).to_contain_text("Gods")
        await expect(page.locator("dialog")).not_to_contain_text(re.compile("birth", re.IGNORECASE))


async def test_a_table_against_bots_waits_for_its_person(tmp_path: Path, visit: Visit):
    """Gone without a word, whatever the terms; the lobby says that the table waits, until it
    is left for good."""
    async with rig.house(tmp_path, "http", durability="off", bot_workers=0, bot_s=0.01) as server:
        alba = await visit(server, name="Alba")
        # Nothing is asked for that is not there.
        missing: list[str] = []
        alba.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
        await player.open_table(alba, "multisweeper", options={"Columns": "6", "Rows": "6", "Mines": "6"})
        await expect(alba.locator("#board")).to_be_visible()
        (table,) = server.house.hall.tables
        home = alba.url[: alba.url.index("/table")]
        await alba.goto(home)
        waits = alba.get_by_role("region", name="Your table waits for you")
        await expect(waits).to_be_visible()
        server.house.hall.tick(server.house.now() + 6 * 24 * 3600.0)
        assert table.phase == "playing"
        await waits.get_by_role("button", name="Go on").click()
        await expect(alba.locator(".seat .name").first).to_have_text("Alba")
        assert missing == []
        table.close("over for a test", server.house.now())
        server.house.dispatch()
        # The page has heard of it; who goes sooner may still play on what was broken off.
        await alba.wait_for_function("id => !JSON.stringify(localStorage).includes(id)", arg=table.id)
        await alba.goto(home)
        await expect(waits).to_be_hidden()


async def test_what_somebody_broke_off_is_played_on_against_a_bot_at_once_or_later(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", "house", durability="off", bot_s=0.01, bot_workers=0) as server:
        alba = await visit(server, name="Alba")
        play_on = alba.get_by_role("button", name="Play on against a bot")
        for later in (False, True):
            await player.open_table(alba, "santorini", bots="", options={"Gods": "none"})
            table = alba.url.split("/")[-1]
            bruno = await rig.enter(server, f"Bruno {later}")
            await bruno.send({"type": "sit", "table": table})
            await player.play(alba, turns=1)
            await bruno.send({"type": "leave"})
            result = alba.locator("dialog.result")
            await expect(result).to_contain_text("broken off")
            if later:
                # Among the tables that wait, until it has been played on.
                await alba.goto(alba.url.split("/table")[0])
                await expect(play_on).to_be_visible()
            await play_on.click()
            await expect(alba.locator(".seat .name")).to_contain_text(["Alba", "Bot-"])
            await alba.locator("#board[data-drawn=true]").wait_for()
            assert table not in alba.url
            await alba.goto(alba.url.split("/table")[0])
            await expect(alba.get_by_role("button", name="Go on")).not_to_have_count(0)
            await expect(play_on).to_have_count(0)
