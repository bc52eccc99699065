"""Players of Eriantys that are programs.

"easy" takes what looks best at once, and any assistant, and one time in four does anything; "medium" tries
each assistant for a round, and does nothing at random; "strong" does the same, and judges by what was
learned. Whole turns would make it as good as the "master", who also plays the best of them on to the end of
the round, in as many worlds as there is time for.
"""

from collections.abc import Callable, Mapping

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.bot import learned
from ludoteca.games.eriantys.bot.judge import evaluate
from ludoteca.games.eriantys.bot.search import Judge, after, best, play_on, quick
from ludoteca.games.eriantys.state import State


def hasty(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """What looks best at once; any assistant."""
    return dice.choice(state.choices) if state.tabletop.phase == "planning" else quick(state, seat, evaluate)


def planning(judge: Judge) -> Bot:
    """What looks best at once; the assistant after which one round goes best."""

    def choose(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
        if state.tabletop.phase != "planning":
            return quick(state, seat, judge)
        luck = dice.below(1 << 63)

        def round_after(choice: Action) -> float:
            return play_on(after(state, seat, choice), seat, Dice(luck), judge)

        return max(state.choices, key=round_after)

    return choose


strong = planning(learned.evaluate)


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The assistant, or the first step of the turn, after which the round goes best."""
    return best(state, seat, dice, more, learned.evaluate)


BOTS: Mapping[str, Bot] = {
    "playful": careless(hasty, 1, 2),
    "easy": careless(hasty, 1, 4),
    "medium": planning(evaluate),
    "strong": strong,
    "master": master,
}
