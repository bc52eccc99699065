"""What a position of Santorini is worth, learned from the engine's own matches.

    python -m training.santorini play --matches 3000 --seed 1 --data one.json
    python -m training.santorini fit one.json two.json

plays matches from random openings (santorini.c), one in four between mortals and the others between any two
gods who can meet, keeps every position in which nobody can win at once, and fits the weights of
`engine/weights.h` so that the sum over a position tells best how the match ended and what the search found
there (logistic regression by stochastic descent). It learns on from the weights that are there, and what says
too little leaves them as they are. What a god does differently, and what playing against that god does to
others, is learned as a difference to what holds for everybody; how strong a god is decides no turn, and is
learned apart and thrown away. `make engine` then builds it in.

    python -m training.santorini measure --deals 100 --seed 1 --gods none --strong 0.1 --master 0.01

plays every deal of the house from both sides, so many processor seconds for a decision of each.
"""

import math
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from ludoteca.bots import choose
from ludoteca.core import Dice
from ludoteca.games.santorini.data import CARDS
from ludoteca.games.santorini.engine import find
from ludoteca.games.santorini.gods import GODS
from ludoteca.play import Match, load

HERE = Path(__file__).parent
ENGINE = HERE.parent / "src/ludoteca/games/santorini/engine"
WEIGHTS = ENGINE / "weights.h"
# One look at the clock is 2,048 steps.
LOOKS = 2
# One match in so many is one without gods.
MORTALS = 4
# What the engine calls 100 is a chance of winning of 1 / (1 + exp(-100 / SCALE)).
SCALE = 200.0
# How fast it learns, how much it acts as if it had seen already, and how much it clings to what it knew.
RATE, SEEN, KEEP = 0.05, 100.0, 0.003

# The features of a seat, in the order of worth.h. Of each worker: its level, its place, by its level how many
# spaces of each kind are beside it and one further, and how far the next rival is. Of both: how far apart
# they are, whether they threaten to climb to the top once or more often, whether they stand on different
# levels and went up last turn; and how many complete towers there are, and tokens of Morpheus.
SIZES = {
    "height": 4,
    "place": 6,
    "beside": 4 * 6,
    "further": 4 * 5,
    "rival": 3,
    "pair": 3,
    "threat": 2,
    "uneven": 1,
    "risen": 1,
    "towers": 5,
    "tokens": 5,
}
COUNT = sum(SIZES.values())
TEMPO = (1 + 2 * len(GODS)) * COUNT
STRENGTH = TEMPO + 1
# So that strength is learned before anything else that is always there.
HASTE = 5.0


class Position(msgspec.Struct, array_like=True):
    """A quiet position: the gods of who begins the turn and of the rival, the features of both with how often
    they are there, and how likely the first is to win."""

    gods: tuple[int, int]
    mine: list[tuple[int, int]]
    theirs: list[tuple[int, int]]
    chance: float


# Matches


def built(folder: str) -> bytes:
    """The engine that plays against itself."""
    made = Path(folder) / "training.wasm"
    source = f"SOURCE={HERE / 'santorini.c'}"
    command = ["make", "-s", "-C", str(ENGINE), f"PYTHON={sys.executable}", f"OUT={made}", source]
    subprocess.run(command, check=True)
    return made.read_bytes()


class Players:
    """Both sides of a match."""

    def __init__(self, seed: int) -> None:
        import wasmtime

        self._store: Any = wasmtime.Store()
        with tempfile.TemporaryDirectory() as folder:
            module = wasmtime.Module(self._store.engine, built(folder))
        self._looks = 0
        kind = wasmtime.FuncType([], [wasmtime.ValType.i32()])
        more = wasmtime.Func(self._store, kind, self._more)
        self._exports: Any = wasmtime.Instance(self._store, module, [more]).exports(self._store)
        self._call("seed", seed)
        self._at, self._size = self._call("kept"), self._call("kept_size")

    def _more(self) -> int:
        self._looks += 1
        return int(self._looks % LOOKS != 0)

    def _call(self, name: str, *arguments: int) -> int:
        result: int = self._exports[name](self._store, *arguments)
        return result

    def match(self, gods: tuple[int, int]) -> Iterator[Position]:
        """The quiet positions of one match."""
        count = self._call("match", *gods)
        raw = self._exports["memory"].read(self._store, self._at, self._at + count * self._size)
        for start in range(0, count * self._size, self._size):
            god, rival, won, _, value, *counts = struct.unpack_from(f"<4Bi{2 * COUNT}b", raw, start)
            mine, theirs = (
                [(n, many) for n, many in enumerate(side) if many]
                for side in (counts[:COUNT], counts[COUNT:])
            )
            yield Position((god, rival), mine, theirs, (won + likelihood(value / SCALE)) / 2)


def some_gods(chance: random.Random) -> tuple[int, int]:
    numbers = {name: number for number, name in enumerate(GODS)}
    if not chance.randrange(MORTALS):
        return 0, 0
    while True:
        one, other = chance.sample(list(CARDS), 2)
        if other not in CARDS[one].shuns:
            return numbers[one], numbers[other]


def play(matches: int, seed: int) -> list[Position]:
    chance, players = random.Random(seed), Players(seed)
    return list(chain.from_iterable(players.match(some_gods(chance)) for _ in range(matches)))


# The fit


def rows(position: Position) -> Iterator[tuple[int, float]]:
    """The position as one row: what holds for all, what their own god changes, what the other's god does."""
    own, other = position.gods
    yield TEMPO, 1.0
    yield STRENGTH + own, HASTE
    yield STRENGTH + other, -HASTE
    for sign, side, mine, against in ((1, position.mine, own, other), (-1, position.theirs, other, own)):
        for feature, count in side:
            value = float(sign * count)
            yield feature, value
            yield (1 + mine) * COUNT + feature, value
            yield (1 + len(GODS) + against) * COUNT + feature, value


