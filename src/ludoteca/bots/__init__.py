"""Players that are programs: some that can play any game, the games' own, and those of other packages.

A game has its own bots at five levels (`core.LEVELS`); where it has none, the house's search plays at them.

A package offers a bot by an entry point of the group `ludoteca.bots`, named GAME.LEVEL, that leads to a
function like the games' own (see `core.game.Bot`):

    [project.entry-points."ludoteca.bots"]
    "santorini.oracle" = "oracle.mind:choose"
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ludoteca.bots.advice import compared
from ludoteca.bots.random import play_at_random
from ludoteca.bots.search import search
from ludoteca.core import LEVELS, Bot, Dice, Game, LocalError, Seat, careless
from ludoteca.core.notices import Advice

_EVERYWHERE: dict[str, Bot] = {"random": play_at_random, "search": search}
# How often the search does anything at all, in quarters, for games without bots of their own.
_GENERIC: dict[str, Bot] = {
    level: careless(search, times, 4) for level, times in zip(LEVELS, (4, 3, 2, 1, 0), strict=True)
}
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
    """The names of all bots that play this game: two that know none, other packages',
    and the five levels, weakest first."""
    own = _own(game)
    outside = [level for level in _installed(game.name) if level not in own and level not in _EVERYWHERE]
    return (*_EVERYWHERE, *outside, *own)


def _own(game: Game) -> Mapping[str, Bot]:
    return game.bots or _GENERIC


def strongest(game: Game) -> str:
    """The level that plays when nobody says which."""
    return [*_own(game)][-1]


def first(game: Game) -> str:
    """The level for somebody who has not chosen one: kind, but for the first evenings not too kind."""
    own = _own(game)
    return "easy" if "easy" in own else next(iter(own))


def named(game: Game, level: str) -> str:
    """The level that is meant by a name: "" the strongest, a name of former times what it is now."""
    return game.former_bots.get(level, level) or strongest(game)


def substitute(game: Game, level: str) -> str:
    """Who plays on when a bot breaks down: the next weaker one, or the game's
    strongest for another package's."""
    own, level = (*_EVERYWHERE, *_own(game)), named(game, level)
    return own[max(0, own.index(level) - 1)] if level in own else strongest(game)


def find(game: Game, level: str) -> Bot:
    """The bot of this name; the game's own cannot be replaced. Raises LocalError when there is none."""
    meant = named(game, level)
    own = _own(game).get(meant) or _EVERYWHERE.get(meant)
    if own is not None:
        return own
    point = _installed(game.name).get(meant)
    if point is None:
        raise LocalError(f"there is no bot {level!r} for {game.title}; there are {', '.join(levels(game))}")
    bot: Bot = point.load()
    return bot


def origin(game: Game, level: str) -> str:
    """Which other package a bot comes from, and in which version; "" for the game's own and the house's."""
    meant = named(game, level)
    point = None if meant in _own(game) or meant in _EVERYWHERE else _installed(game.name).get(meant)
    if point is None:
        return ""
    return f"{point.value} {point.dist.name} {point.dist.version}" if point.dist else point.value


def choose(game: Game, level: str, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
    """What a bot answers; the state is its own to change."""
    choices = state.questions[seat].choices
    if len(choices) == 1:
        return choices[0]
    return find(game, level)(game, state, seat, dice, more)


def advise(
    game: Game,
    state: Any,
    seat: Seat,
    dice: Dice,
    more: Callable[[], bool],
    comparing: Callable[[], bool] | None = None,
    level: str = "",
) -> list[Advice]:
    """The best answers to what a seat is asked, the one that a bot (the strongest) would give first: the
    chance of each, how it would go on, and why in words.

    `state` is what the seat imagines, as for `choose`. The bot thinks while `more()`, and its choice is then
    compared with others while `comparing()`; each at least once.
    """
    best = choose(game, level or strongest(game), state.clone(), seat, dice, more)
    return compared(game, state, seat, best, dice, comparing or (lambda: False))
