"""What a market, a warehouse and a set of powers offer, worked out once: minds that look ahead meet the same
again and again. Resources are plain tuples here, and come to the same as a `Stock`."""

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from ludoteca.games.renaissance.actions import Power, TakeLine, UseBasic
from ludoteca.games.renaissance.cards.leaders import exchanges
from ludoteca.games.renaissance.cards.market import harvest, line_choices
from ludoteca.games.renaissance.cards.powers import (
    BASIC,
    LEADER_USES,
    SLOT_USES,
    given_together,
    taken_together,
)
from ludoteca.games.renaissance.data import (
    INDEX,
    LEADER_PLACES,
    ONE,
    PLACES,
    RESOURCES,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.state import Board, Tabletop

Counts = tuple[int, int, int, int]

# The basic power by what it takes: its uses, with what they change. Who gets back what was given, only loses.
BASIC_USES: tuple[tuple[Stock, tuple[tuple[UseBasic, Stock], ...]], ...] = tuple(
    (
        takes,
        tuple(
            (use, ONE[use.gain].minus(cost))
            for use, cost in BASIC
            if cost == takes
            if use.gain not in use.spend
        ),
    )
    for takes in dict.fromkeys(takes for _, takes in BASIC)
)


class Powers(NamedTuple):
    """Powers used together: what they cost, what they change in all, and their faith."""

    powers: tuple[Power, ...]
    cost: Stock
    change: Stock
    spent: int
    gained: int
    faith: int


# Lines by marbles and what white ones become; powers by the cards on top and the leaders.
_LINES: dict[Hashable, tuple[tuple[TakeLine, Counts, int], ...]] = {}
_POWERS: dict[Hashable, tuple[Powers, ...]] = {}
KNOWN_MAX = 4096


def lines(tabletop: Tabletop, board: Board) -> tuple[tuple[TakeLine, Counts, int], ...]:
    """Every line of the market with the resources and the faith that it gives."""
    key = tabletop.marbles, exchanges(board)
    found = _LINES.get(key)
    if found is None:
        if len(_LINES) >= KNOWN_MAX:
            _LINES.clear()
        takes = [(take, *harvest(tabletop, board, take)) for take in line_choices(tabletop, board)]
        found = _LINES[key] = tuple([(take, counted(taken), faith) for take, taken, faith in takes])
    return found


def counted(taken: Sequence[Resource]) -> Counts:
    """How many there are of each resource."""
    coins, stones, servants, shields = (taken.count(resource) for resource in RESOURCES)
    return coins, stones, servants, shields


def powers(board: Board) -> tuple[Powers, ...]:
    """Every set of powers of cards and leaders that could be used together, first of all none."""
    key = tuple([slot[-1:] for slot in board.slots]), board.played
    found = _POWERS.get(key)
    if found is None:
        if len(_POWERS) >= KNOWN_MAX:
            _POWERS.clear()
        choices: list[list[tuple[Power, ...]]] = [[(), (use,)] for use in SLOT_USES if board.slots[use.slot]]
        choices += [
            [(), *((use,) for use in LEADER_USES[leader])] for leader in board.played if leader in LEADER_USES
        ]
        sets = [tuple([power for part in chosen for power in part]) for chosen in product(*choices)]
        found = _POWERS[key] = tuple([together(board, used) for used in sets])
    return found


def together(board: Board, used: tuple[Power, ...]) -> Powers:
    """What powers come to."""
    cost = taken_together(board, used)
    gained, faith = given_together(board, used)
    return Powers(used, cost, gained.minus(cost), sum(cost), sum(gained), faith)


@lru_cache(4096)
def keepings(depots: tuple[Resource, ...], everything: Counts) -> tuple[Stock, ...]:
    """What the depots (with those of leaders) can hold of everything, in the ways that waste no place."""
    rest = list(everything)
    extra = [0, 0, 0, 0]
    for resource in depots:
        place = INDEX[resource]
        extra[place] = min(LEADER_PLACES, rest[place])
        rest[place] -= extra[place]
    found = set()
    for order in permutations(range(len(RESOURCES)), len(PLACES)):
        kept = extra.copy()
        for place, room in zip(order, PLACES, strict=True):
            kept[place] += min(room, rest[place])
        found.add(Stock(*kept))
    return tuple(sorted(found))
