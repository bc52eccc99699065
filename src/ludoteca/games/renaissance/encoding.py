"""Actions, boards and market as numbers, for those who learn to play."""

from collections.abc import Iterable
from itertools import permutations, product
from typing import Any, get_args

from ludoteca.core import Seat
from ludoteca.core.vocabulary import Nth
from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.cards.powers import BASIC, LEADER_USES, SLOT_USES
from ludoteca.games.renaissance.data import (
    CARDS,
    COLUMNS,
    INDEX,
    LEADER_PLACES,
    LEADERS,
    PLACES,
    RESOURCES,
    ROWS,
    SLOTS,
    TOKENS,
    Marble,
)
from ludoteca.games.renaissance.state import Board, Phase
from ludoteca.games.renaissance.view import View

_DEPOTS = (*PLACES, LEADER_PLACES, LEADER_PLACES)
# Three and two of two kinds with a leader's depot each, one of a third: in so many ways can be paid at most.
PAYMENTS_MAX = 216


def vocabulary(_options: object, _seats: int) -> list[Any]:
    """Leaders kept, resources of the start, lines with what white marbles become, cards on slots, powers,
    payments by their place among all, depots, leaders and the end of a turn."""
    return [
        *(actions.KeepLeaders(first, second) for first, second in permutations(LEADERS, 2)),
        *(actions.ChooseResource(resource, depot) for resource in RESOURCES for depot in range(len(PLACES))),
        *_lines(),
        *(actions.Store(depot) for depot in range(len(_DEPOTS))),
        *(
            actions.Store(depot, resource, count)
            for depot, places in enumerate(_DEPOTS)
            for resource in RESOURCES
            for count in range(1, places + 1)
        ),
        *(actions.BuyCard(card, slot) for card in CARDS for slot in range(SLOTS)),
        *(use for use, _ in BASIC),
        *SLOT_USES,
        *(use for uses in LEADER_USES.values() for use in uses),
        *(Nth("Pay", place) for place in range(PAYMENTS_MAX)),
        actions.TakeBack(),
        *(actions.PlayLeader(leader) for leader in LEADERS),
        *(actions.DiscardLeader(leader) for leader in LEADERS),
        actions.EndTurn(),
    ]


def _lines() -> Iterable[actions.TakeLine]:
    """Every line, with up to as many white marbles as it has places, of at most two leaders' kinds."""
    for length in range(COLUMNS + 1):
        for kinds in product(RESOURCES, repeat=length):
            if len(set(kinds)) <= 2:
                yield from (actions.TakeLine("row", index, kinds) for index in range(ROWS))
                if length <= ROWS:
                    yield from (actions.TakeLine("column", index, kinds) for index in range(COLUMNS))


def tensor(view: View, seat: Seat) -> bytes:
    """The boards from the own one on; then open cards, what is left of the decks, the market, what is being
    placed and decided, and how far the match is."""
    seats = len(view.boards)
    parts: list[bytes | bytearray] = []
    for place in range(seats):
        player = (seat + place) % seats
        parts += _board(view.boards[player])
        parts.append(bytes((view.current == player, view.first == player)))
    parts.append(_flags(_CARDS, (pile.card for pile in view.grid)))
    parts.append(bytes([pile.left for pile in view.grid]))
    parts += [_MARBLES[marble] for marble in view.marbles]
    parts.append(_MARBLES[view.slide])
    parts.append(bytes([view.waiting.count(resource) for resource in RESOURCES]))
    parts.append(_draft(view) if view.draft else _NO_DRAFT)
    parts.append(_PHASES[view.phase])
    parts.append(bytes((view.acted, view.reports, view.last_round, view.cross or 0)))
    parts.append(_flags(_TOKENS, view.turned))
    return b"".join(parts)


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _ones(names: Iterable[str]) -> dict[str, bytes]:
    """For each name as many numbers as there are names: a one in its own place."""
    places = _places(names)
    return {name: bytes(place == other for other in range(len(places))) for name, place in places.items()}


_CARDS, _LEADERS, _TOKENS = _places(CARDS), _places(LEADERS), _places(TOKENS)
_TOPS: dict[str | None, bytes] = {None: bytes(len(CARDS))} | _ones(CARDS)
_MARBLES, _PHASES = _ones(get_args(Marble)), _ones(get_args(Phase))


def _flags(places: dict[str, int], found: Iterable[str | None]) -> bytearray:
    """A one in the place of each name that is there; None is somebody's secret, or nothing."""
    flags = bytearray(len(places))
    for name in found:
        if name is not None:
            flags[places[name]] = 1
    return flags


def _board(board: Board) -> list[bytes | bytearray]:
    hand = board.hand if board.kept else board.dealt
    numbers = [len(hand), board.kept, board.due, board.faith, board.here]
    for tile in board.tiles:
        numbers += (tile == "up", tile == "lost")
    depots = [0] * (len(_DEPOTS) * len(RESOURCES))
    for place, depot in enumerate(board.depots):
        if depot.resource is not None:
            depots[place * len(RESOURCES) + INDEX[depot.resource]] = depot.count
    parts: list[bytes | bytearray] = [_flags(_LEADERS, hand), _flags(_LEADERS, board.played)]
    parts += (bytes(numbers), bytes(depots))
    parts.append(bytes([min(255, count) for count in board.strongbox]))
    for slot in board.slots:
        parts += (_TOPS[slot[-1] if slot else None], bytes((len(slot),)))
    return parts


def _draft(view: View) -> bytes:
    """The steps of a decision that is not complete: depots filled, powers used, the card to be paid."""
    filled = [0] * (len(_DEPOTS) * len(RESOURCES))
    slots, leaders = [0] * SLOTS, [0] * len(LEADERS)
    cards, basic = [0] * len(CARDS), 0
    for step in view.draft:
        match step:
            case actions.Store(depot=depot, resource=resource, count=count) if resource is not None:
                filled[depot * len(RESOURCES) + INDEX[resource]] = count
            case actions.BuyCard(card=card):
                cards[_CARDS[card]] = 1
            case actions.UseSlot(slot=slot):
                slots[slot] = 1
            case actions.UseLeader(leader=leader):
                leaders[_LEADERS[leader]] = 1
            case actions.UseBasic():
                basic = 1
    return bytes((*filled, *slots, *leaders, *cards, basic, len(view.draft)))


_NO_DRAFT = bytes(len(_DEPOTS) * len(RESOURCES) + SLOTS + len(LEADERS) + len(CARDS) + 2)
