"""Players that build an engine, from what their minds say of a board.

The strong one tries its best few turns in worlds it cannot tell from the true one, plays them on for a while
as everybody would who takes what looks best, and compares where they lead.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.renaissance.actions import (
    Action,
    DiscardLeader,
    EndTurn,
    KeepLeaders,
    Pay,
    PlayLeader,
    Store,
)
from ludoteca.games.renaissance.bot import search
from ludoteca.games.renaissance.bot.mind import ALONE, MANY, Mind, Turn, Weights
from ludoteca.games.renaissance.bot.offers import counted
from ludoteca.games.renaissance.bot.playing import stores
from ludoteca.games.renaissance.bot.tuned import TUNED
from ludoteca.games.renaissance.cards.powers import drafted_powers
from ludoteca.games.renaissance.data import LEADERS, ONE
from ludoteca.games.renaissance.rules import apply
from ludoteca.games.renaissance.state import State, Tabletop
from ludoteca.games.renaissance.view import redeal

_T = TypeVar("_T")

# Looking ahead: how many turns are tried, how far they are played on, in how many worlds, and after how many
# of these the worse half is given up.
CANDIDATES = 5
TURNS_AHEAD = 4
WORLDS_MAX = 48
HALVINGS = (3, 6, 12)
VICTORY = 20.0
VICTORY_ALONE = 300.0

_LEADER_WORTH = {"discount": 4.0, "depot": 3.5, "exchange": 4.5, "production": 4.0}


def _weights(tabletop: Tabletop) -> Weights:
    return MANY if tabletop.cross is None else ALONE


def step(state: State, seat: int, weights: Weights | None = None) -> Action:
    """The next step of the turn that looks best."""
    question = state.asked[seat]
    assert question is not None
    tabletop, kind = state.tabletop, question.kind
    choices: Sequence[Any] = question.choices
    if kind in ("action", "end"):
        quick = _leader_step(tabletop, choices)
    else:
        quick = (
            next((choice for choice in choices if isinstance(choice, Pay)), None) if kind == "pay" else None
        )
    if quick is not None:
        return quick
    mind = Mind(tabletop, seat, weights or _weights(tabletop))
    match kind:
        case "action":
            return _best(mind.turns()).first
        case "place":
            return _store(mind, choices)
        case "powers":
            power = _best(mind.productions(drafted_powers(tabletop)))
            return power or next(choice for choice in choices if isinstance(choice, Pay))
        case "resources":
            owned = mind.board.resources
            choice: Action = _best(
                ((mind.stock(owned.plus(ONE[one.resource])), one.depot), one) for one in choices
            )
        case _:
            choice = _best((_leaders_worth(choice), choice) for choice in choices)
    return choice


def _best(judged: Iterable[tuple[Any, _T]]) -> _T:
    """The one with the highest mark."""
    return max(judged, key=lambda pair: pair[0])[1]


def _leaders_worth(choice: KeepLeaders) -> float:
    first, second = LEADERS[choice.first], LEADERS[choice.second]
    shared = {need.colour for need in first.cards} & {need.colour for need in second.cards}
    return _LEADER_WORTH[first.kind] + _LEADER_WORTH[second.kind] + 0.5 * len(shared)


def _leader_step(tabletop: Tabletop, choices: Sequence[Action]) -> Action | None:
    """A leader is played as soon as it can be; in the end those that cannot be are worth one faith."""
    for choice in choices:
        if isinstance(choice, PlayLeader):
            return choice
    if EndTurn() not in choices:
        return None
    discards = [choice for choice in choices if isinstance(choice, DiscardLeader)]
    return discards[0] if discards and tabletop.last_round else EndTurn()


def _store(mind: Mind, choices: Sequence[Action]) -> Action:
    """The depots as `keep` wants them."""
    wanted = stores(mind.board, mind.keep(counted(mind.tabletop.waiting))[1])
    offered = [choice for choice in choices if isinstance(choice, Store)]
    choice = wanted[offered[0].depot]
    # Another player may have begun this placement in another way.
    return choice if choice in offered else max(offered, key=lambda store: store.count)


def loosely(width: int) -> Bot:
    """Any of so many turns that look best."""

    def play(_game: Game, state: State, seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Action:
        question = state.asked[seat]
        best = step(state, seat)
        if question is None or question.kind != "action" or isinstance(best, PlayLeader):
            return best
        turns = sorted(
            Mind(state.tabletop, seat, _weights(state.tabletop)).turns(), key=lambda pair: -pair[0]
        )
        return dice.choice(turns[:width])[1].first

    return play


def play_well(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """The turn that looks best now."""
    return step(state, seat)


def look_ahead(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The best of a few good turns, by where they lead in worlds that this seat cannot tell apart."""
    question = state.asked[seat]
    best = step(state, seat)
    if question is None or question.kind != "action" or isinstance(best, PlayLeader):
        return best
    worths: dict[Action, float] = {}
    for worth, turn in Mind(state.tabletop, seat, _weights(state.tabletop)).turns():
        worths[turn.first] = max(worth, worths.get(turn.first, worth))
    rivals = sorted(worths, key=lambda action: -worths[action])[:CANDIDATES]
    sums = dict.fromkeys(rivals, 0.0)
    for world_number in range(1, WORLDS_MAX + 1):
        if len(rivals) < 2 or not more():
            break
        world = redeal(state, seat, dice)
        for action in rivals:
            sums[action] += _prospect(world.clone(), seat, action)
        if world_number in HALVINGS:
            rivals = sorted(rivals, key=lambda action: -sums[action])[: max(2, (len(rivals) + 1) // 2)]
    return max(rivals, key=lambda action: sums[action])


def master(game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """The same by what was learned, and with leaders and first resources; alone as the strong one plays."""
    question = state.asked[seat]
    assert question is not None
    tabletop, kind = state.tabletop, question.kind
    if tabletop.cross is not None:
        return look_ahead(game, state, seat, dice, more)
    looks: dict[Turn, float] = {}
    if kind == "action":
        leader = _leader_step(tabletop, question.choices)
        if leader is not None:
            return leader
        for worth, turn in sorted(Mind(tabletop, seat, TUNED).turns(), key=lambda pair: -pair[0]):
            if all(turn.first != other.first for other in looks):
                looks[turn] = worth
    else:
        first = step(state, seat, TUNED)
        if kind not in ("leaders", "resources"):
            return first
        looks = {Turn(choice): float(choice == first) for choice in question.choices}
    return search.best(state, seat, looks, step, dice, more).first


def _prospect(state: State, seat: Seat, action: Action) -> float:
    """Play a turn, and the next few as everybody would who takes what looks best; what that is worth."""
    apply(state, seat, action)
    ended = 0
    while state.outcome is None and ended < TURNS_AHEAD:
        mover = Seat(state.tabletop.current)
        chosen = step(state, mover)
        ended += mover == seat and isinstance(chosen, EndTurn)
        apply(state, mover, chosen)
    tabletop = state.tabletop
    if state.outcome is None:
        standings = opinion(state)
        return standings.pop(seat) - max(standings, default=0.0)
    won = seat in state.outcome.winners
    if tabletop.cross is not None:
        return VICTORY_ALONE * won
    totals = list(state.outcome.scores["total"])
    return totals.pop(seat) - max(totals) + (VICTORY if won else -VICTORY)


def opinion(state: State) -> list[float]:
    """About the points that all boards are worth."""
    tabletop, weights = state.tabletop, _weights(state.tabletop)
    return [Mind(tabletop, seat, weights).standing() for seat in range(len(tabletop.boards))]


BOTS: dict[str, Bot] = {
    "playful": loosely(10),
    "easy": loosely(5),
    "medium": play_well,
    "strong": look_ahead,
    "master": master,
}
