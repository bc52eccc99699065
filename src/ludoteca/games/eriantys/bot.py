"""Players of Eriantys that are programs.

All of them judge a position by `evaluate`. "easy" takes the option that looks best at once; "medium" looks for
the best whole turn; "strong" plays the best of those turns on, through the others' turns, in many worlds.
"""

from collections.abc import Callable, Mapping, Sequence

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.eriantys.actions import (
    Action,
    BuyCharacter,
    EndTurn,
    MoveToIsland,
    PlayAssistant,
    StopSwapping,
    TakeCloud,
)
from ludoteca.games.eriantys.characters import IN_FORCE
from ludoteca.games.eriantys.data import NUMBERS, STEPS
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State

WIN = 1000.0
TOWER = 10.0
PROFESSOR = 3.0
LEAD = 0.5
MARGIN = 0.5
COIN = 0.8
HAND = 0.05
# How much of a tower a change of owner is worth that waits for mother nature, by her distance.
SOON = (0.15, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.22, 0.2, 0.18, 0.16, 0.15, 0.15)

BEAM = 6


def evaluate(state: State, seat: Seat) -> float:
    """How good a position is for a seat: towers built, towers to come, professors, coins."""
    teams = len(state.towers)
    team = seat % teams
    if state.outcome is not None:
        ranks = state.outcome.ranks
        if ranks[seat] > 1:
            return -WIN
        return WIN if all(rank > 1 for other, rank in enumerate(ranks) if other % teams != team) else 0.0
    values = [-TOWER * home for home in state.towers]
    _value_islands(state, values)
    _value_schools(state, values)
    mine = values[team]
    values[team] = -1e9
    return mine - max(values)


def _value_islands(state: State, values: list[float]) -> None:
    teams = len(values)
    groups = state.groups
    count = len(groups)
    here = state.mother_nature
    mover = state.order[state.turn]
    reach = 0
    if state.phase == "action" and not state.walked:
        reach = STEPS[state.schools[mover].assistant] + IN_FORCE[state.character].extra_steps
    mover_team = mover % teams
    bonus = IN_FORCE[state.character].extra_influence
    towers_count = IN_FORCE[state.character].towers_count
    holders = [None if holder is None else holder % teams for holder in state.professors]
    best = -1e9
    for distance in range(1, count + 1):
        group = groups[(here + distance) % count]
        size = len(group.tiles)
        influence = [0] * teams
        for holder, students in zip(holders, group.students):
            if holder is not None:
                influence[holder] += students
        owner = group.tower
        if owner is not None:
            influence[owner] += size
        # What stands and what is to come.
        top = max(influence)
        leader = influence.index(top) if top and influence.count(top) == 1 else owner
        if leader is not None:
            influence[leader] = -1
            second = max(influence)
            influence[leader] = top
            values[leader] += MARGIN * min(top - second, 3)
            if leader != owner and not group.no_entry:
                weight = TOWER * size * SOON[distance]
                values[leader] += weight
                if owner is not None:
                    values[owner] -= weight
        if distance <= reach:
            if group.no_entry:
                gain = 0.0
            else:
                if bonus:
                    influence[mover_team] += bonus
                if owner is not None and not towers_count:
                    influence[owner] -= size
                if state.silenced is not None and holders[state.silenced] is not None:
                    influence[holders[state.silenced]] -= group.students[state.silenced]  # type: ignore[index]
                top = max(influence)
                taker = influence.index(top) if top and influence.count(top) == 1 else owner
                gain = 0.0
                if taker != owner:
                    gain = size if taker == mover_team else -size
                    if owner == mover_team:
                        gain -= size
                    elif owner is not None:
                        gain += size
            best = max(best, gain)
    if reach and best > -1e8:
        values[mover_team] += TOWER * best * 0.9


