"""Draws what is needed as pixels: the app's icons and the picture of links, from the house's own art.

`python -m tests.browser.icons` writes them to web/public, where they are checked in; the page must be built.
"""

import asyncio
import tempfile
from pathlib import Path

from playwright.async_api import Page, async_playwright
from tests import needs, rig

FOLDER = Path(__file__).parent.parent.parent / "web" / "public"
ICONS = {
    "icon-180": (180, 0.0),
    "icon-192": (192, 0.0),
    "icon-512": (512, 0.0),
    "icon-maskable-512": (512, 0.1),
}
GREEN = "#1f6a55"
PREVIEW = """() => {
  const covers = [...document.querySelectorAll(".game > svg")].map((one) => `<article>${one.outerHTML}</article>`);
  const symbols = [...document.querySelectorAll("svg:has(symbol, defs)")].filter((one) => !one.closest(".game"));
  document.body.innerHTML = `${symbols.map((one) => one.outerHTML).join("")}<main>
    <header><svg viewBox="0 0 32 32"><use href="#mark"/></svg><div><h1>Ludoteca</h1>
    <p>Five board games in the browser, with friends or bots</p></div></header><section>${covers.join("")}</section></main>`;
}"""
STYLE = """
  main { width: 1200px; height: 630px; padding: 56px; display: grid; gap: 44px; align-content: center; background: var(--paper); }
  header { display: flex; gap: 32px; align-items: center; } header svg { width: 128px; height: 128px; flex: none; }
  h1 { font: 600 92px/1 var(--serif); margin: 0; } p { font: 400 32px/1.3 var(--sans); color: var(--ink-2); margin: 12px 0 0; }
  section { display: grid; grid-template-columns: repeat(5, 1fr); gap: 20px; }
  article { border-radius: 18px; overflow: hidden; border: 1px solid var(--line); } article svg { display: block; width: 100%; height: 150px; }
"""


async def main() -> None:
    """Draw them all."""
    program = needs.find("chromium")
    assert program, "there is no Chromium here"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = await browser.new_page(bypass_csp=True)
        art = (FOLDER / "icon.svg").read_text()
        for name, (size, margin) in ICONS.items():
            await icon(page, art, name, size, margin)
        with tempfile.TemporaryDirectory() as data:
            async with rig.house(Path(data), "http", durability="off") as server:
                host, port = server.addresses["http"]
                await page.set_viewport_size({"width": 1200, "height": 630})
                await page.goto(f"http://{host}:{port}/")
                await page.wait_for_selector(".game")
                await page.evaluate(PREVIEW)
                await page.add_style_tag(content=STYLE)
                await page.screenshot(path=FOLDER / "preview.png")
        await browser.close()


async def icon(page: Page, art: str, name: str, size: int, margin: float) -> None:
    """The house's mark; with a margin on a ground to its edge, since systems cut such an icon to their own shape."""
    await page.set_viewport_size({"width": size, "height": size})
    inset = round(size * margin)
    ground = GREEN if margin or name == "icon-180" else "transparent"
    await page.set_content(
        f"<body style='margin:0;padding:{inset}px;background:{ground}'>"
        f"<style>svg{{display:block;width:{size - 2 * inset}px}}</style>{art}</body>"
    )
    await page.screenshot(path=FOLDER / f"{name}.png", omit_background=True)


if __name__ == "__main__":
    asyncio.run(main())
