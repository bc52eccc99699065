"""Takes the pictures in docs/screenshots: the lobby and the five tables, light, dark, on a small laptop
and on a phone, and a match as a moving one.

`make screenshots` runs it against a house of its own, with matches a few turns old.
"""

import asyncio
import base64
import contextlib
import struct
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright
from tests import needs, rig
from tests.browser import player

FOLDER = Path(__file__).parent.parent.parent / "docs" / "screenshots"
GAMES = {"santorini": 24, "shelfie": 30, "eriantys": 34, "renaissance": 26, "multisweeper": 4}
ATTEMPTS_MAX = 6
SIZES = {
    "light": (1440, 900, "light"),
    "dark": (1440, 900, "dark"),
    # A laptop of 1366 by 768 with a browser around the page.
    "laptop": (1366, 650, "light"),
    "phone": (390, 844, "light"),
}
FILM = (1080, 640, "light")
FILM_QUALITY = 55
FRAMES_MAX = 40
FRAME_MS = 650
LAST_FRAME_MS = 3000


async def main(only: list[str]) -> None:
    """Take them all, or those of the games named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = needs.find("chromium")
    assert program, "there is no Chromium here"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for game, clicks in GAMES.items():
            if not only or game in only:
                async with house() as address:
                    await table(browser, address, game, clicks)
        if not only or "film" in only:
            async with house() as address:
                await film(browser, address)
        if not only or "lobby" in only:
            async with house() as address:
                await lobby(browser, address)
        await browser.close()


@contextlib.asynccontextmanager
async def house() -> AsyncIterator[str]:
    """The address of a house with nobody in it."""
    with tempfile.TemporaryDirectory() as data:
        async with rig.house(Path(data), "http", durability="off", bot_s=0.1) as server:
            host, port = server.addresses["http"]
            yield f"http://{host}:{port}"


async def visit(browser: Browser, address: str, name: str, size: str) -> Page:
    """A page of one size and theme, under a nickname."""
    width, height, theme = SIZES.get(size, FILM)
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        has_touch=size == "phone",
        locale="en-GB",
    )
    page = await context.new_page()
    await page.goto(address)
    await page.get_by_role("textbox").first.fill(name)
    await page.get_by_role("textbox").first.press("Enter")
    return page


async def table(browser: Browser, address: str, game: str, clicks: int) -> None:
    """One match, played for a while, seen in four ways.

    Whoever plays at random may lose soon: then another one.
    """
    for attempt in range(ATTEMPTS_MAX):
        page = await visit(browser, address, "Alba", "light")
        if await is_under_way(page, game, clicks, attempt):
            break
        await page.context.close()
    else:
        raise AssertionError(f"no match of {game} lasted long enough")
    for size, (width, height, theme) in SIZES.items():
        await page.set_viewport_size({"width": width, "height": height})
        await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
        await page.evaluate("scrollTo(0, 0)")
        await page.wait_for_timeout(400)
        await page.screenshot(path=FOLDER / f"{game}-{size}.png")
    await page.context.close()


async def is_under_way(page: Page, game: str, clicks: int, seed: int) -> bool:
    """Play for a while; whether the match then waits for us."""
    players = {"multisweeper": 4, "shelfie": 4, "renaissance": 3, "eriantys": 3}.get(game, 2)
    # Good players lose no round of Multisweeper at once, and win Santorini too soon.
    await player.open_table(page, game, players=players, bots="random" if game == "santorini" else "strong")
    await player.play(page, turns=clicks, seed=seed)
    await page.locator(".askbar[data-mine=true], dialog.result").first.wait_for()
    return await page.locator("dialog.result").count() == 0


async def film(browser: Browser, address: str) -> None:
    """A match of Santorini as a moving picture: one frame for each state of the board, the last one longer.

    A browser takes still pictures only; a moving WebP is some of them, one behind the other.
    """
    page = await visit(browser, address, "Alba", "film")
    await player.open_table(page, "santorini", options={"Gods": "none"})
    devtools = await page.context.new_cdp_session(page)
    asked = {"format": "webp", "quality": FILM_QUALITY, "optimizeForSpeed": False}
    frames: list[bytes] = []
    while len(frames) < FRAMES_MAX:
        over = (await player.offered(page)).over
        taken = base64.b64decode((await devtools.send("Page.captureScreenshot", asked))["data"])
        if not frames or taken != frames[-1]:
            frames.append(taken)
        if over:
            break
        await player.play(page, turns=1, seed=len(frames))
    width, height, _ = FILM
    (FOLDER / "santorini.webp").write_bytes(moving(frames, width, height))
    await page.context.close()


def moving(frames: list[bytes], width: int, height: int) -> bytes:
    """One moving WebP of several still ones of the same size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)

    def three(number: int) -> bytes:
        return struct.pack("<I", number)[:3]

    def picture(still: bytes) -> bytes:
        # A still one is a RIFF of one chunk, or of several of which one is the picture.
        at = 12
        while at < len(still):
            name, size = still[at : at + 4], int.from_bytes(still[at + 4 : at + 8], "little")
            if name in (b"VP8 ", b"VP8L"):
                return chunk(name, still[at + 8 : at + 8 + size])
            at += 8 + size + size % 2
        raise ValueError("no picture in it")

    size = three(width - 1) + three(height - 1)
    last = len(frames) - 1
    body = chunk(b"VP8X", b"\x02\0\0\0" + size) + chunk(b"ANIM", b"\xff" * 4 + b"\0\0")
    for number, still in enumerate(frames):
        shown_ms = FRAME_MS if number < last else LAST_FRAME_MS
        body += chunk(b"ANMF", three(0) * 2 + size + three(shown_ms) + b"\x02" + picture(still))
    return chunk(b"RIFF", b"WEBP" + body)


async def lobby(browser: Browser, address: str) -> None:
    """The lobby with somebody waiting and somebody playing."""
    for name, game, players, bots in (
        ("Bruno", "santorini", 3, ""),
        ("Chiara", "shelfie", 4, ""),
        ("Dario", "eriantys", 3, "random"),
        ("Elena", "renaissance", 2, "random"),
    ):
        page = await visit(browser, address, name, "light")
        await player.open_table(page, game, players=players, bots=bots)
    done = await visit(browser, address, "Fabio", "light")
    await player.open_table(done, "multisweeper", options={"Columns": "5", "Rows": "5", "Mines": "6"})
    await player.play(done)
    for size in SIZES:
        page = await visit(browser, address, "Alba", size)
        await page.locator(".item .btn").first.wait_for()
        await page.wait_for_timeout(400)
        await page.screenshot(path=FOLDER / f"lobby-{size}.png")
        await page.context.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
