"""The host's page and the door: closing a table, banning, restarting kindly; and that nobody else can."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests import rig
from tests.browser import player, reach
from tests.browser.conftest import Visit
from tests.server import journals

from ludoteca.hall import acts
from ludoteca.server import keeping
from ludoteca.server.schema import journal_in
from ludoteca.server.serve import Server

pytestmark = pytest.mark.slow

LAPTOP, PHONE = (1366, 650), (390, 844)


async def hosted(server: Server, visit: Visit, **more: Any) -> Page:
    """A browser that has opened the link of a host."""
    return await visit(server, f"/house#{await server.desk.link()}", **more)


async def pair(server: Server) -> tuple[rig.Client, rig.Client, str]:
    """Two who play, from addresses of their own; with hands that nobody else may see."""
    ada, bruno = await rig.enter(server, "Ada", "127.0.0.2"), await rig.enter(server, "Bruno", "127.0.0.3")
    await ada.send({"type": "open", "game": "renaissance", "seats": 2, "label": "corner"})
    table = (await ada.until("seated"))["table"]["id"]
    await bruno.send({"type": "sit", "table": table})
    await bruno.until("view")
    return ada, bruno, table


async def test_a_host_closes_a_table_bans_and_restarts_kindly(tmp_path: Path, visit: Visit) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off", bot_s=0.01, bot_workers=0) as server:
        link = f"/house#{await server.desk.link()}"
        page = await visit(server, link)
        await expect(page.get_by_role("heading", level=1)).to_have_text("The house, now")
        assert "#" not in page.url
        # The link was good once: whoever has it from a log finds nothing.
        other = await visit(server, link)
        await expect(other.get_by_role("heading", level=1)).to_have_text("There is no such page.")

        ada, bruno, table = await pair(server)
        hand = (await ada.until("question"))["options"]
        assert hand
        row = page.locator(f'[data-table="{table}"]')
        await expect(row).to_contain_text("Ada, Bruno")
        await expect(page.locator('[data-person="Bruno"]')).to_contain_text("127.0.0.3")
        # No card of a hand is on the page, nor in what it is made of.
        shown = await page.evaluate("fetch('/api/v1/host').then((one) => one.text())")
        assert not any(leader in shown for leader in ("leaders", "hand", "L00", "L01"))

        lobby = await visit(server)
        await lobby.locator(".bots small").first.wait_for()
        # Who only plays loads nothing of this page.
        loaded = await lobby.evaluate(
            "performance.getEntriesByType('resource').map((one) => one.name).join()"
        )
        assert "/assets/" in loaded
        assert not any(part in loaded for part in ("HostPage", "DoorPage", "hosting", "hostwords"))
        await page.get_by_label("Message").fill("We close at ten.")
        await page.get_by_role("button", name="Send").click()
        assert (await bruno.until("announced"))["text"] == "We close at ten."
        await expect(page.get_by_text("Everybody has been told.")).to_be_visible()
        await expect(lobby.get_by_role("alert").filter(has_text="We close at ten.")).to_be_visible()

        await row.get_by_role("button", name="Close: corner").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("2 people are at this table")
        await dialog.get_by_label("Reason").fill("it is late")
        await dialog.get_by_role("button", name="Close the table").click()
        gone = await bruno.until("gone")
        assert (gone["code"], "it is late" in gone["reason"]) == ("host", True)
        await expect(page.get_by_text("There is no table.")).to_be_visible()

        await page.get_by_role("button", name="Do something about Bruno").click()
        await dialog.get_by_text("Ban name", exact=True).click()
        await dialog.get_by_label("How long").select_option("1 week")
        await dialog.get_by_role("button", name="Ban name").click()
        assert (await bruno.until("gone"))["code"] == "out"
        assert await bruno.rest() == []
        back = await rig.connect(server, "house")
        await back.send({"type": "hello", "name": "bruno"})
        assert (await back.until("declined"))["code"] == "banned"

        await page.get_by_role("button", name="Stop for new tables").click()
        await expect(page.get_by_text("No new tables are taken.")).to_be_visible()
        await ada.send({"type": "open", "game": "santorini"})
        assert (await ada.until("declined"))["code"] == "drain"
        await page.get_by_role("button", name="Take new tables again").click()
        await expect(page.get_by_text("No new tables are taken.")).to_have_count(0)

        await page.get_by_role("link", name="Doors").click()
        barred = page.locator('[data-barred="Bruno"]')
        await expect(barred).to_contain_text("1 tries")
        await barred.get_by_role("button", name="Lift").click()
        await expect(page.get_by_text("Nobody is kept out.")).to_be_visible()
        log = page.locator(".deeds")
        for deed in ("said: We close at ten.", f"closed table {table}", "banned Bruno", "stopped new tables"):
            await expect(log).to_contain_text(deed)

        await page.get_by_role("button", name="Restart kindly").click()
        await dialog.get_by_role("button", name="Restart when empty").click()
        await expect(page.get_by_text("the house restarts when nobody plays")).to_be_visible()
        await server.desk.drained.wait()


@pytest.mark.parametrize("language", ["en", "it"])
async def test_the_hosts_page_is_whole_on_a_laptop_and_a_phone(
    tmp_path: Path, visit: Visit, language: str
) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        ada, _, _ = await pair(server)
        await ada.send({"type": "say", "text": "boo"}, {"type": "report", "name": "Bruno", "text": "rude"})
        await ada.until("reported")
        for act in (acts.Ban(address="2001:db8::1", reason="flooding"), acts.Invite("the club", uses=50)):
            await server.desk.do("Irene", act)
        page = await hosted(server, visit, language=language)
        await page.locator("[data-person]").first.wait_for()
        looking = reach.Explorer.at(page)
        await page.locator(".day svg").wait_for()
        await server.desk.do("Irene", acts.Backup())
        for number, (path, there) in enumerate(
            (
                ("/house", "[data-person]"),
                ("/house/doors", "[data-barred]"),
                ("/house/storage", "[data-work]"),
            )
        ):
            await page.locator(".line-tabs a").nth(number).click()
            await page.locator(there).first.wait_for()
            for size in (LAPTOP, PHONE):
                await looking.resize(size)
                assert await reach.probe(page) == [], (path, size)
                assert await player.accessibility(page) == [], (path, size)
                assert await player.fits(page)


async def test_a_host_sees_what_is_kept_makes_a_copy_and_removes_old_matches(
    tmp_path: Path, visit: Visit
) -> None:
    journals.write(tmp_path)
    matches = keeping.old(tmp_path, 1 << 62)
    with contextlib.closing(sqlite3.connect(journal_in(tmp_path))) as connection, connection:
        connection.execute("UPDATE tables SET closed_ms = 1000 WHERE fate = 'over'")
    async with rig.house(tmp_path, "http", durability="off", bot_workers=0) as server:
        page = await hosted(server, visit)
        await page.get_by_role("link", name="Storage").click()
        await expect(page.get_by_role("heading", level=1)).to_have_text("Storage")
        await expect(page.locator('[data-kept="over"]')).to_have_text(str(len(matches)))
        await expect(page.get_by_text("There is no copy yet.")).to_be_visible()
        await page.get_by_role("button", name="Back up now").click()
        # What is being done is done beside the house, and its end is told.
        await expect(page.locator('[data-work="backup"]')).to_contain_text("looked through")
        (copy,) = (tmp_path / "backups").glob("*.tar.gz")
        await expect(page.get_by_text(copy.name, exact=True)).to_be_visible()
        await page.get_by_role("button", name="Check every match").click()
        await expect(page.locator('[data-work="verify"]')).to_contain_text("verified")
        await page.get_by_role("button", name="Remove old matches").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog.get_by_label("Older than").locator("option").nth(2)).to_have_text(
            f"a year: {len(matches)} matches"
        )
        await dialog.get_by_role("button", name="Remove them").click()
        await expect(page.locator('[data-work="prune"]')).to_contain_text("done")
        await expect(page.locator('[data-kept="over"]')).to_have_text("0")
        await page.get_by_role("link", name="Doors").click()
        for deed in ("made a copy", "had every match checked", "removed what is older than 365 days"):
            await expect(page.locator(".deeds")).to_contain_text(deed)


async def test_the_hosts_page_is_told_what_is_new_and_asks_for_nothing_while_nothing_is(
    tmp_path: Path, visit: Visit
) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        page = await hosted(server, visit)
        await expect(page.get_by_text("Nobody is here.")).to_be_visible()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        ada = await rig.enter(server, "Ada", "127.0.0.2")
        await expect(page.locator('[data-person="Ada"]')).to_be_visible()
        assert asked
        # Whoever looks after the house is not among those who are here; and at rest nothing is asked for.
        await expect(page.locator("[data-person]")).to_have_count(1)
        before = -1
        async with asyncio.timeout(rig.PATIENCE_S * 2):
            while before != len(asked):
                before = len(asked)
                await page.wait_for_timeout(4000)
        # However much happens, it is asked for at most every two seconds.
        began = asyncio.get_running_loop().time()
        for number in range(40):
            await ada.send(
                {"type": "open", "game": "santorini", "label": f"corner {number}"}, {"type": "leave"}
            )
        await ada.send({"type": "open", "game": "santorini", "label": "last"})
        await expect(page.get_by_text("Santorini · last")).to_be_visible()
        assert len(asked) - before <= 3 + (asyncio.get_running_loop().time() - began) / 2
        await ada.close()
        await expect(page.get_by_text("Nobody is here.")).to_be_visible()


async def test_a_member_finds_no_hosts_page_and_nothing_of_it(tmp_path: Path, visit: Visit) -> None:
    async with rig.house(
        tmp_path, "http", durability="off", door="password", password="lemon", house_name="the Sunday club"
    ) as server:
        page = await visit(server)
        await expect(page.get_by_text("This house belongs to the Sunday club.")).to_be_visible()
        assert await player.accessibility(page) == []
        await page.get_by_label("House password").fill("melon")
        await page.get_by_role("button", name="Come in").click()
        await expect(page.get_by_role("alert")).to_have_text("Not this one.")
        await page.get_by_label("House password").fill("lemon")
        await page.get_by_label("Your name").fill("Mina")
        await page.get_by_role("button", name="Come in").click()
        await page.locator(".game").first.wait_for()
        await expect(page.get_by_role("textbox").first).to_have_value("Mina")
        # It is remembered, and a table can be opened.
        await page.reload()
        await page.locator(".bots small").first.wait_for()
        await player.open_table(page, "santorini", bots="")
        home = page.url.split("/table")[0]
        await page.goto(f"{home}/house")
        await expect(page.get_by_role("heading", level=1)).to_have_text("There is no such page.")
        for act in ('{"type":"drain"}', '{"type":"ban","name":"Ada"}', '{"type":"close","table":"x"}'):
            status = await page.evaluate(
                "(body) => fetch('/api/v1/host/acts', { method: 'POST', body,"
                " headers: { 'Content-Type': 'application/json' } }).then((one) => one.status)",
                act,
            )
            assert status == 401
        assert server.house.hall.keeping.drained is None


async def test_an_invitation_opens_the_door_and_says_when_it_is_used(tmp_path: Path, visit: Visit) -> None:
    async with rig.house(tmp_path, "http", durability="off", door="invitation") as server:
        link = f"/join#{(await server.desk.do('Irene', acts.Invite())).token}"
        ada = await visit(server, link)
        await ada.locator(".game").first.wait_for()
        assert ada.url.endswith("/")
        bruno = await visit(server, link, language="it", phone=True)
        await expect(bruno.get_by_role("alert")).to_contain_text("Questo invito non vale più.")
        await expect(bruno.get_by_label("Password")).to_have_count(0)


async def test_who_is_rude_is_reported_from_the_table_and_muted_by_the_host(
    tmp_path: Path, visit: Visit
) -> None:
    async with rig.house(tmp_path, "http", "house", durability="off") as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "santorini", bots="")
        table = page.url.split("/")[-1]
        gulp = await rig.enter(server, "Gulp", "127.0.0.3")
        await gulp.send({"type": "sit", "table": table}, {"type": "say", "text": "you fool"})
        await expect(page.get_by_text("you fool")).to_be_visible()
        await page.get_by_role("button", name="Report to the host").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_label("What happened").fill("insults")
        await dialog.get_by_role("button", name="Report").click()
        await expect(page.get_by_text("Your report about Gulp is with the host.")).to_be_visible()
        irene = await hosted(server, visit)
        report = irene.locator(".report")
        await expect(report).to_contain_text("Alba about Gulp")
        await expect(report).to_contain_text("you fool")
        await irene.get_by_role("button", name="Do something about Alba").click()
        await irene.get_by_role("dialog").get_by_role("button", name="Mute").click()
        await page.get_by_placeholder("Say something").fill("me too?")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("you are muted for 60 min")).to_be_visible()
        await irene.get_by_role("button", name="Seen to").click()
        await expect(irene.get_by_text("Nothing was reported.")).to_be_visible()
        # What is said to all is on every page.
        await irene.get_by_label("Message").fill("Be kind.")
        await irene.get_by_role("button", name="Send").click()
        await expect(page.get_by_role("alert").filter(has_text="Be kind.")).to_be_visible()
        await page.locator(".announcement").get_by_role("button", name="Got it").click()
        await expect(page.get_by_text("Be kind.")).to_have_count(0)
