"""A player that knows any game by its rules alone: tree search over what it knows (ISMCTS).

What the seat cannot see is dealt again and again (`Game.redeal`). All worlds share one tree, whose nodes are
what was done since: in each trial one walks down it by the choices that this world allows, adds one, and
plays to the end at random, or, where the game has an opinion of positions, to the end of the turn. Every
mover in the tree looks after itself. The choices of a node are looked at a few at a time, more of them the
more often it is met; the one tried most often is played.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from ludoteca.core import Dice, Game, Outcome, Seat

# Dealing anew can be dear (Multisweeper must find mines that fit), so one world serves several trials.
TRIALS_PER_WORLD = 4
PLAYOUT_ACTIONS_MAX = 400
# How many actions there are to the end of a turn, at most, before a position is judged.
TURN_ACTIONS_MAX = 12
EXPLORATION = 0.7
# After n visits WIDTH * sqrt(n) choices of a node are looked at.
WIDTH = 2.0
# How often another choice is looked for in vain before the known ones must do.
TRIES = 4


class Node:
    """What came of one choice: how often it could have been taken, how often it was, and what it was worth to
    whoever took it."""

    __slots__ = ("children", "offered", "total", "visits")

    def __init__(self) -> None:
        self.children: dict[Any, Node] = {}
        self.offered = 0
        self.visits = 0
        self.total = 0.0


class Measure:
    """A game's opinions as chances to win: in whatever measure, by how far they usually lie apart."""

    def __init__(self) -> None:
        self._sum = 0.0
        self._count = 0

    def chances(self, opinion: Sequence[float]) -> list[float]:
        """For each seat, from 0 to 1."""
        best, second = sorted(opinion)[-1], sorted(opinion)[-2] if len(opinion) > 1 else 0.0
        leads = [mine - (second if mine == best else best) for mine in opinion]
        self._sum += abs(best - second)
        self._count += 1
        usual = max(self._sum / self._count, 1e-9)
        return [1 / (1 + math.exp(-max(-30.0, min(30.0, lead / usual)))) for lead in leads]


def search(game: Game, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
    """The most promising choice by simulation, for as long as there is time."""
    root, measure = Node(), Measure()
    world = state
    trials = 0
    while trials == 0 or more():
        if trials % TRIALS_PER_WORLD == 0:
            world = game.redeal(state, seat, dice)
        trial = world.clone()
        # The root is this seat's, though others may be asked at the same time.
        path = _descend(game, root, trial, seat, dice)
        values = _played(game, trial, path[-1][0], dice, measure)
        for mover, node in path:
            node.visits += 1
            node.total += values(mover)
        root.visits += 1
        trials += 1
    found = root.children
    return max(found, key=lambda action: (found[action].visits, found[action].total))


def _descend(game: Game, root: Node, state: Any, seat: Seat, dice: Dice) -> list[tuple[Seat, Node]]:
    """Walk down the tree by what is best for each mover until there is something new; the way that was."""
    node, path = root, []
    mover = seat
    while True:
        choices = state.questions[mover].choices
        action, fresh = _pick(node, choices, dice)
        node = node.children.setdefault(action, Node())
        game.apply(state, mover, action)
        path.append((mover, node))
        questions = state.questions
        if fresh or not questions:
            return path
        mover = next(iter(questions))


def _pick(node: Node, choices: Sequence[Any], dice: Dice) -> tuple[Any, bool]:
    """A choice to try, and whether it is new: new ones as long as there is width, then the highest upper
    confidence bound of those that this world allows."""
    known = node.children
    if len(known) < len(choices) and len(known) < WIDTH * math.sqrt(node.visits + 1):
        for _ in range(TRIES):
            action = dice.choice(choices)
            if action not in known:
                return action, True
    best, best_bound = None, -1.0
    for action, child in known.items():
        if action in choices:
            child.offered += 1
            bound = math.inf
            if child.visits:
                spread = math.sqrt(math.log(child.offered) / child.visits)
                bound = child.total / child.visits + EXPLORATION * spread
            if bound > best_bound:
                best, best_bound = action, bound
    return (dice.choice(choices), True) if best is None else (best, False)


def _played(game: Game, state: Any, mover: Seat, dice: Dice, measure: Measure) -> Callable[[Seat], float]:
    """What a position is worth to each seat, after more or less of a random rest."""
    opinion = game.opinion
    if opinion is None:
        _play_out(game, state, dice)
    for _ in range(TURN_ACTIONS_MAX):
        questions = state.questions
        if mover not in questions:
            break
        game.apply(state, mover, dice.choice(questions[mover].choices))
    outcome = state.outcome
    if outcome is None and opinion is not None:
        chances = measure.chances(opinion(state))
        return lambda seat: chances[seat]
    return lambda seat: worth(outcome, seat)


def playout(game: Game, state: Any, seat: Seat, dice: Dice) -> float:
    """Play to the end at random; what that is worth to the seat, from 0 to 1."""
    _play_out(game, state, dice)
    return worth(state.outcome, seat)


def _play_out(game: Game, state: Any, dice: Dice) -> None:
    for _ in range(PLAYOUT_ACTIONS_MAX):
        questions = state.questions
        if not questions:
            break
        mover = next(iter(questions))
        game.apply(state, mover, dice.choice(questions[mover].choices))


def worth(outcome: Outcome | None, seat: Seat) -> float:
    """An outcome as a number for one seat: 1 won, 0 last, a half when nothing is decided."""
    if outcome is None or not outcome.ranks:
        return 0.5
    rank, seats = outcome.ranks[seat], len(outcome.ranks)
    if rank == 1:
        return 1.0 if len(outcome.winners) == 1 else 0.75
    return 0.0 if seats <= 2 else 0.4 * (seats - min(rank, seats)) / (seats - 1)
