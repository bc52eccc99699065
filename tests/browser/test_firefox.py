"""Firefox: every game is played a while on a laptop and on a phone, and the console stays empty."""

import asyncio
import random
from pathlib import Path

import pytest
from tests import rig
from tests.browser import firefox, player, reach

from ludoteca import games

pytestmark = pytest.mark.slow

LAPTOP = (1366, 650)
CLICKS = 7

# The middle of an element, once it is there: of those that match the one with this text, if one is given, and
# of the group with this label.
_FIND = """([selector, text, group]) => new Promise((done) => {
  const labelled = (one) => document.getElementById(one.closest('[role=radiogroup]')
    ?.getAttribute('aria-labelledby') ?? '')?.textContent;
  const wanted = (one) => one.checkVisibility() && (!text || one.textContent.trim() === text)
    && (!group || labelled(one) === group);
  const tell = () => {
    const found = [...document.querySelectorAll(selector)].find(wanted);
    if (!found) return setTimeout(tell, 20);
    found.scrollIntoView({ block: 'center' });
    const box = found.getBoundingClientRect();
    done([box.left + box.width / 2, box.top + box.height / 2]);
  };
  tell();
})"""


async def press(tab: firefox.Tab, selector: str, text: str = "", group: str = "") -> None:
    await tab.press(*await tab.evaluate(_FIND, [selector, text, group]))


async def open_table(tab: firefox.Tab, game: str, seats: int) -> None:
    """By the dialog, as in the other browser."""
    await press(tab, f'.game[data-game="{game}"] .do .btn:not(.tint)')
    await press(tab, "dialog label", str(seats), "Players")
    if seats > 1:
        await press(tab, "dialog label", "seat bots", "Empty chairs")
        await press(tab, "dialog label", group="Bots")
    await press(tab, "dialog .btn", "Open the table")


@pytest.mark.timeout(600)
async def test_every_game_is_played_in_firefox_without_a_word_in_its_console(tmp_path: Path):
    async with (
        rig.house(tmp_path, "http", durability="off", bot_s=0.01, bot_workers=0) as server,
        firefox.started(tmp_path) as browser,
    ):
        host, port = server.addresses["http"]
        for game in games.names():
            seats = games.load(game).seats
            for size, players in ((LAPTOP, max(seats)), (reach.PHONE, min(seats))):
                tab = await browser.open(f"http://{host}:{port}/", size)
                await open_table(tab, game, players)
                chance = random.Random(players)
                for click in range(CLICKS):
                    now = await player.offered(tab)
                    if wrong := await reach.probe(tab):
                        # Texts of a drawing are sized again a frame after the drawing is.
                        await asyncio.sleep(0.2)
                        wrong = await reach.probe(tab)
                    assert wrong == [], (game, players, size)
                    if now.over:
                        break
                    if point := await reach.aim(tab, now.leading_on(chance)):
                        await tab.press(*point)
                    # As far into the match again without a look.
                    await player.hurry(tab, 1, seed=click + 1)
                await tab.close()
                assert browser.complaints == [], (game, players, size)
