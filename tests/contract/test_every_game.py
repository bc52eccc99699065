"""Every game that is found keeps its promises to the house."""

from importlib import import_module

import msgspec
import pytest

from ludoteca import games, testing
from ludoteca.core import Game
from ludoteca.testing.promises import Promise


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


def test_a_game_of_the_house_has_one_function_from_event_to_picture(game: Game) -> None:
    """`the_events_make_the_true_picture` has something to look at."""
    state = import_module(f"ludoteca.games.{game.name}.state")
    assert callable(state.happen)
    assert issubclass(state.Tabletop, msgspec.Struct)


@pytest.mark.parametrize(
    "promise",
    [
        # Advice is a search.
        pytest.param(promise, marks=pytest.mark.slow if "advises" in promise.__name__ else ())
        for promise in testing.PROMISES
    ],
    ids=lambda promise: promise.__name__,
)
def test_a_game_keeps_its_promise(game: Game, promise: Promise) -> None:
    promise(game)
