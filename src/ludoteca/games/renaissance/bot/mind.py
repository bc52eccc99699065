"""What a board is worth before the end, and what each turn would make of it.

A whole turn is judged at once (a line with the best way to keep what it gives, a card with its slot, a set of
powers), though it is asked for in steps. A board is worth its points, what its powers will yield in the turns
that are left, and the next good cards, the more the nearer they are.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ludoteca.games.renaissance.actions import Action, BuyCard, Power, UseBasic
from ludoteca.games.renaissance.bot.offers import (
    BASIC_USES,
    Counts,
    Powers,
    keepings,
    lines,
    powers,
    together,
)
from ludoteca.games.renaissance.cards.leaders import depot_resources, price
from ludoteca.games.renaissance.data import (
    CARDS,
    CARDS_TO_END,
    CELL_POINTS,
    COLOURS,
    LAST_CELL,
    LEADERS,
    LEVELS,
    NOTHING,
    PLACES,
    REPORTS,
    SLOTS,
    Stock,
)
from ludoteca.games.renaissance.state import Tabletop

Slots = tuple[tuple[str, ...], ...]
# What could be bought, and what that would add.
Targets = list[tuple[Stock, float]]


class Turn(NamedTuple):
    """A whole turn: its first step, and what to keep of a line, or all powers of a production."""

    first: Action
    kept: Stock = NOTHING
    powers: tuple[Power, ...] = ()


class Weights(msgspec.Struct, frozen=True):
    """What things are worth, in points: found by playing against each other's variations."""

    card: float  # each card, beside its points: it brings the end nearer
    engine: float  # how often in the turns left a power is used
    faith_made: float  # faith that a power gives
    resource: float  # a resource, whatever it is good for
    vault: float  # a resource that needs no place in a depot
    near: float  # a card for each resource that is missing
    ready: float  # a card that could be bought at once
    second: float  # the second best card
    faith: float  # the faith track
    discard: float  # faith for the others
    hand: float  # a leader for each card that is missing
    scarce: float  # each card less than eight of a colour: when none is left, Lorenzo has won
    points: float = 1.0  # a point of a card
    engine_at_once: float = 0.0  # a power, however few turns are left
    takes: float = 0.9  # a resource that a power takes, beside one that it gives
    made: float = 1.0  # how far away a missing resource is that a power gives
    tile: float = 0.7  # the chance of a tile at the gates of its section
    tile_step: float = 0.1  # and how much less it is a cell further away
    tile_race: float = 0.0  # and for each cell by which a rival is nearer to the report than eight
    discount: float = 1.0  # leaders of a kind, beside their points
    depot: float = 1.0
    exchange: float = 1.0
    production: float = 1.0
    dear: float = 2.0  # how many cards away a leader is that wants resources
    turns_a_card: float = 3.0  # how many turns pass from one card to the next
    fading: float = 1.0  # in how many turns before the end resources lose their worth


MANY = Weights(
    card=1.0,
    engine=0.15,
    faith_made=1.2,
    resource=0.6,
    vault=0.12,
    near=0.95,
    ready=0.9,
    second=0.25,
    faith=0.9,
    discard=0.6,
    hand=0.28,
    scarce=0.0,
)
# Against Lorenzo only the seventh card counts, and every cell of the black cross.
ALONE = Weights(
    card=20.0,
    engine=0.25,
    faith_made=0.23,
    resource=0.3,
    vault=0.12,
    near=0.84,
    ready=0.85,
    second=0.24,
    faith=0.7,
    discard=1.9,
    hand=0.8,
    scarce=1.5,
)

# With how many sets of powers the basic one is tried.
BASIC_TRIED = 3
# Into how many parts a missing resource is divided.
FAR = 8


class Known(NamedTuple):
    """What minds have in common that see the same slots, leaders and open cards: what could be bought for how
    much, and what that would add; what resources are worth for that, and what was best kept of them; how far
    away a missing one is, in parts of FAR."""

    buys: list[tuple[str, int, Stock, float]]
    targets: Targets
    worths: dict[Counts, float]
    kept: dict[Hashable, tuple[float, Stock]]
    far: Counts


_KNOWN: dict[Hashable, Known] = {}
KNOWN_MAX = 1000


