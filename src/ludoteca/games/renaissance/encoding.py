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
_MARBLES: tuple[str, ...] = get_args(Marble)
_PHASES: tuple[str, ...] = get_args(Phase)


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
    around = [(seat + place) % seats for place in range(seats)]
    numbers: list[int] = []
    for player in around:
        numbers += _board(view.boards[player])
        numbers.append(view.current == player)
        numbers.append(view.first == player)
    face_up = {pile.card for pile in view.grid}
    numbers += [card in face_up for card in CARDS]
    numbers += [pile.left for pile in view.grid]
    for marble in (*view.marbles, view.slide):
        numbers += [marble == kind for kind in _MARBLES]
    numbers += [view.waiting.count(resource) for resource in RESOURCES]
    numbers += _draft(view)
    numbers += [view.phase == phase for phase in _PHASES]
    numbers += (view.acted, view.reports, view.last_round, view.cross or 0)
    numbers += [token in view.turned for token in TOKENS]
    return bytes(numbers)


def _board(board: Board) -> list[int]:
    hand = board.hand if board.kept else board.dealt
    numbers: list[int] = [leader in hand for leader in LEADERS]
    numbers += [leader in board.played for leader in LEADERS]
    numbers += (len(hand), board.kept, board.due, board.faith, board.here)
    for tile in board.tiles:
        numbers += (tile == "up", tile == "lost")
    for place in range(len(_DEPOTS)):
        depot = board.depots[place] if place < len(board.depots) else None
        numbers += [depot.count if depot and depot.resource == one else 0 for one in RESOURCES]
    numbers += [min(255, count) for count in board.strongbox]
    for slot in board.slots:
        top = slot[-1] if slot else None
        numbers += [card == top for card in CARDS]
        numbers.append(len(slot))
    return numbers


def _draft(view: View) -> list[int]:
    """The steps of a decision that is not complete: depots filled, powers used, the card to be paid."""
    filled = [0] * (len(_DEPOTS) * len(RESOURCES))
    slots, leaders = [0] * SLOTS, [0] * len(LEADERS)
    cards, basic = [0] * len(CARDS), 0
    for step in view.draft:
        match step:
            case actions.Store(depot=depot, resource=resource, count=count) if resource is not None:
                filled[depot * len(RESOURCES) + RESOURCES.index(resource)] = count
            case actions.BuyCard(card=card):
                cards[list(CARDS).index(card)] = 1
            case actions.UseSlot(slot=slot):
                slots[slot] = 1
            case actions.UseLeader(leader=leader):
                leaders[list(LEADERS).index(leader)] = 1
            case actions.UseBasic():
                basic = 1
    return [*filled, *slots, *leaders, *cards, basic, len(view.draft)]
