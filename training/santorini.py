"""What a position of Santorini is worth, learned from the engine's own matches.

    python -m training.santorini play --matches 15000 --seed 1 --data one.npz
    python -m training.santorini fit one.npz two.npz

plays matches from random openings (santorini.c), one in eight between mortals and the others between any two
gods who can meet, keeps every position that the search would judge (nobody can win at once there), and fits
the weights of `engine/weights.h` so that the sum over a position tells best how the match ended and what the
search found there (logistic regression). It learns on from the weights that are there, and what says too
little leaves them as they are. What a god does differently, and what playing against that god does to others,
is learned as a difference to what holds for everybody; how strong a god is decides no turn, and is learned
apart. `make engine` then builds it in.

    python -m training.santorini gods one.npz two.npz

prints how strong the gods are in the engine's hands, and what it is worth to begin: STRENGTHS in bot.py.

    python -m training.santorini chances one.npz

prints what a lead is worth as a chance: SCALE in web/mind.ts for what the search found, EVEN in advice.py for
what the Python players see at a glance.

    python -m training.santorini measure --deals 100 --seed 1 --gods none --python 0.1 --master 0.01

plays every deal of the house from both sides, so many processor seconds for a decision of each.
"""

import random
import re
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludoteca.core import Dice
from ludoteca.games.santorini.bot import TURNS_MAX, TWO_THREATS, master, worth
from ludoteca.games.santorini.bot import play as in_python
from ludoteca.games.santorini.data import CARDS
from ludoteca.games.santorini.engine import FOUND, find
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.state import Options, State
from ludoteca.play import Match, load

HERE = Path(__file__).parent
ENGINE = HERE.parent / "src/ludoteca/games/santorini/engine"
WEIGHTS = ENGINE / "weights.h"
# One look at the clock is 2,048 steps.
LOOKS = 2
# One match in so many is one without gods.
MORTALS = 8
# What the engine calls 100 is a chance of winning of 1 / (1 + exp(-100 / SCALE)).
SCALE = 200.0
# How fast it learns, and from how many positions at a time.
RATE, BATCH = 0.003, 512
# How much a weight clings to what it was, as if so many positions had said so: for all, and for one god.
KEEP, KEEP_GOD = 100.0, 1000.0
# How strong gods are is learned faster than anything else that is always there.
HASTE = 5.0
# Of a god's strength: as if it had been seen in so many matches without telling anything.
DOUBT = 4.0

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
# A position as santorini.c keeps it, and how many of them it takes at once.
KEPT = np.dtype(
    {"names": ["board", "won", "value"], "formats": ["57u1", "u1", "<i4"], "offsets": [0, 57, 60]}
)
KEPT_MAX = 4096
# So many positions tell what a glance is worth.
GLANCES = 40_000

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


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

    def __init__(self, seed: int = 1) -> None:
        import wasmtime

        self._store: Any = wasmtime.Store()
        with tempfile.TemporaryDirectory() as folder:
            module = wasmtime.Module(self._store.engine, built(folder))
        self._looks = 0
        kind = wasmtime.FuncType([], [wasmtime.ValType.i32()])
        more = wasmtime.Func(self._store, kind, self._more)
        self._exports: Any = wasmtime.Instance(self._store, module, [more]).exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._call("seed", seed)
        self._positions, self._counts = self._call("positions"), self._call("counts")

    def _more(self) -> int:
        self._looks += 1
        return int(self._looks % LOOKS != 0)

    def _call(self, name: str, *arguments: int) -> int:
        result: int = self._exports[name](self._store, *arguments)
        return result

    def _read(self, at: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, at, at + size))

    def match(self, gods: tuple[int, int]) -> tuple[int, bytes]:
        """Who won one match (-1 for nobody), and its quiet positions."""
        kept = self._call("match", *gods)
        return self._call("winner"), self._read(self._positions, kept * KEPT.itemsize)

    def features(self, positions: NDArray[Any]) -> NDArray[np.int8]:
        """How often each feature is there: of who begins the turn, and of the rival."""
        found = []
        for first in range(0, len(positions), KEPT_MAX):
            some = positions[first : first + KEPT_MAX]
            self._memory.write(self._store, some.tobytes(), self._positions)
            self._call("count", len(some))
            found.append(np.frombuffer(self._read(self._counts, len(some) * 2 * COUNT), np.int8))
        return np.concatenate(found).reshape(-1, 2, COUNT)


def some_gods(chance: random.Random) -> tuple[int, int]:
    numbers = {name: number for number, name in enumerate(GODS)}
    if not chance.randrange(MORTALS):
        return 0, 0
    while True:
        one, other = chance.sample(list(CARDS), 2)
        if other not in CARDS[one].shuns:
            return numbers[one], numbers[other]


