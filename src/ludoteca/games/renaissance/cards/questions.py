"""What is asked of whom: every question with all its choices."""

from itertools import combinations

from ludoteca.core import Question
from ludoteca.games.renaissance.actions import (
    Action,
    BuyCard,
    DiscardLeader,
    EndTurn,
    KeepLeaders,
    PlayLeader,
    TakeBack,
)
from ludoteca.games.renaissance.cards.depots import resource_choices, store_choices
from ludoteca.games.renaissance.cards.leaders import is_met, price
from ludoteca.games.renaissance.cards.market import line_choices
from ludoteca.games.renaissance.cards.paying import due, payments
from ludoteca.games.renaissance.cards.powers import drafted_powers, power_choices
from ludoteca.games.renaissance.data import CARDS, COLOURS, LEADERS, LEADERS_KEPT, LEVELS, SLOTS, Stock
from ludoteca.games.renaissance.state import Board, Tabletop

_BUYS = {(card, slot): BuyCard(card, slot) for card in CARDS for slot in range(SLOTS)}
_PLAYS = {leader: PlayLeader(leader) for leader in LEADERS}
_DISCARDS = {leader: DiscardLeader(leader) for leader in LEADERS}
# The rows of the grid, with the number of cards that must lie in a slot already.
_ROWS = tuple(
    (level - 1, slice(row * len(COLOURS), (row + 1) * len(COLOURS))) for row, level in enumerate(LEVELS)
)
_END = EndTurn()
_BACK = TakeBack()


def questions(tabletop: Tabletop, take_backs: int) -> tuple[Question | None, ...]:
    """By seat. Setup asks everybody who has not finished it; otherwise it is the current player's turn."""
    asked: list[Question | None] = []
    for seat, board in enumerate(tabletop.boards):
        waits = seat != tabletop.current and board.kept and not board.due
        asked.append(None if waits else _question(tabletop, seat, board, take_backs))
    return tuple(asked)


def _question(tabletop: Tabletop, seat: int, board: Board, take_backs: int) -> Question | None:
    if not board.here:
        return None
    if not board.kept:
        pairs = combinations(_known(board.dealt), LEADERS_KEPT)
        return Question("leaders", tuple(KeepLeaders(*pair) for pair in pairs))
    if board.due:
        return None if tabletop.phase == "leaders" else Question("resources", tuple(resource_choices(board)))
    if tabletop.phase == "turns" and seat == tabletop.current:
        return _turn_question(tabletop, board, take_backs)
    return None


def _turn_question(tabletop: Tabletop, board: Board, take_backs: int) -> Question:
    choices: tuple[Action, ...]
    if tabletop.waiting:
        kind, choices = "place", store_choices(board, tabletop.waiting, tabletop.draft)
    elif tabletop.draft:
        cost = due(tabletop, board)
        kind, choices = "pay", payments(board, cost)
        if not isinstance(tabletop.draft[0], BuyCard):
            kind = "powers"
            choices = power_choices(board, drafted_powers(tabletop), board.resources.minus(cost)) + choices
    elif tabletop.acted:
        kind, choices = "end", (_END, *_leader_choices(board))
    else:
        kind, owned = "action", board.resources
        choices = (
            *line_choices(tabletop, board),
            *_card_choices(tabletop, board, owned),
            *power_choices(board, (), owned),
            *_leader_choices(board),
        )
    if tabletop.draft and take_backs:
        choices += (_BACK,)
    return Question(kind, choices)


def _card_choices(tabletop: Tabletop, board: Board, owned: Stock) -> list[BuyCard]:
    """The cards that can be paid, with every slot that they fit on."""
    found = []
    heights = [len(slot) for slot in board.slots]
    for height, piles in _ROWS:
        if height in heights:
            for pile in tabletop.grid[piles]:
                if pile.card is not None and owned.covers(price(board, pile.card)):
                    found += [_BUYS[pile.card, slot] for slot in range(SLOTS) if heights[slot] == height]
    return found


def _leader_choices(board: Board) -> list[Action]:
    hand = _known(board.hand)
    plays: list[Action] = [_PLAYS[leader] for leader in hand if is_met(board, leader)]
    return plays + [_DISCARDS[leader] for leader in hand]


def _known(cards: tuple[str | None, ...]) -> list[str]:
    """Cards of the true state, where none is hidden."""
    return [card for card in cards if card is not None]
