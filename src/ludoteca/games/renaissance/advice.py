"""What speaks for a card, a line of the market, a power or a leader."""

from collections.abc import Iterator

from ludoteca.core.advice import Adviser, Words, likely, say
from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.actions import Action
from ludoteca.games.renaissance.bot import opinion
from ludoteca.games.renaissance.bot.mind import ALONE, MANY, Mind
from ludoteca.games.renaissance.bot.offers import counted
from ludoteca.games.renaissance.bot.players import play_well
from ludoteca.games.renaissance.bot.playing import stores
from ludoteca.games.renaissance.bot.tuned import TUNED
from ludoteca.games.renaissance.cards.leaders import price
from ludoteca.games.renaissance.cards.market import harvest
from ludoteca.games.renaissance.cards.powers import given_together, taken_together
from ludoteca.games.renaissance.data import (
    CARDS,
    CARDS_TO_END,
    INDEX,
    LEADERS,
    NOTHING,
    ONE,
    REPORTS,
    RESOURCES,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.state import Board, State, Tabletop, held

# So many points ahead, as the bots expect them; alone, on the way to the seventh card.
EVEN, EVEN_ALONE = 6.0, 60.0

_NAMES: dict[Resource, tuple[str, str, str, str]] = {
    "coins": ("coin", "coins", "moneta", "monete"),
    "stones": ("stone", "stones", "pietra", "pietre"),
    "servants": ("servant", "servants", "servitore", "servitori"),
    "shields": ("shield", "shields", "scudo", "scudi"),
}


def chance(state: State, seat: int) -> float:
    """How likely this seat comes out ahead; alone, of Lorenzo."""
    standings = opinion(state)
    mine = standings.pop(seat)
    if not standings:
        # About what the boards of matches are worth at their middle.
        return likely(mine - EVEN_ALONE, EVEN_ALONE)
    return likely(mine - max(standings), EVEN)


def glance(state: State, seat: int) -> dict[Action, float]:
    """What each turn looks worth; nothing where something else than a turn is asked."""
    tabletop = state.tabletop
    question = state.asked[seat]
    marks: dict[Action, float] = {}
    if question is not None and question.kind == "action":
        for mark, turn in Mind(tabletop, seat, MANY if tabletop.cross is None else ALONE).turns():
            marks[turn.first] = max(mark, marks.get(turn.first, mark))
    return marks


def explain(state: State, seat: int, action: Action) -> Words:
    """What speaks for an answer."""
    return say(*_reasons(state.tabletop, seat, action))


def _reasons(tabletop: Tabletop, seat: int, action: Action) -> Iterator[tuple[str, str]]:
    board = tabletop.boards[seat]
    match action:
        case actions.TakeLine():
            yield from _line(tabletop, seat, action)
        case actions.BuyCard(card=card):
            yield from _card(board, card)
        case actions.UseBasic() | actions.UseSlot() | actions.UseLeader():
            gained, faith = given_together(board, (action,))
            cost = taken_together(board, (action,))
            yield (
                f"makes {_listed(gained, faith, 0)} for {_listed(cost, 0, 0)}",
                f"produce {_listed(gained, faith, 1)} per {_listed(cost, 0, 1)}",
            )
        case actions.Pay():
            yield _payment(board, action)
        case actions.PlayLeader(leader=leader):
            points, (gift, dono) = LEADERS[leader].points, _gift(leader)
            yield f"is worth {points} points and gives {gift}", f"vale {points} punti e dà {dono}"
        case actions.DiscardLeader(leader=leader):
            points = LEADERS[leader].points
            yield (
                f"gives a step of faith now for a leader worth {points} points in play",
                f"dà subito un passo di fede al posto di un leader da {points} punti",
            )
        case actions.KeepLeaders(first=first, second=second):
            (one, uno), (other, altro) = _gift(first), _gift(second)
            yield f"these give {one} and {other}", f"danno {uno} e {altro}"
        case actions.ChooseResource(resource=resource):
            _, english, _, italian = _NAMES[resource]
            costs = [CARDS[card].cost for card in _open(tabletop, board)]
            wanting = sum(cost[INDEX[resource]] > 0 for cost in costs)
            yield (
                f"{english} are wanted by {wanting} of the first {len(costs)} cards",
                f"per {wanting} delle prime {len(costs)} carte servono {italian}",
            )
        case actions.Store():
            yield _stored(tabletop, seat, action)
        case actions.TakeBack():
            yield "lets you choose anew", "ti fa scegliere di nuovo"
        case actions.EndTurn():
            yield "nothing more is to be gained in this turn", "in questo turno non c'è altro da guadagnare"


def _gift(leader: str) -> tuple[str, str]:
    """What a leader is good for beside its points."""
    one, many, una, molte = _NAMES[LEADERS[leader].resource]
    match LEADERS[leader].kind:
        case "discount":
            return f"1 {one} off the price of cards", f"uno sconto sulle carte (1 {una})"
        case "depot":
            return f"room for 2 more {many}", f"posto per altri 2 ({molte})"
        case "exchange":
            return f"{many} for white marbles", f"{molte} per le biglie bianche"
        case "production":
            return f"a power for 1 {one}", f"un potere per 1 {una}"


def _line(tabletop: Tabletop, seat: int, take: actions.TakeLine) -> Iterator[tuple[str, str]]:
    board = tabletop.boards[seat]
    taken, faith = harvest(tabletop, board, take)
    stock = NOTHING
    for resource in taken:
        stock = stock.plus(ONE[resource])
    kept = _mind(tabletop, seat).keep(counted(taken))[1]
    lost = len(taken) + sum(held(board.depots)) - sum(kept)
    less, meno = (f" ({lost} must be given up)", f" ({lost} da scartare)") if lost else ("", "")
    yield f"brings {_listed(stock, faith, 0)}{less}", f"porta {_listed(stock, faith, 1)}{meno}"
    ready = [card for card in _open(tabletop, board) if not board.resources.covers(price(board, card))]
    if any(kept.plus(board.strongbox).covers(price(board, card)) for card in ready):
        yield "is enough for your next card", "basta per la prossima carta"
    elif any(board.faith < report.section <= board.faith + faith for report in REPORTS[tabletop.reports :]):
        yield "brings you into the next report", "ti porta nel prossimo rapporto"


def _stored(tabletop: Tabletop, seat: int, store: actions.Store) -> tuple[str, str]:
    """What is in a depot now: as the bots want it, or in another way."""
    board = tabletop.boards[seat]
    wanted = stores(board, _mind(tabletop, seat).keep(counted(tabletop.waiting))[1])[store.depot]
    if store.resource is None:
        if store == wanted:
            return "nothing is left for this depot", "per questo deposito non resta nulla"
        return "leaves this depot empty", "lascia vuoto questo deposito"
    one, many, una, molte = _NAMES[store.resource]
    if store == wanted:
        return f"here {many} fit and least is given up", f"qui stanno {molte} e si perde meno"
    english, italian = (one, una) if store.count == 1 else (many, molte)
    return f"keeps {store.count} {english} here", f"tiene qui {store.count} {italian}"


def _mind(tabletop: Tabletop, seat: int) -> Mind:
    """What the strongest bot thinks of a board."""
    return Mind(tabletop, seat, TUNED if tabletop.cross is None else ALONE)


def _payment(board: Board, pay: actions.Pay) -> tuple[str, str]:
    places = zip(held(board.depots), pay.warehouse.plus(pay.leaders), pay.strongbox, strict=True)
    if any(stored and spent < there for there, spent, stored in places):
        return "keeps what is in the depots", "conserva ciò che è nei depositi"
    return "spends what takes up room first", "spende prima ciò che occupa posto"


def _open(tabletop: Tabletop, board: Board) -> list[str]:
    """The cards that fit on a slot."""
    heights = {len(slot) + 1 for slot in board.slots}
    return [
        pile.card for pile in tabletop.grid if pile.card is not None and CARDS[pile.card].level in heights
    ]


def _card(board: Board, card: str) -> Iterator[tuple[str, str]]:
    facts = CARDS[card]
    if sum(map(len, board.slots)) + 1 == CARDS_TO_END:
        yield "is your seventh card, which ends the match", "è la tua settima carta, che chiude la partita"
    points = "1 point" if facts.points == 1 else f"{facts.points} points"
    punti = "1 punto" if facts.points == 1 else f"{facts.points} punti"
    yield f"is worth {points}", f"vale {punti}"
    gives, dà = _listed(facts.gives, facts.faith, 0), _listed(facts.gives, facts.faith, 1)
    yield (
        f"will make {gives} for {_listed(facts.takes, 0, 0)}",
        f"produrrà {dà} per {_listed(facts.takes, 0, 1)}",
    )


def _listed(stock: Stock, faith: int, language: int) -> str:
    """What there is, in words: English 0, Italian 1."""
    parts = [
        f"{count} {_NAMES[resource][2 * language + (count > 1)]}"
        for resource, count in zip(RESOURCES, stock, strict=True)
        if count
    ]
    if faith:
        parts.append(f"{faith} {('faith', 'fede')[language]}")
    return ", ".join(parts) or ("nothing", "nulla")[language]


def foresees(state: State) -> bool:
    """Which leaders the others keep, and what they begin with, is nobody's business yet."""
    return state.tabletop.phase == "turns"


ADVICE = Adviser(explain, chance, play_well, glance, foresees=foresees)
