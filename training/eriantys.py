"""What a position of Eriantys is worth, learned from matches of bots.

    python -m training.eriantys --matches 2000 --rounds 2 --seed 1

plays matches of two between bots that take what looks best at once, some choices at random, keeps the
positions at the end of turns, and fits the weights of `bot/weights.py` so that the difference between both
sides tells best who won (logistic regression by stochastic descent). The first round is played by weights
made by hand, each further one by what was learned before.
"""

import math
import random
import textwrap
from argparse import ArgumentParser
from collections.abc import Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from ludoteca.core import Dice
from ludoteca.games import load
from ludoteca.games.eriantys.bot import learned
from ludoteca.games.eriantys.bot.learned import COUNT, evaluate, traits, use
from ludoteca.games.eriantys.rules import apply

WEIGHTS = Path(learned.__file__).with_name("weights.py")
# One decision in so many is any.
STRAY = 12
# So many tenths of a tower make one e times as likely to win.
SCALE = 12.0
# In tenths of a tower: towers at home, professor, lead, margin, held, the islands ahead, now, coin, useful,
# promising, seated.
BY_HAND = (
    *(-10.0 * towers for towers in range(9)),
    *(3.0, 0.5, 0.5, 0.5),
    *(5.0, 4.5, 4.0, 3.5, 3.0, 2.5, 2.2, 2.0, 1.8, 1.6, 1.5, 1.5),
    *(9.0, 0.8, 0.3, 0.6, 0.0),
)
Sample = tuple[list[float], float]


def play(weights: Sequence[float], seed: int) -> list[Sample]:
    """One match: the positions after turns, as what the first team has more of, and whether it won."""
    game, dice = load("eriantys"), Dice(seed)
    use(weights)
    state, _ = game.start(game.setup(2, seed))
    met: list[list[float]] = []
    while state.outcome is None:
        table = state.tabletop
        seat, choices = table.current, state.choices
        if table.phase == "planning" or not dice.below(STRAY):
            choice = dice.choice(choices)
        else:
            best = -1e9
            for one in choices:
                trial = state.clone()
                apply(trial, seat, one)
                value = evaluate(trial, seat)
                if value > best:
                    best, choice = value, one
        apply(state, seat, choice)
        if state.outcome is None and state.tabletop.current != seat:
            one, other = traits(state)
            met.append([mine - theirs for mine, theirs in zip(one, other, strict=True)])
    ranks = state.outcome.ranks
    won = 0.5 if ranks[0] == ranks[1] else float(ranks[0] == 1)
    return [(position, won) for position in met]


def fit(data: list[Sample], before: Sequence[float], epochs: int, chance: random.Random) -> list[float]:
    """Descend from what was there before; a tenth of the data tells how well that goes."""
    weights = [weight / SCALE for weight in before]
    start = list(weights)
    held_out, data = data[: len(data) // 10], data[len(data) // 10 :]
    print(f"before: loss {loss(weights, held_out):.4f} on {len(held_out):,} held out", flush=True)
    for epoch in range(epochs):
        chance.shuffle(data)
        rate = 0.004 / (1 + epoch)
        for position, won in data:
            error = rate * (won - likelihood(weights, position))
            for place, times in enumerate(position):
                if times:
                    weights[place] += error * times
        # What is rarely met stays near what it was.
        weights = [weight + 0.02 * (first - weight) for weight, first in zip(weights, start, strict=True)]
        print(f"epoch {epoch + 1}: loss {loss(weights, held_out):.4f}", flush=True)
    return [weight * SCALE for weight in weights]


def likelihood(weights: list[float], position: list[float]) -> float:
    value = sum([weight * times for weight, times in zip(weights, position, strict=True) if times])
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


def loss(weights: list[float], data: list[Sample]) -> float:
    total = 0.0
    for position, won in data:
        chance = likelihood(weights, position)
        total -= won * math.log(chance) + (1 - won) * math.log(1 - chance)
    return total / len(data)


def written(weights: Sequence[float], command: str, positions: int) -> str:
    numbers = ", ".join(f"{weight:.2f}" for weight in weights)
    table = textwrap.fill(numbers, 105, initial_indent="    ", subsequent_indent="    ")
    return (
        f'"""Learned from {positions:,} positions by `{command}`."""\n\n'
        f"# fmt: off\nWEIGHTS: tuple[float, ...] = (\n{table},\n)\n"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000, help="in each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    weights: Sequence[float] = BY_HAND
    positions = 0
    for turn in range(given.rounds):
        seeds = range(given.seed + turn * given.matches, given.seed + (turn + 1) * given.matches)
        with Pool(given.processes) as pool:
            played = pool.map(partial(play, weights), seeds, chunksize=10)
        # Positions of one match are alike, and they follow each other: whole matches are held out.
        data = [sample for match in played for sample in match]
        positions += len(data)
        print(f"round {turn + 1}: {len(data):,} positions", flush=True)
        weights = fit(data, weights, given.epochs, random.Random(given.seed))
    assert len(weights) == COUNT
    command = (
        f"python -m training.eriantys --matches {given.matches} --rounds {given.rounds} --seed {given.seed}"
    )
    WEIGHTS.write_text(written(weights, command, positions))


if __name__ == "__main__":
    main()
