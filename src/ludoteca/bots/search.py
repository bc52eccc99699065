"""A player that knows any game by its rules alone: determinised Monte Carlo search.

What the seat cannot see is dealt again and again (`Game.redeal`); in each of these worlds one choice is tried
and the game is played to its end at random. The choices share the trials by the upper confidence bound of
their results so far, and the one tried most often is played.
"""

import math
from collections.abc import Callable
from typing import Any

from ludoteca.core import Dice, Game, Outcome, Seat

# Dealing anew can be dear (Multisweeper must find mines that fit), so one world serves several trials.
TRIALS_PER_WORLD = 8
TRIALS_MIN = 32
PLAYOUT_ACTIONS_MAX = 400
CHOICES_MAX = 64
EXPLORATION = 0.9


def search(game: Game, state: Any, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Any:
    """The most promising choice by simulation, for as long as there is time."""
    choices = state.questions[seat].choices
    choices = dice.sample(choices, CHOICES_MAX) if len(choices) > CHOICES_MAX else list(choices)
    tries = [0] * len(choices)
    sums = [0.0] * len(choices)
    world = state
    trials = 0
    while trials < TRIALS_MIN or more():
        if trials % TRIALS_PER_WORLD == 0:
            world = game.redeal(state, seat, dice)
        pick = _most_promising(tries, sums, trials)
        trial = world.clone()
        game.apply(trial, seat, choices[pick])
        sums[pick] += playout(game, trial, seat, dice)
        tries[pick] += 1
        trials += 1
    return choices[max(range(len(choices)), key=lambda index: (tries[index], sums[index]))]


def _most_promising(tries: list[int], sums: list[float], trials: int) -> int:
    """Untried choices first, then the highest upper confidence bound."""
    best, best_bound = 0, -1.0
    log_trials = math.log(trials + 1)
    for index, count in enumerate(tries):
        if count == 0:
            return index
        bound = sums[index] / count + EXPLORATION * math.sqrt(log_trials / count)
        if bound > best_bound:
            best, best_bound = index, bound
    return best


def playout(game: Game, state: Any, seat: Seat, dice: Dice) -> float:
    """Play to the end at random; what that is worth to the seat, from 0 to 1."""
    for _ in range(PLAYOUT_ACTIONS_MAX):
        questions = state.questions
        if not questions:
            break
        for mover, question in questions.items():
            game.apply(state, mover, dice.choice(question.choices))
            break
    return worth(state.outcome, seat)


def worth(outcome: Outcome | None, seat: Seat) -> float:
    """An outcome as a number for one seat: 1 won, 0 last, a half when nothing is decided."""
    if outcome is None or not outcome.ranks:
        return 0.5
    rank, seats = outcome.ranks[seat], len(outcome.ranks)
    if rank == 1:
        return 1.0 if len(outcome.winners) == 1 else 0.75
    return 0.0 if seats <= 2 else 0.4 * (seats - min(rank, seats)) / (seats - 1)
