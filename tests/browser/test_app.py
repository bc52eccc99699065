"""The page as an app: it can be installed, opens without a network, and is never an old one."""

import asyncio
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, expect
from tests import rig
from tests.browser import player
from tests.browser.conftest import DESKTOP

from ludoteca.server import files
from ludoteca.server.serve import Server

pytestmark = pytest.mark.slow

CONTROLLED = "() => navigator.serviceWorker.controller !== null"

# Somebody presses a notification. What only a person's own press may do, to come to the front and to open a
# window, is noted instead.
NOTIFIED = """async (path) => {
  const done = [];
  WindowClient.prototype.focus = async () => void done.push('focused');
  Clients.prototype.openWindow = async (address) => void done.push(address);
  let busy;
  const notification = { close: () => {}, data: { path } };
  const waitUntil = (promise) => { busy = promise; };
  self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }));
  await busy;
  return done;
}"""


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """A house whose page is the one in this folder."""
    former = files.PAGE
    caches = (files._files, files._versions, files._with_preview)
    try:
        files.PAGE = folder
        for one in caches:
            one.cache_clear()
        yield
    finally:
        files.PAGE = former
        for one in caches:
            one.cache_clear()


def upgraded(page: Path, folder: Path) -> Path:
    """The same page as a later build has it: each script has another name, and a mark tells it apart."""
    shutil.copytree(page, folder)
    for path in [*folder.rglob("*.gz"), *folder.rglob("*.br")]:
        path.unlink()
    names = {path.name: path.name.replace("-", "-x", 1) for path in folder.glob("assets/*.js")}
    pattern = re.compile("|".join(re.escape(name) for name in names))
    for path in [*folder.glob("assets/*.js"), folder / "index.html", folder / "sw.js"]:
        text = pattern.sub(lambda found: names[found[0]], path.read_text())
        path.write_text(text.replace("CACHE = `${CACHES}", "CACHE = `${CACHES}x"))
    for name, later in names.items():
        (folder / "assets" / name).rename(folder / "assets" / later)
    entry = re.search(r'src="\./(assets/[^"]+)"', (folder / "index.html").read_text())
    assert entry is not None
    script = folder / entry[1]
    script.write_text(f"{script.read_text()}\ndocument.documentElement.dataset.build = 'later';")
    return folder


async def build(page: Page) -> str | None:
    """Which page this is; None for the first."""
    await page.locator(".game").first.wait_for()
    found: str | None = await page.evaluate("document.documentElement.dataset.build ?? null")
    return found


async def kept(page: Page, version: str) -> None:
    """Wait until what the browser keeps is this version's, and nothing else."""
    for _ in range(100):
        names = await page.evaluate("caches.keys()")
        if len(names) == 1 and version in names[0]:
            return
        await asyncio.sleep(0.1)
    pytest.fail(f"the browser keeps {names}")


async def test_the_shell_opens_without_a_house_and_an_upgrade_is_seen_at_once(
    tmp_path: Path, chrome: Browser
) -> None:
    first = Path(str(files.PAGE))
    later = upgraded(first, tmp_path / "later")
    context = await chrome.new_context(viewport=DESKTOP, locale="en-GB")
    page = await context.new_page()
    page.set_default_timeout(20_000)
    async with rig.house(tmp_path / "data", "http", durability="off") as server:
        address = server.addresses["http"]
        await page.goto("http://{}:{}/".format(*address))
        await page.wait_for_function(CONTROLLED)
        # What was packed is what the page is made of, and it was packed as well as this browser can unpack.
        packings = await page.evaluate(
            "performance.getEntriesByType('resource').filter((one) => one.name.includes('/assets/index-'))"
            ".map((one) => one.encodedBodySize < one.decodedBodySize)"
        )
        assert packings
        assert all(packings)
        old_tab = await context.new_page()
        await old_tab.goto("http://{}:{}/".format(*address))
        assert await build(old_tab) is None

    # Nobody answers: the shell is there, any of its addresses, and says so.
    for path in ("", "table/nowhere"):
        await page.goto("http://{}:{}/{}".format(*address, path))
        await expect(page.locator(".topbar .brand")).to_be_visible()
    await page.goto("http://{}:{}/".format(*address))
    assert await build(page) is None
    await expect(page.get_by_text("cannot be reached")).to_be_visible()

    with serving(later):
        settings = rig.settings(tmp_path / "data", "http", durability="off")
        settings.port["http"] = address[1]
        server = Server(settings)
        await server.start()
        try:
            await page.reload()
            assert await build(page) == "later", "the page of before the upgrade"
            # The tab that was open meanwhile asks for a part that is gone, and comes back as the new page.
            await old_tab.get_by_role("link", name="Rules of Santorini").click()
            await old_tab.get_by_role("heading", name="Rules of Santorini").wait_for()
            assert await old_tab.evaluate("document.documentElement.dataset.build") == "later"
            await kept(page, "-x")
        finally:
            await server.stop()
        await page.reload()
        assert await build(page) == "later", "the shell of before the upgrade, without a house"
    await context.close()