class Mind:
    """How one seat judges a tabletop."""

    def __init__(self, tabletop: Tabletop, seat: int, weights: Weights) -> None:
        self.tabletop = tabletop
        self.board = tabletop.boards[seat]
        self.slots = self.board.slots
        self.weights = weights
        self.hand = [leader for leader in self.board.hand if leader is not None]
        self._turns = turns_left(tabletop, weights.turns_a_card)
        self._near = _nearness(weights.near, weights.ready)
        rival = max([board.faith for board in tabletop.boards if board is not self.board], default=0)
        self._faith = _track(tabletop.reports, rival if weights.tile_race else 0, weights)
        self._each = 0.2
        if not tabletop.last_round:
            self._each += (weights.resource - 0.2) * min(1.0, self._turns / weights.fading)
        self._known = self._recall(self.slots)
        self.owned = self.board.resources
        self._stored = sum(self.board.strongbox)
        self._held = self.owned.minus(self.board.strongbox)
        self._placed = sum(self._held)

    # What things are worth.

    def power(self, card: str) -> float:
        """What the power of a card will yield."""
        weights = self.weights
        made = weights.resource * net(card, weights.takes) + weights.faith_made * CARDS[card].faith
        return (weights.engine * self._turns + weights.engine_at_once) * made

    def gain(self, card: str, slot: int, slots: Slots) -> float:
        """What a card would add to a board with these slots, less what it covers."""
        weights, facts = self.weights, CARDS[card]
        worth = weights.points * facts.points + weights.card + self.power(card)
        if slots[slot]:
            worth -= self.power(slots[slot][-1])
        if weights.scarce:
            column = self.tabletop.grid[COLOURS.index(facts.colour) :: len(COLOURS)]
            worth -= weights.scarce * max(0, 8 - sum(pile.left for pile in column))
        if self.hand:
            later = _with_card(slots, card, slot)
            for leader in self.hand:
                worth += self.promise(leader, later) - self.promise(leader, slots)
        return worth

    def promise(self, leader: str, slots: Slots) -> float:
        """What a leader in hand is worth by the cards it still needs."""
        return _promise(leader, slots, self.weights)

    def _recall(self, slots: Slots) -> Known:
        """What is known already of these slots: who looks ahead comes to the same again and again."""
        tabletop, board = self.tabletop, self.board
        key = (
            self.weights,
            slots,
            board.hand,
            board.played,
            self._turns,
            tabletop.last_round,
            tuple([pile.card for pile in tabletop.grid]),
            tuple([pile.left for pile in tabletop.grid]) if self.weights.scarce else (),
        )
        known = _KNOWN.get(key)
        if known is None:
            if len(_KNOWN) >= KNOWN_MAX:
                _KNOWN.clear()
            buys = [
                (card, slot, price(board, card), self.gain(card, slot, slots))
                for card, slot in _fitting(tabletop, slots)
            ]
            targets = [] if tabletop.last_round else self._targets(buys)
            known = _KNOWN[key] = Known(buys, targets, {}, {}, _far(slots, self.weights.made))
        return known

    def _targets(self, buys: Iterable[tuple[str, int, Stock, float]]) -> Targets:
        """The cards that could be bought some time, and leaders that want resources, with
        what they would add, the most first."""
        best: dict[str, tuple[Stock, float]] = {}
        for card, _, cost, gain in buys:
            if gain > best.get(card, (cost, 0.0))[1]:
                best[card] = cost, gain
        wanted = [leader for leader in self.hand if not LEADERS[leader].cards]
        targets = [
            *best.values(),
            *((LEADERS[leader].resources, _leader_worth(leader, self.weights)) for leader in wanted),
        ]
        targets.sort(key=lambda target: -target[1])
        return targets

    def stock(self, stock: Counts, known: Known | None = None) -> float:
        """What resources are worth: by themselves, and for the two cards they lead to best."""
        _, targets, worths, _, (far_a, far_b, far_c, far_d) = known or self._known
        remembered = worths.get(stock)
        if remembered is not None:
            return remembered
        a, b, c, d = stock
        best = second = 0.0
        near, ready = self._near, self._near[0]
        for (e, f, g, h), gain in targets:
            if gain * ready <= second:
                # Nor will those that add less be among the two.
                break
            # Written out: nothing is called more often.
            missing = 0
            if e > a:
                missing += (e - a) * far_a
            if f > b:
                missing += (f - b) * far_b
            if g > c:
                missing += (g - c) * far_c
            if h > d:
                missing += (h - d) * far_d
            worth = gain * near[missing]
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
        worth = worths[stock] = self._each * (a + b + c + d) + best + self.weights.second * second
        return worth

    def faith(self, cell: int) -> float:
        """What a place on the faith track is worth."""
        return self._faith[min(cell, LAST_CELL)]

    # Whole turns, each with its worth and its first step.

    def turns(self) -> list[tuple[float, Turn]]:
        """Every turn worth looking at."""
        produced = [(worth, Turn(powers[0], powers=powers)) for worth, powers in self._power_sets(())]
        return [*self._lines(), *self._purchases(), *produced]

    def _lines(self) -> Iterator[tuple[float, Turn]]:
        board = self.board
        for take, taken, faith in lines(self.tabletop, board):
            worth, kept = self.keep(taken)
            yield worth + self.faith(board.faith + faith), Turn(take, kept)

    def keep(self, taken: Counts) -> tuple[float, Stock]:
        """The best that the warehouse can hold of what it has and what was taken, and what that is worth."""
        (a, b, c, d), (e, f, g, h) = self._held, taken
        everything, strongbox = (a + e, b + f, c + g, d + h), self.board.strongbox
        key = everything, strongbox
        known = self._known.kept.get(key)
        if known is None:
            total, discard = sum(everything), self.weights.discard
            a, b, c, d = strongbox
            known = -1e9, NOTHING
            for kept in keepings(depot_resources(self.board), everything):
                e, f, g, h = kept
                worth = self.stock((a + e, b + f, c + g, d + h)) - discard * (total - e - f - g - h)
                if worth > known[0]:
                    known = worth, kept
            self._known.kept[key] = known
        return known[0] + self.weights.vault * self._stored, known[1]

    def _purchases(self) -> Iterator[tuple[float, Turn]]:
        owned = self.owned
        for card, slot, cost, gain in self._known.buys:
            if owned.covers(cost):
                later = self._recall(_with_card(self.slots, card, slot))
                worth = gain + self.stock(owned.minus(cost), later) + self._vault(sum(cost), 0)
                yield worth + self.faith(self.board.faith), Turn(BuyCard(card, slot))

    def productions(self, fixed: tuple[Power, ...] = ()) -> Iterator[tuple[float, Power | None]]:
        """What sets of powers that hold the fixed ones are worth, with the first other power, if any."""
        for worth, used in self._power_sets(fixed):
            yield worth, next((power for power in used if power not in fixed), None)

    def _power_sets(self, fixed: tuple[Power, ...]) -> list[tuple[float, tuple[Power, ...]]]:
        found: list[tuple[float, Powers]] = []
        offered: Iterable[Powers] = powers(self.board)
        if fixed:
            others = [
                [power for power in used.powers if power not in fixed]
                for used in offered
                if {power for power in fixed if not isinstance(power, UseBasic)} <= {*used.powers}
            ]
            offered = [together(self.board, (*fixed, *more)) for more in others]
        for used in offered:
            if self.owned.covers(used.cost):
                worth = self.stock(self.owned.plus(used.change)) + self._vault(used.spent, used.gained)
                found.append((worth + self.faith(self.board.faith + used.faith), used))
        found.sort(key=_worth, reverse=True)
        judged = [(worth, used.powers) for worth, used in found]
        if not any(isinstance(power, UseBasic) for power in fixed):
            judged += [self._with_basic(used) for _, used in found[:BASIC_TRIED]]
        return [pair for pair in judged if pair[1]]

    def _with_basic(self, used: Powers) -> tuple[float, tuple[Power, ...]]:
        """The powers with the best use of the basic one besides; no powers when that cannot be paid."""
        left = self.owned.minus(used.cost)
        a, b, c, d = self.owned.plus(used.change)
        best, chosen = -1e9, None
        worths, stock = self._known.worths, self.stock
        for takes, uses in BASIC_USES:
            if left.covers(takes):
                for use, (e, f, g, h) in uses:
                    after = (a + e, b + f, c + g, d + h)
                    worth = worths.get(after) or stock(after)
                    if worth > best:
                        best, chosen = worth, use
        if chosen is None:
            return best, ()
        # It always takes two and gives one.
        best += self._vault(used.spent + 2, used.gained + 1) + self.faith(self.board.faith + used.faith)
        return best, (*used.powers, chosen)

    def _vault(self, cost: int, gained: int) -> float:
        """The strongbox after a payment, which comes from the depots as far as it can."""
        return self.weights.vault * (self._stored + gained - max(0, cost - self._placed))

    def standing(self) -> float:
        """The whole board as it is."""
        board, weights = self.board, self.weights
        worth = self.stock(self.owned) + self.faith(board.faith)
        for slot in board.slots:
            worth += sum(CARDS[card].points + weights.card for card in slot)
            worth += self.power(slot[-1]) if slot else 0.0
        worth += sum(LEADERS[leader].points for leader in board.played)
        worth += sum(self.promise(leader, board.slots) for leader in self.hand)
        tiles = zip(REPORTS, board.tiles, strict=True)
        worth += sum(report.points for report, tile in tiles if tile == "up")
        return worth - weights.discard * (self.tabletop.cross or 0)


