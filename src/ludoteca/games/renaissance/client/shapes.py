"""Between our records and the shapes of the protocol, from the client's side."""

from collections.abc import Sequence
from typing import assert_never, cast

from ludoteca.games.renaissance import actions as act
from ludoteca.games.renaissance.cards.powers import LEADER_USES
from ludoteca.games.renaissance.data import (
    CARDS,
    INDEX,
    LEADERS_KEPT,
    PLACES,
    RESOURCES,
    Marble,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.events import EMPTY, Depot
from ludoteca.games.renaissance.state import Board
from ludoteca.games.renaissance.wire import messages as m

DEPOTS_MAX = len(PLACES) + LEADERS_KEPT


def quiet(word: m.Resource) -> Resource:
    """A resource of the protocol in our spelling."""
    return cast(Resource, word.lower())


def loud(word: Resource) -> m.Resource:
    """A resource of ours as the protocol has it."""
    return cast(m.Resource, word.upper())


def marble(word: m.Marble) -> Marble:
    """A marble of the protocol in our spelling."""
    return cast(Marble, word.lower())


def depots_of(warehouse: m.Warehouse) -> tuple[Depot, ...]:
    """A warehouse of the wire, depot by depot. Raises ValueError for depots that nobody can have."""
    places = {int(key): resources for key, resources in warehouse.items()}
    if not places.keys() <= set(range(DEPOTS_MAX)):
        raise ValueError("there are not so many depots")
    held = [EMPTY] * max(len(PLACES), *(place + 1 for place in places), 0)
    for place, resources in places.items():
        if resources:
            held[place] = Depot(quiet(resources[0]), len(resources))
    return tuple(held)


def warehouse_of(depots: tuple[Depot, ...]) -> m.Warehouse:
    """Depots as the wire lists them, the empty ones too."""
    return {
        str(place): [loud(depot.resource)] * depot.count if depot.resource else []
        for place, depot in enumerate(depots)
    }


def stock_of(counts: m.Counts) -> Stock:
    """Numbers by resource."""
    numbers = [0, 0, 0, 0]
    for resource, count in counts.items():
        numbers[INDEX[quiet(resource)]] = count
    return Stock(*numbers)


def counts_of(stock: Stock) -> m.Counts:
    """The resources of a stock that there are any of."""
    return {loud(resource): count for resource, count in zip(RESOURCES, stock, strict=True) if count}


def without(hand: tuple[str | None, ...], leader: str) -> tuple[str | None, ...]:
    """A hand after a card has left it; of the hands of others only the number of cards is known."""
    if leader in hand:
        return tuple(card for card in hand if card != leader)
    return hand[:-1]


def parameters_of(
    action: act.TakeLine | act.PlayLeader | act.DiscardLeader | act.Pay,
    draft: Sequence[act.Action],
    board: Board,
    name: str,
) -> m.Parameters:
    """The parameters of a decision: the last step of it, and those before."""
    match action:
        case act.TakeLine(line, index, exchange):
            exchanged = [loud(resource) for resource in exchange]
            return m.RowColumnSelection(index, line == "row", exchanged, username=name)
        case act.PlayLeader(leader):
            return m.PlayLeaderCard(leader, username=name)
        case act.DiscardLeader(leader):
            return m.DiscardLeaderCard(leader, username=name)
        case act.Pay():
            paid = m.Payment(
                counts_of(action.warehouse), counts_of(action.leaders), counts_of(action.strongbox)
            )
            if isinstance(draft[0], act.BuyCard):
                card = CARDS[draft[0].card]
                colour = cast(m.Colour, card.colour.upper())
                return m.BuyDevelopmentCard(colour, card.level, draft[0].slot, paid, username=name)
            return _production(draft, board, paid, name)
        case _:
            assert_never(action)


def _production(draft: Sequence[act.Action], own: Board, payment: m.Payment, name: str) -> m.UseProduction:
    producers = [leader for leader in own.played if leader in LEADER_USES]
    board: list[m.Resource] = []
    slots: list[int] = []
    leaders: list[int] = []
    gains: list[m.Resource] = []
    for power in draft:
        match power:
            case act.UseBasic((first, second), gain):
                board = [loud(first), loud(second), loud(gain)]
            case act.UseSlot(slot):
                slots.append(slot)
            case act.UseLeader(leader, gain):
                leaders.append(producers.index(leader))
                gains.append(loud(gain))
    return m.UseProduction(payment, board, slots, leaders, gains, username=name)
