"""Whole games in words, of every game, compared with what was written down: tests/games/GAME/playthroughs.

After a wanted change of rules or words: python -m tests.games.test_playthroughs tells all of them anew; read
the differences. A new one begins as a file with one line, which says what is played.
"""

from pathlib import Path

import pytest

from ludoteca import games
from ludoteca.testing import retold

FOLDER = Path(__file__).parent
WRITTEN = sorted(FOLDER.glob("*/playthroughs/*.txt"))


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_game_is_told_as_it_was_written_down(path: Path) -> None:
    written = path.read_text()
    assert retold(written) == written


def test_every_game_of_the_house_is_told() -> None:
    assert {path.parts[-3] for path in WRITTEN} >= set(games.names()) - set(games.brought())


if __name__ == "__main__":
    for path in WRITTEN:
        path.write_text(retold(path.read_text()))