def _value_schools(state: State, values: list[float]) -> None:
    teams = len(values)
    schools = state.schools
    for colour, holder in enumerate(state.professors):
        if holder is not None:
            own = schools[holder].dining[colour]
            rival = max(school.dining[colour] for seat, school in enumerate(schools) if seat % teams != holder % teams)
            values[holder % teams] += PROFESSOR + LEAD * min(own - rival, 3)
        for seat, school in enumerate(schools):
            waiting = school.entrance[colour]
            if waiting:
                if seat == holder:
                    values[seat % teams] += 0.3 * min(waiting, 3)
                else:
                    own = 0 if holder is None else schools[holder].dining[colour]
                    if school.dining[colour] + min(waiting, 3) > own:
                        values[seat % teams] += 0.6
    if state.mode == "Expert":
        for seat, school in enumerate(schools):
            values[seat % teams] += COIN * min(school.coins, 4)


def best_option(state: State, seat: Seat, options: Sequence[Action]) -> Action:
    """The option that looks best at once."""
    return max(options, key=lambda option: _after(state, seat, option))


def _after(state: State, seat: Seat, option: Action) -> float:
    trial = state.clone()
    apply(trial, seat, option)
    return evaluate(trial, seat)


class Line:
    """The beginning of a turn, or a whole one."""

    __slots__ = ("first", "state", "value")

    def __init__(self, first: Action, state: State, value: float) -> None:
        self.first = first
        self.state = state
        self.value = value


def plan(state: State, seat: Seat, more: Callable[[], bool], width: int = BEAM) -> list[Line]:
    """Whole turns of a player, the best first: a beam search by the look of the positions in between."""
    done: dict[tuple[Action, float], Line] = {}
    beam: list[tuple[Action | None, State]] = [(None, state)]
    while beam:
        grown: dict[float, Line] = {}
        for first, start in beam:
            for option in start.options:
                trial = start.clone()
                apply(trial, seat, option)
                value = evaluate(trial, seat)
                line = Line(first or option, trial, value)
                if trial.outcome is not None or isinstance(option, TakeCloud | EndTurn):
                    done.setdefault((line.first, value), line)
                else:
                    grown.setdefault(value, line)
        lines = sorted(grown.values(), key=lambda line: line.value, reverse=True)[:width]
        beam = [(line.first, line.state) for line in lines]
        if not more():
            width = 1
    return sorted(done.values(), key=lambda line: line.value, reverse=True)


def easy(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """The option that looks best at once; any assistant."""
    if state.phase == "planning":
        return dice.choice(state.options)
    return best_option(state, seat, state.options)


def medium(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The first step of the best turn; any assistant."""
    if state.phase == "planning":
        return dice.choice(state.options)
    return plan(state, seat, more)[0].first


LINES = 8


def strong(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The first step of the turn, or the assistant, after which the round goes best."""
    if state.phase == "planning":
        lines = []
        for option in state.options:
            trial = state.clone()
            apply(trial, seat, option)
            lines.append(Line(option, trial, 0.0))
    else:
        lines = plan(state, seat, more)[:LINES]
    if len({line.first for line in lines}) == 1:
        return lines[0].first
    totals = [0.0] * len(lines)
    worlds = 0
    while worlds < WORLDS_MAX and (more() or not worlds):
        seed = dice.below(1 << 63)
        values = []
        for line in lines:
            values.append(_play_round(line.state, seat, Dice(seed)))
            if not more():
                break
        if len(values) < len(lines):
            break
        for place, value in enumerate(values):
            totals[place] += value
        worlds += 1
    if not worlds:
        return lines[0].first
    return lines[totals.index(max(totals))].first


WORLDS_MAX = 64


def _play_round(state: State, seat: Seat, dice: Dice) -> float:
    trial = state.clone()
    trial.dice = dice
    number = trial.round
    if trial.phase == "planning" and all(not school.assistant for school in trial.schools):
        number += HORIZON
    while trial.outcome is None and (trial.round == number):
        mover = trial.seat
        if trial.phase == "planning":
            option: Action = dice.choice(trial.options)
        else:
            option = best_option(trial, mover, trial.options)
        apply(trial, mover, option)
    return evaluate(trial, seat)


HORIZON = 0

BOTS: Mapping[str, Bot] = {"easy": easy, "medium": medium, "strong": strong}
