"""Players of Eriantys that are programs.

"easy" takes what looks best at once, and any assistant; "medium" looks for the best whole turn, and tries
each assistant for a round; "strong" judges by what was learned, and whole turns would make it as good as the
"master", who also plays the best of them on to the end of the round, in as many worlds as there is time for.
"""

from collections.abc import Callable, Mapping

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.bot import learned
from ludoteca.games.eriantys.bot.judge import evaluate
from ludoteca.games.eriantys.bot.search import Judge, after, best, play_on, quick, turns
from ludoteca.games.eriantys.state import State


def hasty(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """What looks best at once; any assistant."""
    return dice.choice(state.choices) if state.tabletop.phase == "planning" else quick(state, seat, evaluate)


def medium(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The first step of the turn that looks best; the assistant that one round likes best."""
    if state.tabletop.phase == "planning":
        return _assistant(state, seat, dice, evaluate)
    return turns(state, seat, more, evaluate)[0].first


def strong(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """What looks best at once by what was learned; the assistant that one round likes best by that."""
    if state.tabletop.phase == "planning":
        return _assistant(state, seat, dice, learned.evaluate)
    return quick(state, seat, learned.evaluate)


def _assistant(state: State, seat: Seat, dice: Dice, judge: Judge) -> Action:
    luck = dice.below(1 << 63)

    def round_after(choice: Action) -> float:
        return play_on(after(state, seat, choice), seat, Dice(luck), judge)

    return max(state.choices, key=round_after)


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The assistant, or the first step of the turn, after which the round goes best."""
    return best(state, seat, dice, more, learned.evaluate)


BOTS: Mapping[str, Bot] = {
    "playful": careless(hasty, 1, 2),
    "easy": hasty,
    "medium": medium,
    "strong": strong,
    "master": master,
}
