"""What bookshelves lead to, learned from matches of bots (training/shelfie.py), and quickly: each bookshelf
is worked out once, for whoever looks at it with whatever personal goal."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from ludoteca.games.shelfie.bot.bits import EVERYWHERE, MISSING, Masks, around, heights_of
from ludoteca.games.shelfie.bot.weights import WEIGHTS
from ludoteca.games.shelfie.data import (
    FIRST_FULL_SHELF_POINTS,
    GROUP_POINTS,
    PERSONAL_GOALS,
    PERSONAL_POINTS,
    SHELF_ROWS,
)
from ludoteca.games.shelfie.state import NEXT_COLUMN, NUMBER, bit, parts

# Where the weights of each kind stand.
SIZES = len(GROUP_POINTS) - 1
LIBERTIES = 3
GROUPS = 0
WISHES = GROUPS + SIZES * LIBERTIES
GOALS = WISHES + SHELF_ROWS
TEMPO = GOALS + len(MISSING)
COUNT = TEMPO + 1
# How many bookshelves are remembered.
SHELVES_MAX = 10_000

# Tiles by number, the first of them lowest.
Hand = tuple[int, ...]


class Aims(NamedTuple):
    """What a seat can still win: its personal goal, the next token of each common goal (0: it has one), and
    whether nobody has filled a bookshelf."""

    card: int
    tokens: tuple[int, ...]
    is_end_open: bool


class Fill(NamedTuple):
    """A way to put a hand away, and what it makes of the bookshelf."""

    column: int
    order: Hand
    shelf: "Bookshelf"


class Bookshelf:
    """What it is worth to anybody, the share of each common goal's token, and what can become of it."""

    __slots__ = (
        "_fills", "_library", "_personal", "_ways",
        "free", "masks", "occupied", "plain", "shares",
    )  # fmt: skip

    def __init__(self, masks: Masks, library: "Library") -> None:
        self.masks, self._library = masks, library
        self.occupied = occupied = sum(masks)
        free = EVERYWHERE ^ occupied
        self.free = free.bit_count()
        self.plain = library.weights[TEMPO] * (EVERYWHERE.bit_count() - self.free)
        for mask in masks:
            # Groups count for what they are when no more tiles can come. Neighbours as in `around`.
            if mask:
                beside = (mask << 1 | mask >> 1 | mask << NEXT_COLUMN | mask >> NEXT_COLUMN) & free
                known = library.groups.get((mask, beside)) if free else _points(mask)
                self.plain += library.weigh(mask, beside) if known is None else known
        self.shares = [self._share(goal) for goal in library.goals]
        # Most bookshelves are looked at only once, by one seat.
        self._personal: dict[int, float] = {}
        self._fills: dict[Hand, list[Fill]] | None = None
        self._ways: dict[Aims, dict[Hand, tuple[float, Fill]]] | None = None

    @property
    def space(self) -> int:
        """How many tiles fit into the emptiest column."""
        return SHELF_ROWS - min(heights_of(self.occupied))

    def _share(self, goal: int) -> float:
        missing = MISSING[goal](self.masks, self.occupied)
        if not missing:
            return 1.0
        return float(self._library.weights[GOALS + goal - 1] ** (missing + 1)) if self.free else 0.0

    def personal(self, card: int) -> float:
        """What a personal goal is worth here."""
        known = self._personal.get(card)
        if known is not None:
            return known
        count, occupied, masks, weights = 0.0, self.occupied, self.masks, self._library.weights
        for tile, cell, below in _WISHES[card]:
            if not occupied & cell:
                count += weights[WISHES + (below & ~occupied).bit_count()]
            elif masks[tile] & cell:
                count += 1.0
        whole = min(int(count), len(PERSONAL_POINTS) - 2)
        low = PERSONAL_POINTS[whole]
        worth = self._personal[card] = low + (count - whole) * (PERSONAL_POINTS[whole + 1] - low)
        return worth

    def worth(self, aims: Aims) -> float:
        """About the points this bookshelf leads to, for somebody with these aims."""
        worth = self.plain + self.personal(aims.card)
        for place, token in enumerate(aims.tokens):
            worth += self.shares[place] * token
        return worth if self.free or not aims.is_end_open else worth + FIRST_FULL_SHELF_POINTS

    def fills(self, hand: Hand) -> list[Fill]:
        """Every way to put a hand away."""
        if self._fills is None:
            self._fills = {}
        known = self._fills.get(hand)
        if known is not None:
            return known
        found = []
        for column, height in enumerate(heights_of(self.occupied)):
            if height + len(hand) <= SHELF_ROWS:
                lowest = 1 << NEXT_COLUMN * column + height
                for order in _orders(hand):
                    masks, cell = [*self.masks], lowest
                    for tile in order:
                        masks[tile] |= cell
                        cell <<= 1
                    found.append(Fill(column, order, self._library.shelf(tuple(masks))))
        self._fills[hand] = found
        return found

    def ways(self, aims: Aims) -> dict[Hand, tuple[float, Fill]]:
        """What is known of the best fills for these aims, by hand: see `best`."""
        if self._ways is None:
            self._ways = {}
        known = self._ways.get(aims)
        if known is None:
            known = self._ways[aims] = {}
        return known

    def best(self, hand: Hand, aims: Aims) -> tuple[float, Fill]:
        """The best way to put a hand away, and what the bookshelf is worth then."""
        highest, chosen = -1e9, None
        for fill in self.fills(hand):
            worth = fill.shelf.worth(aims)
            if worth > highest:
                highest, chosen = worth, fill
        assert chosen is not None
        self.ways(aims)[hand] = highest, chosen
        return highest, chosen

    def points(self, card: int) -> int:
        """What it counts in the end, without tokens."""
        met = sum([self.masks[tile] & cell != 0 for tile, cell, _ in _WISHES[card]])
        return PERSONAL_POINTS[met] + sum([_points(mask) for mask in self.masks])


