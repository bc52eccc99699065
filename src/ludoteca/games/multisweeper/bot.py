"""Players of Multisweeper's own, weakest first.

easy    sees what a single number tells, and otherwise clicks anywhere
safe    knows the exact chance of a mine everywhere, and takes the least
master  also counts who will be left with nothing but mines: among good players most rounds end so

The end of a round is a game without chance. Once the mines are known, whoever makes the last safe click wins
(among two), so it is a sum of heaps as in Nim: a number that borders no closed opening is a heap of one; an
opening can be taken whole, or one of its border numbers at a time. `Endgame` gives the value of that sum.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

from ludoteca.core import Bot, Dice, Game, Seat
from ludoteca.games.multisweeper.actions import Click
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.solver import Knowledge
from ludoteca.games.multisweeper.state import State, board, closed_cells

# Openings that hang together by shared border numbers: each opening is a bit. A border number is known by the
# openings it borders (a set of bits). Two numbers alike cancel out, so only odd classes matter.
Tangle = tuple[int, frozenset[int]]


@lru_cache(maxsize=65_536)
def grundy(openings: int, odd: frozenset[int]) -> int:
    """The Nim value of openings (bits) and of the classes of border numbers of which an odd number is closed.

    Classes with an even number, above none, add only moves that can be answered in kind.
    """
    if not openings:
        return 0
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


def safe(_game: Game, state: State, _seat: Seat, dice: Dice, _more: Callable[[], bool]) -> Click:
    """Click where a mine is least likely."""
    chances = Knowledge(state).chances(dice)
    least = min(chances.values())
    return _click(state, dice.choice([cell for cell, chance in chances.items() if chance == least]))


def _click(state: State, cell: int) -> Click:
    row, column = divmod(cell, state.options.width)
    return Click(column, row)


BOTS: Mapping[str, Bot] = {"safe": safe}
