"""A whole turn at once, what it leaves to the others, and how the next round goes from there.

Room and bookshelves are bits here, and what becomes of a bookshelf with a hand is worked out once for all
turns and worlds that come to it: a world costs little more than finding what can be taken in it.
"""

import math
from collections.abc import Callable
from typing import NamedTuple, cast

from ludoteca.core import Dice, Seat
from ludoteca.games.shelfie.actions import (
    EVERYWHERE,
    LINES,
    Action,
    FillColumn,
    any_touch,
    bit_of,
    with_free_side,
)
from ludoteca.games.shelfie.bot.learned import Aims, Bookshelf, Fill, Hand, library
from ludoteca.games.shelfie.bot.weights import WEIGHTS
from ludoteca.games.shelfie.data import FIRST_FULL_SHELF_POINTS, SPACES, TILES, Tile
from ludoteca.games.shelfie.state import NUMBER, State, kinds_of
from ludoteca.games.shelfie.view import redeal

# How many turns are compared at first, of how many fills of one hand; the worse half of them is given up
# after each so many worlds, until two are left.
TURNS_MAX = 12
FILLS_MAX = 3
WORLDS_PER_HALVING = 4
# How much the look of a turn counts beside a world in which it was played on.
LOOK = 1.0
# More than there is time for: who has for ever, ends. A hand was thought about when it was taken.
WORLDS_MAX = 200
WORLDS_OF_A_HAND = 1
# How many turns of each seat are looked at after this one.
ROUNDS = 1
# A lead of so many points, and so much for each free cell, makes one about three times as likely to win.
LEAD = 3.0
LEAD_PER_CELL = 0.25


class Turn(NamedTuple):
    """What to take (a line of cells as bits, 0 where that is done), and how to put it away."""

    line: int
    fill: Fill


# The tiles of a full room, as the lines of each length with the hands that they make.
Room = list[list[tuple[int, Hand]]]

_CELLS = {
    seats: [[(bits, [bit_of(cell) for cell in take.cells]) for bits, take in lines] for lines in LINES[seats]]
    for seats in LINES
}
_SPACES = {seats: [bit_of(cell) for cell in SPACES[seats]] for seats in SPACES}
_TAKES = {bits: take for lines in LINES[max(LINES)] for bits, take in lines}


def _room(tiles: dict[int, int], occupied: int, seats: int) -> Room:
    return [
        [
            (bits, tuple(sorted([tiles[cell] for cell in cells])))
            for bits, cells in lines
            if bits & occupied == bits
        ]
        for lines in _CELLS[seats]
    ]


class Position:
    """A table in a world that one seat thinks possible."""

    __slots__ = (
        "aims", "bag", "cards", "filled", "first", "occupied", "over", "room", "shelves", "tiles", "tokens",
        "turn", "won",
    )  # fmt: skip

    def __init__(self, state: State, weights: tuple[float, ...] = WEIGHTS) -> None:
        tabletop = state.tabletop
        seats = len(tabletop.shelves)
        known = library(tuple([common.id for common in tabletop.commons]), weights)
        known.tidy()
        self.shelves = [known.shelf(kinds_of(tabletop.shelf(seat))) for seat in range(seats)]
        self.tiles = {
            bit_of(cell): NUMBER[tile]
            for cell in SPACES[seats]
            if (tile := tabletop.room[cell.row][cell.column])
        }
        self.occupied = state.occupied
        self.room = _room(self.tiles, self.occupied, seats)
        self.first, self.filled, self.over = tabletop.first, tabletop.filled, tabletop.outcome is not None
        self.turn = tabletop.turn or 0
        self.won = [
            tabletop.tokens(seat) + FIRST_FULL_SHELF_POINTS * (seat == self.filled) for seat in range(seats)
        ]
        self.tokens = [common.tokens for common in tabletop.commons]
        self.deal(state)

    def deal(self, world: State) -> None:
        """What this seat does not know, as it is in another world."""
        tabletop = world.tabletop
        self.bag = world.bag
        self.cards = cast("tuple[int, ...]", tabletop.cards)
        self.aims = [
            Aims(
                card,
                tuple([0 if common.taken[seat] else common.tokens[0] for common in tabletop.commons]),
                tabletop.filled is None,
            )
            for seat, card in enumerate(self.cards)
        ]

    def clone(self) -> "Position":
        """Another one like it, to be played on."""
        copy = object.__new__(Position)
        copy.aims, copy.shelves, copy.won = self.aims.copy(), self.shelves.copy(), self.won.copy()
        copy.tokens, copy.tiles, copy.room, copy.bag = self.tokens.copy(), self.tiles, self.room, self.bag
        copy.cards, copy.filled, copy.first, copy.over = self.cards, self.filled, self.first, self.over
        copy.occupied, copy.turn = self.occupied, self.turn
        return copy

    def takes(self) -> list[tuple[int, Hand]]:
        """The lines that can be taken, with the hands they make."""
        closed = EVERYWHERE ^ with_free_side(self.occupied)
        room = self.room[: self.shelves[self.turn].space]
        return [(bits, hand) for lines in room for bits, hand in lines if not bits & closed]

    def best(self) -> Turn:
        """The turn that looks best at once to whoever is in turn."""
        shelf, aims = self.shelves[self.turn], self.aims[self.turn]
        ways = shelf.ways(aims)
        highest, chosen = -1e9, None
        for line, hand in self.takes():
            worth, fill = ways.get(hand) or shelf.best(hand, aims)
            if worth > highest:
                highest, chosen = worth, Turn(line, fill)
        assert chosen is not None
        return chosen

    def play(self, turn: Turn) -> None:
        """Let a turn happen."""
        seat, shelf = self.turn, turn.fill.shelf
        self.occupied ^= turn.line
        self.shelves[seat] = shelf
        self._win(seat, shelf)
        following = (seat + 1) % len(self.shelves)
        if self.filled is not None and following == self.first:
            self.over = True
            return
        self.turn = following
        if not any_touch(self.occupied):
            self._refill()

    def _win(self, seat: int, shelf: Bookshelf) -> None:
        """Tokens, and whatever they change for the others."""
        aims = self.aims[seat]
        for place, share in enumerate(shelf.shares):
            if share == 1.0 and aims.tokens[place]:
                token, *rest = self.tokens[place]
                self.won[seat] += token
                self.tokens[place] = tuple(rest)
                for other, theirs in enumerate(self.aims):
                    left = [*theirs.tokens]
                    left[place] = rest[0] if rest and left[place] and other != seat else 0
                    self.aims[other] = theirs._replace(tokens=tuple(left))
        if not shelf.free and self.filled is None:
            self.filled = seat
            self.won[seat] += FIRST_FULL_SHELF_POINTS
            self.aims = [theirs._replace(is_end_open=False) for theirs in self.aims]

    def _refill(self) -> None:
        seats = len(self.shelves)
        empty = [cell for cell in _SPACES[seats] if not self.occupied & cell][: len(self.bag)]
        if empty:
            bag = self.bag.copy()
            came = {cell: NUMBER[bag.pop()] for cell in empty}
            self.bag = bag
            self.tiles = {**self.tiles, **came}
            self.occupied |= sum(empty)
            self.room = _room(self.tiles, self.occupied, seats)

    def chance(self, seat: int) -> float:
        """How likely a seat wins."""
        if self.over:
            return self._has_won(seat)
        prospects = [
            won + shelf.worth(aims)
            for won, shelf, aims in zip(self.won, self.shelves, self.aims, strict=True)
        ]
        mine = prospects.pop(seat)
        free = min([shelf.free for shelf in self.shelves])
        return 1 / (1 + math.exp((max(prospects) - mine) / (LEAD + LEAD_PER_CELL * free)))

    def _has_won(self, seat: int) -> float:
        """Of tied players the one furthest from the first."""
        totals = [
            (won + shelf.points(card), (place - self.first) % len(self.won))
            for place, (won, shelf, card) in enumerate(zip(self.won, self.shelves, self.cards, strict=True))
        ]
        return float(max(totals) == totals[seat])


