"""The goals: twelve common ones, each a small predicate over a bookshelf, and the personal cards."""

from collections.abc import Callable

from ludoteca.games.shelfie.goals.columns import three_columns_max_three, two_columns_all_different
from ludoteca.games.shelfie.goals.groups import four_groups_of_four, six_groups_of_two
from ludoteca.games.shelfie.goals.kinds import eight_of_a_kind
from ludoteca.games.shelfie.goals.personal import in_place, personal_points
from ludoteca.games.shelfie.goals.rows import four_rows_max_three, two_rows_all_different
from ludoteca.games.shelfie.goals.shapes import diagonal, four_corners, staircase, x_of_five
from ludoteca.games.shelfie.goals.squares import two_squares
from ludoteca.games.shelfie.state import Shelf

COMMON: dict[int, Callable[[Shelf], bool]] = {
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

__all__ = ["COMMON", "in_place", "personal_points"]
