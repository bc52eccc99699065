"""What a bookshelf is worth before it is full, weighed by hand: points, and what groups and goals lead to."""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations

from ludoteca.games.shelfie.data import (
    FIRST_FULL_SHELF_POINTS,
    PERSONAL_POINTS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    Tile,
)
from ludoteca.games.shelfie.goals import COMMON
from ludoteca.games.shelfie.state import Shelf, Tabletop, group_points, groups

# A pattern that can no longer come about.
NEVER = 99

# What a group of each size is worth while it can still grow.
GROUP_WORTH = (0.0, 0.0, 0.9, 2.2, 3.5, 5.5, 8.0)
# How much of its token a goal is worth when this many tiles are missing: a factor for each tile. Goals that
# ask for particular tiles are further away than those that ask for any.
NEARNESS = {
    1: 0.72,
    2: 0.84,
    3: 0.78,
    4: 0.80,
    5: 0.88,
    6: 0.82,
    7: 0.88,
    8: 0.88,
    9: 0.72,
    10: 0.80,
    11: 0.84,
    12: 0.88,
}
# The chance that a wanted cell of the personal goal, still free, will be filled as wished.
WISH_CHANCE = 0.45
# What each tile on the shelf is worth: it brings the end nearer, and with it the token for it.
TEMPO = 0.12
# The same as the weights that can be learned, in their order.
BY_HAND = (*GROUP_WORTH[1:] * 3, *(WISH_CHANCE,) * SHELF_ROWS, *NEARNESS.values(), TEMPO)


def _missing_squares(shelf: Shelf) -> int:
    best = []
    for column in range(SHELF_COLUMNS - 1):
        for height in range(SHELF_ROWS - 1):
            placed = [*shelf[column][height : height + 2], *shelf[column + 1][height : height + 2]]
            if len(set(placed)) <= 1:
                best.append((4 - len(placed), column, height))
    return min(
        (
            one[0] + other[0]
            for one, other in combinations(best, 2)
            if abs(one[1] - other[1]) > 1 or abs(one[2] - other[2]) > 1
        ),
        default=NEVER,
    )


def _missing_columns(shelf: Shelf, count: int, fits: Callable[[tuple[Tile, ...]], bool]) -> int:
    missing = sorted(SHELF_ROWS - len(column) for column in shelf if fits(column))
    return sum(missing[:count]) if len(missing) >= count else NEVER


def _missing_groups(shelf: Shelf, count: int, size: int) -> int:
    sizes = sorted((found for _, found in groups(shelf)), reverse=True)[:count]
    missing = size * (count - len(sizes)) + sum(max(0, size - found) for found in sizes)
    return missing if missing <= free_of(shelf) else NEVER


def _missing_rows(shelf: Shelf, count: int, fits: Callable[[list[Tile]], bool]) -> int:
    """The tiles up to the highest of the lowest rows that can still become what they should."""
    possible = [
        height
        for height in range(SHELF_ROWS)
        if fits([column[height] for column in shelf if len(column) > height])
    ]
    return _missing_below(shelf, [possible[count - 1]] * SHELF_COLUMNS) if len(possible) >= count else NEVER


def _missing_below(shelf: Shelf, heights: list[int]) -> int:
    return sum([max(0, height + 1 - len(column)) for column, height in zip(shelf, heights, strict=True)])


def _missing_line(shelf: Shelf, places: list[tuple[int, int]]) -> int:
    """The tiles up to these places (column and height), which are to hold one type."""
    placed = {shelf[column][height] for column, height in places if len(shelf[column]) > height}
    if len(placed) > 1:
        return NEVER
    tops = [-1] * SHELF_COLUMNS
    for column, height in places:
        tops[column] = max(tops[column], height)
    return _missing_below(shelf, tops)


