"""What a position of Santorini is worth, learned from the engine's own matches.

    python -m training.santorini --matches 4000 --seed 1

plays matches between mortals from random openings, keeps every position in which nobody can win at once, and
fits the weights of `engine/weights.h` so that the sum over a position tells best how the match ended and what
the search found there (logistic regression by stochastic descent). `make engine` then builds them in.
"""

import math
import random
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path

from ludoteca.core import Seat
from ludoteca.games.santorini.actions import Action
from ludoteca.games.santorini.bot import can_win_now
from ludoteca.games.santorini.data import NEIGHBOURS, SIDE, SPACES, TOP
from ludoteca.games.santorini.engine import Engine, find
from ludoteca.games.santorini.rules import apply, resume
from ludoteca.games.santorini.state import Options, State

WEIGHTS = Path(__file__).parent.parent / "src/ludoteca/games/santorini/engine/weights.h"
# One look at the clock is 2,048 steps.
LOOKS = 2
# One turn in so many is played at random, so that matches differ.
RANDOM_TURN = 12
TURNS_MAX = 120
# What the engine calls 100 is a chance of winning of 1 / (1 + exp(-100 / SCALE)).
SCALE = 200.0

# The features of a worker on level L: its height, the place, and around it how many spaces of each kind.
LEVELS, KINDS, PLACES = TOP + 1, 6, 6
DOMED_KIND, TAKEN = 4, 5
HEIGHT = 0
PLACE = HEIGHT + LEVELS
AROUND = PLACE + PLACES
THREATS = AROUND + LEVELS * KINDS
TEMPO = THREATS + 2
COUNT = TEMPO + 1


def place_of(space: int) -> int:
    """Which of the six kinds of places: mirrors and turns of the island make no difference."""
    row, column = (min(k, SIDE - 1 - k) for k in divmod(space, SIDE))
    low, high = sorted((row, column))
    return {(0, 0): 0, (0, 1): 1, (0, 2): 2, (1, 1): 3, (1, 2): 4, (2, 2): 5}[low, high]


def features(state: State) -> dict[int, int]:
    """The position as seen by who begins the turn: own features less the rival's."""
    found: dict[int, int] = {TEMPO: 1}
    towers, workers = state.towers, state.workers
    threats = 0
    for worker, space in enumerate(workers):
        mine = worker >> 1 == state.seat
        sign = 1 if mine else -1
        level = towers[space]
        for near in NEIGHBOURS[space]:
            kind = TAKEN if near in workers else min(towers[near], DOMED_KIND)
            threats += level == 2 and kind == TOP and not mine
            one = AROUND + level * KINDS + kind
            found[one] = found.get(one, 0) + sign
        for one in (HEIGHT + level, PLACE + place_of(space)):
            found[one] = found.get(one, 0) + sign
    if threats:
        found[THREATS + (threats > 1)] = -1
    return {feature: count for feature, count in found.items() if count}


def looks(count: int) -> Callable[[], bool]:
    """A clock that can be looked at this often."""
    left = iter(range(count))
    return lambda: next(left, None) is not None


def play(engine: Engine, chance: random.Random) -> list[tuple[dict[int, int], float]]:
    """One match: its quiet positions, and how likely who was to move there was to win."""
    state = State.empty(Options(gods="none"), (0, 1))
    state.phase = "play"
    state.workers = tuple(chance.sample(range(SPACES), 4))
    resume(state, 0)
    met: list[tuple[int, dict[int, int], float]] = []
    for turn in range(TURNS_MAX):
        if state.outcome is not None:
            break
        seat = state.seat
        if turn < 2 or not (can_win_now(state) or chance.randrange(RANDOM_TURN)):
            while state.outcome is None and state.seat == seat:
                apply(state, Seat(seat), chance.choice(state.choices))
            continue
        quiet = None if can_win_now(state) else features(state)
        while state.outcome is None and state.seat == seat:
            choices: list[Action] = list(state.choices)
            chance.shuffle(choices)
            answer = engine.best(state, choices, looks(LOOKS))
            if quiet is not None:
                met.append((seat, quiet, likelihood(engine.value / SCALE)))
                quiet = None
            apply(state, Seat(seat), answer)
    if state.winner is None:
        return []
    return [(position, ((seat == state.winner) + found) / 2) for seat, position, found in met]


def fit(data: list[tuple[dict[int, int], float]], epochs: int, chance: random.Random) -> list[float]:
    """Weights in the engine's measure; the last tenth of the data tells how well they do."""
    weights = [0.0] * COUNT
    held_out = data[: len(data) // 10]
    data = data[len(data) // 10 :]
    for epoch in range(epochs):
        chance.shuffle(data)
        rate = 0.003 / (1 + epoch)
        for position, won in data:
            error = won - chances(weights, position)
            for feature, count in position.items():
                weights[feature] += rate * error * count
        print(
            f"epoch {epoch + 1}: loss {loss(weights, held_out):.4f} on {len(held_out):,} held out", flush=True
        )
    return [weight * SCALE for weight in weights]


def chances(weights: Sequence[float], position: dict[int, int]) -> float:
    return likelihood(sum(weights[feature] * count for feature, count in position.items()))


def likelihood(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


def loss(weights: Sequence[float], data: list[tuple[dict[int, int], float]]) -> float:
    total = 0.0
    for position, won in data:
        chance = chances(weights, position)
        total -= won * math.log(chance) + (1 - won) * math.log(1 - chance)
    return total / len(data)


def written(weights: Sequence[float], command: str) -> str:
    whole = [round(weight) for weight in weights]
    # No mortal plays on from the third level, so nothing is learned there.
    whole[HEIGHT + TOP] = whole[HEIGHT + 2]
    whole[AROUND + TOP * KINDS : AROUND + LEVELS * KINDS] = whole[AROUND + 2 * KINDS : AROUND + TOP * KINDS]

    def table(first: int, count: int) -> str:
        return "{" + ", ".join(map(str, whole[first : first + count])) + "}"

    around = ",\n    ".join(table(AROUND + level * KINDS, KINDS) for level in range(LEVELS))
    return f"""/* Learned by `{command}`: see training/santorini.py. */

static const int HEIGHT[4] = {table(HEIGHT, LEVELS)};
/* Corner, beside it, middle of an edge; inner corner, inner edge, centre. */
static const int PLACE[6] = {table(PLACE, PLACES)};
/* By the worker's level: each free space around with 0 to 3 blocks, each dome, each space with a worker. */
static const int AROUND[4][6] = {{
    {around},
}};
/* One step to the third level is open to who is not on turn; more than one is. */
static const int THREAT[2] = {table(THREATS, 2)};
static const int TEMPO = {whole[TEMPO]};
"""


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    engine = find()
    assert engine is not None, "wasmtime is not installed"
    chance = random.Random(given.seed)
    data: list[tuple[dict[int, int], float]] = []
    for match in range(given.matches):
        data += play(engine, chance)
        if not (match + 1) % 500:
            print(f"{match + 1} matches, {len(data):,} positions", flush=True)
    weights = fit(data, given.epochs, chance)
    command = f"python -m training.santorini --matches {given.matches} --seed {given.seed}"
    WEIGHTS.write_text(written(weights, command))


if __name__ == "__main__":
    main()