def net(card: str, takes: float) -> float:
    """What the power of a card gives more than it takes."""
    facts = CARDS[card]
    return sum(facts.gives) - takes * sum(facts.takes)


def turns_left(tabletop: Tabletop, turns_a_card: float = MANY.turns_a_card) -> float:
    """How many turns each player will probably still have."""
    cards = max(sum(map(len, board.slots)) for board in tabletop.boards)
    faith = max(board.faith for board in tabletop.boards)
    left = min(turns_a_card * (CARDS_TO_END - cards), float(LAST_CELL - faith))
    if tabletop.cross is not None:
        left = min(left, (LAST_CELL - tabletop.cross) / 0.75)
    return max(0.0 if tabletop.last_round else 1.0, left)


@lru_cache(20_000)
def _promise(leader: str, slots: Slots, weights: Weights) -> float:
    facts = LEADERS[leader]
    owned = [CARDS[card] for slot in slots for card in slot]
    missing = 0.0 if facts.cards else weights.dear
    for need in facts.cards:
        count = sum([card.colour == need.colour and need.level in (0, card.level) for card in owned])
        missing += max(0, need.count - count) * (2.0 if need.level else 1.0)
    share: float = weights.hand**missing
    return _leader_worth(leader, weights) * share


def _leader_worth(leader: str, weights: Weights) -> float:
    facts = LEADERS[leader]
    bonus: float = getattr(weights, facts.kind)
    return facts.points + bonus


