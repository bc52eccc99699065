"""The screens of every game as they were looked at and found good, at three sizes: tests/games/GAME/screens.

After a wanted change, look at the new ones: python -m tests.clients.test_snapshots writes them.
"""

import asyncio
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from tests.clients import stage

from ludoteca import games

# Whole screens take their time: not for make check.
pytestmark = pytest.mark.slow

GAMES = Path(__file__).parents[1] / "games"
LOBBY = Path(__file__).parent / "snapshots" / "lobby-80x24.txt"
ENDING = GAMES / "shelfie" / "screens" / "ending-80x24.txt"
# What the lobby offers in its picture, whatever games there are.
OFFERED = ("eriantys", "multisweeper", "santorini")
SIZES = ((80, 24), (120, 40), (200, 60))
# How far into a random match for two the picture is taken.
STEPS = {"eriantys": 30, "multisweeper": 2, "renaissance": 60, "santorini": 40, "shelfie": 22}
SCENES = [(name, size) for name in games.names() for size in SIZES]
END = 10_000


async def picture(name: str, size: tuple[int, int]) -> str:
    """A table's screen in the middle of a match, and the same with the help open."""
    desk = stage.staged(name, seats=2, steps=STEPS.get(name, 20))
    async with stage.desk_screen(desk, size=size) as (app, pilot):
        await stage.settled(app, pilot)
        table = stage.text_of(app)
        await pilot.press("f1")
        await stage.settled(app, pilot)
        return f"{table}{'=' * size[0]}\n{stage.text_of(app)}"


def path_of(name: str, size: tuple[int, int]) -> Path:
    return GAMES / name / "screens" / f"{size[0]}x{size[1]}.txt"


@pytest.mark.parametrize(
    ("name", "size"), SCENES, ids=lambda value: value if isinstance(value, str) else f"{value[0]}"
)
async def test_a_screen_looks_as_it_was_found_good(name, size):
    shown = await picture(name, size)
    assert path_of(name, size).is_file(), "not looked at yet: python -m tests.clients.test_snapshots"
    assert shown == path_of(name, size).read_text()
    table = shown.split("=" * size[0])[0].split("\n")
    assert len(table) == size[1] + 1
    assert max(map(len, table)) <= size[0]


async def test_the_lobby_looks_as_it_was_found_good():
    assert await lobby() == LOBBY.read_text()


async def test_the_end_looks_as_it_was_found_good():
    assert await ending() == ENDING.read_text()


async def ending() -> str:
    """The end panel, with the points."""
    async with stage.desk_screen(stage.staged("shelfie", seats=3, steps=END)) as (app, pilot):
        await stage.settled(app, pilot)
        return stage.text_of(app)


async def lobby() -> str:
    """The lobby of a house that is not there yet."""
    from ludoteca.clients.visit import Look

    offered = tuple(games.load(name) for name in OFFERED)
    looking = stage.application(Look(), server="127.0.0.1:9")
    with patch.object(games, "load_all", lambda: offered):
        async with looking as (app, pilot):
            await pilot.press("down")
            await stage.until(
                pilot, lambda: "no connection" in stage.text_of(app) and "you are" in stage.text_of(app)
            )
            # What the network says about nobody being there differs between systems.
            return "\n".join(line for line in stage.text_of(app).split("\n") if "no connection" not in line)


def main() -> None:
    """Write all snapshots anew, or those of the games that are named."""
    wanted = sys.argv[1:]
    for name, size in [scene for scene in SCENES if not wanted or scene[0] in wanted]:
        path_of(name, size).parent.mkdir(parents=True, exist_ok=True)
        path_of(name, size).write_text(asyncio.run(picture(name, size)))
    if wanted:
        return
    ENDING.write_text(asyncio.run(ending()))
    LOBBY.write_text(asyncio.run(lobby()))


if __name__ == "__main__":
    main()