async def test_a_browser_offers_to_install_it(tmp_path: Path, chrome: Browser) -> None:
    async with rig.house(tmp_path, "http", durability="off") as server:
        page = await (await chrome.new_context(viewport=DESKTOP)).new_page()
        await page.goto("http://{}:{}/".format(*server.addresses["http"]))
        await page.wait_for_function(CONTROLLED)
        devtools = await page.context.new_cdp_session(page)
        told = await devtools.send("Page.getAppManifest")
        assert not told["errors"]
        assert json.loads(told["data"])["name"] == "Ludoteca"
        found = await devtools.send("Page.getInstallabilityErrors")
        errors = {error["errorId"] for error in found["installabilityErrors"]}
        # A window of its own, as tests have it, is one where nothing can be installed.
        assert errors <= {"in-incognito"}
        # A notification leads the page that is open to its table; without one, to a new page there.
        (worker,) = page.context.service_workers
        assert await worker.evaluate(NOTIFIED, "/rules/santorini") == ["focused"]
        await page.wait_for_url("**/rules/santorini")
        await page.goto("about:blank")
        assert await worker.evaluate(NOTIFIED, "/table/7") == ["/table/7"]
        await page.context.close()


async def test_a_house_below_a_path_is_all_below_it(tmp_path: Path, chrome: Browser) -> None:
    asked: set[str] = set()
    context = await chrome.new_context(viewport=DESKTOP, locale="en-GB")
    page = await context.new_page()
    page.set_default_timeout(20_000)
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).path))
    async with rig.house(tmp_path, "http", base_path="/club/games", durability="off") as server:
        site = "http://{}:{}/club/games".format(*server.addresses["http"])
        await page.goto(f"{site}/")
        await page.wait_for_function(CONTROLLED)
        scope = await page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.scope)")
        assert scope == f"{site}/"
        devtools = await context.new_cdp_session(page)
        assert not (await devtools.send("Page.getAppManifest"))["errors"]
        await page.get_by_role("link", name="Rules of Santorini").click()
        await page.wait_for_url(f"{site}/rules/santorini")
        await page.locator(".brand").click()
        await page.wait_for_url(f"{site}/")
        # The documentation is no part of the page: the browser goes there, and comes back.
        await page.get_by_role("link", name="Documentation").click()
        await page.wait_for_url(f"{site}/docs/")
        await page.go_back()
        await page.locator(".game").first.wait_for()
        # A table: its board, its line, its invitation and the code of it, and the way back after a reload.
        await page.add_init_script(
            "navigator.share = (what) => { window.shared = what; return Promise.resolve(); };"
        )
        await page.reload()
        await player.open_table(page, "santorini", bots="", private=True)
        await page.wait_for_url(f"{site}/table/*")
        await page.get_by_role("button", name="Share", exact=True).click()
        await player.settled(page)
        assert await page.evaluate("window.shared.url") == page.url
        await page.reload()
        await expect(page.get_by_role("img", name="QR code")).to_be_visible()
        told = await (await page.request.get(page.url)).text()
        assert f'<meta property="og:url" content="{page.url}" />' in told
        assert f'<meta property="og:image" content="{site}/preview.png" />' in told
    assert not {path for path in asked if not path.startswith("/club/games/")}
    assert "/club/games/ws" in asked
    assert any(path.startswith("/club/games/api/v1/") for path in asked)
    # Without the house the shell is there, below the path.
    await page.goto(f"{site}/table/nowhere")
    await expect(page.locator(".topbar .brand")).to_be_visible()
    await context.close()
