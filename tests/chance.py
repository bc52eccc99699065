"""Chance in tests: drawn from the test's name, so that what passes here passes elsewhere.

`make test CHANCE=2` deals other cards, CHANCE=3 others again, for those who look for what nobody thought of.
"""

import os
from collections import Counter
from collections.abc import Callable
from random import Random

_asked: Counter[str] = Counter()


def dice() -> Random:
    """Dice of the test that runs, others each time it asks."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    _asked[test] += 1
    return Random(f"{os.environ.get('CHANCE', '1')} {test} {_asked[test]}")


def bits() -> Callable[[int], int]:
    """A house's source of random bits. What bots draw, of another length, does not change what is dealt."""
    seed, streams = dice().getrandbits(64), dict[int, Random]()

    def draw(count: int) -> int:
        return streams.setdefault(count, Random(seed ^ count)).getrandbits(count)

    return draw
