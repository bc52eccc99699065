"""The goals: twelve common ones, each a small predicate over a bookshelf, and the personal cards."""

from collections.abc import Callable
from functools import wraps

from ludoteca.games.shelfie.goals.columns import three_columns_max_three, two_columns_all_different
from ludoteca.games.shelfie.goals.groups import four_groups_of_four, six_groups_of_two
from ludoteca.games.shelfie.goals.kinds import eight_of_a_kind
from ludoteca.games.shelfie.goals.personal import in_place, personal_points
from ludoteca.games.shelfie.goals.rows import four_rows_max_three, two_rows_all_different
from ludoteca.games.shelfie.goals.shapes import diagonal, four_corners, staircase, x_of_five
from ludoteca.games.shelfie.goals.squares import two_squares
from ludoteca.games.shelfie.state import Kinds, Shelf, kinds_of

# Whether a bookshelf, as bits, shows a common goal.
SHOWN: dict[int, Callable[[Kinds], bool]] = {
    1: two_squares,
    2: two_columns_all_different,
    3: four_groups_of_four,
    4: six_groups_of_two,
    5: three_columns_max_three,
    6: two_rows_all_different,
    7: four_rows_max_three,
    8: four_corners,
    9: eight_of_a_kind,
    10: x_of_five,
    11: diagonal,
    12: staircase,
}


def _of_shelf(shown: Callable[[Kinds], bool]) -> Callable[[Shelf], bool]:
    @wraps(shown)
    def shows(shelf: Shelf) -> bool:
        return shown(kinds_of(shelf))

    return shows


# The same for a bookshelf by its columns.
COMMON: dict[int, Callable[[Shelf], bool]] = {goal: _of_shelf(shown) for goal, shown in SHOWN.items()}

# The fewest tiles with which each can be met: a bookshelf with less need not be looked at.
LEAST_TILES: dict[int, int] = {
    1: 8,
    2: 12,
    3: 16,
    4: 12,
    5: 18,
    6: 10,
    7: 20,
    8: 12,
    9: 8,
    10: 8,
    11: 15,
    12: 15,
}

__all__ = ["COMMON", "LEAST_TILES", "SHOWN", "in_place", "personal_points"]
