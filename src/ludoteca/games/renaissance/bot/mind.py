"""What a board is worth before the end, and what each turn would make of it.

A whole turn is judged at once (a line with the best way to keep what it gives, a card with its slot, a set of
powers), though it is asked for in steps. A board is worth its points, what its powers will yield in the turns
that are left, and the next good cards, the more the nearer they are.
"""

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

import msgspec

from ludoteca.games.renaissance.actions import Action, BuyCard, Power, UseBasic, UseLeader, UseSlot
from ludoteca.games.renaissance.cards.depots import pool
from ludoteca.games.renaissance.cards.leaders import depot_resources, price
from ludoteca.games.renaissance.cards.market import harvest, line_choices
from ludoteca.games.renaissance.cards.powers import (
    BASIC,
    LEADER_USES,
    SLOT_USES,
    given_together,
    taken_together,
)
from ludoteca.games.renaissance.data import (
    CARDS,
    CARDS_TO_END,
    CELL_POINTS,
    COLOURS,
    INDEX,
    LAST_CELL,
    LEADER_PLACES,
    LEADERS,
    LEVELS,
    NOTHING,
    ONE,
    PLACES,
    REPORTS,
    RESOURCES,
    SLOTS,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.state import Tabletop

Slots = tuple[tuple[str, ...], ...]
# What could be bought, and what that would add.
Targets = list[tuple[Stock, float]]


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

# The basic power: what it takes, and what that and what it gives change.
BASIC_CHANGES = tuple((use, takes, ONE[use.gain].minus(takes)) for use, takes in BASIC)

NET = {card: sum(facts.gives) - 0.9 * sum(facts.takes) for card, facts in CARDS.items()}


class Known(NamedTuple):
    """What minds have in common that see the same slots, leaders and open cards: what could be bought, what
    resources were found to be worth for that, and what was best kept of what there was."""

    targets: Targets
    worths: dict[Stock, float]
    kept: dict[Hashable, tuple[float, Stock]]


_KNOWN: dict[Hashable, Known] = {}
KNOWN_MAX = 1000


class Mind:
    """How one seat judges a tabletop. `slots` can be others than those of the board, to look ahead."""

    def __init__(self, tabletop: Tabletop, seat: int, weights: Weights, slots: Slots | None = None) -> None:
        self.tabletop = tabletop
        self.seat = seat
        self.board = tabletop.boards[seat]
        self.slots = self.board.slots if slots is None else slots
        self.weights = weights
        self.hand = [leader for leader in self.board.hand if leader is not None]
        self._turns = turns_left(tabletop)
        self._near = _nearness(weights.near, weights.ready)
        known = self._recall()
        self._targets, self._worths, self._kept = known.targets, known.worths, known.kept
        self.owned = self.board.resources
        self._stored = sum(self.board.strongbox)
        self._held = sum(self.owned) - self._stored

    # What things are worth.

    def power(self, card: str) -> float:
        """What the power of a card will yield."""
        weights = self.weights
        made = weights.resource * NET[card] + weights.faith_made * CARDS[card].faith
        return weights.engine * self._turns * made

    def gain(self, card: str, slot: int) -> float:
        """What a card would add to the board, less what it covers."""
        weights, facts = self.weights, CARDS[card]
        worth = facts.points + weights.card + self.power(card)
        if self.slots[slot]:
            worth -= self.power(self.slots[slot][-1])
        if weights.scarce:
            column = self.tabletop.grid[COLOURS.index(facts.colour) :: len(COLOURS)]
            worth -= weights.scarce * max(0, 8 - sum(pile.left for pile in column))
        if self.hand:
            slots = _with_card(self.slots, card, slot)
            for leader in self.hand:
                worth += self.promise(leader, slots) - self.promise(leader, self.slots)
        return worth

    def promise(self, leader: str, slots: Slots) -> float:
        """What a leader in hand is worth by the cards it still needs."""
        return _promise(leader, slots, self.weights.hand)

    def _recall(self) -> Known:
        """What is known already: who looks ahead comes to the same again and again."""
        tabletop, board = self.tabletop, self.board
        key = (
            self.weights,
            self.slots,
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
            known = _KNOWN[key] = Known([] if tabletop.last_round else self._find_targets(), {}, {})
        return known

    def _find_targets(self) -> Targets:
        """The cards that could be bought some time, and leaders that want resources, with
        what they would add, the most first."""
        found: dict[str, float] = {}
        for card, slot in _fitting(self.tabletop, self.slots):
            gain = self.gain(card, slot)
            if gain > found.get(card, 0.0):
                found[card] = gain
        wanted = [LEADERS[leader] for leader in self.hand if not LEADERS[leader].cards]
        targets = [
            *((price(self.board, card), gain) for card, gain in found.items()),
            *((facts.resources, facts.points + 1.0) for facts in wanted),
        ]
        targets.sort(key=lambda target: -target[1])
        return targets

    def stock(self, stock: Stock) -> float:
        """What resources are worth: by themselves, and for the two cards they lead to best."""
        known = self._worths.get(stock)
        if known is not None:
            return known
        a, b, c, d = stock
        best = second = 0.0
        near, ready = self._near, self._near[0]
        for (e, f, g, h), gain in self._targets:
            if gain * ready <= second:
                # Nor will those that add less be among the two.
                break
            # Written out: nothing is called more often.
            missing = 0
            if e > a:
                missing += e - a
            if f > b:
                missing += f - b
            if g > c:
                missing += g - c
            if h > d:
                missing += h - d
            worth = gain * near[missing]
            if worth > best:
                best, second = worth, best
            elif worth > second:
                second = worth
        each = 0.2 if self.tabletop.last_round else self.weights.resource
        worth = self._worths[stock] = each * (a + b + c + d) + best + self.weights.second * second
        return worth

    def faith(self, cell: int) -> float:
        """What a place on the faith track is worth."""
        return self.weights.faith * _faith_worth(min(cell, LAST_CELL), self.tabletop.reports)

    # Whole turns, each with its worth and its first step.

    def turns(self) -> list[tuple[float, Action]]:
        """Every turn worth looking at."""
        produced = [(worth, power) for worth, power in self.productions() if power is not None]
        return [*self._lines(), *self._purchases(), *produced]

    def _lines(self) -> Iterator[tuple[float, Action]]:
        board = self.board
        for take in line_choices(self.tabletop, board):
            taken, faith = harvest(self.tabletop, board, take)
            yield self.keep(taken)[0] + self.faith(board.faith + faith), take

    def keep(self, taken: Iterable[Resource]) -> tuple[float, Stock]:
        """The best that the warehouse can hold of what it has and what was taken, and what that is worth."""
        board = self.board
        key = depots, everything, strongbox = (
            tuple(depot_resources(board)),
            pool(board, taken),
            board.strongbox,
        )
        known = self._kept.get(key)
        if known is None:
            total, discard = sum(everything), self.weights.discard
            known = -1e9, NOTHING
            for kept in _keepings(depots, everything):
                worth = self.stock(kept.plus(strongbox)) - discard * (total - sum(kept))
                if worth > known[0]:
                    known = worth, kept
            self._kept[key] = known
        return known[0] + self.weights.vault * sum(strongbox), known[1]

    def _purchases(self) -> Iterator[tuple[float, Action]]:
        board = self.board
        owned = self.owned
        for card, slot in _fitting(self.tabletop, self.slots):
            cost = price(board, card)
            if owned.covers(cost):
                later = Mind(self.tabletop, self.seat, self.weights, _with_card(self.slots, card, slot))
                worth = self.gain(card, slot) + later.stock(owned.minus(cost)) + self._vault(sum(cost), 0)
                yield worth + self.faith(board.faith), BuyCard(card, slot)

    def productions(self, fixed: tuple[Power, ...] = ()) -> Iterator[tuple[float, Power | None]]:
        """Sets of powers that hold the fixed ones, with the first power that is not among these, if any."""
        owned = self.owned
        found: list[tuple[float, tuple[Power, ...]]] = []
        for powers in self._power_sets(fixed):
            cost = taken_together(self.board, powers)
            if owned.covers(cost):
                found.append((self._produced(powers, cost), powers))
        found.sort(key=lambda pair: -pair[0])
        if not any(isinstance(power, UseBasic) for power in fixed):
            found += [self._with_basic(powers) for _, powers in found[:3]]
        for worth, powers in found:
            if powers:
                yield worth, next((power for power in powers if power not in fixed), None)

    def _power_sets(self, fixed: tuple[Power, ...]) -> Iterator[tuple[Power, ...]]:
        slots_used = [power.slot for power in fixed if isinstance(power, UseSlot)]
        leaders_used = [power.leader for power in fixed if isinstance(power, UseLeader)]
        choices: list[list[tuple[Power, ...]]] = []
        for use in SLOT_USES:
            if self.board.slots[use.slot] and use.slot not in slots_used:
                choices.append([(), (use,)])
        for leader in self.board.played:
            if leader in LEADER_USES and leader not in leaders_used:
                choices.append([(), *((use,) for use in LEADER_USES[leader])])
        for chosen in product(*choices):
            yield (*fixed, *(power for part in chosen for power in part))

    def _produced(self, powers: tuple[Power, ...], cost: Stock) -> float:
        gained, faith = given_together(self.board, powers)
        stock = self.owned.minus(cost).plus(gained)
        return self.stock(stock) + self._vault(sum(cost), sum(gained)) + self.faith(self.board.faith + faith)

    def _with_basic(self, powers: tuple[Power, ...]) -> tuple[float, tuple[Power, ...]]:
        """The powers with the best use of the basic one besides; no powers when that cannot be paid."""
        cost = taken_together(self.board, powers)
        gained, faith = given_together(self.board, powers)
        left = self.owned.minus(cost)
        after = left.plus(gained)
        best: tuple[float, tuple[Power, ...]] = (-1e9, ())
        # It always takes two and gives one.
        vault = self._vault(sum(cost) + 2, sum(gained) + 1)
        for use, takes, change in BASIC_CHANGES:
            if left.covers(takes):
                worth = self.stock(after.plus(change)) + vault
                if worth > best[0]:
                    best = worth, (*powers, use)
        return best[0] + self.faith(self.board.faith + faith), best[1]

    def _vault(self, cost: int, gained: int) -> float:
        """The strongbox after a payment, which comes from the depots as far as it can."""
        return self.weights.vault * (self._stored + gained - max(0, cost - self._held))

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


def turns_left(tabletop: Tabletop) -> float:
    """How many turns each player will probably still have."""
    cards = max(sum(map(len, board.slots)) for board in tabletop.boards)
    faith = max(board.faith for board in tabletop.boards)
    left = min(3.0 * (CARDS_TO_END - cards), float(LAST_CELL - faith))
    if tabletop.cross is not None:
        left = min(left, (LAST_CELL - tabletop.cross) / 0.75)
    return max(0.0 if tabletop.last_round else 1.0, left)


@lru_cache(20_000)
def _promise(leader: str, slots: Slots, hand: float) -> float:
    facts = LEADERS[leader]
    owned = [CARDS[card] for slot in slots for card in slot]
    missing = 0.0 if facts.cards else 2.0
    for need in facts.cards:
        count = sum([card.colour == need.colour and need.level in (0, card.level) for card in owned])
        missing += max(0, need.count - count) * (2.0 if need.level else 1.0)
    share: float = hand**missing
    return (facts.points + 1.0) * share


@lru_cache
def _faith_worth(cell: int, reports: int) -> float:
    """Points of the track, smoothed, and of the tiles that can still be won."""
    low = cell // 3 * 3
    worth = float(CELL_POINTS[low])
    if low < LAST_CELL:
        worth += (CELL_POINTS[low + 3] - CELL_POINTS[low]) * (cell - low) / 3
    for report in REPORTS[reports:]:
        missing = report.section - cell
        worth += report.points * (1.0 if missing <= 0 else max(0.0, 0.7 - missing * 0.1))
    return worth


@lru_cache
def _nearness(near: float, ready: float) -> list[float]:
    """How much of a card's worth counts when so many resources are missing."""
    return [ready * near**missing for missing in range(sum(PLACES) * 4)]


@lru_cache(4096)
def _keepings(depots: tuple[Resource, ...], everything: Stock) -> tuple[Stock, ...]:
    """What the depots can hold of everything, in the ways that waste no place."""
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


def _with_card(slots: Slots, card: str, slot: int) -> Slots:
    return (*slots[:slot], (*slots[slot], card), *slots[slot + 1 :])
