"""The end of a round once the mines are known: a sum of heaps as in Nim.

Whoever makes the last safe click wins (among two). A number that borders no closed opening is a heap of one;
an opening can be taken whole, or one of its border numbers at a time. `Endgame` gives the value of that sum.
"""

from functools import lru_cache

from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.state import State, board, closed_cells

# Working out a tangle takes time and memory in proportion to two to the power of its parts.
TANGLE_MAX = 10

# Openings that hang together by shared border numbers: each opening is a bit. A border number is known by the
# openings it borders (a set of bits). Two numbers alike cancel out, so only odd classes matter.
Tangle = tuple[int, frozenset[int]]


@lru_cache(maxsize=65_536)
def grundy(openings: int, odd: frozenset[int]) -> int:
    """The Nim value of openings (bits) and of the classes of border numbers of which an odd number is closed.

    Classes with an even number, above none, add only moves that can be answered in kind. A tangle too
    large to be worked out is guessed at by the number of its parts; that happens on large boards,
    long before their end.
    """
    if not openings:
        return 0
    if openings.bit_count() + len(odd) > TANGLE_MAX:
        return (openings.bit_count() + len(odd)) & 1
    reached = {grundy(openings, odd - {one}) for one in odd}
    left = openings
    while left:
        opening = left & -left
        left ^= opening
        reached.add(grundy(openings ^ opening, frozenset(one for one in odd if not one & opening)))
    value = 0
    while value in reached:
        value += 1
    return value


class Endgame:
    """A board whose mines are known: what every safe click makes of it."""

    def __init__(self, state: State, mines: int) -> None:
        options = state.options
        geometry = board(options.width, options.height)
        masks = geometry.masks
        near = geometry.around if options.spread == "eight" else geometry.beside
        safe = [cell for cell in closed_cells(state.cells) if not mines >> cell & 1]
        # Which opening a closed 0 belongs to, and which openings a closed number borders.
        self.opening: dict[int, int] = {}
        self.borders: dict[int, int] = {}
        zeros = {cell for cell in safe if not mines & masks[cell]}
        openings = 0
        for seed in zeros:
            if seed not in self.opening:
                mark = 1 << openings
                openings += 1
                self.opening[seed] = mark
                reached = [seed]
                for cell in reached:
                    for target in near[cell]:
                        if target in zeros:
                            if target not in self.opening:
                                self.opening[target] = mark
                                reached.append(target)
                        else:
                            self.borders[target] = self.borders.get(target, 0) | mark
        self.borders = {c: marks for c, marks in self.borders.items() if state.cells[c] == CLOSED}
        self.lone = [cell for cell in safe if cell not in self.opening and cell not in self.borders]
        self.safe = safe
        odd: set[int] = set()
        for marks in self.borders.values():
            odd ^= {marks}
        self.parts = _tangles(openings, odd, set(self.borders.values()))
        self.values = [grundy(*part) for part in self.parts]
        self.total = len(self.lone) & 1
        for value in self.values:
            self.total ^= value

    def after(self, cell: int) -> int:
        """The value of what is left when this safe cell has been clicked."""
        mark = self.opening.get(cell)
        marks = self.borders.get(cell)
        if mark is None and marks is None:
            return self.total ^ 1
        touched = mark or marks or 0
        place = next(i for i, (openings, _) in enumerate(self.parts) if openings & touched)
        openings, odd = self.parts[place]
        if mark is not None:
            left = grundy(openings ^ mark, frozenset(one for one in odd if not one & mark))
        else:
            left = grundy(openings, odd ^ {marks})
        return self.total ^ self.values[place] ^ left

    def clicks(self, order: list[int]) -> int:
        """How many clicks it takes to open all safe cells, if they are clicked in this
        order unless open already."""
        count, opened = 0, 0
        clicked: set[int] = set()
        for cell in order:
            mark = self.opening.get(cell, 0)
            if cell not in clicked and not (mark or self.borders.get(cell, 0)) & opened:
                clicked.add(cell)
                opened |= mark
                count += 1
        return count


def _tangles(openings: int, odd: set[int], links: set[int]) -> list[Tangle]:
    """Split openings into those that hang together."""
    parts: list[int] = [1 << number for number in range(openings)]
    for link in links:
        joined = link
        apart = []
        for part in parts:
            if part & link:
                joined |= part
            else:
                apart.append(part)
        parts = [*apart, joined]
    return [(part, frozenset(one for one in odd if one & part)) for part in parts]
