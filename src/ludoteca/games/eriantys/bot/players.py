"""Players of Eriantys that are programs.

"easy" takes what looks best at once, and any assistant; "medium" looks for the best whole turn, and tries
each assistant for a round; "strong" also plays the best turns on to the end of the round, in many worlds;
"master" does the same by what was learned.
"""

from collections.abc import Callable, Mapping

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.eriantys.actions import Action
from ludoteca.games.eriantys.bot import learned
from ludoteca.games.eriantys.bot.judge import evaluate
from ludoteca.games.eriantys.bot.search import after, best, play_on, quick, turns
from ludoteca.games.eriantys.state import State

# Luck decides in fewer worlds than these; then the turn that looks best is as good, and the medium bot's.
WORLDS_MIN = 4


def hasty(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """What looks best at once; any assistant."""
    return dice.choice(state.choices) if state.tabletop.phase == "planning" else quick(state, seat, evaluate)


def medium(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The first step of the turn that looks best; the assistant that one round likes best."""
    if state.tabletop.phase != "planning":
        return turns(state, seat, more, evaluate)[0].first
    luck = dice.below(1 << 63)

    def round_after(choice: Action) -> float:
        return play_on(after(state, seat, choice), seat, Dice(luck), evaluate)

    return max(state.choices, key=round_after)


def strong(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The assistant, or the first step of the turn, after which the round goes best."""
    return best(state, seat, dice, more, evaluate, WORLDS_MIN)


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The same by what was learned."""
    return best(state, seat, dice, more, learned.evaluate)


BOTS: Mapping[str, Bot] = {
    "playful": careless(hasty, 1, 2),
    "easy": hasty,
    "medium": medium,
    "strong": strong,
    "master": master,
}
