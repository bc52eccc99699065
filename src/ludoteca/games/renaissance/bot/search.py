"""Where turns lead, leaders and first resources too, by what was learned, for as long as there is time."""

import math
from collections.abc import Callable

from ludoteca.core import Dice, Seat
from ludoteca.games.renaissance.actions import Action
from ludoteca.games.renaissance.bot.learned import lead
from ludoteca.games.renaissance.bot.mind import Turn, Weights, turns_left
from ludoteca.games.renaissance.bot.playing import go_on, play
from ludoteca.games.renaissance.bot.tuned import TUNED
from ludoteca.games.renaissance.rules import apply
from ludoteca.games.renaissance.state import State
from ludoteca.games.renaissance.view import redeal

# How many turns are tried, how far they are played on, and after how many worlds each the worse half is given
# up, until two are left.
CANDIDATES = 6
TURNS_AHEAD = 3
WORLDS_PER_HALVING = 3
# More than there is time for: who has for ever, ends.
WORLDS_MAX = 200
# How much the look of a turn counts beside a world in which it was played on.
LOOK = 1.0
# A lead of so many points, and so many more for each turn that is left, makes one about three times as likely
# to win as to lose.
LEAD = 3.3
LEAD_PER_TURN = 0.2

Step = Callable[[State, int, Weights], Action]


def best(
    state: State,
    seat: Seat,
    looks: dict[Turn, float],
    step: Step,
    dice: Dice,
    more: Callable[[], bool],
) -> Turn:
    """Of the turns that look best (or of what is asked before the first), the one that leads furthest in
    worlds that this seat cannot tell apart."""
    rivals = sorted(looks, key=lambda turn: -looks[turn])[:CANDIDATES]
    # What a point is worth when nobody leads.
    point = LOOK / (4 * _spread(state))
    sums = {turn: point * looks[turn] for turn in rivals}
    worlds = 0
    while len(rivals) > 1 and worlds < WORLDS_MAX and more():
        world = redeal(state, seat, dice)
        # A world that was begun is played to its end: cut short it compares nothing.
        for turn in rivals:
            sums[turn] += _chance(world.clone(), seat, turn, step)
        rivals.sort(key=lambda turn: -sums[turn])
        worlds += 1
        if worlds % WORLDS_PER_HALVING == 0:
            del rivals[max(2, (len(rivals) + 1) // 2) :]
    return rivals[0]


def _chance(state: State, seat: Seat, turn: Turn, step: Step) -> float:
    """Play on as everybody would who takes what looks best; how likely the seat wins from there."""
    ended = 0
    if _is_before_turns(state):
        apply(state, seat, turn.first)
        while _is_before_turns(state):
            mover = next(iter(state.questions))
            apply(state, mover, step(state, mover, TUNED))
    else:
        play(state, seat, turn)
        ended += 1
    while state.outcome is None and ended < TURNS_AHEAD:
        ended += state.tabletop.current == seat
        go_on(state, TUNED)
    if state.outcome is None:
        return 1 / (1 + math.exp(-lead(state.tabletop, seat) / _spread(state)))
    winners = state.outcome.winners
    return (seat in winners) / len(winners)


def _spread(state: State) -> float:
    return LEAD + LEAD_PER_TURN * turns_left(state.tabletop)


def _is_before_turns(state: State) -> bool:
    return state.tabletop.phase in ("leaders", "resources")
