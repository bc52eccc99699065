"""The same judgement of bookshelves, quickly: what does not depend on who asks is worked out once."""

from functools import lru_cache

from ludoteca.games.shelfie.bot.judge import GROUP_WORTH, MISSING, NEARNESS, TEMPO, Judge, free_of
from ludoteca.games.shelfie.data import FIRST_FULL_SHELF_POINTS, SHELF_COLUMNS, SHELF_ROWS, Tile
from ludoteca.games.shelfie.goals import COMMON
from ludoteca.games.shelfie.state import Shelf, group_points, groups

Columns = tuple[tuple[Tile, ...], ...]


@lru_cache(maxsize=50_000)
def _plain(columns: Columns) -> tuple[int, float]:
    """The free cells, and what tiles and groups are worth to anybody."""
    shelf = list(columns)
    free = free_of(shelf)
    worth = TEMPO * (SHELF_ROWS * SHELF_COLUMNS - free)
    if not free:
        return 0, worth + group_points(shelf)
    return free, worth + sum([GROUP_WORTH[size if size < 6 else 6] for _, size in groups(shelf)])


@lru_cache(maxsize=50_000)
def _nearness(goal: int, columns: Columns) -> tuple[bool, float]:
    """Whether a common goal is reached, and the part of its token that it is worth on the way there."""
    shelf = list(columns)
    return COMMON[goal](shelf), NEARNESS[goal] ** (MISSING[goal](shelf) + 1)


class Quick(Judge):
    """What bookshelves are worth to one seat, as its goals stand at the start of the turn."""

    def worth(self, shelf: Shelf) -> float:
        """About the points this bookshelf leads to."""
        columns = tuple(shelf)
        free, worth = _plain(columns)
        worth += self._personal(shelf)
        for goal, token in self._tokens:
            reached, near = _nearness(goal, columns)
            if reached:
                worth += token
            elif free:
                worth += token * near
        if not free and self._is_end_open:
            worth += FIRST_FULL_SHELF_POINTS
        return worth
