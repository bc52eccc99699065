"""The games of the house. Each is one folder here, found by itself: there is no list to edit."""

import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from functools import cache

from ludoteca.core import Game, Refused
from ludoteca.core.talk import Caller


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


def load_client(name: str) -> Callable[[str], Caller]:
    """What makes a player's side of a game's own protocol out of a nickname. Raises Refused when the game has none."""
    module = f"{__name__}.{load(name).name}.client"
    if importlib.util.find_spec(module) is None:
        raise Refused(f"there is no client for the protocol of {load(name).title} here", "client")
    make: Callable[[str], Caller] = importlib.import_module(module).Client
    return make


def load_all() -> tuple[Game, ...]:
    """All games."""
    return tuple(load(name) for name in names())
