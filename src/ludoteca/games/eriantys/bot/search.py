"""Whole turns by some judgement, and how the round goes on from them, for as long as there is time."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludoteca.core import Dice, Seat
from ludoteca.games.eriantys.actions import Action, EndTurn, TakeCloud
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State

WIN = 1000.0
# How many turns grow side by side, how many of them are played on, and after how many worlds each the worse
# half of these is given up, until two are left.
BEAM = 8
LINES_MAX = 8
WORLDS_PER_HALVING = 2
# More than there is time for: who has for ever, ends.
WORLDS_MAX = 200
# How much the look of a turn counts beside a world in which it was played on.
LOOK = 0.5


# How much better a position is for a seat's team than for the best of the others.
Judge = Callable[[State, Seat], float]


def lead(state: State, seat: Seat, opinion: Callable[[State], Sequence[float]]) -> float:
    """A judgement, from how all teams stand."""
    teams = state.tabletop.teams
    team = seat % teams
    if state.outcome is not None:
        winners = {winner % teams for winner in state.outcome.winners}
        if team not in winners:
            return -WIN
        return WIN if len(winners) == 1 else 0.0
    values = [*opinion(state)[:teams]]
    mine = values.pop(team)
    return mine - max(values)


class Line(NamedTuple):
    """A turn: its first action, where it ends, and how good that looks."""

    first: Action
    state: State
    value: float


def after(state: State, seat: Seat, choice: Action) -> State:
    """The position after a choice."""
    trial = state.clone()
    apply(trial, seat, choice)
    return trial


def turns(state: State, seat: Seat, more: Callable[[], bool], judge: Judge) -> list[Line]:
    """Whole turns of a player, the best first, by a beam search; without time the beam is a single ray."""
    finished: list[Line] = []
    growing: list[tuple[Action | None, State]] = [(None, state)]
    while growing:
        grown: dict[float, Line] = {}
        for first, beginning in growing:
            for choice in beginning.choices:
                trial = after(beginning, seat, choice)
                line = Line(first or choice, trial, judge(trial, seat))
                if trial.outcome is not None or isinstance(choice, TakeCloud | EndTurn):
                    finished.append(line)
                else:
                    # The same students moved in another order have the same value: one order will do.
                    grown.setdefault(line.value, line)
        width = BEAM if more() else 1
        best = sorted(grown.values(), key=_value, reverse=True)[:width]
        growing = [(line.first, line.state) for line in best]
    return sorted(finished, key=_value, reverse=True)


def _value(line: Line) -> float:
    return line.value


def best(state: State, seat: Seat, dice: Dice, more: Callable[[], bool], judge: Judge) -> Action:
    """The assistant, or the first step of the turn, after which the round goes best."""
    planning = state.tabletop.phase == "planning"
    if planning:
        lines = [Line(choice, after(state, seat, choice), 0.0) for choice in state.choices]
    else:
        lines = turns(state, seat, more, judge)[:LINES_MAX]
        if lines[0].value == WIN:
            return lines[0].first
    totals = {place: LOOK * line.value for place, line in enumerate(lines)}
    left = list(totals)
    worlds = 0
    while worlds < WORLDS_MAX and len({lines[place].first for place in left}) > 1 and more():
        # All lines meet the same luck, so that it does not decide between them.
        luck = dice.below(1 << 63)
        values = []
        for place in left:
            # One world is played to its end in any time.
            if worlds and not more():
                break
            values.append(play_on(lines[place].state, seat, Dice(luck), judge))
        if len(values) < len(left):
            break
        for place, value in zip(left, values, strict=True):
            totals[place] += value
        left.sort(key=lambda place: -totals[place])
        worlds += 1
        if worlds % WORLDS_PER_HALVING == 0:
            del left[max(2, (len(left) + 1) // 2) :]
    return lines[left[0]].first


def play_on(state: State, seat: Seat, dice: Dice, judge: Judge) -> float:
    """How a round goes for a seat when everybody takes what looks best at once, after any assistants."""
    trial = state.clone()
    trial.dice = dice
    this = state.tabletop.round
    while trial.outcome is None and trial.tabletop.round == this:
        mover = trial.tabletop.current
        if trial.tabletop.phase == "planning":
            choice: Action = dice.choice(trial.choices)
        else:
            choice = quick(trial, mover, judge)
        apply(trial, mover, choice)
    return judge(trial, seat)


def quick(state: State, seat: Seat, judge: Judge) -> Action:
    """The choice that looks best at once."""
    found, highest = state.choices[0], -2 * WIN
    for choice in state.choices:
        value = judge(after(state, seat, choice), seat)
        if value > highest:
            found, highest = choice, value
    return found
