"""Chance: a small seeded generator of our own, so that a match replays on any machine and Python version."""

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

import msgspec

_T = TypeVar("_T")
_MASK = (1 << 64) - 1


class Dice(msgspec.Struct):
    """A stream of chance held in one integer (the splitmix64 generator)."""

    state: int

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        # The high part of a 64 by n bit product: even to within n in 2**64, and without a loop.
        return ((z ^ (z >> 31)) * bound) >> 64

    def choice(self, items: Sequence[_T]) -> _T:
        """One of the items."""
        # As `below` does it, without a hop: bots play millions of moves.
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return items[((z ^ (z >> 31)) * len(items)) >> 64]

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Put the items into a random order, in place."""
        below = self.below
        for last in range(len(items) - 1, 0, -1):
            other = below(last + 1)
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[_T], count: int) -> list[_T]:
        """`count` different items in random order."""
        pool = list(items)
        below, size = self.below, len(pool)
        for place in range(count):
            other = place + below(size - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def clone(self) -> "Dice":
        """Dice that will fall the same way."""
        return Dice(self.state)

    def fork(self) -> "Dice":
        """Dice of their own, started from these."""
        return Dice(self.below(1 << 64))
