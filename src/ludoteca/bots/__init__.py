"""Players that are programs: two that can play any game, the games' own, and those of other packages.

A package offers a bot by an entry point of the group `ludoteca.bots`, named GAME.LEVEL, that leads to a
function like the games' own (see `core.game.Bot`):

    [project.entry-points."ludoteca.bots"]
    "santorini.oracle" = "oracle.mind:choose"
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ludoteca.bots.random import play_at_random
from ludoteca.bots.search import search
from ludoteca.core import Bot, Dice, Game, LocalError, Seat

_EVERYWHERE: dict[str, Bot] = {"random": play_at_random, "search": search}
GROUP = "ludoteca.bots"


@cache
def _installed(game: str) -> dict[str, EntryPoint]:
    """The bots that other packages offer for a game, by level; none of them is loaded."""
    found = {}
    for point in entry_points(group=GROUP):
        home, _, level = point.name.partition(".")
        if home == game and level:
            found[level] = point
    return found


def levels(game: Game) -> tuple[str, ...]:
    """The names of all bots that play this game: two that play any, other packages',
    its own, weakest first."""
    own = (*_EVERYWHERE, *game.bots)
    outside = [level for level in _installed(game.name) if level not in own]
    return (*_EVERYWHERE, *outside, *game.bots)


def strongest(game: Game) -> str:
    """The level that plays when nobody says which."""
    return next(reversed([*game.bots]), "search")


def substitute(game: Game, level: str) -> str:
    """Who plays on when a bot breaks down: the next weaker one, or the game's
    strongest for another package's."""
    own = (*_EVERYWHERE, *game.bots)
    return own[max(0, own.index(level) - 1)] if level in own else strongest(game)


def find(game: Game, level: str) -> Bot:
    """The bot of this name; the game's own cannot be replaced. Raises LocalError when there is none."""
    own = game.bots.get(level) or _EVERYWHERE.get(level)
    if own is not None:
        return own
    point = _installed(game.name).get(level)
    if point is None:
        raise LocalError(f"there is no bot {level!r} for {game.title}; there are {', '.join(levels(game))}")
    bot: Bot = point.load()
    return bot


def choose(game: Game, level: str, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
    """What a bot answers; the state is its own to change."""
    choices = state.questions[seat].choices
    if len(choices) == 1:
        return choices[0]
    return find(game, level)(game, state, seat, dice, more)
