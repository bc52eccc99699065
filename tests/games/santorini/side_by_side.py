"""Random positions played by the Python rules and by the compiled ones at once; a million with

python -m tests.games.santorini.side_by_side --positions 1000000 --seed 5
"""

import random
from argparse import ArgumentParser
from collections.abc import Iterator

from ludoteca.core import Seat
from ludoteca.games.santorini.data import CARDS, DOMED, SPACES, TOP
from ludoteca.games.santorini.engine import Engine, find, written
from ludoteca.games.santorini.gods import GODS
from ludoteca.games.santorini.rules import apply, resume
from ludoteca.games.santorini.state import Options, State

# Some walks could go on for ever.
STEPS_MAX = 120


def can_meet(one: str, other: str) -> bool:
    """Whether the two may sit at one table; mortals meet everybody."""
    return not one or not other or (one != other and other not in CARDS[one].shuns)


def some_gods(chance: random.Random, seats: int) -> tuple[str, ...]:
    gods: list[str] = []
    while len(gods) < seats:
        god = chance.choice(list(GODS))
        if (not god or CARDS[god].seats_max >= seats) and all(can_meet(god, other) for other in gods):
            gods.append(god)
    return tuple(gods)


def position(chance: random.Random, gods: tuple[str, ...]) -> State:
    """A position at the start of a turn, on an island that has grown by any amount."""
    seats = len(gods)
    order = tuple(chance.sample(range(seats), seats))
    state = State.empty(Options(), order)
    state.phase = "play"
    state.gods = gods
    state.workers = tuple(chance.sample(range(SPACES), 2 * seats))
    towers = [0] * SPACES
    for _ in range(chance.choice((0, 0, 10, 25, 40))):
        space = chance.randrange(SPACES)
        if towers[space] < TOP:
            towers[space] += 1
        elif space not in state.workers:
            towers[space] = TOP + DOMED
    low = chance.randrange(SPACES)
    if low not in state.workers and towers[low] < TOP:
        towers[low] += DOMED * chance.randrange(2)
    state.towers = bytearray(towers)
    state.risen = tuple(chance.random() < 0.3 for _ in order)
    state.tokens = tuple(chance.randrange(4) if god == "Morpheus" else 0 for god in gods)
    resume(state, chance.choice(order))
    return state


def play_both(engine: Engine, chance: random.Random) -> Iterator[State]:
    """Play on from a random position, comparing before every step; yields each position."""
    state = position(chance, some_gods(chance, chance.choice((2, 2, 3))))
    engine.load(state)
    choices = engine.choices()
    for _ in range(STEPS_MAX):
        assert set(choices) == set(state.choices), (state, set(choices) ^ set(state.choices))
        assert len(choices) == len(state.choices), state
        if state.outcome is None or state.winner is not None:
            assert engine.saved() == written(state), state
        yield state
        if state.outcome is not None:
            return
        choice = chance.choice(state.choices)
        apply(state, Seat(state.seat), choice)
        choices = engine.play(choice)


def compare(positions: int, seed: int) -> int:
    """Compare so many positions; how many it were."""
    engine = find()
    assert engine is not None, "wasmtime is not installed"
    chance = random.Random(seed)
    met = 0
    while met < positions:
        met += sum(1 for _ in play_both(engine, chance))
    return met


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    met = compare(given.positions, given.seed)
    print(f"{met:,} positions, all alike (seed {given.seed})")


if __name__ == "__main__":
    main()
