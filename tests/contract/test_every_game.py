"""Every game that is found keeps its promises to the house."""

import pytest

from ludoteca import games, testing
from ludoteca.core import Game
from ludoteca.testing.promises import Promise


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


@pytest.mark.parametrize("promise", testing.PROMISES, ids=lambda promise: promise.__name__)
def test_a_game_keeps_its_promise(game: Game, promise: Promise) -> None:
    promise(game)
