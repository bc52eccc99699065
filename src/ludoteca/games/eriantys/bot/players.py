"""Players of Eriantys that are programs.

All of them judge a position by `evaluate`. "easy" takes what looks best at once, and any assistant; "medium"
looks for the best whole turn, and tries each assistant for a round; "strong" also plays the best turns on to
the end of the round, in many worlds.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.eriantys.actions import Action, EndTurn, TakeCloud
from ludoteca.games.eriantys.bot.search import best
from ludoteca.games.eriantys.characters import IN_FORCE, influence
from ludoteca.games.eriantys.data import STEPS
from ludoteca.games.eriantys.rules import apply
from ludoteca.games.eriantys.state import State, Tabletop

# What things are worth, in tenths of a tower. Set by hand; halving or doubling most of them played no better.
WIN = 1000.0
TOWER = 10.0
PROFESSOR = 3.0
# For each student by which a table leads, and for each by which an island is led.
LEAD = 0.5
MARGIN = 0.5
COIN = 0.8
# For a student waiting in the entrance whose professor is held, or could be taken.
USEFUL = 0.3
PROMISING = 0.6
COINS_MAX = COUNTED_MAX = 3
# The part of a tower that is as good as built if mother nature stops there, by her distance.
SOON = (0.0, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.22, 0.2, 0.18, 0.16, 0.15, 0.15)
# The same for the best island that the player in turn can reach at once.
NOW = 0.9

BEAM = 6
LINES_MAX = 8
WORLDS_MAX = 100


def evaluate(state: State, seat: Seat) -> float:
    """How much better a position is for a seat's team than for the best of the others."""
    tabletop = state.tabletop
    teams = tabletop.teams
    team = seat % teams
    if state.outcome is not None:
        winners = {winner % teams for winner in state.outcome.winners}
        if team not in winners:
            return -WIN
        return WIN if len(winners) == 1 else 0.0
    values = opinion(state)[:teams]
    mine = values.pop(team)
    return mine - max(values)


