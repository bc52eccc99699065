"""Chance in tests: drawn from the test's name, so that what passes here passes elsewhere.

`make test CHANCE=2` deals other cards, CHANCE=3 others again, for those who look for what nobody thought of.
"""

import os
from collections.abc import Callable
from random import Random

OTHER = os.environ.get("CHANCE", "")


def dice() -> Random:
    """Dice of the test that runs."""
    return Random(OTHER + os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0])


def bits() -> Callable[[int], int]:
    """A house's source of random bits. What bots draw, of another length, does not change what is dealt."""
    seed, streams = dice().getrandbits(64), dict[int, Random]()

    def draw(count: int) -> int:
        if count not in streams:
            streams[count] = Random(seed ^ count)
        return streams[count].getrandbits(count)

    return draw
