"""A real Chromium for every test that asks for one, and pages that complain about
errors and broken policies."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright, expect
from tests import needs
from tests.browser import player

from ludoteca.server import files

DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
# What a page may say without being broken: the network going away is part of some tests.
HARMLESS = (
    "net::ERR_",
    "WebSocket connection",
    "status of 401",
    "status of 403",
    "status of 404",
    "status of 503",
)

# A name of one's own network for this machine: a page from there is not secure, as in most homes.
ARGUMENTS = ["--no-sandbox", "--host-resolver-rules=MAP *.test 127.0.0.1"]

Visit = Callable[..., Awaitable[Page]]

# A busy machine answers late: only what never comes is missing.
expect.set_options(timeout=40_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of this folder share an event loop, since a browser cannot change its own."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(autouse=True)
def page_is_built() -> None:
    """Without Node there is no page, and nothing to test."""
    if not (files.PAGE / "index.html").is_file():
        pytest.skip("the page is not built: make test builds it")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chrome() -> AsyncIterator[Browser]:
    """One browser for all tests, since starting one takes longer than many of them; what a person has
    in it is a context of its own."""
    path = needs.chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visit(chrome: Browser) -> AsyncIterator[Visit]:
    """visit(server, path, name=..., phone=..., language=..., host=..., motion=...): a page of a
    person's own browser. Pieces fly only for those who ask for motion."""
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    async def open_page(
        server: Any,
        path: str = "/",
        *,
        name: str = "",
        phone: bool = False,
        language: str = "en",
        host: str = "",
        motion: str = "",
    ) -> Page:
        context = await chrome.new_context(
            viewport=PHONE if phone else DESKTOP,
            has_touch=phone,
            locale="it-IT" if language == "it" else "en-GB",
            reduced_motion="no-preference" if motion else "reduce",
            # What a page keeps for later is the business of tests of its own (test_app.py).
            service_workers="block",
        )
        contexts.append(context)
        page = await context.new_page()
        if motion:
            await page.add_init_script(motion)
        page.set_default_timeout(40_000)
        page.on("pageerror", lambda error: complaints.append(f"{error}"))
        page.on("console", lambda message: _note(message, complaints))
        address, port = server.addresses["http"]
        await page.goto(f"http://{host or address}:{port}{path}")
        if name:
            await page.get_by_role("textbox").first.fill(name)
            await page.get_by_role("textbox").first.press("Enter")
            await player.settled(page)
        return page

    yield open_page
    for context in contexts:
        with contextlib.suppress(Exception):
            await context.close()
    assert not complaints


def _note(message: Any, complaints: list[str]) -> None:
    is_ours = message.type == "error" or "svelte.dev" in message.text
    if is_ours and not any(part in message.text for part in HARMLESS):
        complaints.append(message.text)
