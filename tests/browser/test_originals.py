"""A person at the page, a program in Java that speaks as the original does, and a bot, at one table."""

from pathlib import Path

import pytest
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit
from tests.java import players

pytestmark = pytest.mark.slow

# How the program is told to sit down at a table for three that somebody has opened, and how its last line
# begins. Eriantys' asks for a game by name, which may be the table's id.
PROGRAMS = {
    "eriantys": ("Player", ("gianni", "{table}", "0", "BASIC", "7"), "winner "),
    "renaissance": ("Player", ("gianni", "3", "0"), "FinalScoreMessage "),
    "shelfie": ("Tcp", ("gianni", "3", "7"), "GameResultNotify"),
}
# On a busy machine neither stands still for longer than that.
CALM = {"renaissance.ping_interval_s": 30, "eriantys.silence_s_max": 30}


@pytest.mark.timeout(600)
@pytest.mark.parametrize("game", PROGRAMS)
async def test_a_person_an_original_and_a_bot_play_to_the_end(
    tmp_path: Path, visit: Visit, game: str
) -> None:
    program, arguments, last = PROGRAMS[game]
    async with rig.house(
        tmp_path, "http", game, durability="off", bot_s=0.02, bot_workers=0, default=CALM
    ) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, game, players=3, bots="")
        await page.get_by_role("button", name="Seat a bot: easy").click()
        table = page.url.rpartition("/")[2]
        given = [argument.format(table=table) for argument in arguments]
        async with players.player(game, program, server.addresses[game], *given) as gianni:
            clicks = await player.play(page)
            assert await gianni.end() == 0, gianni.heard[-5:]
        assert clicks > 5
        assert gianni.heard[-1].startswith(last), gianni.heard[-5:]
        result = page.locator("dialog.result")
        for name in ("Alba", "gianni", "Bot-Ada"):
            await result.get_by_text(name).first.wait_for()
