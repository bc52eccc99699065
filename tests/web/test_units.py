"""The web client's own checks: unit tests, and facts it repeats from the games (its types: `make lint`)."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from ludoteca import games
from ludoteca.games.renaissance import data

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"


def node(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program of node_modules with the Node that builds the page."""
    sys.path.insert(0, str(ROOT))
    from hatch_build import find_node

    found = find_node()
    if found is None or not (WEB / "node_modules").is_dir():
        pytest.skip("no Node, or nothing installed for it: make test does both")
    return subprocess.run(
        [found[0], *arguments], cwd=WEB, capture_output=True, text=True, timeout=580, check=False
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_unit_tests_of_the_page_pass():
    done = node("node_modules/vitest/vitest.mjs", "run")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lock_does_not_say_where_packages_are_found():
    lock = json.loads((WEB / "package-lock.json").read_text())
    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []


def test_no_markup_has_an_inline_style_which_the_security_policy_would_drop():
    folders = [WEB / "src", *(ROOT / "src" / "ludoteca" / "games").glob("*/web")]
    found = [
        str(path.relative_to(ROOT))
        for folder in folders
        for path in folder.rglob("*.svelte")
        if " style=" in path.read_text()
    ]
    assert found == []


def test_the_page_calls_the_games_by_the_names_that_the_house_gives_them():
    """The lobby paints its cards before the house has answered, and must not change their titles then."""
    for path in (ROOT / "src" / "ludoteca" / "games").glob("*/web/card.ts"):
        title = games.load(path.parent.parent.name).title
        assert f'  title: "{title}",' in path.read_text()


def test_the_cards_that_the_page_draws_are_the_cards_of_the_rules():
    drawn = json.loads((ROOT / "src/ludoteca/games/renaissance/web/facts.json").read_text())
    true = msgspec.json.encode({"cards": data.CARDS, "leaders": data.LEADERS, "tokens": data.TOKENS})
    assert drawn == json.loads(true)
