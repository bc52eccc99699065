"""Bookshelves as bits, for those who look at many: how many tiles common goals still need.

A cell is a bit, as in `state`: seven for each column, from the bottom up, the seventh always empty, so that
neighbours are found by shifting. A bookshelf is six such sets, one for each type of tile.
"""

from collections.abc import Callable, Iterable

from ludoteca.games.shelfie.bot.judge import CORNERS, CROSSES, DIAGONALS, NEVER, STAIRS
from ludoteca.games.shelfie.data import SHELF_COLUMNS, SHELF_ROWS
from ludoteca.games.shelfie.state import COLUMNS, NEXT_COLUMN, ROWS, bit, parts

COLUMN = COLUMNS[0]
EVERYWHERE = sum(COLUMNS)

# The cells of each type.
Masks = tuple[int, ...]


def around(cells: int) -> int:
    """The neighbours of cells, and some of the cells themselves."""
    return cells << 1 | cells >> 1 | cells << NEXT_COLUMN | cells >> NEXT_COLUMN


def heights_of(occupied: int) -> list[int]:
    """How high each column stands."""
    return [(occupied >> NEXT_COLUMN * column & COLUMN).bit_length() for column in range(SHELF_COLUMNS)]


# How many tiles common goals still need, about; the same numbers as in `judge`.

# Squares by their lowest cell on the left, and those that do not touch the cells of each.
_ANCHORS = sum(bit(column, height) for column in range(SHELF_COLUMNS - 1) for height in range(SHELF_ROWS - 1))
_APART = {
    bit(column, height): _ANCHORS
    & ~sum(
        bit(other, place)
        for other in range(max(0, column - 1), column + 2)
        for place in range(max(0, height - 1), height + 2)
    )
    for column in range(SHELF_COLUMNS - 1)
    for height in range(SHELF_ROWS - 1)
}


def _squares(masks: Masks, occupied: int) -> int:
    free = EVERYWHERE ^ occupied
    # Squares that can still become one type, by the tiles they miss.
    found = [0, 0, 0, 0, 0]
    for mask in masks:
        able = mask | free
        able &= able >> 1
        able &= able >> NEXT_COLUMN & _ANCHORS
        if able:
            low, high, low_next, high_next = mask, mask >> 1, mask >> NEXT_COLUMN, mask >> NEXT_COLUMN + 1
            one, two = low ^ high, low & high
            one_next, two_next = low_next ^ high_next, low_next & high_next
            odd, carry = one ^ one_next, one & one_next
            twos = two ^ two_next ^ carry
            full = two & two_next
            found[0] |= able & full
            found[1] |= able & odd & twos
            found[2] |= able & twos & ~odd & ~full
            found[3] |= able & odd & ~twos
            found[4] |= able & ~(odd | twos | full)
    for missing in range(9):
        for less in range(max(0, missing - 4), missing // 2 + 1):
            some, others = found[less], found[missing - less]
            while some and others:
                first = some & -some
                if others & _APART[first]:
                    return missing
                some ^= first
    return NEVER


def _is_varied(masks: Masks, cells: int) -> bool:
    for mask in masks:
        placed = mask & cells
        # More than one bit is left of it.
        if placed & (placed - 1):
            return False
    return True


def _is_plain(masks: Masks, cells: int) -> bool:
    # Written out: three of the six types or more are not there.
    a, b, c, d, e, f = masks
    return (
        (not a & cells)
        + (not b & cells)
        + (not c & cells)
        + (not d & cells)
        + (not e & cells)
        + (not f & cells)
    ) >= 3


def _all_different(masks: Masks, occupied: int) -> int:
    missing = []
    for cells in COLUMNS:
        if _is_varied(masks, cells):
            missing.append(SHELF_ROWS - (occupied & cells).bit_count())
    return _least(missing, 2)


def _three_types(masks: Masks, occupied: int) -> int:
    missing = []
    for cells in COLUMNS:
        if _is_plain(masks, cells):
            missing.append(SHELF_ROWS - (occupied & cells).bit_count())
    return _least(missing, 3)


def _least(missing: list[int], count: int) -> int:
    missing.sort()
    return sum(missing[:count]) if len(missing) >= count else NEVER


def _groups(count: int, size: int) -> Callable[[Masks, int], int]:
    def missing(masks: Masks, occupied: int) -> int:
        needed = count * size
        sizes = sorted([part.bit_count() for mask in masks for part in parts(mask)], reverse=True)[:count]
        needed -= sum([found if found < size else size for found in sizes])
        return needed if needed <= (EVERYWHERE ^ occupied).bit_count() else NEVER

    return missing


def _below(height: int) -> int:
    return sum(ROWS[: height + 1])


def _rows(count: int, fits: Callable[[Masks, int], bool]) -> Callable[[Masks, int], int]:
    belows = [_below(height) for height in range(SHELF_ROWS)]

    def missing(masks: Masks, occupied: int) -> int:
        found = 0
        for row, below in zip(ROWS, belows, strict=True):
            if fits(masks, row):
                found += 1
                if found == count:
                    return (below & ~occupied).bit_count()
        return NEVER

    return missing


def _lines(shapes: Iterable[list[tuple[int, int]]]) -> Callable[[Masks, int], int]:
    """Cells that are to hold one type; all that is below them has to be filled, too."""
    known = []
    for places in shapes:
        tops = [-1] * SHELF_COLUMNS
        for column, height in places:
            tops[column] = max(tops[column], height)
        below = sum(bit(column, height) for column, top in enumerate(tops) for height in range(top + 1))
        known.append((sum(bit(*place) for place in places), below))

    def missing(masks: Masks, occupied: int) -> int:
        least = NEVER
        for cells, below in known:
            placed = cells & occupied
            needed = (below & ~occupied).bit_count()
            if needed < least:
                # One type holds all that is placed there.
                first = placed & -placed
                for mask in masks:
                    if mask & first or not first:
                        if mask & placed == placed or not first:
                            least = needed
                        break
        return least

    return missing


def _eight(masks: Masks, occupied: int) -> int:
    missing = max(0, 8 - max([mask.bit_count() for mask in masks]))
    return missing if missing <= (EVERYWHERE ^ occupied).bit_count() else NEVER


def _stairs(_masks: Masks, occupied: int) -> int:
    heights = heights_of(occupied)
    least = NEVER
    for stairs in STAIRS:
        needed = 0
        for height, top in zip(heights, stairs, strict=True):
            if height > top + 1:
                break
            needed += top + 1 - height
        else:
            least = min(least, needed)
    return least


MISSING: dict[int, Callable[[Masks, int], int]] = {
    1: _squares,
    2: _all_different,
    3: _groups(4, 4),
    4: _groups(6, 2),
    5: _three_types,
    6: _rows(2, _is_varied),
    7: _rows(4, _is_plain),
    8: _lines([CORNERS]),
    9: _eight,
    10: _lines(CROSSES),
    11: _lines(DIAGONALS),
    12: _stairs,
}
