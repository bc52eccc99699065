"""What turns of Masters of Renaissance are worth at first sight, learned from matches of bots.

    python -m training.renaissance_turns --rounds 500 --seed 1

begins with the weights of `bot/tuned.py` and tries changes of all of them at once: those with a change and
those with its opposite play each other, every deal from both sides, each taking the turn that looks best; the
weights then move towards the side that won more and by more points (stochastic approximation by simultaneous
perturbation). The mean of the last rounds is written to `bot/tuned.py`.
"""

from argparse import ArgumentParser
from functools import partial
from multiprocessing import Pool
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ludoteca.core import Dice
from ludoteca.games import load
from ludoteca.games.renaissance.bot import tuned
from ludoteca.games.renaissance.bot.mind import MANY, Weights
from ludoteca.games.renaissance.bot.players import step
from ludoteca.games.renaissance.bot.playing import go_on
from ludoteca.games.renaissance.rules import apply

# How far each weight is changed to be tried.
STEPS = {
    "card": 0.5, "engine": 0.03, "faith_made": 0.25, "resource": 0.08, "vault": 0.06, "near": 0.015,
    "ready": 0.03, "second": 0.08, "faith": 0.12, "discard": 0.15, "hand": 0.07, "points": 0.06,
    "engine_at_once": 0.3, "takes": 0.12, "made": 0.15, "tile": 0.12, "tile_step": 0.03, "tile_race": 0.02,
    "discount": 0.8, "depot": 0.6, "exchange": 0.8, "production": 0.8, "dear": 0.4, "turns_a_card": 0.3,
    "fading": 1.0,
}  # fmt: skip
LEAST = {"near": 0.5, "hand": 0.02, "made": 0.2, "takes": 0.0, "tile_step": 0.0, "fading": 1.0}
MOST = {"near": 1.0, "hand": 0.9}
# Deals in a round, how far the weights move for a round that was won altogether, and in how many rounds that
# becomes much less.
DEALS = 8
RATE = 0.6
COOLING = 150
# So many points are as good as a match.
MARGIN = 20
# How many rounds the mean is about.
LAST = 100


def lead(first: Weights, second: Weights, deal: int) -> float:
    """What the first wins by, from 1 to -1, in the mean of both sides."""
    one, other = match(deal, (first, second)), match(deal, (second, first))
    return (_won_by(one[0] - one[1]) + _won_by(other[1] - other[0])) / 2


def match(deal: int, weights: tuple[Weights, Weights]) -> tuple[int, ...]:
    """The points of both, if each takes the turn that looks best."""
    game = load("renaissance")
    state, _ = game.start(game.setup(2, deal))
    while state.tabletop.phase != "turns":
        seat = next(iter(state.questions))
        apply(state, seat, step(state, seat, weights[seat]))
    while state.outcome is None:
        go_on(state, weights[state.tabletop.current])
    totals: tuple[int, ...] = tuple(state.outcome.scores["total"])
    return totals


def _won_by(points: int) -> float:
    return ((points > 0) - (points < 0)) / 2 + max(-1.0, min(1.0, points / MARGIN)) / 2


def moved(weights: Weights, changes: dict[str, float], share: float) -> Weights:
    """The weights, changed by a share of what is to be tried."""
    new = {
        name: min(MOST.get(name, 1e9), max(LEAST.get(name, -1e9), getattr(weights, name) + share * change))
        for name, change in changes.items()
    }
    return replace(weights, **new)


def mean(way: list[Weights]) -> Weights:
    """Each weight in the mean."""
    return replace(way[0], **{name: sum(getattr(one, name) for one in way) / len(way) for name in STEPS})


def written(weights: Weights, command: str, matches: int) -> str:
    """The module of the weights."""
    lines = [f"    {name}={value:.3f},\n" for name, value in msgspec.structs.asdict(weights).items()]
    return (
        f'"""Learned from {matches:,} matches by `{command}`."""\n\n'
        "from ludoteca.games.renaissance.bot.mind import Weights\n\n"
        f"TUNED = Weights(\n{''.join(lines)})\n"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--check", type=int, default=100, help="deals against the weights made by hand")
    given = parser.parse_args()
    dice, way = Dice(given.seed), [tuned.TUNED]
    with Pool(given.processes) as pool:
        for number in range(given.rounds):
            changes = {name: change * (1 - 2 * dice.below(2)) for name, change in STEPS.items()}
            one, other = (moved(way[-1], changes, sign) for sign in (1, -1))
            deals = [dice.below(1 << 40) for _ in range(DEALS)]
            led = sum(pool.map(partial(lead, one, other), deals)) / DEALS
            way.append(moved(way[-1], changes, led * RATE / (1 + number / COOLING) ** 0.4))
        found = mean(way[-LAST:])
        ahead = pool.map(partial(lead, found, MANY), range(1 << 41, (1 << 41) + given.check))
    print(f"against the weights made by hand {sum(ahead) / max(1, len(ahead)):+.2f} of 1")
    command = f"python -m training.renaissance_turns --rounds {given.rounds} --seed {given.seed}"
    Path(tuned.__file__).write_text(written(found, command, 2 * DEALS * given.rounds))


if __name__ == "__main__":
    main()