def play(matches: int, seed: int, data: Path) -> None:
    """Keep so many matches: the god who began, the other, who won and how many positions were kept of it;
    and the positions."""
    chance, players = random.Random(seed), Players(seed)
    played: list[tuple[int, int, int, int]] = []
    kept: list[bytes] = []
    while len(played) < matches:
        gods = some_gods(chance)
        winner, positions = players.match(gods)
        if winner >= 0:
            played.append((*gods, winner, len(positions) // KEPT.itemsize))
            kept.append(positions)
    raw = np.frombuffer(b"".join(kept), np.uint8)
    np.savez_compressed(data, positions=raw, matches=np.array(played, np.int64))
    print(f"{matches:,} matches, {len(raw) // KEPT.itemsize:,} positions, seed {seed}")


# The fit


class Data(NamedTuple):
    """Positions: their features, the gods of who begins the turn and of the rival, how likely the first is
    to win, and the match they are from."""

    counts: NDArray[np.int8]
    own: Whole
    other: Whole
    chance: Floats
    match: Whole


def prepared(paths: Sequence[Path]) -> Data:
    players, parts, before = Players(), [], 0
    for path in paths:
        with np.load(path) as found:
            positions, matches = found["positions"].view(KEPT), found["matches"]
        board = positions["board"]
        begins = board[:, 7].astype(np.int64)
        gods, every = board[:, 4:6].astype(np.int64), np.arange(len(board))
        chance = (positions["won"] + likelihoods(positions["value"] / SCALE)) / 2
        of = before + np.repeat(np.arange(len(matches)), matches[:, 3])
        before += len(matches)
        parts.append(
            Data(players.features(positions), gods[every, begins], gods[every, 1 - begins], chance, of)
        )
    return Data(*map(np.concatenate, zip(*parts, strict=True)))


class Weights:
    """What a feature is worth to all; what a god changes for itself, and for rivals; to begin the turn;
    and how strong the gods are."""

    def __init__(self, known: Sequence[float]) -> None:
        gods = (len(GODS), COUNT)
        flat = np.array(known) / SCALE
        self.parts = [
            flat[:COUNT].copy(),
            flat[COUNT : (1 + len(GODS)) * COUNT].reshape(gods).copy(),
            flat[(1 + len(GODS)) * COUNT : TEMPO].reshape(gods).copy(),
            flat[TEMPO:].copy(),
            np.zeros(len(GODS)),
        ]

    @property
    def flat(self) -> Floats:
        whole: Floats = np.concatenate([part.ravel() for part in self.parts[:4]]) * SCALE
        return whole

    def chances(self, counts: Floats, own: Whole, other: Whole) -> Floats:
        base, owns, against, tempo, strength = self.parts
        mine = ((base + owns[own] + against[other]) * counts[:, 0]).sum(1)
        theirs = ((base + owns[other] + against[own]) * counts[:, 1]).sum(1)
        return likelihoods(mine - theirs + tempo + strength[own] - strength[other])

    def slopes(self, counts: Floats, own: Whole, other: Whole, chance: Floats) -> list[Floats]:
        error = self.chances(counts, own, other) - chance
        mine, theirs = counts[:, 0] * error[:, None], counts[:, 1] * error[:, None]
        every = np.arange(len(GODS))[:, None]
        owns, others = (every == own).astype(float), (every == other).astype(float)
        return [
            mine.sum(0) - theirs.sum(0),
            owns @ mine - others @ theirs,
            others @ mine - owns @ theirs,
            np.array([error.sum()]),
            owns @ error - others @ error,
        ]


def fit(data: Data, known: Sequence[float], epochs: int) -> Floats:
    """Weights in the engine's measure; every tenth match tells how well they do."""
    chance = np.random.default_rng(1)
    held_out, table = np.flatnonzero(data.match % 10 == 0), np.flatnonzero(data.match % 10)
    weights, before = Weights(known), Weights(known)
    means = [np.zeros_like(part) for part in weights.parts]
    squares = [np.zeros_like(part) for part in weights.parts]
    keeps, hastes = (KEEP, KEEP_GOD, KEEP_GOD, KEEP, 0.0), (1.0, 1.0, 1.0, 1.0, HASTE)
    steps = 0
    print(f"before: loss {loss(weights, data, held_out):.4f} of {len(held_out):,}", flush=True)
    for epoch in range(epochs):
        order, rate = chance.permutation(table), RATE * (1.02 - epoch / epochs)
        for first in range(0, len(order), BATCH):
            some = order[first : first + BATCH]
            slopes = weights.slopes(
                data.counts[some].astype(float), data.own[some], data.other[some], data.chance[some]
            )
            steps += 1
            for n, part in enumerate(weights.parts):
                slope = slopes[n] / len(some) + keeps[n] * (part - before.parts[n]) / len(table)
                means[n] += 0.1 * (slope - means[n])
                squares[n] += 0.001 * (slope * slope - squares[n])
                mean, square = means[n] / (1 - 0.9**steps), squares[n] / (1 - 0.999**steps)
                part -= hastes[n] * rate * mean / (np.sqrt(square) + 1e-8)
        print(f"epoch {epoch + 1}: loss {loss(weights, data, held_out):.4f}", flush=True)
    return weights.flat


def loss(weights: Weights, data: Data, some: Whole) -> float:
    chance = data.chance[some]
    found = weights.chances(data.counts[some].astype(float), data.own[some], data.other[some])
    return float(-(chance * np.log(found) + (1 - chance) * np.log(1 - found)).mean())


def likelihoods(values: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-np.clip(values, -15, 15)))
    return chances


def strengths(matches: Whole) -> tuple[Floats, float]:
    """How strong the gods are, and what it is worth to begin: 1 makes a chance of 73 % out of an even one."""
    first, second, won = matches[:, 0], matches[:, 1], matches[:, 2] == 0
    strength, begins = np.zeros(len(GODS)), 0.0
    many = np.bincount(first, minlength=len(GODS)) + np.bincount(second, minlength=len(GODS))
    for _ in range(200):
        error = won - likelihoods(strength[first] - strength[second] + begins)
        slope = np.bincount(first, error, len(GODS)) - np.bincount(second, error, len(GODS))
        strength += (slope - DOUBT * strength / 4) / (many / 4 + DOUBT)
        begins += float(error.mean()) * 2
    return strength, begins


def steepness(leads: Floats, won: Floats) -> float:
    """The chance of a lead is 1 / (1 + exp(-steepness * lead))."""
    steep = 0.001
    for _ in range(50):
        chances = likelihoods(steep * leads)
        steep += float(((won - chances) * leads).sum() / (chances * (1 - chances) * leads * leads).sum())
    return steep


def glances(positions: NDArray[Any]) -> Floats:
    """What positions are worth to the Python players, seen by who begins the turn."""
    state, names = State.empty(Options(), (0, 1)), list(GODS)
    found = []
    for board in positions["board"].tolist():
        state.gods, state.seat = (names[board[4]], names[board[5]]), board[7]
        state.towers, state.workers = bytearray(board[13:38]), tuple(space - 1 for space in board[38:42])
        found.append(worth(state, state.seat))
    return np.array(found, float)


def print_chances(path: Path) -> None:
    with np.load(path) as found:
        positions = found["positions"].view(KEPT)
    # What is seen to be won or lost is no question of chances.
    open_still = positions[np.abs(positions["value"]) < FOUND]
    scale = 1 / steepness(open_still["value"].astype(float), open_still["won"].astype(float))
    some = open_still[:: max(1, len(open_still) // GLANCES)]
    leads, won = glances(some), some["won"].astype(float)
    # Nor is what they mark as decided.
    close = np.abs(leads) < TWO_THREATS / 2
    even = float(np.log(3)) / steepness(leads[close], won[close])
    print(f"SCALE {scale:.0f} ({len(open_still):,} positions), EVEN {even:.0f} ({close.sum():,} positions)")


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


def measure(deals: int, seed: int, gods: str, python_s: float, master_s: float) -> None:
    """`master` against the search in Python, as deep as it comes; a line for each deal, with who won as the
    first seat and as the second."""
    assert find() is not None, "wasmtime is not installed"
    names, times, players = ("master", "python"), (master_s, python_s), (master, in_python(TURNS_MAX))
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
                answer = players[who](game, state, seat, dice, lambda: time.process_time() < until)  # noqa: B023
                used[who] += time.process_time() - began
                match.act(seat, answer)
            results.append(names[seats[match.outcome.winners[0]]])
        won += results.count("master")
        met = " - ".join(god or "nobody" for god in match.state.gods)
        so_far = f"master {won} of {2 * (deal - seed + 1)}"
        print(f"deal {deal} ({met}): {', '.join(results)}; {so_far}", flush=True)
    print(f"processor time: master {used[0]:.1f} s, python {used[1]:.1f} s, 1 to {used[1] / used[0]:.1f}")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play")
    playing.add_argument("--matches", type=int, default=15000)
    playing.add_argument("--seed", type=int, default=1)
    playing.add_argument("--data", type=Path, required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("data", type=Path, nargs="+")
    fitting.add_argument("--epochs", type=int, default=10)
    ranking = commands.add_parser("gods")
    ranking.add_argument("data", type=Path, nargs="+")
    commands.add_parser("chances").add_argument("data", type=Path)
    measuring = commands.add_parser("measure")
    measuring.add_argument("--deals", type=int, default=100)
    measuring.add_argument("--seed", type=int, default=1)
    measuring.add_argument("--gods", default="none")
    measuring.add_argument("--python", type=float, default=0.1)
    measuring.add_argument("--master", type=float, default=0.01)
    given = parser.parse_args()
    match given.command:
        case "measure":
            measure(given.deals, given.seed, given.gods, given.python, given.master)
        case "play":
            play(given.matches, given.seed, given.data)
        case "gods":
            strength, begins = strengths(np.concatenate([np.load(path)["matches"] for path in given.data]))
            ranked = sorted(zip(strength.tolist(), GODS, strict=True), reverse=True)
            print({god or "nobody": round(100 * value) for value, god in ranked}, round(100 * begins))
        case "chances":
            print_chances(given.data)
        case "fit":
            data = prepared(given.data)
            made_of = f"{len(data.match):,} positions: {', '.join(path.stem for path in given.data)}"
            known = read(WEIGHTS.read_text())
            WEIGHTS.write_text(written(fit(data, known, given.epochs).tolist(), made_of))


if __name__ == "__main__":
    main()
