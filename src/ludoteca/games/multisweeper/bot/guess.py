"""Where to guess when no cell is certain.

Alone, with few layouts left, all of them are looked at, to the end (`Rest`); otherwise the best of the safest
cells is the one after which the next click is safest, too: certain if what it shows decides something. Among
several it is the other way round: the next click is somebody else's, and the more dangerous the better.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from ludoteca.games.multisweeper.solver import Knowledge

# With so many layouts or fewer all are looked at, in so many steps at most.
LAYOUTS_MAX = 4_000
STEPS_MAX = 60_000
# How many steps there are between two looks at the clock.
PATIENCE = 64
# Cells are near-equal whose chance to be free is at least so much of the best one's; so many are compared,
# among those that touch numbers and among the rest.
NEAR = 0.9
ASHORE_MAX = 12
AT_SEA_MAX = 6
# What it is worth, beside its safety, that the next click is certain.
PROGRESS = 0.1


class TooMany(Exception):
    """The layouts would take too long to look at."""


class Rest:
    """All layouts that are left, and how many of them are won by playing on alone as well as can be.

    A set of layouts is a number of bits. What is open already tells nothing more, so the best that can be
    made of a set depends on nothing but the set.
    """

    def __init__(
        self, layouts: Sequence[int], cells: Iterable[int], masks: Sequence[int], more: Callable[[], bool]
    ) -> None:
        self.all = (1 << len(layouts)) - 1
        self.cells: list[tuple[int, int, list[int]]] = []
        for cell in cells:
            shown: dict[int, int] = {}
            mined = 0
            for place, layout in enumerate(layouts):
                if layout >> cell & 1:
                    mined |= 1 << place
                else:
                    number = (layout & masks[cell]).bit_count()
                    shown[number] = shown.get(number, 0) | 1 << place
            self.cells.append((cell, mined, list(shown.values())))
        self._known: dict[int, int] = {}
        self._steps = 0
        self._more = more

    def best(self) -> int:
        """The cell to begin with. Raises TooMany."""
        most, found = -1, self.cells[0][0]
        for cell, sets in self._promising(self.all):
            if sum(one.bit_count() for one in sets) <= most:
                break
            won = sum(map(self._won, sets))
            if won > most:
                most, found = won, cell
        return found

    def _promising(self, left: int) -> list[tuple[int, list[int]]]:
        """Cells with the sets that clicking them leads to, the safest first; those that tell nothing are
        left out, and one that is certain and tells something stands alone."""
        found = []
        for cell, mined, shown in self.cells:
            sets = [one & left for one in shown if one & left]
            if left & mined:
                found.append((cell, sets))
            elif len(sets) > 1:
                return [(cell, sets)]
        found.sort(key=lambda one: -sum(part.bit_count() for part in one[1]))
        return found

    def _won(self, left: int) -> int:
        if not left & (left - 1):
            return 1
        known = self._known.get(left)
        if known is not None:
            return known
        self._steps += 1
        if self._steps > STEPS_MAX or (self._steps % PATIENCE == 0 and not self._more()):
            raise TooMany
        most = 1
        for _, sets in self._promising(left):
            bound = sum(part.bit_count() for part in sets)
            if bound <= most:
                break
            won = 0
            for part in sets:
                won += self._won(part)
                bound -= part.bit_count()
                if won + bound <= most:
                    break
            most = max(most, won)
        self._known[left] = most
        return most


def guess(knowledge: Knowledge, chances: dict[int, float], more: Callable[[], bool], players: int = 1) -> int:
    """The cell to open when none is certain."""
    count = knowledge.count
    least = min(chances.values())
    if count is None:
        return min(chances, key=lambda cell: chances[cell])
    best, found = -1.0, -1
    for cell in candidates(knowledge, chances, least):
        if (1 + PROGRESS) * (1 - chances[cell]) > best and (found < 0 or more()):
            value = prospect(knowledge, cell, count.total, players)
            if value > best:
                best, found = value, cell
    if players == 1 and count.total <= LAYOUTS_MAX:
        unsure = [cell for cell, chance in chances.items() if 0.0 < chance < 1.0]
        with suppress(TooMany):
            found = Rest(list(count.layouts()), unsure, knowledge.masks, more).best()
    return found


def candidates(knowledge: Knowledge, chances: dict[int, float], least: float) -> list[int]:
    """Cells that are about as safe as any; of the sea, whose cells are all as safe, those of which the least
    is unknown besides what other numbers touch, and that is also where openings are likely: its corners."""
    count = knowledge.count
    assert count is not None
    sea, masks = {*count.sea}, knowledge.masks
    shore = sum(1 << cell for cell in chances if cell not in sea)
    near = [cell for cell, chance in chances.items() if 1 - chance >= NEAR * (1 - least)]
    ashore = sorted([cell for cell in near if cell not in sea], key=lambda cell: chances[cell])
    at_sea = sorted(
        [cell for cell in near if cell in sea],
        key=lambda cell: (masks[cell] & knowledge.closed & ~shore).bit_count(),
    )
    return at_sea[:AT_SEA_MAX] + ashore[:ASHORE_MAX]


def prospect(knowledge: Knowledge, cell: int, total: int, players: int) -> float:
    """How likely it is to survive a click here and, alone, the next one, with something for the next being
    certain; among several, that it is not oneself who loses the round."""
    value = 0.0
    known = (knowledge.masks[cell] & knowledge.mined).bit_count()
    room = (knowledge.masks[cell] & knowledge.closed & ~knowledge.mined).bit_count()
    for number in range(known, known + room + 1):
        later = knowledge.suppose(cell, number)
        if later is None:
            continue
        count = later.count
        if count is None or not count.total:
            continue
        share = count.total / total
        risk = 0.0 if later.safe else count.least()
        if players == 1:
            value += share * ((1 - risk) if risk else 1 + PROGRESS)
        else:
            value += share * (1 - (1 - risk) / players)
    return value
