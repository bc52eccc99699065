"""The house around the tables: the lobby, sitting down, first opponents, invitations, words,
and what stays behind."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.async_api import Page, Route, expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit

from ludoteca import games
from ludoteca.server.serve import Server

pytestmark = pytest.mark.slow

SHIFT_MAX = 0.02
NODES_LEFT_MAX = 200
VISITS = 10


async def test_a_newcomer_meets_an_easy_bot_and_the_simplest_game_and_is_remembered(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        card = page.locator('.game[data-game="eriantys"]')
        await expect(card.locator(".bots small")).to_have_text("easy")
        await card.get_by_role("button", name="Play bots easy").click()
        await page.wait_for_url("**/table/*")
        table = await _table(page)
        assert [chair["bot"] for chair in table["chairs"]] == ["", "easy"]
        assert table["options"]["mode"] == "Basic"

        await page.goto(page.url.split("/table")[0])
        await page.get_by_role("button", name="How the bots play Eriantys").click()
        await player.choose(page, "Bots", "strong")
        await player.choose(page, "Opponents", "2")
        await player.choose(page, "Game", "in full")
        await page.locator("dialog").get_by_role("button", name="Play bots").click()
        await page.wait_for_url("**/table/*")
        table = await _table(page)
        assert [chair["bot"] for chair in table["chairs"]] == ["", "strong", "strong"]
        assert table["options"]["mode"] == "Expert"

        await page.goto(page.url.split("/table")[0])
        await expect(card.locator(".bots small")).to_have_text("strong")


async def _table(page: Page) -> dict[str, Any]:
    """The table of this page, once its match has begun."""
    await page.locator("#board[data-drawn=true]").wait_for()
    table: dict[str, Any] = await page.evaluate(
        "fetch(`/api/v1/tables/${location.pathname.split('/').pop()}`).then((found) => found.json())"
    )
    return table


async def test_bots_are_seated_by_level_at_the_table(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini", players=3, bots="")
        await page.get_by_role("button", name="Seat a bot: medium").click()
        await page.get_by_role("button", name="Seat a bot: easy").click()
        table = await _table(page)
        assert [chair["bot"] for chair in table["chairs"]] == ["", "medium", "easy"]


async def test_sitting_down_takes_one_click(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(alba, "santorini", bots="")
        # Nina's list is old: she has not heard that the chair is taken.
        nina = await visit(server, name="Nina")
        await nina.locator(".item").get_by_role("button", name="Sit down").wait_for()
        for guest in list(server.house.hall.lookers.gazes):
            if (looker := server.house.hall.desk.guest(guest)) is not None:
                server.house.hall.lookers.unlook(looker)
        bruno = await visit(server, name="Bruno")
        await bruno.locator(".item").get_by_role("button", name="Sit down").click()
        await expect(bruno.locator(".seat .name")).to_have_text(["Alba", "Bruno"])
        await nina.locator(".item").get_by_role("button", name="Sit down").click()
        await expect(nina.locator(".seat .name")).to_have_text(["Alba", "Bruno"])
        await expect(nina.locator(".banner")).to_contain_text("Not possible")
        await expect(nina.locator("[data-option]")).to_have_count(0)


async def test_tables_come_and_go_in_anothers_lobby_without_a_word_from_that_page(
    tmp_path: Path, visit: Visit
):
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        nina = await visit(server, name="Nina")
        await expect(nina.locator(".lists")).to_contain_text("No table is waiting")
        said: list[str] = []
        nina.on("request", lambda request: said.append(request.url))
        open_tables, running, finished = (nina.locator(".lists .panel").nth(number) for number in range(3))
        alba, bruno = await rig.enter(server, "Alba"), await rig.enter(server, "Bruno")
        await alba.send({"type": "open", "game": "santorini", "seats": 2})
        table = (await alba.until("seated"))["table"]["id"]
        await expect(open_tables).to_contain_text("Alba")
        await alba.send({"type": "leave"})
        await expect(open_tables).not_to_contain_text("Alba")
        await alba.send({"type": "open", "game": "santorini", "seats": 2})
        table = (await alba.until("seated"))["table"]["id"]
        await bruno.send({"type": "sit", "table": table})
        await expect(running).to_contain_text("Alba and Bruno")
        await expect(open_tables).not_to_contain_text("Alba")
        await bruno.send({"type": "leave"})
        await expect(finished).to_contain_text("Alba")
        await expect(running).not_to_contain_text("Alba")
        # Parts of the page that come late are no question about tables.
        assert [url for url in said if "/assets/" not in url] == []
        # A page that nobody sees is told nothing.
        lookers = server.house.hall.lookers
        assert len(lookers.gazes) == 1
        await nina.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
        await nina.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        async with asyncio.timeout(rig.PATIENCE_S):
            while lookers.gazes:
                await asyncio.sleep(0.02)


async def test_of_many_tables_one_sees_the_first_more_on_request_and_those_of_a_game(
    tmp_path: Path, visit: Visit
):
    many = {"tables_per_address_max": 1000, "durability": "off"}
    async with rig.house(tmp_path, "http", "house", **many) as server:
        for number in range(60):
            person = await rig.enter(server, f"P{number}")
            game = "shelfie" if number % 10 == 0 else "santorini"
            await person.send({"type": "open", "game": game, "seats": 2})
            await person.until("seated")
        nina = await visit(server, name="Nina", phone=True)
        rows = nina.locator(".lists .panel").first.locator(".item[data-game]")
        await expect(rows).to_have_count(50)
        await nina.get_by_role("button", name="Show more (10)").click()
        await expect(rows).to_have_count(60)
        await expect(nina.get_by_role("button", name="Show")).to_have_count(0)
        await nina.get_by_role("combobox", name="Game").select_option("shelfie")
        await expect(rows).to_have_count(6)
        await nina.get_by_role("combobox", name="Game").select_option("")
        await expect(rows).to_have_count(50)
        assert await nina.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_a_lobby_comes_back_by_itself_when_the_house_does(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        port = server.addresses["http"][1]
        nina = await visit(server, name="Nina")
        # A part of the page is on its way when the house goes: that is no reason to throw away the rest.
        asked, gone = asyncio.Event(), asyncio.Event()

        async def late(route: Route) -> None:
            asked.set()
            await gone.wait()
            await route.abort()

        await nina.route("**/TablePage*.js", late)
        await nina.reload()
        await asked.wait()
        await expect(nina.locator(".lists")).to_contain_text("No table is waiting")
        await nina.evaluate("window.kept = true")
    # Only when nobody has answered the page's question for the house may there be one again.
    async with nina.expect_event("requestfailed", lambda request: request.url.endswith("/healthz")):
        gone.set()
    await expect(nina.locator(".banner")).to_contain_text("cannot be reached")
    again = rig.settings(tmp_path, "http", "house", durability="off")
    again = msgspec.structs.replace(again, port={"http": port, "house": 0})
    server = Server(again)
    await server.start()
    try:
        await expect(nina.locator(".banner")).to_have_count(0)
        alba = await rig.enter(server, "Alba")
        await alba.send({"type": "open", "game": "santorini", "seats": 2})
        await expect(nina.locator(".lists")).to_contain_text("Alba")
        assert await nina.evaluate("window.kept")
    finally:
        await server.stop()


async def test_who_plays_sees_how_many_look_on_without_asking(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        alba = await visit(server, name="Alba")
        await player.open_table(alba, "santorini", bots="")
        one, other = await rig.connect(server, "house"), await rig.connect(server, "house")
        watch = {"type": "watch", "table": alba.url.rsplit("/", 1)[-1]}
        await one.send(watch)
        await expect(alba.get_by_text("1 person watching").first).to_be_visible()
        said: list[str] = []
        alba.on("request", lambda request: said.append(request.url))
        await other.send(watch)
        await expect(alba.get_by_text("2 people watching").first).to_be_visible()
        await one.close()
        await other.close()
        await expect(alba.get_by_text("1 person watching")).to_have_count(0)
        # The page may still have fetched parts of itself.
        assert [url for url in said if "/assets/" not in url] == []


async def test_a_name_that_the_house_does_not_take_is_refused_at_once(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, name="Bot-Ada")
        await expect(page.locator(".me [role=alert]")).to_contain_text("Not possible")
        await expect(page.get_by_role("button", name="Saved")).to_have_count(0)
        await page.get_by_role("textbox").first.fill("Alba")
        await page.get_by_role("textbox").first.press("Enter")
        await expect(page.get_by_role("button", name="Saved")).to_be_visible()


@pytest.mark.parametrize("host", ["127.0.0.1", "ludoteca.test"])
async def test_copied_is_only_said_when_it_was(tmp_path: Path, visit: Visit, host: str):
    """Under a name of one's own network there is no TLS, and a browser gives such a page no clipboard."""
    async with rig.house(tmp_path, "http", durability="off", hosts=["ludoteca.test"]) as server:
        page = await visit(server, host=host)
        assert await page.evaluate("isSecureContext") == (host == "127.0.0.1")
        await page.context.grant_permissions([])
        await player.open_table(page, "santorini", bots="")
        await page.get_by_role("button", name="Copy", exact=True).click()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        say = page.get_by_placeholder("Say something")
        await say.focus()
        await page.keyboard.press("Control+V")
        assert await say.input_value() == page.url
        # Where nothing can be copied, nothing is said to be: the link is selected.
        await page.reload()
        await page.evaluate("document.execCommand = () => false")
        await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        await page.get_by_role("button", name="Copy", exact=True).click()
        await expect(page.get_by_text("It is selected")).to_be_visible()
        await expect(page.get_by_role("button", name="Copied")).to_have_count(0)
        assert await page.evaluate("getSelection().toString()") == page.url


