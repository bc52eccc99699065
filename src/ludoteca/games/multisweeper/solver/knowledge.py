"""What follows from a board, and what would if one more cell were open."""

from copy import copy
from functools import cached_property

from ludoteca.core import Dice
from ludoteca.games.multisweeper.data import CLOSED
from ludoteca.games.multisweeper.solver.counting import Constraint, Count, Known, TooWide, cells_of
from ludoteca.games.multisweeper.state import State, board, closed_cells

# Boards too wide to count as a whole: how many lines are counted together, and how often.
STRIPS = (2, 1)
SWEEPS = 4


def _simplify(constraints: list[Constraint], safe: int, mined: int) -> tuple[list[Constraint], int, int]:
    """Take known cells out of the constraints, and what follows from a single
    constraint, until nothing does."""
    while True:
        known = safe | mined
        left: dict[int, int] = {}
        for cells, mines in constraints:
            unknown = cells & ~(safe | mined)
            if unknown:
                need = mines - (cells & mined).bit_count()
                if need == 0:
                    safe |= unknown
                elif need == unknown.bit_count():
                    mined |= unknown
                else:
                    left[unknown] = need
        constraints = list(left.items())
        if known == safe | mined:
            return constraints, safe, mined


def _fits(constraints: list[Constraint], safe: int, mined: int) -> bool:
    """Whether no constraint, nor any two of the same cells, ask for what cannot be."""
    needs: dict[int, int] = {}
    for cells, mines in constraints:
        unknown = cells & ~(safe | mined)
        need = mines - (cells & mined).bit_count()
        if not 0 <= need <= unknown.bit_count() or needs.setdefault(unknown, need) != need:
            return False
    return not safe & mined


class Knowledge:
    """What follows from a board. Only what everybody can see is used, but for boards too wide to count.

    There, strips of the board are counted while the rest lies as it happens to (at first as in the state),
    in several sweeps: chances are then estimates, and layouts drawn nearly evenly.
    """

    def __init__(self, state: State) -> None:
        cells, options = state.cells, state.options
        self._width = options.width
        self._mines = options.mines
        self._example = state.mines
        # What has been counted for this board, or for one that was supposed to follow from it.
        self._known: Known = {}
        self.closed = 0
        for cell in closed_cells(cells):
            self.closed |= 1 << cell
        masks = self.masks = board(options.width, options.height).masks
        constraints = []
        for cell, number in enumerate(cells):
            if number != CLOSED and masks[cell] & self.closed:
                constraints.append((masks[cell] & self.closed, number))
        # Cells that follow from single numbers; more may be certain once the layouts are counted.
        self._constraints, self.safe, self.mined = _simplify(constraints, 0, 0)

    def suppose(self, cell: int, number: int) -> "Knowledge | None":
        """What would follow if this cell were opened and showed this number; None if it cannot."""
        later, bit = copy(self), 1 << cell
        later.__dict__.pop("count", None)
        constraints = [*self._constraints, (self.masks[cell] & self.closed & ~bit, number)]
        later.closed &= ~bit
        later._constraints, safe, later.mined = _simplify(constraints, self.safe | bit, self.mined)
        later.safe = safe & ~bit
        return later if _fits(constraints, safe, later.mined) else None

    @cached_property
    def count(self) -> Count | None:
        """All layouts, counted; None when the board is too wide for that."""
        try:
            return self._counted(self._constraints, self.safe, self.mined)
        except TooWide:
            return None

    def _counted(self, constraints: list[Constraint], safe: int, mined: int) -> Count:
        return Count(constraints, self.closed & ~(safe | mined), self._mines - mined.bit_count(), self._known)

    def sample(self, dice: Dice) -> int:
        """A layout of all mines that fits the board, as bits."""
        if self.count is not None:
            return self.mined | self.count.sample(dice)
        layout = self._example
        for _ in range(SWEEPS):
            count, _, mined = self._strips(layout, dice)
            layout = mined | count.sample(dice)
        return layout

    def chances(self, dice: Dice) -> dict[int, float]:
        """The chance of a mine for each closed cell; the dice are thrown only for boards
        too wide to count."""
        found = dict.fromkeys(cells_of(self.safe), 0.0) | dict.fromkeys(cells_of(self.mined), 1.0)
        if self.count is not None:
            return found | self.count.chances()
        unsure = cells_of(self.closed & ~(self.safe | self.mined))
        totals = dict.fromkeys(unsure, 0.0)
        layout = self._example
        for _ in range(SWEEPS):
            count, _, mined = self._strips(layout, dice)
            partial = count.chances()
            for cell in unsure:
                totals[cell] += partial.get(cell, float(mined >> cell & 1))
            layout = mined | count.sample(dice)
        # Where the strips leave no doubt, another lie of the rest might: such a cell is nearly
        # certain at most.
        return found | {cell: min(max(total / SWEEPS, 0.001), 0.999) for cell, total in totals.items()}

    def _strips(self, layout: int, dice: Dice) -> tuple[Count, int, int]:
        """Count the board in strips of columns or rows, kept apart by two that lie as in the layout."""
        columns = dice.below(2)
        for free in STRIPS:
            offset = dice.below(free + 2)
            kept = 0
            for cell in cells_of(self.closed):
                line = cell % self._width if columns else cell // self._width
                if (line + offset) % (free + 2) >= free:
                    kept |= 1 << cell
            constraints, safe, mined = _simplify(
                self._constraints, self.safe | kept & ~layout, self.mined | kept & layout
            )
            try:
                return self._counted(constraints, safe, mined), safe, mined
            except TooWide:
                continue
        raise AssertionError("single lines are narrow")
