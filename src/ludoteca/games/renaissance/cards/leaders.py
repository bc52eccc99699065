"""What leaders ask for and what they change."""

from functools import cache, lru_cache

from ludoteca.games.renaissance.data import CARDS, INDEX, LEADERS, NOTHING, ONE, Requirement, Resource, Stock
from ludoteca.games.renaissance.state import Board


def is_met(board: Board, leader: str) -> bool:
    """Whether the requirement of a leader is met: it is only looked at, never paid."""
    facts = LEADERS[leader]
    if facts.resources != NOTHING:
        return board.resources.covers(facts.resources)
    return _has_cards(board.slots, facts.cards)


@lru_cache(maxsize=4096)
def _has_cards(slots: tuple[tuple[str, ...], ...], wanted: tuple[Requirement, ...]) -> bool:
    owned = [CARDS[card] for slot in slots for card in slot]
    for requirement in wanted:
        # A level stands for exactly that level: the card shows its two dots, and level 3 has three.
        count = sum(
            1 for card in owned if card.colour == requirement.colour and requirement.level in (0, card.level)
        )
        if count < requirement.count:
            return False
    return True


def price(board: Board, card: str) -> Stock:
    """What a development card costs this player, with the discounts of leaders in play."""
    return _price(card, board.played) if board.played else CARDS[card].cost


@lru_cache(maxsize=4096)
def _price(card: str, played: tuple[str, ...]) -> Stock:
    cost = CARDS[card].cost
    for leader in played:
        facts = LEADERS[leader]
        if facts.kind == "discount" and cost[INDEX[facts.resource]]:
            cost = cost.minus(ONE[facts.resource])
    return cost


def exchanges(board: Board) -> tuple[Resource, ...]:
    """The resources that white marbles can become."""
    return _resources(board.played, "exchange")


def depot_resources(board: Board) -> tuple[Resource, ...]:
    """The resources of the leaders' depots, in the order of the depots."""
    return _resources(board.played, "depot")


@cache  # There are few sets of played leaders, and a turn asks ten times.
def _resources(played: tuple[str, ...], kind: str) -> tuple[Resource, ...]:
    return tuple(LEADERS[leader].resource for leader in played if LEADERS[leader].kind == kind)