_SHIFTS = """window.shift = 0; new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shift += one.value;
}).observe({ type: 'layout-shift', buffered: true });"""


@pytest.mark.parametrize("phone", [False, True])
async def test_nothing_jumps_in_the_lobby_or_at_a_table(tmp_path: Path, visit: Visit, phone: bool):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        host = await visit(server, name="Bruno")
        await player.open_table(host, "santorini", bots="")
        page = await visit(server, phone=phone)
        # The hints of a first game come when they have been fetched, and make room for themselves.
        known = {game: {"seen": [], "over": True} for game in games.names()}
        await page.evaluate("(kept) => localStorage.setItem('ludoteca.tips', JSON.stringify(kept))", known)
        await page.context.add_init_script(_SHIFTS)
        home = page.url
        await page.reload()
        await page.locator(".item .btn").first.wait_for()
        await page.wait_for_timeout(300)
        assert await page.evaluate("shift") < SHIFT_MAX
        for game in games.names():
            await page.locator(f'.game[data-game="{game}"] .bots .btn').first.click()
            await page.locator("#board[data-drawn=true]").wait_for()
            await page.reload()
            await page.locator("#board [data-option], .choices [data-option]").first.wait_for()
            await page.wait_for_timeout(300)
            assert await page.evaluate("shift") < SHIFT_MAX, game
            await page.goto(home)