_TOP, _LAST = SHELF_ROWS - 1, SHELF_COLUMNS - 1
CORNERS = [(0, 0), (0, _TOP), (_LAST, 0), (_LAST, _TOP)]
CROSSES = [
    [(column + right, height + up) for right, up in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))]
    for column in range(1, _LAST)
    for height in range(1, _TOP)
]
DIAGONALS = [
    [(column, start + (column if rises else _LAST - column)) for column in range(SHELF_COLUMNS)]
    for start in (0, 1)
    for rises in (True, False)
]
STAIRS = [
    [start + (column if rises else _LAST - column) for column in range(SHELF_COLUMNS)]
    for start in (0, 1)
    for rises in (True, False)
]


def _missing_stairs(shelf: Shelf) -> int:
    return min(
        (
            _missing_below(shelf, stairs)
            for stairs in STAIRS
            if all(len(column) <= height + 1 for column, height in zip(shelf, stairs, strict=True))
        ),
        default=NEVER,
    )


def _missing_of_a_kind(shelf: Shelf) -> int:
    tiles = [tile for column in shelf for tile in column]
    missing = 8 - max((tiles.count(tile) for tile in set(tiles)), default=0)
    return missing if missing <= free_of(shelf) else NEVER


def free_of(shelf: Shelf) -> int:
    return SHELF_ROWS * SHELF_COLUMNS - sum(map(len, shelf))


# How many tiles each common goal still needs, about.
MISSING: dict[int, Callable[[Shelf], int]] = {
    1: _missing_squares,
    2: lambda shelf: _missing_columns(shelf, 2, lambda tiles: len(set(tiles)) == len(tiles)),
    3: lambda shelf: _missing_groups(shelf, 4, 4),
    4: lambda shelf: _missing_groups(shelf, 6, 2),
    5: lambda shelf: _missing_columns(shelf, 3, lambda tiles: len(set(tiles)) <= 3),
    6: lambda shelf: _missing_rows(shelf, 2, lambda tiles: len(set(tiles)) == len(tiles)),
    7: lambda shelf: _missing_rows(shelf, 4, lambda tiles: len(set(tiles)) <= 3),
    8: lambda shelf: _missing_line(shelf, CORNERS),
    9: _missing_of_a_kind,
    10: lambda shelf: min(_missing_line(shelf, places) for places in CROSSES),
    11: lambda shelf: min(_missing_line(shelf, places) for places in DIAGONALS),
    12: _missing_stairs,
}


class Judge:
    """What bookshelves are worth to one seat, as its goals stand at the start of the turn."""

    def __init__(self, tabletop: Tabletop, seat: int) -> None:
        self._wishes = [
            (wish.cell.column, SHELF_ROWS - 1 - wish.cell.row, wish.tile) for wish in tabletop.goals[seat]
        ]
        self._tokens = [
            (common.id, common.tokens[0]) for common in tabletop.commons if not common.taken[seat]
        ]
        self._is_end_open = tabletop.filled is None

    def worth(self, shelf: Shelf) -> float:
        """About the points this bookshelf leads to."""
        free = free_of(shelf)
        worth = TEMPO * (SHELF_ROWS * SHELF_COLUMNS - free)
        # Groups count for what they are when no more tiles can come.
        worth += _group_worth(tuple(shelf)) if free else group_points(shelf)
        worth += self._personal(shelf)
        for goal, token in self._tokens:
            if COMMON[goal](shelf):
                worth += token
            elif free:
                worth += token * NEARNESS[goal] ** (MISSING[goal](shelf) + 1)
        if not free and self._is_end_open:
            worth += FIRST_FULL_SHELF_POINTS
        return worth

    def _personal(self, shelf: Shelf) -> float:
        count = 0.0
        for column, height, tile in self._wishes:
            stack = shelf[column]
            if len(stack) <= height:
                count += WISH_CHANCE
            elif stack[height] == tile:
                count += 1.0
        whole = int(count)
        if whole >= len(PERSONAL_POINTS) - 1:
            return PERSONAL_POINTS[-1]
        return PERSONAL_POINTS[whole] + (count - whole) * (
            PERSONAL_POINTS[whole + 1] - PERSONAL_POINTS[whole]
        )


@lru_cache(maxsize=20_000)
def _group_worth(shelf: tuple[tuple[Tile, ...], ...]) -> float:
    return sum([GROUP_WORTH[size if size < 6 else 6] for _, size in groups(list(shelf))])
