"""The common goal of the squares."""

from itertools import combinations, pairwise

from ludoteca.games.shelfie.state import Shelf


def two_squares(shelf: Shelf) -> bool:
    """Two 2x2 squares that share no cell, each of one type; the two may differ in type, and may touch.

         yes      no
        .....    .....
        .....    .....
        .....    .....
        CC...    .....
        CCBB.    CCC..
        PGBBF    CCC..

    No: the two squares of a 2x3 block overlap.
    """
    squares = [
        (column, height)
        for column, (left, right) in enumerate(pairwise(shelf))
        for height in range(min(len(left), len(right)) - 1)
        if left[height] == left[height + 1] == right[height] == right[height + 1]
    ]
    # Every pair is tried: a third square that overlaps both must not hide them.
    return any(
        abs(one[0] - other[0]) > 1 or abs(one[1] - other[1]) > 1 for one, other in combinations(squares, 2)
    )
