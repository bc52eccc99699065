"""Chance: a small seeded generator of our own, so that a match replays on any machine and Python version."""

from collections.abc import MutableSequence, Sequence
from functools import lru_cache
from struct import Struct
from typing import TypeVar

import msgspec

_T = TypeVar("_T")
_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


@lru_cache(maxsize=64)
def _lanes(count: int) -> tuple[int, int, int, Struct]:
    """So many numbers of 64 bits side by side in one integer, 128 bits apart, so that products do not meet:
    a 1 in each; how far each throw is from the state before the first; all bits of each; and how they lie
    in bytes."""
    ones = sum(1 << 128 * lane for lane in range(count))
    steps = sum((_STEP * (lane + 1) & _MASK) << 128 * lane for lane in range(count))
    return ones, steps, ones * _MASK, Struct("<" + "Q8x" * count)


class Dice(msgspec.Struct):
    """A stream of chance held in one integer (the splitmix64 generator)."""

    state: int

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely."""
        self.state = z = (self.state + _STEP) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        # The high part of a 64 by n bit product: even to within n in 2**64, and without a loop.
        return ((z ^ (z >> 31)) * bound) >> 64

    def choice(self, items: Sequence[_T]) -> _T:
        """One of the items."""
        # As `below` does it, without a hop: bots play millions of moves.
        self.state = z = (self.state + _STEP) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return items[((z ^ (z >> 31)) * len(items)) >> 64]

    def throws(self, count: int) -> tuple[int, ...]:
        """So many throws at once, each of 64 bits: `below(bound)` is the next one, times bound, >> 64."""
        if count < 1:
            return ()
        ones, steps, all_bits, form = _lanes(count)
        # As `below` does it, in all lanes with the same few steps: many throws cost a third of as many calls.
        z = ((self.state & _MASK) * ones + steps) & all_bits
        self.state = z >> 128 * (count - 1)
        z = ((z ^ (z >> 30)) & all_bits) * 0xBF58476D1CE4E5B9 & all_bits
        z = ((z ^ (z >> 27)) & all_bits) * 0x94D049BB133111EB & all_bits
        z ^= z >> 31
        return form.unpack(z.to_bytes(16 * count, "little"))

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Put the items into a random order, in place."""
        lasts = range(len(items) - 1, 0, -1)
        for last, throw in zip(lasts, self.throws(len(lasts)), strict=True):
            other = throw * (last + 1) >> 64
            items[last], items[other] = items[other], items[last]

    def sample(self, items: Sequence[_T], count: int) -> list[_T]:
        """`count` different items in random order."""
        pool = list(items)
        size = len(pool)
        for place, throw in enumerate(self.throws(count)):
            other = place + (throw * (size - place) >> 64)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:count]

    def clone(self) -> "Dice":
        """Dice that will fall the same way."""
        return Dice(self.state)

    def fork(self) -> "Dice":
        """Dice of their own, started from these."""
        return Dice(self.below(1 << 64))
