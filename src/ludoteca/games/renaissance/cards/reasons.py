"""Why an action is no choice, in words. Only asked after the fact, so it need not be fast."""

from ludoteca.games.renaissance import actions
from ludoteca.games.renaissance.actions import Action, BuyCard, Pay, Power
from ludoteca.games.renaissance.cards import leaders, powers
from ludoteca.games.renaissance.cards.paying import due
from ludoteca.games.renaissance.cards.powers import drafted_powers
from ludoteca.games.renaissance.data import CARDS, COLUMNS, LEADERS, RESOURCES, ROWS, SLOTS, Stock
from ludoteca.games.renaissance.state import Board, Tabletop, line_of, pile_of


def refusal(tabletop: Tabletop, board: Board, kind: str, action: Action) -> str:
    """A sentence for the player whose answer to a question of this kind was no choice."""
    match action:
        case actions.TakeLine() if kind == "action":
            return _of_line(tabletop, board, action)
        case BuyCard() if kind == "action":
            return _of_card(tabletop, board, action)
        case actions.UseBasic() | actions.UseSlot() | actions.UseLeader() if kind in ("action", "powers"):
            return _of_power(tabletop, board, action)
        case Pay() if kind in ("pay", "powers"):
            return _of_payment(due(tabletop, board), action)
        case actions.Store() if kind == "place":
            return "the arrangement does not keep to the depots, or places what is not there"
        case actions.PlayLeader(leader) if kind in ("action", "end"):
            if leader in board.hand and leader in LEADERS:
                return f"the requirement of {leader} is not met"
            return f"{leader} is not in your hand"
        case actions.DiscardLeader(leader) if kind in ("action", "end"):
            return f"{leader} is not in your hand"
        case actions.KeepLeaders() if kind == "leaders":
            return "exactly two of the four leaders dealt are kept"
        case actions.ChooseResource() if kind == "resources":
            return "one kind in a depot, no kind in two depots, and no more than the depot has places"
        case actions.EndTurn() if kind == "action":
            return "the main action comes first"
        case actions.TakeBack():
            return "there is nothing to take back, or you have done so too often in this turn"
    return f"that is no answer to the question ({kind})"


def _of_line(tabletop: Tabletop, board: Board, action: actions.TakeLine) -> str:
    if not 0 <= action.index < (ROWS if action.line == "row" else COLUMNS):
        return f"there is no {action.line} {action.index}"
    choices = leaders.exchanges(board)
    if len(choices) < 2:
        return "there are no two exchange leaders to choose from"
    places = line_of(action.line, action.index)
    whites = sum(1 for place in places if tabletop.marbles[place] == "white")
    return f"{whites} white marbles need {whites} choices between {choices[0]} and {choices[1]}"


def _of_card(tabletop: Tabletop, board: Board, action: BuyCard) -> str:
    if action.card not in CARDS or tabletop.grid[pile_of(action.card)].card != action.card:
        return f"{action.card} does not lie on top of a deck"
    if not 0 <= action.slot < SLOTS:
        return f"there is no slot {action.slot}"
    level = CARDS[action.card].level
    if len(board.slots[action.slot]) != level - 1:
        return (
            "the slot must be empty" if level == 1 else f"the slot needs a card of level {level - 1} on top"
        )
    return f"you cannot pay {words(leaders.price(board, action.card))}"


def _of_power(tabletop: Tabletop, board: Board, action: Power) -> str:
    match action:
        case actions.UseSlot(slot) if not (0 <= slot < SLOTS and board.slots[slot]):
            return f"there is no card on slot {slot}"
        case actions.UseLeader(leader) if leader not in board.played or leader not in powers.LEADER_USES:
            return f"{leader} is no production leader of yours in play"
        case actions.UseBasic(spend) if tuple(sorted(spend, key=RESOURCES.index)) != spend:
            return "name the two resources in the order " + ", ".join(RESOURCES)
    total = powers.taken_together(board, (*drafted_powers(tabletop), action))
    if not board.resources.covers(total):
        return f"you cannot pay {words(total)}"
    return "each power can be used once"


def _of_payment(cost: Stock, payment: Pay) -> str:
    together = payment.warehouse.plus(payment.leaders).plus(payment.strongbox)
    if together != cost:
        return f"the payment must be exactly {words(cost)}"
    return "a container does not hold what is to be paid from it"


def words(stock: Stock) -> str:
    """A stock in words: "2 coins, 1 stones"."""
    named = [f"{count} {resource}" for count, resource in zip(stock, RESOURCES, strict=True) if count]
    return ", ".join(named) or "nothing"
