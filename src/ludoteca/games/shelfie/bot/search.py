"""A whole turn at once, what it leaves to the others, and how the next round goes from there."""

import math
from collections.abc import Callable
from itertools import permutations

from ludoteca.core import Dice, Seat
from ludoteca.games.shelfie.actions import FillColumn, TakeTiles
from ludoteca.games.shelfie.bot.quick import Quick
from ludoteca.games.shelfie.data import FIRST_FULL_SHELF_POINTS, SHELF_ROWS, Tile
from ludoteca.games.shelfie.rules import apply
from ludoteca.games.shelfie.state import Shelf, State
from ludoteca.games.shelfie.view import redeal

# A turn: what to take, and how to put it away.
Turn = tuple[TakeTiles | None, FillColumn]

# How many turns are compared at first, of how many fills of one hand; the worse half of them is given up
# after each so many worlds, until two are left.
TURNS_MAX = 12
FILLS_MAX = 3
WORLDS_PER_HALVING = 2
# More than there is time for: who has for ever, ends.
WORLDS_MAX = 200
# A lead of so many points, and so much for each free cell, makes one about three times as likely to win.
LEAD = 3.0
LEAD_PER_CELL = 0.25


def turns(state: State, mind: Quick, fills_max: int = 1) -> list[tuple[float, Turn]]:
    """The turns that are open, with the worth of the bookshelf they make: of each hand the best few fills,
    the best first."""
    tabletop = state.tabletop
    (seat,) = state.questions
    shelf = tabletop.shelf(seat)
    if tabletop.hand:
        return [(worth, (None, fill)) for worth, fill in fills(shelf, tabletop.hand, mind)[:TURNS_MAX]]
    room = tabletop.room
    known: dict[tuple[Tile, ...], list[tuple[float, FillColumn]]] = {}
    found: list[tuple[float, Turn]] = []
    for take in state.choices:
        assert isinstance(take, TakeTiles)
        hand = tuple(sorted([tile for row, column in take.cells if (tile := room[row][column])]))
        ways = known.get(hand)
        if ways is None:
            ways = known[hand] = fills(shelf, hand, mind)[:fills_max]
        found += [(worth, (take, fill)) for worth, fill in ways]
    found.sort(key=_worth, reverse=True)
    return found


def fills(shelf: Shelf, hand: tuple[Tile, ...], mind: Quick) -> list[tuple[float, FillColumn]]:
    """Every way to put a hand away, the best first."""
    found = []
    orders = {*permutations(hand)}
    for column, stack in enumerate(shelf):
        if len(stack) + len(hand) <= SHELF_ROWS:
            after = shelf.copy()
            for order in orders:
                after[column] = stack + order
                found.append((mind.worth(after), FillColumn(column, order)))
    found.sort(key=_worth, reverse=True)
    return found


def _worth(pair: tuple[float, object]) -> float:
    return pair[0]


def play(state: State, seat: int, turn: Turn) -> None:
    """Let a turn happen."""
    take, fill = turn
    if take is not None:
        apply(state, Seat(seat), take)
    apply(state, Seat(seat), fill)


def best_turn(state: State, seat: Seat, dice: Dice, more: Callable[[], bool]) -> Turn:
    """Of the turns that look best, the one after which a round and one turn go best, in worlds that this seat
    cannot tell apart, for as long as there is time."""
    rivals = [turn for _, turn in turns(state, Quick(state.tabletop, seat), FILLS_MAX)[:TURNS_MAX]]
    sums = dict.fromkeys(rivals, 0.0)
    worlds = 0
    while len(rivals) > 1 and worlds < WORLDS_MAX and more():
        world = redeal(state, seat, dice)
        values = []
        for turn in rivals:
            values.append(_chance(world.clone(), seat, turn))
            if not more():
                break
        if len(values) < len(rivals):
            # A round that was cut short compares nothing.
            break
        worlds += 1
        for turn, value in zip(rivals, values, strict=True):
            sums[turn] += value
        rivals.sort(key=lambda turn: -sums[turn])
        if worlds % WORLDS_PER_HALVING == 0:
            del rivals[max(2, (len(rivals) + 1) // 2) :]
    return rivals[0]


def _chance(state: State, seat: Seat, turn: Turn) -> float:
    """How likely the seat wins, one round and one turn after this one, if all do what looks best."""
    play(state, seat, turn)
    for _ in state.tabletop.shelves:
        if state.outcome is not None:
            break
        mover = state.tabletop.turn
        assert mover is not None
        play(state, mover, turns(state, Quick(state.tabletop, mover))[0][1])
    if state.outcome is not None:
        return float(state.outcome.ranks[seat] == 1)
    prospects = [prospect(state, owner) for owner in range(len(state.tabletop.shelves))]
    mine = prospects.pop(seat)
    free = min(sum([row.count(None) for row in shelf]) for shelf in state.tabletop.shelves)
    return 1 / (1 + math.exp((max(prospects) - mine) / (LEAD + LEAD_PER_CELL * free)))


def prospect(state: State, seat: int) -> float:
    """About the points that a seat will have."""
    tabletop = state.tabletop
    won = tabletop.tokens(seat) + FIRST_FULL_SHELF_POINTS * (tabletop.filled == seat)
    return won + Quick(tabletop, seat).worth(tabletop.shelf(seat))
