"""A game that brings no board, from another package: the page offers its choices as a list."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import rig
from tests.browser import player
from tests.browser.conftest import Visit
from tests.sixth import install

pytestmark = pytest.mark.slow


@pytest.fixture
def _connect_four(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("packages")
    monkeypatch.setenv("PYTHONPATH", install.connect_four(folder)["PYTHONPATH"])
    install.notice(monkeypatch, folder)
    yield
    monkeypatch.undo()
    install.forget()


@pytest.mark.usefixtures("_connect_four")
async def test_a_game_without_a_board_is_played_on_the_list_of_its_choices(tmp_path: Path, visit: Visit):
    async with rig.house(tmp_path, "http", durability="off", bot_s=0.05, bot_workers=0) as server:
        page = await visit(server, name="Alba")
        await player.open_table(page, "connectfour")
        await player.play(page, turns=2)
        assert await player.accessibility(page) == []
        await player.play(page)
        await page.locator("dialog.result").wait_for()
