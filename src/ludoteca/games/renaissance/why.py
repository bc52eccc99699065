"""Why a card, a leader, a power, a line or a depot cannot be chosen."""

from collections.abc import Iterator
from itertools import permutations

import msgspec

from ludoteca.core import Question
from ludoteca.core.why import Attempt, Reason, Why, reason
from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.actions import Action, BuyCard, Power
from ludoteca.games.renaissance.cards import leaders, powers
from ludoteca.games.renaissance.cards.depots import ORDER, pool
from ludoteca.games.renaissance.cards.market import LINES
from ludoteca.games.renaissance.cards.paying import due, payments
from ludoteca.games.renaissance.cards.powers import drafted_powers
from ludoteca.games.renaissance.data import (
    CARDS,
    COLUMNS,
    INDEX,
    LEADER_PLACES,
    LEADERS,
    NOTHING,
    PLACES,
    RESOURCES,
    ROWS,
    SLOTS,
    Requirement,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.state import Board, pile_of
from ludoteca.games.renaissance.view import View


def tempting(view: View, seat: int, question: Question) -> Iterator[tuple[Action]]:
    """All that lies on the table and could be touched now."""
    board = view.boards[seat]
    if question.kind == "leaders":
        dealt = [leader for leader in board.dealt if leader is not None]
        yield from ((actions.KeepLeaders(*pair),) for pair in permutations(dealt, 2))
        return
    if question.kind == "resources":
        for resource in RESOURCES:
            yield from ((actions.ChooseResource(resource, depot),) for depot in range(len(PLACES)))
        return
    if len(leaders.exchanges(board)) < 2:
        yield from ((line,) for line in LINES)
    for pile in view.grid:
        if pile.card is not None:
            yield from ((BuyCard(pile.card, slot),) for slot in range(SLOTS))
    for leader in board.hand:
        if leader is not None:
            yield (actions.PlayLeader(leader),)
            yield (actions.DiscardLeader(leader),)
    yield from ((actions.UseSlot(slot),) for slot in range(SLOTS))
    for leader in board.played:
        yield (actions.UseLeader(leader, "coins"),)
    yield from ((use,) for use, _ in powers.BASIC[:: len(RESOURCES)])
    yield (actions.EndTurn(),)
    if question.kind == "place":
        asked = next(choice.depot for choice in question.choices if isinstance(choice, actions.Store))
        for resource in RESOURCES:
            yield from ((actions.Store(asked, resource, count),) for count in range(1, 4))


def why(attempt: Attempt) -> Reason | None:
    """Why not, by what lies open and the own board."""
    view: View = attempt.view
    board, kind = view.boards[attempt.seat], attempt.question.kind
    if len(attempt.actions) > 1:
        return _further(
            msgspec.structs.replace(view, draft=(*view.draft, *attempt.actions[:-1])), board, attempt
        )
    match attempt.action:
        case actions.KeepLeaders() if kind == "leaders":
            return reason(
                "pair",
                "Name two of your four leaders, in the order in which they lie.",
                "Scegli due dei tuoi quattro leader, nell'ordine in cui stanno.",
            )
        case actions.ChooseResource() as chosen if kind == "resources":
            return _start(board, chosen)
        case actions.TakeLine() as line if kind == "action":
            return _line(board, line)
        case BuyCard() as buy if kind == "action":
            return _card(view, board, buy)
        case actions.UseBasic() | actions.UseSlot() | actions.UseLeader() as power if kind in _PRODUCING:
            return _power(view, board, power)
        case actions.Pay() as payment if kind in ("pay", "powers"):
            return _payment(due(view, board), payment)
        case actions.Store() as store if kind == "place":
            return _store(view, board, store)
        case actions.PlayLeader(leader) if kind in ("action", "end"):
            return _held(board, leader) or _requirement(board, leader)
        case actions.DiscardLeader(leader) if kind in ("action", "end"):
            return _held(board, leader)
        case actions.TakeBack() if view.draft:
            return reason(
                "back", "No more steps back in this turn.", "In questo turno non si torna più indietro."
            )
    return _first(kind)


def _further(view: View, board: Board, attempt: Attempt) -> Reason | None:
    """Why the last of several steps cannot follow the others; None where it can, or nobody asks that."""
    match attempt.action:
        case actions.UseBasic() | actions.UseSlot() | actions.UseLeader() as power:
            return _power(view, board, power)
        case actions.Pay() as payment if isinstance(view.draft[0], BuyCard | Power):
            cost = due(view, board)
            return None if payment in payments(board, cost) else _payment(cost, payment)
        case actions.Store() as store:
            refused = _store(view, board, store)
            return None if refused and refused.code == "order" else refused
    return None


_PRODUCING = ("action", "powers")

# What is asked, for those who reach for something else.
_ASKED = {
    "leaders": ("First choose two of your leaders.", "Prima scegli due dei tuoi leader."),
    "resources": ("First choose your starting resources.", "Prima scegli le risorse iniziali."),
    "action": (
        "First one of the three: the market, a card, or production.",
        "Prima una delle tre: il mercato, una carta o la produzione.",
    ),
    "place": ("First place what you took.", "Prima riponi ciò che hai preso."),
    "pay": ("First pay, or take the step back.", "Prima paga, o torna indietro."),
    "powers": ("First pay for the powers you chose.", "Prima paga i poteri scelti."),
    "end": (
        "One action a turn: you have had yours. Leaders can still be played.",
        "Un'azione per turno: l'hai fatta. Puoi ancora giocare i leader.",
    ),
}


def _first(kind: str) -> Reason | None:
    return reason("first", *_ASKED[kind]) if kind in _ASKED else None


# Resources in words.

_NAMES: dict[Resource, tuple[str, str, str, str]] = {
    "coins": ("coin", "coins", "moneta", "monete"),
    "stones": ("stone", "stones", "pietra", "pietre"),
    "servants": ("servant", "servants", "servitore", "servitori"),
    "shields": ("shield", "shields", "scudo", "scudi"),
}


def _counted(resource: Resource, count: int) -> tuple[str, str]:
    one, many, uno, molti = _NAMES[resource]
    return f"{count} {one if count == 1 else many}", f"{count} {uno if count == 1 else molti}"


def _listed(stock: Stock) -> tuple[str, str]:
    pairs = [_counted(resource, count) for resource, count in zip(RESOURCES, stock, strict=True) if count > 0]
    return ", ".join(pair[0] for pair in pairs), ", ".join(pair[1] for pair in pairs)


def _missing(owned: Stock, wanted: Stock) -> Reason | None:
    short = Stock(*(max(0, want - have) for want, have in zip(wanted, owned, strict=True)))
    if short == NOTHING:
        return None
    english, italian = _listed(short)
    return reason("missing", f"You need {english} more.", f"Ti mancano: {italian}.")


# The three main actions.


def _line(board: Board, line: actions.TakeLine) -> Reason:
    if not 0 <= line.index < (ROWS if line.line == "row" else COLUMNS):
        return reason("line", "There is no such line.", "Non c'è una linea così.")
    if len(leaders.exchanges(board)) < 2:
        return reason(
            "whites", "White marbles leave you no choice.", "Le biglie bianche non lasciano scelta."
        )
    return reason(
        "whites",
        "Say for each white marble what it becomes.",
        "Di' per ogni biglia bianca che cosa diventa.",
    )


def _card(view: View, board: Board, buy: BuyCard) -> Reason | None:
    if buy.card not in CARDS or view.grid[pile_of(buy.card)].card != buy.card:
        return reason(
            "covered", "That card does not lie on top of its deck.", "Quella carta non è in cima al mazzo."
        )
    if not 0 <= buy.slot < SLOTS:
        return reason("slot", "There is no such slot.", "Non c'è uno spazio così.")
    level = CARDS[buy.card].level
    missing = _missing(board.resources, leaders.price(board, buy.card))
    if missing is not None or len(board.slots[buy.slot]) == level - 1:
        return missing
    if level == 1:
        return reason("slot", "Level 1 goes on an empty slot.", "Il livello 1 va su uno spazio vuoto.")
    below = level - 1
    if all(len(slot) != below for slot in board.slots):
        return reason(
            "slot",
            f"No slot: level {level} goes on a card of level {below}, and you have none on top.",
            f"Nessuno spazio: il livello {level} va su una carta di livello {below}, e non ne hai in cima.",
        )
    return reason(
        "slot",
        f"Level {level} goes on a card of level {below}: choose another slot.",
        f"Il livello {level} va su una carta di livello {below}: scegli un altro spazio.",
    )


def _power(view: View, board: Board, power: Power) -> Reason | None:
    match power:
        case actions.UseSlot(slot) if not (0 <= slot < SLOTS and board.slots[slot]):
            return reason("empty", "There is no card on that slot.", "In quello spazio non c'è una carta.")
        case actions.UseLeader(leader) if leader not in board.played or leader not in powers.LEADER_USES:
            return reason(
                "leader", "That leader does not produce for you.", "Quel leader non produce per te."
            )
        case actions.UseBasic((one, other)) if INDEX[one] > INDEX[other]:
            return reason("order", "Name the two resources in order.", "Nomina le due risorse in ordine.")
    used = drafted_powers(view)
    if any(_same(power, before) for before in used):
        return reason("once", "Each power works once a turn.", "Ogni potere si usa una volta per turno.")
    return _missing(board.resources, powers.taken_together(board, (*used, power)))


def _same(power: Power, before: Power) -> bool:
    match power, before:
        case (actions.UseSlot(one), actions.UseSlot(other)) | (
            actions.UseLeader(one),
            actions.UseLeader(other),
        ):
            return one == other
        case actions.UseBasic(), actions.UseBasic():
            return True
    return False


def _payment(cost: Stock, payment: actions.Pay) -> Reason:
    english, italian = _listed(cost)
    if payment.warehouse.plus(payment.leaders).plus(payment.strongbox) != cost:
        return reason("exact", f"Pay exactly {english}.", f"Paga esattamente: {italian}.")
    return reason("holds", "There is not so much there.", "Lì non c'è abbastanza.")


# Leaders.


def _held(board: Board, leader: str) -> Reason | None:
    if leader in board.hand and leader in LEADERS:
        return None
    return reason("hand", "That leader is not in your hand.", "Quel leader non è nella tua mano.")


_COLOURS = {"green": "verdi", "blue": "blu", "yellow": "gialle", "purple": "viola"}


def _requirement(board: Board, leader: str) -> Reason | None:
    facts = LEADERS[leader]
    if facts.resources != NOTHING:
        return _missing(board.resources, facts.resources)
    owned = [CARDS[card] for slot in board.slots for card in slot]
    for wanted in facts.cards:
        have = sum(card.colour == wanted.colour and wanted.level in (0, card.level) for card in owned)
        if have < wanted.count:
            return _cards(wanted, have)
    return None


def _cards(wanted: Requirement, have: int) -> Reason:
    level, livello = (
        (f" of level {wanted.level}", f" di livello {wanted.level}") if wanted.level else ("", "")
    )
    cards = "card" if wanted.count == 1 else "cards"
    return reason(
        "requirement",
        f"Needs {wanted.count} {wanted.colour} {cards}{level}; you have {have}.",
        f"Richiede carte {_COLOURS[wanted.colour]}{livello}: {wanted.count}; ne hai {have}.",
    )


# Depots.


def _start(board: Board, chosen: actions.ChooseResource) -> Reason | None:
    return _depot(chosen.depot) or _one_kind(board, chosen.resource, chosen.depot)


def _depot(depot: int) -> Reason | None:
    if 0 <= depot < len(PLACES):
        return None
    return reason("depot", "There is no such depot.", "Non c'è un deposito così.")


def _one_kind(board: Board, resource: Resource, depot: int) -> Reason:
    """Why a resource does not go into a basic depot, where the others stay as they are."""
    here = board.depots[depot]
    if here.resource is not None and here.resource != resource:
        return _holds(depot, here.resource)
    if here.resource is None:
        _, english, _, italian = _NAMES[resource]
        other = 1 + next(place for place, found in enumerate(board.depots) if found.resource == resource)
        return reason(
            "twice",
            f"Depot {other} has {english} already: no kind in two depots.",
            f"Il deposito {other} ha già {italian}: un tipo non sta in due depositi.",
        )
    return _full(depot)


def _holds(depot: int, resource: Resource) -> Reason:
    _, english, _, italian = _NAMES[resource]
    return reason(
        "kind",
        f"Depot {depot + 1} holds {english}: one kind in a depot.",
        f"Il deposito {depot + 1} contiene {italian}: un solo tipo per deposito.",
    )


def _full(depot: int) -> Reason:
    places = (*PLACES, LEADER_PLACES, LEADER_PLACES)[depot]
    return reason(
        "full",
        f"Depot {depot + 1} has room for {places}.",
        f"Il deposito {depot + 1} ha posto per {places}.",
    )


def _store(view: View, board: Board, store: actions.Store) -> Reason | None:
    if not 0 <= store.depot < len(ORDER):
        return _depot(store.depot)
    drafted = [step for step in view.draft if isinstance(step, actions.Store)]
    placed = [step for step in drafted if step.depot != store.depot]
    here = next((step.resource for step in drafted if step.depot == store.depot), None)
    if store.resource is None or store.count < 1:
        return reason("order", "This depot is not filled now.", "Ora non si riempie questo deposito.")
    if here is not None and here != store.resource:
        return _holds(store.depot, here)
    _, english, _, italian = _NAMES[store.resource]
    basic = [step.depot for step in placed if step.resource == store.resource and step.depot < len(PLACES)]
    if basic and store.depot < len(PLACES):
        return reason(
            "twice",
            f"Depot {basic[0] + 1} has {english} already: no kind in two depots.",
            f"Il deposito {basic[0] + 1} ha già {italian}: un tipo non sta in due depositi.",
        )
    if store.count > (*PLACES, LEADER_PLACES, LEADER_PLACES)[store.depot]:
        return _full(store.depot)
    left = pool(board, view.waiting)[INDEX[store.resource]]
    left -= sum(step.count for step in placed if step.resource == store.resource)
    if store.count > left:
        one, uno = _counted(store.resource, left)
        if not left:
            return reason("left", f"There are no {english} to place.", f"Non ci sono {italian} da riporre.")
        return reason("left", f"Only {one} can be placed.", f"Da riporre: solo {uno}.")
    return reason(
        "order",
        f"Depot {store.depot + 1} does not hold {english} now.",
        f"Ora il deposito {store.depot + 1} non prende {italian}.",
    )


WHY = Why(why, tempting)
