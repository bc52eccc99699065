"""Between our records and the shapes of the protocol, from the client's side."""

from collections.abc import Mapping
from typing import Any

from ludoteca.games.renaissance.actions import Pay
from ludoteca.games.renaissance.data import INDEX, PLACES, RESOURCES, Stock
from ludoteca.games.renaissance.events import EMPTY, Depot

Wire = dict[str, Any]


def depots_of(warehouse: Mapping[str, list[str]]) -> tuple[Depot, ...]:
    """A warehouse of the wire, depot by depot."""
    held = [EMPTY] * max(len(PLACES), *(int(key) + 1 for key in warehouse), 0)
    for key, resources in warehouse.items():
        if resources:
            held[int(key)] = Depot(resources[0].lower(), len(resources))  # type: ignore[arg-type]
    return tuple(held)


def warehouse_of(depots: tuple[Depot, ...]) -> dict[str, list[str]]:
    """Depots as the wire lists them, the empty ones too."""
    return {
        str(place): [depot.resource.upper()] * depot.count if depot.resource else []
        for place, depot in enumerate(depots)
    }


def stock_of(counts: Mapping[str, int]) -> Stock:
    """Numbers by resource."""
    numbers = [0, 0, 0, 0]
    for resource, count in counts.items():
        numbers[INDEX[resource.lower()]] = count
    return Stock(*numbers)


def counts_of(stock: Stock) -> dict[str, int]:
    """The resources of a stock that there are any of."""
    return {resource.upper(): count for resource, count in zip(RESOURCES, stock, strict=True) if count}


def payment_of(payment: Pay) -> Wire:
    """A payment by the kind of container."""
    return {
        "warehouse": counts_of(payment.warehouse),
        "leaderDepots": counts_of(payment.leaders),
        "strongbox": counts_of(payment.strongbox),
    }


def without(hand: tuple[str | None, ...], leader: str) -> tuple[str | None, ...]:
    """A hand after a card has left it; of the hands of others only the number of cards is known."""
    if leader in hand:
        return tuple(card for card in hand if card != leader)
    return hand[:-1]
