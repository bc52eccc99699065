"""Players that are programs: two that can play any game, and the games' own."""

from collections.abc import Callable
from typing import Any

from ludoteca.bots.random import play_at_random
from ludoteca.bots.search import search
from ludoteca.core import Bot, Dice, Game, Seat

_EVERYWHERE: dict[str, Bot] = {"random": play_at_random, "search": search}


def levels(game: Game) -> tuple[str, ...]:
    """The names of all bots that play this game, weakest first; "search" comes before the game's own."""
    return (*_EVERYWHERE, *game.bots)


def find(game: Game, level: str) -> Bot:
    """The bot of this name."""
    return game.bots.get(level) or _EVERYWHERE[level]


def choose(game: Game, level: str, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
    """What a bot answers; the state is its own to change."""
    options = state.questions[seat].options
    if len(options) == 1:
        return options[0]
    return find(game, level)(game, state, seat, dice, more)