@lru_cache
def _track(reports: int, rival: int, weights: Weights) -> list[float]:
    """What each cell of the faith track is worth."""
    return [weights.faith * _cell_worth(cell, reports, rival, weights) for cell in range(LAST_CELL + 1)]


def _cell_worth(cell: int, reports: int, rival: int, weights: Weights) -> float:
    """Points of the track, smoothed, and of the tiles that can still be won, in a race with a rival."""
    low = cell // 3 * 3
    worth = float(CELL_POINTS[low])
    if low < LAST_CELL:
        worth += (CELL_POINTS[low + 3] - CELL_POINTS[low]) * (cell - low) / 3
    for report in REPORTS[reports:]:
        missing = report.section - cell
        chance = weights.tile - missing * weights.tile_step
        chance -= weights.tile_race * max(0, rival + 8 - report.pope_space)
        worth += report.points * (1.0 if missing <= 0 else min(1.0, max(0.0, chance)))
    return worth


@lru_cache
def _nearness(near: float, ready: float) -> list[float]:
    """How much of a card's worth counts when so many parts of resources are missing."""
    return [ready * near ** (parts / FAR) for parts in range(sum(PLACES) * 4 * FAR)]


def _far(slots: Slots, made: float) -> Counts:
    """How many parts each missing resource counts: those that a power gives are nearer."""
    tops = [CARDS[slot[-1]].gives for slot in slots if slot]
    parts = [max(1, round(FAR * made)) if any(gives[place] for gives in tops) else FAR for place in range(4)]
    a, b, c, d = parts
    return a, b, c, d


def _fitting(tabletop: Tabletop, slots: Slots) -> list[tuple[str, int]]:
    """The open cards with the slots they fit on; of equal empty slots only the first."""
    found = []
    heights = [len(slot) for slot in slots]
    for place, pile in enumerate(tabletop.grid):
        if pile.card is not None:
            height = LEVELS[place // len(COLOURS)] - 1
            fitting = [slot for slot in range(SLOTS) if heights[slot] == height]
            found += [(pile.card, slot) for slot in (fitting if height else fitting[:1])]
    return found


def _worth(pair: tuple[float, Powers]) -> float:
    return pair[0]


def _with_card(slots: Slots, card: str, slot: int) -> Slots:
    return (*slots[:slot], (*slots[slot], card), *slots[slot + 1 :])
