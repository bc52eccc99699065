"""Players of My Shelfie: what a bookshelf is worth before it is full, and how to choose by that.

A turn is judged by the bookshelf it leaves: points it has, groups and goals it is on the way to. The strong
player tries its best few turns in worlds it cannot tell from the true one and looks one round ahead.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from ludoteca.core import Bot, Dice, Game, Seat, careless
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import (
    FIRST_FULL_SHELF_POINTS,
    PERSONAL_POINTS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    Tile,
)
from ludoteca.games.shelfie.goals import COMMON, personal_points
from ludoteca.games.shelfie.rules import apply
from ludoteca.games.shelfie.state import Shelf, State, Tabletop, group_points, groups
from ludoteca.games.shelfie.view import redeal

# A pattern that can no longer come about.
_NEVER = 99

# What a group of each size is worth while it can still grow.
_GROUP_WORTH = (0.0, 0.0, 0.9, 2.2, 3.5, 5.5, 8.0)
# How much of its token a goal is worth when this many tiles are missing: a factor for each tile. Goals that
# ask for particular tiles are further away than those that ask for any.
_NEARNESS = {
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
_WISH_CHANCE = 0.45
# What each tile on the shelf is worth: it brings the end nearer, and with it the token for it.
_TEMPO = 0.12

# Looking ahead: how many turns are tried, in how many worlds, after how many of these the worse half is given
# up, and what a rival's point counts against an own one.
_CANDIDATES = 8
_WORLDS_MAX = 12
_WORLDS_PER_HALVING = 2
_RIVAL_WEIGHT = 0.5


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
        default=_NEVER,
    )


def _missing_columns(shelf: Shelf, count: int, fits: Callable[[tuple[Tile, ...]], bool]) -> int:
    missing = sorted(SHELF_ROWS - len(column) for column in shelf if fits(column))
    return sum(missing[:count]) if len(missing) >= count else _NEVER


def _missing_groups(shelf: Shelf, count: int, size: int) -> int:
    sizes = sorted((found for _, found in groups(shelf)), reverse=True)[:count]
    missing = size * (count - len(sizes)) + sum(max(0, size - found) for found in sizes)
    return missing if missing <= _free(shelf) else _NEVER


def _missing_rows(shelf: Shelf, count: int, fits: Callable[[list[Tile]], bool]) -> int:
    """The tiles up to the highest of the lowest rows that can still become what they should."""
    possible = [
        height
        for height in range(SHELF_ROWS)
        if fits([column[height] for column in shelf if len(column) > height])
    ]
    return _missing_below(shelf, [possible[count - 1]] * SHELF_COLUMNS) if len(possible) >= count else _NEVER


def _missing_below(shelf: Shelf, heights: list[int]) -> int:
    return sum([max(0, height + 1 - len(column)) for column, height in zip(shelf, heights, strict=True)])


def _missing_line(shelf: Shelf, places: list[tuple[int, int]]) -> int:
    """The tiles up to these places (column and height), which are to hold one type."""
    placed = {shelf[column][height] for column, height in places if len(shelf[column]) > height}
    if len(placed) > 1:
        return _NEVER
    tops = [-1] * SHELF_COLUMNS
    for column, height in places:
        tops[column] = max(tops[column], height)
    return _missing_below(shelf, tops)


_TOP, _LAST = SHELF_ROWS - 1, SHELF_COLUMNS - 1
_CORNERS = [(0, 0), (0, _TOP), (_LAST, 0), (_LAST, _TOP)]
_CROSSES = [
    [(column + right, height + up) for right, up in ((0, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))]
    for column in range(1, _LAST)
    for height in range(1, _TOP)
]
_DIAGONALS = [
    [(column, start + (column if rises else _LAST - column)) for column in range(SHELF_COLUMNS)]
    for start in (0, 1)
    for rises in (True, False)
]
_STAIRS = [
    [start + (column if rises else _LAST - column) for column in range(SHELF_COLUMNS)]
    for start in (0, 1)
    for rises in (True, False)
]


def _missing_stairs(shelf: Shelf) -> int:
    return min(
        (
            _missing_below(shelf, stairs)
            for stairs in _STAIRS
            if all(len(column) <= height + 1 for column, height in zip(shelf, stairs, strict=True))
        ),
        default=_NEVER,
    )


def _missing_of_a_kind(shelf: Shelf) -> int:
    tiles = [tile for column in shelf for tile in column]
    missing = 8 - max((tiles.count(tile) for tile in set(tiles)), default=0)
    return missing if missing <= _free(shelf) else _NEVER


def _free(shelf: Shelf) -> int:
    return SHELF_ROWS * SHELF_COLUMNS - sum(map(len, shelf))


# How many tiles each common goal still needs, about.
_MISSING: dict[int, Callable[[Shelf], int]] = {
    1: _missing_squares,
    2: lambda shelf: _missing_columns(shelf, 2, lambda tiles: len(set(tiles)) == len(tiles)),
    3: lambda shelf: _missing_groups(shelf, 4, 4),
    4: lambda shelf: _missing_groups(shelf, 6, 2),
    5: lambda shelf: _missing_columns(shelf, 3, lambda tiles: len(set(tiles)) <= 3),
    6: lambda shelf: _missing_rows(shelf, 2, lambda tiles: len(set(tiles)) == len(tiles)),
    7: lambda shelf: _missing_rows(shelf, 4, lambda tiles: len(set(tiles)) <= 3),
    8: lambda shelf: _missing_line(shelf, _CORNERS),
    9: _missing_of_a_kind,
    10: lambda shelf: min(_missing_line(shelf, places) for places in _CROSSES),
    11: lambda shelf: min(_missing_line(shelf, places) for places in _DIAGONALS),
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
        free = _free(shelf)
        worth = _TEMPO * (SHELF_ROWS * SHELF_COLUMNS - free)
        # Groups count for what they are when no more tiles can come.
        worth += _group_worth(tuple(shelf)) if free else group_points(shelf)
        worth += self._personal(shelf)
        for goal, token in self._tokens:
            if COMMON[goal](shelf):
                worth += token
            elif free:
                worth += token * _NEARNESS[goal] ** (_MISSING[goal](shelf) + 1)
        if not free and self._is_end_open:
            worth += FIRST_FULL_SHELF_POINTS
        return worth

    def _personal(self, shelf: Shelf) -> float:
        count = 0.0
        for column, height, tile in self._wishes:
            stack = shelf[column]
            if len(stack) <= height:
                count += _WISH_CHANCE
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
    return sum([_GROUP_WORTH[size if size < 6 else 6] for _, size in groups(list(shelf))])


def _best_fill(
    shelf: Shelf, fills: tuple[Action, ...], worth: Callable[[Shelf], float]
) -> tuple[float, Action]:
    best, best_fill = -1.0, fills[0]
    for fill in fills:
        assert isinstance(fill, FillColumn)
        after = shelf.copy()
        after[fill.column] += fill.tiles
        value = worth(after)
        if value > best:
            best, best_fill = value, fill
    return best, best_fill


def _worth_of_takes(state: State, worth: Callable[[Shelf], float]) -> Iterator[tuple[float, TakeTiles]]:
    """Every way to take tiles, with the worth of the bookshelf that it can lead to."""
    (seat,) = state.questions
    shelf = state.tabletop.shelf(seat)
    known: dict[tuple[Tile, ...], float] = {}
    for take in state.choices:
        assert isinstance(take, TakeTiles)
        after = state.clone()
        apply(after, seat, take)
        hand = tuple(sorted(after.tabletop.hand))
        if hand not in known:
            known[hand] = _best_fill(shelf, after.choices, worth)[0]
        yield known[hand], take


def _choose(state: State, worth: Callable[[Shelf], float]) -> Action:
    if state.tabletop.hand:
        (seat,) = state.questions
        return _best_fill(state.tabletop.shelf(seat), state.choices, worth)[1]
    return max(_worth_of_takes(state, worth), key=lambda valued: valued[0])[1]


def greedy(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """Take the most points at once, and think of nothing later."""
    card = state.tabletop.cards[seat]
    assert card is not None
    goals = [common.id for common in state.tabletop.commons if not common.taken[seat]]

    def points(shelf: Shelf) -> float:
        tokens = 8 * sum(COMMON[goal](shelf) for goal in goals)
        return group_points(shelf) + personal_points(card, shelf) + tokens

    return _choose(state, points)


def far_sighted(_game: Game, state: State, seat: Seat, _dice: Dice, _more: Callable[[], bool]) -> Action:
    """Build towards goals and groups."""
    return _choose(state, Judge(state.tabletop, seat).worth)


def look_ahead(_game: Game, state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Action:
    """Try the turns that look best until it is this seat's turn again and once more, and keep
    the best of them."""
    worth = Judge(state.tabletop, seat).worth
    if state.tabletop.hand:
        return _choose(state, worth)
    ranked = sorted(_worth_of_takes(state, worth), key=lambda valued: -valued[0])
    candidates = [take for _, take in ranked[:_CANDIDATES]]
    sums = dict.fromkeys(candidates, 0.0)
    for world_number in range(1, _WORLDS_MAX + 1):
        world = redeal(state, seat, dice)
        for take in candidates:
            sums[take] += _lead_after(world.clone(), seat, take)
            if not more():
                # A round that was cut short compares nothing.
                return candidates[0]
        candidates.sort(key=lambda take: -sums[take])
        if world_number % _WORLDS_PER_HALVING == 0:
            del candidates[max(2, (len(candidates) + 1) // 2) :]
    return candidates[0]


def _lead_after(state: State, seat: Seat, take: TakeTiles) -> float:
    """By how much the seat leads, one round and one turn after it took these tiles,
    if all play far-sightedly."""
    apply(state, seat, take)
    apply(state, seat, _choose(state, Judge(state.tabletop, seat).worth))
    seats = range(len(state.tabletop.shelves))
    for _ in seats:
        if state.outcome is not None:
            break
        (mover,) = state.questions
        worth = Judge(state.tabletop, mover).worth
        apply(state, mover, _choose(state, worth))
        apply(state, mover, _choose(state, worth))
    prospects = opinion(state)
    mine = prospects.pop(seat)
    return mine - _RIVAL_WEIGHT * max(prospects)


def _prospect(state: State, seat: int) -> float:
    if state.outcome is not None:
        return float(state.outcome.scores["total"][seat])
    won = state.tabletop.tokens(seat) + FIRST_FULL_SHELF_POINTS * (state.tabletop.filled == seat)
    return won + Judge(state.tabletop, seat).worth(state.tabletop.shelf(seat))


def opinion(state: State) -> list[float]:
    """About the points that all will have, by where their bookshelves lead."""
    return [_prospect(state, owner) for owner in range(len(state.tabletop.shelves))]


BOTS: dict[str, Bot] = {
    "playful": careless(greedy, 1, 3),
    "easy": greedy,
    "medium": far_sighted,
    "strong": look_ahead,
    "master": look_ahead,
}