def fit(data: list[Position], known: list[float], epochs: int, chance: random.Random) -> list[float]:
    """Weights in the engine's measure; a tenth of the data tells how well they do."""
    chance.shuffle(data)
    table = [(list(rows(position)), position.chance) for position in data]
    held_out, table = table[: len(table) // 10], table[len(table) // 10 :]
    known = [weight / SCALE for weight in known] + [0.0] * len(GODS)
    weights, seen = list(known), [SEEN] * len(known)
    for epoch in range(epochs):
        chance.shuffle(table)
        for row, won in table:
            error = won - likelihood(sum([weights[feature] * count for feature, count in row]))
            for feature, count in row:
                slope = error * count - KEEP * (weights[feature] - known[feature])
                seen[feature] += slope * slope
                weights[feature] += RATE * slope / math.sqrt(seen[feature])
        print(f"epoch {epoch + 1}: loss {loss(weights, held_out):.4f} of {len(held_out):,}", flush=True)
    strengths = {god: weights[STRENGTH + n] * HASTE for n, god in enumerate(GODS)}
    print(
        "strengths:",
        {god: round(100 * strengths[god]) for god in sorted(strengths, key=strengths.__getitem__)},
    )
    return [weight * SCALE for weight in weights]


def likelihood(value: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


def loss(weights: Sequence[float], table: list[tuple[list[tuple[int, float]], float]]) -> float:
    total = 0.0
    for row, won in table:
        chance = likelihood(sum(weights[feature] * count for feature, count in row))
        total -= won * math.log(chance) + (1 - won) * math.log(1 - chance)
    return total / len(table)


def read(text: str) -> list[float]:
    """The weights of `written`."""
    tables = re.findall(r"(?:BASE|OWN|AGAINST|TEMPO).*? = ([^;]+);", text)
    return [float(number) for table in tables for number in re.findall(r"-?\d+", table)]


def written(weights: Sequence[float], made_of: str) -> str:
    whole = [round(weight) for weight in weights]

    def table(number: int) -> str:
        return "{" + ", ".join(map(str, whole[number * COUNT : (number + 1) * COUNT])) + "}"

    def tables(first: int) -> str:
        return ",\n    ".join(table(first + number) for number in range(len(GODS)))

    places, at = [], 0
    for name, size in SIZES.items():
        places.append(f"AT_{name.upper()} = {at}")
        at += size
    return f"""/* Learned by training/santorini.py from {made_of}. */

enum {{ {", ".join(places)},
       FEATURES = {COUNT} }};

/* What holds for everybody; what a god changes for itself, and for rivals; in the order of GODS. */
static const i16 BASE[FEATURES] = {table(0)};
static const i16 OWN[GODS_COUNT][FEATURES] = {{
    {tables(1)},
}};
static const i16 AGAINST[GODS_COUNT][FEATURES] = {{
    {tables(1 + len(GODS))},
}};
/* To begin the turn. */
static const int TEMPO = {whole[TEMPO]};
"""


# How strong it is


def measure(deals: int, seed: int, gods: str, strong_s: float, master_s: float) -> None:
    """`master` against `strong`; a line for each deal, with who won as the first seat and as the second."""
    assert find() is not None, "wasmtime is not installed"
    names, times = ("master", "strong"), (master_s, strong_s)
    used, won = [0.0, 0.0], 0
    for deal in range(seed, seed + deals):
        results = []
        for seats in ((0, 1), (1, 0)):
            game = load("santorini")
            match: Match[Any, Any, Any, Any] = Match.new(game, 2, deal, {"gods": gods})
            dice = Dice(deal)
            while match.outcome is None:
                seat = next(iter(match.asked))
                who, began = seats[seat], time.process_time()
                until = began + times[who]
                state = game.redeal(match.state, seat, dice)
                answer = choose(game, names[who], state, seat, dice, lambda: time.process_time() < until)  # noqa: B023
                used[who] += time.process_time() - began
                match.act(seat, answer)
            results.append(names[seats[match.outcome.winners[0]]])
        won += results.count("master")
        met = " - ".join(god or "nobody" for god in match.state.gods)
        so_far = f"master {won} of {2 * (deal - seed + 1)}"
        print(f"deal {deal} ({met}): {', '.join(results)}; {so_far}", flush=True)
    print(f"processor time: master {used[0]:.1f} s, strong {used[1]:.1f} s, 1 to {used[1] / used[0]:.1f}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--matches", type=int, default=3000)
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--data", type=Path, required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--epochs", type=int, default=6)
    measuring = commands.add_parser("measure")
    measuring.add_argument("--deals", type=int, default=100)
    measuring.add_argument("--seed", type=int, default=1)
    measuring.add_argument("--gods", default="none")
    measuring.add_argument("--strong", type=float, default=0.1)
    measuring.add_argument("--master", type=float, default=0.01)
    given = parser.parse_args()
    if given.command == "measure":
        measure(given.deals, given.seed, given.gods, given.strong, given.master)
        return
    if given.command == "play":
        given.data.write_bytes(msgspec.json.encode(play(given.matches, given.seed)))
        return
    data: list[Position] = []
    for path in given.data:
        data += msgspec.json.decode(path.read_bytes(), type=list[Position])
    made_of = f"{len(data):,} positions: {', '.join(path.stem for path in given.data)}"
    known = read(WEIGHTS.read_text())
    WEIGHTS.write_text(written(fit(data, known, given.epochs, random.Random(1)), made_of))


if __name__ == "__main__":
    main()
