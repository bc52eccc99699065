"""The games of the house. Each is one folder here, found by itself: there is no list to edit.

Another package brings a game by an entry point of the group `ludoteca.games`, named like the game, that leads
to a package of the same shape (see docs/adding-a-game.md):

    [project.entry-points."ludoteca.games"]
    connectfour = "connectfour"
"""

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable
from functools import cache
from importlib import resources
from importlib.metadata import entry_points

from ludoteca.core import Game, LocalError, Refused
from ludoteca.core.lesson import Lesson
from ludoteca.core.talk import Caller
from ludoteca.core.wording import meant

GROUP = "ludoteca.games"
# A game's name stands in addresses, on the command line and in records; these mean something else there.
NAME = re.compile(r"[a-z][a-z0-9]{1,31}")
RESERVED = frozenset({"all", "bot", "house", "http", "metrics"})


@cache
def _homes() -> dict[str, str]:
    """The package of each game. The house's own cannot be replaced.

    Raises LocalError for a name that cannot be.
    """
    homes = {}
    for point in entry_points(group=GROUP):
        if not NAME.fullmatch(point.name) or point.name in RESERVED:
            raise LocalError(f"no game can be called {point.name!r}, as {point.module} wants")
        homes[point.name] = point.module
    own = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    return homes | {name: f"{__name__}.{name}" for name in own}


@cache
def names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order; loads none of them."""
    return tuple(sorted(_homes()))


def brought() -> tuple[str, ...]:
    """The names of the games that other packages bring."""
    return tuple(name for name in names() if _homes()[name] != f"{__name__}.{name}")


def home(name: str) -> str:
    """The name of the package of a game. Raises Refused when there is none."""
    if name not in _homes():
        near = meant(name, names())
        raise Refused(f"there is no game {name!r}{near}; the house has {', '.join(names())}", "game")
    return _homes()[name]


@cache
def load(name: str) -> Game:
    """The game of this name.

    Raises Refused when there is none, LocalError when its package is not as it should be.
    """
    package = home(name)
    try:
        game = getattr(importlib.import_module(package), "GAME", None)
    except ImportError as error:
        raise LocalError(f"the game {name!r} cannot be loaded: {error}") from error
    if not isinstance(game, Game) or game.name != name:
        raise LocalError(f"the game {name!r} cannot be loaded: {package}.GAME is not a game of that name")
    return game


def load_client(name: str) -> Callable[[str], Caller]:
    """What makes a player's side of a game's own protocol out of a nickname.

    Raises Refused when the game has none.
    """
    module = f"{home(name)}.client"
    if importlib.util.find_spec(module) is None:
        raise Refused(f"there is no client for the protocol of {load(name).title} here", "client")
    make: Callable[[str], Caller] = importlib.import_module(module).Client
    return make


def lessons(name: str) -> tuple[Lesson, ...]:
    """The lessons of a game, in their order; none when its folder has no `lessons.py`."""
    module = f"{home(name)}.lessons"
    if importlib.util.find_spec(module) is None:
        return ()
    found: tuple[Lesson, ...] = importlib.import_module(module).LESSONS
    return found


def load_all() -> tuple[Game, ...]:
    """All games."""
    return tuple(load(name) for name in names())


def page(name: str) -> str | None:
    """What the game's folder says about its own protocol, in PROTOCOL.md; None when it says nothing."""
    found = resources.files(home(name)) / "PROTOCOL.md"
    return found.read_text() if found.is_file() else None
