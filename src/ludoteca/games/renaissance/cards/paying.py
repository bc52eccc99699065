"""Where a payment can come from."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from ludoteca.games.renaissance.actions import BuyCard, Pay
from ludoteca.games.renaissance.cards.leaders import price
from ludoteca.games.renaissance.cards.powers import drafted_powers, taken_together
from ludoteca.games.renaissance.data import NOTHING, Stock
from ludoteca.games.renaissance.state import Board, Tabletop


def due(tabletop: Tabletop, board: Board) -> Stock:
    """What the half-made purchase or production costs."""
    first = tabletop.draft[0]
    if isinstance(first, BuyCard):
        return price(board, first.card)
    return taken_together(board, drafted_powers(tabletop))


def payments(board: Board, due: Stock) -> tuple[Pay, ...]:
    """Every way to pay exactly this; at least one if the player owns it. Depots come before the strongbox."""
    return _payments(due, board.warehouse, board.leader_depots, board.strongbox)


@lru_cache(maxsize=4096)
def _payments(due: Stock, warehouse: Stock, leaders: Stock, strongbox: Stock) -> tuple[Pay, ...]:
    if warehouse == NOTHING and leaders == NOTHING:
        return (Pay(strongbox=due),) if strongbox.covers(due) else ()
    splits = [list(_splits(*numbers)) for numbers in zip(due, warehouse, leaders, strongbox, strict=True)]
    return tuple(
        Pay(Stock(*(s[0] for s in split)), Stock(*(s[1] for s in split)), Stock(*(s[2] for s in split)))
        for split in product(*splits)
    )


def _splits(due: int, warehouse: int, leaders: int, strongbox: int) -> Iterator[tuple[int, int, int]]:
    """The ways to take a number of one resource from three containers."""
    for first in range(min(due, warehouse), -1, -1):
        for second in range(min(due - first, leaders), -1, -1):
            if due - first - second <= strongbox:
                yield first, second, due - first - second
