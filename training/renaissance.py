"""By how many points a board of Masters of Renaissance will lead, learned from matches of bots.

    python -m training.renaissance --matches 1500 --seed 1

plays matches of two between bots that take the turn that looks best, now and then the second or third best,
after leaders and first resources that are any as often as not, keeps the boards at the end of turns, and fits
the weights of `bot/weights.py` to how far ahead each was in the end (least squares, held near what the mind
thinks).
"""

import random
import textwrap
from argparse import ArgumentParser
from multiprocessing import Pool
from pathlib import Path

from ludoteca.core import Dice, Seat
from ludoteca.games import load
from ludoteca.games.renaissance.bot import learned
from ludoteca.games.renaissance.bot.learned import traits
from ludoteca.games.renaissance.bot.mind import Mind
from ludoteca.games.renaissance.bot.players import step
from ludoteca.games.renaissance.bot.playing import play as play_turn
from ludoteca.games.renaissance.bot.playing import play_leaders
from ludoteca.games.renaissance.bot.tuned import TUNED
from ludoteca.games.renaissance.rules import apply

WEIGHTS = Path(learned.__file__).with_name("weights.py")
# One turn in so many is the second or third best.
STRAY = 5
# Further ahead than this is as good as won.
LEAD_MAX = 30.0
# How firmly weights are held, in boards.
HOLD = 200.0
Sample = tuple[list[float], float]


def play(seed: int) -> list[Sample]:
    """One match: what the first seat had more of at the end of each turn, and its lead in the end."""
    game, dice = load("renaissance"), Dice(seed)
    state, _ = game.start(game.setup(2, seed))
    met: list[list[float]] = []
    while state.tabletop.phase != "turns":
        seat = next(iter(state.questions))
        choices = state.questions[seat].choices
        apply(state, seat, dice.choice(choices) if dice.below(2) else step(state, seat, TUNED))
    while state.outcome is None:
        seat = Seat(state.tabletop.current)
        play_leaders(state, seat)
        turns = sorted(Mind(state.tabletop, seat, TUNED).turns(), key=lambda pair: -pair[0])
        place = 0 if dice.below(STRAY) else 1 + dice.below(2)
        play_turn(state, seat, turns[min(place, len(turns) - 1)][1])
        if state.outcome is None:
            one, other = traits(state.tabletop, 0), traits(state.tabletop, 1)
            met.append([mine - theirs for mine, theirs in zip(one, other, strict=True)])
    one, other = state.outcome.scores["total"]
    ahead = max(-LEAD_MAX, min(LEAD_MAX, float(one - other)))
    return [(board, ahead) for board in met]


def fit(data: list[Sample]) -> list[float]:
    """Least squares with a pull towards the mind's own judgement."""
    size = len(data[0][0])
    rows = [[0.0] * size + [0.0] for _ in range(size)]
    for board, ahead in data:
        for place, trait in enumerate(board):
            if trait:
                row = rows[place]
                for other in range(size):
                    row[other] += trait * board[other]
                row[size] += trait * ahead
    for place, row in enumerate(rows):
        row[place] += HOLD
        row[size] += HOLD * (place == 0)
    for place in range(size):
        pivot = rows[place][place]
        rows[place] = [value / pivot for value in rows[place]]
        for other in range(size):
            if other != place and rows[other][place]:
                factor = rows[other][place]
                rows[other] = [
                    value - factor * own for value, own in zip(rows[other], rows[place], strict=True)
                ]
    return [row[size] for row in rows]


def loss(weights: list[float], data: list[Sample]) -> float:
    return sum(
        (ahead - sum([weight * trait for weight, trait in zip(weights, board, strict=True)])) ** 2
        for board, ahead in data
    ) / len(data)


def written(weights: list[float], command: str, boards: int) -> str:
    numbers = ", ".join(f"{weight:.3f}" for weight in weights)
    table = textwrap.fill(numbers, 105, initial_indent="    ", subsequent_indent="    ")
    return (
        f'"""Learned from {boards:,} boards by `{command}`."""\n\n'
        f"# fmt: off\nWEIGHTS: tuple[float, ...] = (\n{table},\n)\n"
    )


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    with Pool(given.processes) as pool:
        played = pool.map(play, range(given.seed, given.seed + given.matches), chunksize=10)
    # Boards of one match are alike: whole matches are held out.
    random.Random(given.seed).shuffle(played)
    held_out = [sample for match in played[: len(played) // 10] for sample in match]
    data = [sample for match in played[len(played) // 10 :] for sample in match]
    mind = [1.0] + [0.0] * (len(data[0][0]) - 1)
    weights = fit(data)
    print(
        f"{len(data):,} boards; squared points on {len(held_out):,} held out: "
        f"the mind {loss(mind, held_out):.2f}, learned {loss(weights, held_out):.2f}",
        flush=True,
    )
    command = f"python -m training.renaissance --matches {given.matches} --seed {given.seed}"
    WEIGHTS.write_text(written(weights, command, len(data)))


if __name__ == "__main__":
    main()
