"""What a client's message asks for, as actions of the rules. Refused when it cannot be meant so."""

from collections import Counter
from collections.abc import Sequence
from typing import assert_never, cast

from ludoteca.core import Refused
from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.actions import Action, Pay, Power, Store
from ludoteca.games.renaissance.cards.depots import arranged, store_choices
from ludoteca.games.renaissance.cards.leaders import exchanges
from ludoteca.games.renaissance.cards.powers import LEADER_USES, taken_together
from ludoteca.games.renaissance.data import (
    COLOURS,
    INDEX,
    LEVELS,
    PLACES,
    RESOURCES,
    SLOTS,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.state import Board, line_of
from ludoteca.games.renaissance.view import View
from ludoteca.games.renaissance.wire import messages
from ludoteca.games.renaissance.wire.messages import Warehouse


def _quiet(word: str) -> Resource:
    """A resource of the protocol in our spelling."""
    return cast(Resource, word.lower())


def _stock(taken: messages.Taken) -> Stock:
    counts = taken if isinstance(taken, dict) else Counter(taken)
    numbers = [0, 0, 0, 0]
    for resource, count in counts.items():
        numbers[INDEX[_quiet(resource)]] = count
    return Stock(*numbers)


def _payment(payment: messages.Payment | messages.PaymentLists) -> Pay:
    if isinstance(payment, tuple):
        return Pay(*map(_stock, payment))
    return Pay(_stock(payment.warehouse), _stock(payment.leader_depots), _stock(payment.strongbox))


def _contents(warehouse: Warehouse, depots: int) -> list[tuple[Resource | None, int]]:
    """What each depot holds; a depot that is not named is empty."""
    held: list[tuple[Resource | None, int]] = [(None, 0)] * depots
    for key, resources in warehouse.items():
        if key not in [str(place) for place in range(depots)]:
            raise Refused(f"there is no depot {key}")
        if len(set(resources)) > 1:
            raise Refused(f"depot {key} holds more than one kind")
        if resources:
            held[int(key)] = (_quiet(resources[0]), len(resources))
    return held


def keep_leaders(board: Board, cards: Sequence[str]) -> tuple[Action, ...]:
    """The choice of leaders, in the order in which they were dealt."""
    chosen = [card for card in board.dealt if card in cards]
    if len(cards) != 2 or len(chosen) != 2:
        raise Refused("exactly two of the four leaders dealt are kept")
    return (actions.KeepLeaders(str(chosen[0]), str(chosen[1])),)


def choose_resources(board: Board, warehouse: Warehouse) -> tuple[Action, ...]:
    """The choice of starting resources, all of them."""
    held = _contents(warehouse, len(PLACES))
    if sum(count for _, count in held) != board.due:
        raise Refused(f"exactly {board.due} resources are chosen")
    return tuple(
        actions.ChooseResource(resource, depot)
        for depot, (resource, count) in enumerate(held)
        if resource is not None
        for _ in range(count)
    )


def arrange(
    board: Board, waiting: Sequence[Resource], reply: messages.ResourcesManageReply
) -> tuple[Store, ...]:
    """The placement of the waiting resources, depot by depot."""
    held = _contents(reply.warehouse, len(board.depots))
    steps: list[Store] = []
    while choices := store_choices(board, waiting, steps):
        depot = choices[0].depot
        steps.append(Store(depot, *held[depot]))
        if steps[-1] not in choices:
            raise Refused(f"depot {depot} cannot hold that: too much, a kind twice, or not yours")
    depots, rest = arranged(board, waiting, steps)
    for depot, wanted in enumerate(held):
        if (depots[depot].resource, depots[depot].count) != wanted:
            raise Refused(f"depot {depot} holds what is not yours, or a kind twice")
    if reply.discard is not None and _stock(reply.discard) != rest:
        raise Refused("the discarded resources are not those missing from the warehouse")
    return tuple(steps)


def parameters(view: View, board: Board, message: messages.Parameters) -> tuple[Action, ...]:
    """The parameters of an action, as one decision."""
    match message:
        case messages.PlayLeaderCard(leader_card=leader):
            return (actions.PlayLeader(leader),)
        case messages.DiscardLeaderCard(leader_card=leader):
            return (actions.DiscardLeader(leader),)
        case messages.BuyDevelopmentCard():
            return _buy(view, message)
        case messages.UseProduction():
            return _produce(board, message)
        case messages.RowColumnSelection():
            return (_take(view, board, message),)
        case _:
            assert_never(message)


def _buy(view: View, message: messages.BuyDevelopmentCard) -> tuple[Action, ...]:
    if message.level not in LEVELS:
        raise Refused(f"there is no level {message.level}")
    place = LEVELS.index(message.level) * len(COLOURS) + [c.upper() for c in COLOURS].index(message.color)
    card = view.grid[place].card
    if card is None:
        raise Refused("that deck is empty")
    return actions.BuyCard(card, message.slot), _payment(message.payment)


def _produce(board: Board, message: messages.UseProduction) -> tuple[Action, ...]:
    payment = _payment(message.payment)
    if not all(0 <= slot < SLOTS and board.slots[slot] for slot in message.dev_slots):
        raise Refused("there is no card in that slot")
    powers: list[Power] = [actions.UseSlot(slot) for slot in message.dev_slots]
    if len(message.leaders) != len(message.leader_gain):
        raise Refused("every leader used needs one resource to gain")
    producers = [leader for leader in board.played if leader in LEADER_USES]
    for index, gained in zip(message.leaders, message.leader_gain, strict=True):
        if not 0 <= index < len(producers):
            raise Refused(f"there is no production leader {index}")
        powers.append(actions.UseLeader(producers[index], _quiet(gained)))
    if message.board:
        powers.append(_basic(board, [_quiet(resource) for resource in message.board], powers, payment))
    if not powers:
        raise Refused("choose at least one power")
    return (*powers, payment)


def _basic(board: Board, resources: Sequence[Resource], others: Sequence[Power], payment: Pay) -> Power:
    """The basic power: the two resources paid and the one gained or, as the seed has it, only that.

    Then what was paid for it is what the other powers leave of the payment.
    """
    *spent, gain = resources
    if not spent:
        paid = payment.warehouse.plus(payment.leaders).plus(payment.strongbox)
        rest = paid.minus(taken_together(board, others))
        if min(rest) >= 0 and sum(rest) == 2:
            spent = [resource for resource, count in zip(RESOURCES, rest, strict=True) for _ in range(count)]
    if len(spent) != 2:
        raise Refused("the basic power needs two resources to pay and one to gain")
    low, high = sorted(spent, key=INDEX.__getitem__)
    return actions.UseBasic((low, high), gain)


def _take(view: View, board: Board, message: messages.RowColumnSelection) -> actions.TakeLine:
    exchange = tuple(map(_quiet, message.exchange))
    line = actions.TakeLine("row" if message.row else "column", message.index, exchange)
    choices = exchanges(board)
    if len(choices) == 1 and exchange:
        # There is nothing to choose, but a client may say so nevertheless.
        places = line_of(line.line, line.index) if 0 <= line.index < 4 else ()
        whites = sum(1 for place in places if place < len(view.marbles) and view.marbles[place] == "white")
        if exchange == (choices[0],) * whites:
            return actions.TakeLine(line.line, line.index)
    return line
