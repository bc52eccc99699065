"""What a bookshelf of My Shelfie leads to, learned from matches of bots.

    python -m training.shelfie --rounds 100 --seed 1

begins with the judgement made by hand and tries changes of all weights at once: those with a change and those
with its opposite play each other, every deal from both sides, each taking the turn that looks best; the
weights then move towards the side that had more points, the further the more it had (stochastic approximation
by simultaneous perturbation). The mean of the second half of the way is written to `bot/weights.py`.
"""

import textwrap
from argparse import ArgumentParser
from multiprocessing import Pool
from pathlib import Path

from ludoteca.core import Dice
from ludoteca.games import load
from ludoteca.games.shelfie.bot import learned
from ludoteca.games.shelfie.bot.judge import BY_HAND, NEARNESS
from ludoteca.games.shelfie.bot.learned import COUNT, GOALS, GROUPS, SIZES, WISHES
from ludoteca.games.shelfie.bot.search import Position, action_of
from ludoteca.games.shelfie.rules import apply

WEIGHTS = Path(learned.__file__).with_name("weights.py")
# How far weights of each kind are changed to be tried.
STEPS = (*(0.1, 0.3, 0.4, 0.5, 0.5, 0.4) * 3, *(0.08,) * 6, *(0.03,) * 12, 0.06)
# How far they move for a point more in a match, in such steps.
RATE = 0.004
# Shares of a token above this would make a goal that is far away as good as reached.
SHARE_MAX = 0.97
Weights = tuple[float, ...]
Task = tuple[Weights, Weights, int]


def play(task: Task) -> int:
    """One deal from both sides: by how many points the first weights were ahead, in both matches together."""
    one, other, seed = task
    game = load("shelfie")
    ahead = 0
    for minds in ((one, other), (other, one)):
        state, _ = game.start(game.setup(2, seed))
        while state.outcome is None:
            (seat,) = state.questions
            turn = Position(state, minds[seat]).best()
            apply(state, seat, action_of(turn, ()))
            apply(state, seat, action_of(turn, state.tabletop.hand))
        total = state.outcome.scores["total"]
        ahead += total[minds.index(one)] - total[minds.index(other)]
    return ahead


def sensible(weights: list[float]) -> Weights:
    """A group is worth at least its points once nothing can be beside it, and shares stay shares."""
    kept = list(weights)
    for place in range(GROUPS, GROUPS + SIZES):
        kept[place] = max(0.0, kept[place])
    for place in range(WISHES, GOALS):
        kept[place] = min(1.0, max(0.0, kept[place]))
    for place in range(GOALS, GOALS + len(NEARNESS)):
        kept[place] = min(SHARE_MAX, max(0.3, kept[place]))
    return tuple(kept)


def changed(weights: Weights, signs: list[int]) -> Weights:
    return sensible([weight + sign * step for weight, sign, step in zip(weights, signs, STEPS, strict=True)])


def written(weights: Weights, command: str, matches: int) -> str:
    numbers = ", ".join(f"{weight:.3f}" for weight in weights)
    table = textwrap.fill(numbers, 105, initial_indent="    ", subsequent_indent="    ")
    return (
        f'"""Learned from {matches:,} matches by `{command}`."""\n\n'
        "# Groups by size, three times: nowhere to grow, one free cell beside them, more. Then the share of\n"
        "# a wish that is still open, by the tiles that are missing below; the share of a token for each\n"
        "# missing tile, by goal; and a tile, whatever it is.\n"
        f"# fmt: off\nWEIGHTS: tuple[float, ...] = (\n{table},\n)\n"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tries", type=int, default=8, help="changes that are tried in each round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    dice = Dice(given.seed)
    weights: Weights = BY_HAND
    assert len(weights) == len(STEPS) == COUNT
    way: list[Weights] = []
    with Pool(given.processes) as pool:
        for turn in range(given.rounds):
            tried = [[1 - 2 * dice.below(2) for _ in STEPS] for _ in range(given.tries)]
            tasks: list[Task] = [
                (
                    changed(weights, signs),
                    changed(weights, [-sign for sign in signs]),
                    given.seed + turn * given.tries + number,
                )
                for number, signs in enumerate(tried)
            ]
            ahead = pool.map(play, tasks, chunksize=1)
            moved = [
                weight
                + RATE
                * step
                * sum([points * signs[place] for points, signs in zip(ahead, tried, strict=True)])
                for place, (weight, step) in enumerate(zip(weights, STEPS, strict=True))
            ]
            weights = sensible(moved)
            way.append(weights)
            print(f"round {turn + 1}: {ahead}", flush=True)
    later = way[len(way) // 2 :]
    mean = tuple(sum(column) / len(later) for column in zip(*later, strict=True))
    command = f"python -m training.shelfie --rounds {given.rounds} --tries {given.tries} --seed {given.seed}"
    WEIGHTS.write_text(written(mean, command, 2 * given.rounds * given.tries))


if __name__ == "__main__":
    main()
