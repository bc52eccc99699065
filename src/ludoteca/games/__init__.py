"""The games of the house. Each is one folder here, found by itself: there is no list to edit."""

import importlib
import pkgutil
from functools import cache

from ludoteca.core import Game, Refused


@cache
def names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order; loads none of them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@cache
def load(name: str) -> Game:
    """The game of this name."""
    if name not in names():
        raise Refused(f"there is no game {name!r}; the house has {', '.join(names())}", "game")
    game: Game = importlib.import_module(f"{__name__}.{name}").GAME
    return game


def load_all() -> tuple[Game, ...]:
    """All games."""
    return tuple(load(name) for name in names())