SHOWN_NODES = """() => {
    const walker = document.createTreeWalker(document);
    let count = 1;
    while (walker.nextNode()) count += 1;
    return count;
}"""


async def test_no_table_stays_in_memory_after_it_was_left(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        session = await page.context.new_cdp_session(page)

        async def nodes() -> int:
            for _ in range(3):
                await session.send("HeapProfiler.collectGarbage")
            alive = int((await session.send("Memory.getDOMCounters"))["nodes"])
            # What the page shows may grow: the lobby lists the matches that were left.
            return alive - int(await page.evaluate(SHOWN_NODES))

        async def look_in() -> None:
            await page.locator('.game[data-game="eriantys"] .bots .btn').first.click()
            await page.locator("#board [data-option]").first.wait_for()
            # Away and back again keeps the seat; leaving gives it up.
            await page.get_by_role("link", name="Ludoteca").click()
            await page.get_by_role("button", name="Go on").click()
            await page.locator("#board [data-option]").first.wait_for()
            await page.get_by_role("button", name="Leave", exact=True).click()
            await page.locator("dialog").get_by_role("button", name="Leave").click()
            await page.locator(".game").first.wait_for()

        await look_in()
        before = await nodes()
        for _ in range(VISITS):
            await look_in()
        assert await nodes() - before < NODES_LEFT_MAX


async def test_a_table_that_is_not_there_says_so_and_nothing_else(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, "/table/nowhere")
        await expect(page.locator(".ask")).to_have_text("There is no such table (any more).")
        await expect(page.get_by_text("about to begin")).to_have_count(0)
        await expect(page.get_by_role("button", name="Invite someone")).to_have_count(0)
        await page.goto(page.url.replace("table", "replay"))
        await expect(page.locator(".ask")).to_have_text("There is no such table (any more).")


@pytest.mark.parametrize("language", ["en", "it"])
async def test_no_word_of_the_lobby_is_cut_off_in_either_language(
    tmp_path: Path, visit: Visit, language: str
):
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await visit(server, language=language)
        await page.locator(".bots small").first.wait_for()
        looking = reach.Explorer.at(page)
        for size in (*reach.SCREENS, *reach.PHONES):
            await looking.resize(size)
            assert await reach.probe(page) == [], size


async def test_the_marks_of_a_player_have_the_colour_of_the_workers(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini", options={"Gods": "none"})
        await player.play(page, turns=8)
        for seat, worker in enumerate(await page.locator(".seat .pip").all()):
            colour = await worker.evaluate("(one) => getComputedStyle(one).color")
            hues = {
                "LIGHT_BLUE": "rgb(26, 111, 153)",
                "MAGENTA": "rgb(168, 50, 127)",
                "WHITE": "rgb(106, 99, 87)",
            }
            story = await page.evaluate(
                "fetch(`/api/v1/tables/${location.pathname.split('/').pop()}/story`).then((found) => "
                "found.json())"
            )
            assert colour == hues[story["steps"][-1]["view"]["colours"][seat]]


async def test_an_invitation_that_is_closed_before_its_code_is_there_is_closed_without_a_word(
    tmp_path: Path, visit: Visit
):
    may_come = asyncio.Event()

    async def late(route: Route) -> None:
        await may_come.wait()
        await route.continue_()

    async with rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await page.route("**/assets/qr-*", late)
        card = page.locator('.game[data-game="eriantys"]')
        await card.get_by_role("button", name="Play bots easy").click()
        await page.wait_for_url("**/table/*")
        await page.get_by_role("button", name="Invite someone").click()
        await expect(page.locator("dialog")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("dialog")).to_have_count(0)
        async with page.expect_response("**/assets/qr-*"):
            may_come.set()
        # The same module, asked for after it: by now the one that was closed has it, too.
        await page.get_by_role("button", name="Invite someone").click()
        await expect(page.locator("dialog svg.qr")).to_be_visible()
