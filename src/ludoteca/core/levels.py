"""The five levels that bots of every game come in, by names that people feel."""

from collections.abc import Callable
from typing import Any

from ludoteca.core.dice import Dice
from ludoteca.core.game import Bot, Game, Seat

# Weakest first, with what they are like.
LEVELS = {
    "playful": "a child can win",
    "easy": "for the first evenings",
    "medium": "plays along well",
    "strong": "for those who know the game",
    "master": "beats its author",
}


def careless(bot: Bot, times: int, of: int) -> Bot:
    """The same bot, which so many times of so many does anything at all."""

    def choose(game: Game, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
        if dice.below(of) < times:
            return dice.choice(state.questions[seat].choices)
        return bot(game, state, seat, dice, more)

    return choose


def wavering(bot: Bot, weaker: Bot, times: int, of: int) -> Bot:
    """The same bot, which so many times of so many does what a weaker one would."""

    def choose(game: Game, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
        return (weaker if dice.below(of) < times else bot)(game, state, seat, dice, more)

    return choose
