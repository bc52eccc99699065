"""Where turns lead, leaders and first resources too, by what was learned, for as long as there is time."""

from collections.abc import Callable

from ludoteca.core import Dice, Seat
from ludoteca.games.renaissance.actions import Action, EndTurn
from ludoteca.games.renaissance.bot.learned import lead
from ludoteca.games.renaissance.rules import apply
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.view import redeal

# How many turns are tried, how far they are played on, and after how many worlds each the worse half is given
# up, until two are left.
CANDIDATES = 6
TURNS_AHEAD = 3
WORLDS_PER_HALVING = 2
# More than there is time for: who has for ever, ends.
WORLDS_MAX = 200
# How much the look of a turn counts beside a world in which it was played on.
LOOK = 1.0
VICTORY = 20.0

Step = Callable[[State, int], Action]


def best(
    state: State,
    seat: Seat,
    looks: dict[Action, float],
    step: Step,
    dice: Dice,
    more: Callable[[], bool],
) -> Action:
    """Of the choices that look best, the one that leads furthest in worlds this seat cannot tell apart."""
    rivals = sorted(looks, key=lambda action: -looks[action])[:CANDIDATES]
    sums = {action: LOOK * looks[action] for action in rivals}
    worlds = 0
    while len(rivals) > 1 and worlds < WORLDS_MAX and more():
        world = redeal(state, seat, dice)
        # A world that was begun is played to its end: cut short it compares nothing.
        for action in rivals:
            sums[action] += _prospect(world.clone(), seat, action, step)
        rivals.sort(key=lambda action: -sums[action])
        worlds += 1
        if worlds % WORLDS_PER_HALVING == 0:
            del rivals[max(2, (len(rivals) + 1) // 2) :]
    return rivals[0]


def _prospect(state: State, seat: Seat, action: Action, step: Step) -> float:
    """Play on as everybody would who takes what looks best; by how much the seat will be ahead."""
    apply(state, seat, action)
    ended = 0
    while state.outcome is None and ended < TURNS_AHEAD:
        mover = next(Seat(place) for place, question in enumerate(state.asked) if question is not None)
        chosen = step(state, mover)
        ended += mover == seat and isinstance(chosen, EndTurn)
        apply(state, mover, chosen)
    if state.outcome is None:
        return lead(state.tabletop, seat)
    totals = list(state.outcome.scores["total"])
    won = seat in state.outcome.winners
    return totals.pop(seat) - max(totals) + (VICTORY if won else -VICTORY)