class Library:
    """The bookshelves that were met in matches with these common goals, judged by these weights."""

    def __init__(self, goals: tuple[int, ...], weights: Sequence[float]) -> None:
        self.goals, self.weights = goals, weights
        self._shelves: dict[Masks, Bookshelf] = {}
        # What `weigh` said.
        self.groups: dict[tuple[int, int], float] = {}

    def shelf(self, masks: Masks) -> Bookshelf:
        """A bookshelf, the same object each time."""
        known = self._shelves.get(masks)
        if known is None:
            known = self._shelves[masks] = Bookshelf(masks, self)
        return known

    def weigh(self, mask: int, beside: int) -> float:
        """What the groups of one type are worth, by size and by the free cells beside them."""
        worth, weights = 0.0, self.weights
        for part in parts(mask):
            size = min(part.bit_count(), SIZES)
            room = min((around(part) & beside).bit_count(), LIBERTIES - 1)
            worth += weights[GROUPS + SIZES * room + size - 1]
        self.groups[mask, beside] = worth
        return worth

    def tidy(self) -> None:
        """Forget all, if that is too much."""
        if len(self._shelves) > SHELVES_MAX:
            self._shelves.clear()
            self.groups.clear()


@lru_cache(maxsize=2)
def library(goals: tuple[int, ...], weights: tuple[float, ...] = WEIGHTS) -> Library:
    """What is known about bookshelves where these are the common goals."""
    return Library(goals, weights)


_WISHES = {
    card: tuple(
        (
            NUMBER[tile],
            bit(cell.column, SHELF_ROWS - 1 - cell.row),
            sum(bit(cell.column, height) for height in range(SHELF_ROWS - 1 - cell.row)),
        )
        for cell, tile in cells
    )
    for card, cells in PERSONAL_GOALS.items()
}


@lru_cache
def _orders(hand: Hand) -> tuple[Hand, ...]:
    return tuple(dict.fromkeys(permutations(hand)))


@lru_cache(maxsize=20_000)
def _points(mask: int) -> int:
    return sum([GROUP_POINTS[min(part.bit_count(), SIZES)] for part in parts(mask)])