def turns(position: Position, hand: tuple[Tile, ...] = ()) -> list[Turn]:
    """The turns that are open (with this hand, if there is one): of each hand the few best fills, the best
    first."""
    shelf, aims = position.shelves[position.turn], position.aims[position.turn]
    takes = [(0, tuple(sorted([NUMBER[tile] for tile in hand])))] if hand else position.takes()
    found: dict[Hand, list[tuple[float, Fill]]] = {}
    for _, tiles in takes:
        if tiles not in found:
            ways = [(fill.shelf.worth(aims), fill) for fill in shelf.fills(tiles)]
            found[tiles] = sorted(ways, key=_worth, reverse=True)[:FILLS_MAX]
    ranked = [(worth, Turn(line, fill)) for line, tiles in takes for worth, fill in found[tiles]]
    ranked.sort(key=_worth, reverse=True)
    return [turn for _, turn in ranked]


def _worth(pair: tuple[float, object]) -> float:
    return pair[0]


def best_turn(
    state: State,
    seat: Seat,
    dice: Dice,
    more: Callable[[], bool],
    weights: tuple[float, ...] = WEIGHTS,
    worlds_max: int = WORLDS_MAX,
) -> Action:
    """The first step of the turn after which a round and one turn go best, in so many worlds that this seat
    cannot tell apart, for as long as there is time."""
    position, hand = Position(state, weights), state.tabletop.hand
    rivals = turns(position, hand)[:TURNS_MAX]
    sums = {turn: LOOK * _chance(position.clone(), seat, turn, 0) for turn in rivals}
    worlds, enough = 0, WORLDS_OF_A_HAND if hand else worlds_max
    while len(rivals) > 1 and worlds < enough and more():
        position.deal(redeal(state, seat, dice))
        values: list[float] = []
        for turn in rivals:
            values.append(_chance(position.clone(), seat, turn, ROUNDS))
            if not more():
                break
        if not worlds:
            # What there was no time for in the first world looked worse from the beginning.
            del rivals[len(values) :]
        elif len(values) < len(rivals):
            # A round that was cut short compares nothing.
            break
        worlds += 1
        for turn, value in zip(rivals, values, strict=True):
            sums[turn] += value
        rivals.sort(key=lambda turn: -sums[turn])
        if worlds % WORLDS_PER_HALVING == 0:
            del rivals[max(2, (len(rivals) + 1) // 2) :]
    return action_of(rivals[0], hand)


def action_of(turn: Turn, hand: tuple[Tile, ...]) -> Action:
    """What is to be done next in a turn."""
    line, fill = turn
    return FillColumn(fill.column, tuple([TILES[tile] for tile in fill.order])) if hand else _TAKES[line]


def _chance(position: Position, seat: Seat, turn: Turn, rounds: int) -> float:
    """How likely the seat wins, so many rounds after this turn, if all do what looks best."""
    position.play(turn)
    for _ in range(rounds * len(position.shelves)):
        if position.over:
            break
        position.play(position.best())
    return position.chance(seat)