def opinion(state: State) -> list[float]:
    """How all stand; team mates, who stand alike, follow each other in the same order."""
    tabletop = state.tabletop
    teams = tabletop.teams
    values = [-TOWER * player.towers for player in tabletop.players[:teams]]
    _value_islands(tabletop, values)
    _value_schools(tabletop, values)
    return values * (len(tabletop.players) // teams)


def _value_islands(tabletop: Tabletop, values: list[float]) -> None:
    """Towers to come: who would take each island if mother nature stopped there, and how soon she may."""
    teams = len(values)
    mover = tabletop.current % teams
    towers = [player.tower for player in tabletop.players]
    islands = tabletop.islands
    now = IN_FORCE[tabletop.character]
    reach = 0
    if tabletop.phase == "action" and not tabletop.walked:
        reach = STEPS[tabletop.player.assistant or 0] + now.extra_steps
    best = -2.0 * TOWER
    for distance in range(1, len(islands) + 1):
        group = islands[(tabletop.mother_nature + distance) % len(islands)]
        size = len(group.tiles)
        owner = None if group.tower is None else towers.index(group.tower)
        counts = influence(tabletop, group, IN_FORCE[0])
        taker = _taker(counts, owner)
        if taker is not None:
            most = counts[taker]
            second = max(other for team, other in enumerate(counts) if team != taker)
            values[taker] += MARGIN * min(most - second, COUNTED_MAX)
            if taker != owner and not group.no_entry:
                values[taker] += SOON[distance] * TOWER * size
                if owner is not None:
                    values[owner] -= SOON[distance] * TOWER * size
        if distance <= reach:
            if tabletop.active:
                taker = _taker(influence(tabletop, group, now), owner)
            gain = 0
            if taker != owner and not group.no_entry:
                # What the mover's team wins or loses, and what the former owner loses.
                gain = size if taker == mover else -size
                if owner is not None:
                    gain += -size if owner == mover else size
            best = max(best, NOW * TOWER * gain)
    if reach:
        values[mover] += best


def _taker(counts: list[int], owner: int | None) -> int | None:
    """Who has an island once it is resolved."""
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else owner


def _value_schools(tabletop: Tabletop, values: list[float]) -> None:
    """Professors and how safe they are, students that wait for use, coins."""
    teams = len(values)
    for colour, holder in enumerate(tabletop.professors):
        tables = [player.dining[colour] for player in tabletop.players]
        mark = 0
        if holder is not None:
            mark = tables[holder]
            rival = max(count for seat, count in enumerate(tables) if seat % teams != holder % teams)
            values[holder % teams] += PROFESSOR + LEAD * min(mark - rival, COUNTED_MAX)
        for seat, player in enumerate(tabletop.players):
            waiting = min(player.entrance[colour], COUNTED_MAX)
            if seat == holder:
                values[seat % teams] += USEFUL * waiting
            elif waiting and tables[seat] + waiting > mark:
                values[seat % teams] += PROMISING
    for seat, player in enumerate(tabletop.players):
        values[seat % teams] += COIN * min(player.coins, COINS_MAX)


def best_choice(state: State, seat: Seat) -> Action:
    """The choice that looks best at once."""
    return max(state.choices, key=lambda choice: evaluate(_after(state, seat, choice), seat))


def _after(state: State, seat: Seat, choice: Action) -> State:
    trial = state.clone()
    apply(trial, seat, choice)
    return trial


class Line(NamedTuple):
    """A turn: its first action, where it ends (so far), and how good that looks."""

    first: Action
    state: State
    value: float


def plan(state: State, seat: Seat, more: Callable[[], bool]) -> list[Line]:
    """Whole turns of a player, the best first, by a beam search; without time the beam is a single ray."""
    finished: list[Line] = []
    growing: list[tuple[Action | None, State]] = [(None, state)]
    while growing:
        grown: dict[float, Line] = {}
        for first, beginning in growing:
            for choice in beginning.choices:
                trial = _after(beginning, seat, choice)
                line = Line(first or choice, trial, evaluate(trial, seat))
                if trial.outcome is not None or isinstance(choice, TakeCloud | EndTurn):
                    finished.append(line)
                else:
                    # The same students moved in another order have the same value: one order will do.
                    grown.setdefault(line.value, line)
        width = BEAM if more() else 1
        best = sorted(grown.values(), key=lambda line: line.value, reverse=True)[:width]
        growing = [(line.first, line.state) for line in best]
    return sorted(finished, key=lambda line: line.value, reverse=True)


def play_on(state: State, seat: Seat, dice: Dice) -> float:
    """How a round goes for a seat when everybody takes what looks best at once, after any assistants."""
    trial = state.clone()
    trial.dice = dice
    while trial.outcome is None and trial.tabletop.round == state.tabletop.round:
        if trial.tabletop.phase == "planning":
            choice: Action = dice.choice(trial.choices)
        else:
            choice = best_choice(trial, trial.tabletop.current)
        apply(trial, trial.tabletop.current, choice)
    return evaluate(trial, seat)


def hasty(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
    """What looks best at once; any assistant."""
    return dice.choice(state.choices) if state.tabletop.phase == "planning" else best_choice(state, seat)


def medium(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The first step of the turn that looks best; the assistant that one round likes best."""
    if state.tabletop.phase != "planning":
        return plan(state, seat, more)[0].first
    luck = dice.below(1 << 63)
    return max(state.choices, key=lambda choice: play_on(_after(state, seat, choice), seat, Dice(luck)))


def strong(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The assistant, or the first step of the turn, after which the round goes best."""
    if state.tabletop.phase == "planning":
        lines = [Line(choice, _after(state, seat, choice), 0.0) for choice in state.choices]
    else:
        lines = plan(state, seat, more)[:LINES_MAX]
        if lines[0].value == WIN:
            return lines[0].first
    totals = [0.0] * len(lines)
    if len({line.first for line in lines}) > 1:
        for _ in range(WORLDS_MAX):
            if not more():
                break
            luck = dice.below(1 << 63)
            # All lines meet the same luck, so that it does not decide between them.
            values = [play_on(line.state, seat, Dice(luck)) for line in lines if more()]
            if len(values) < len(lines):
                break
            totals = [total + value for total, value in zip(totals, values, strict=True)]
    return lines[totals.index(max(totals))].first


def master(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The same by what was learned, and with the time where it matters."""
    return best(state, seat, dice, more)


BOTS: Mapping[str, Bot] = {
    "playful": careless(hasty, 1, 2),
    "easy": hasty,
    "medium": medium,
    "strong": strong,
    "master": master,
}
