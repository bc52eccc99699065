"""Turns played on, whole ones at once: by the rules, but nobody asks at each step what else could be done."""

from ludoteca.core import Seat
from ludoteca.games.renaissance.actions import (
    BuyCard,
    DiscardLeader,
    EndTurn,
    Pay,
    PlayLeader,
    Store,
    TakeLine,
)
from ludoteca.games.renaissance.bot.mind import Mind, Turn, Weights
from ludoteca.games.renaissance.cards.depots import store_choices
from ludoteca.games.renaissance.cards.leaders import depot_resources, is_met, price
from ludoteca.games.renaissance.cards.powers import taken_together
from ludoteca.games.renaissance.data import INDEX, LEADER_PLACES, PLACES, RESOURCES, Stock
from ludoteca.games.renaissance.rules import perform
from ludoteca.games.renaissance.state import Board, State


def go_on(state: State, weights: Weights) -> None:
    """The turn of whoever is in turn, as it looks best, and the leaders that can be played."""
    seat = Seat(state.tabletop.current)
    play_leaders(state, seat)
    turns = Mind(state.tabletop, seat, weights).turns()
    play(state, seat, max(turns, key=_worth)[1])


def play(state: State, seat: Seat, turn: Turn) -> None:
    """A turn to its end."""
    perform(state, seat, turn.first)
    board = state.tabletop.boards[seat]
    match turn.first:
        case TakeLine():
            _place(state, seat, turn.kept)
        case BuyCard(card):
            perform(state, seat, _payment(board, price(board, card)))
        case _:
            for power in turn.powers[1:]:
                perform(state, seat, power)
            perform(state, seat, _payment(board, taken_together(board, turn.powers)))
    play_leaders(state, seat)
    if state.tabletop.last_round:
        for leader in state.tabletop.boards[seat].hand:
            assert leader is not None
            perform(state, seat, DiscardLeader(leader))
    perform(state, seat, EndTurn())


def _worth(pair: tuple[float, Turn]) -> float:
    return pair[0]


def play_leaders(state: State, seat: Seat) -> None:
    """All that can be."""
    board = state.tabletop.boards[seat]
    for leader in board.hand:
        if leader is not None and is_met(board, leader):
            perform(state, seat, PlayLeader(leader))


def _place(state: State, seat: Seat, kept: Stock) -> None:
    """What was taken, depot by depot."""
    wanted: dict[int, Store] = {}
    while (tabletop := state.tabletop).waiting:
        board = tabletop.boards[seat]
        wanted = wanted or stores(board, kept)
        perform(state, seat, wanted[store_choices(board, tabletop.waiting, tabletop.draft)[0].depot])


def stores(board: Board, kept: Stock) -> dict[int, Store]:
    """The depots as they are wanted: most of a kind in the largest, what belongs to a leader in its own."""
    rest = list(kept)
    wanted: dict[int, Store] = {}
    for depot, resource in enumerate(depot_resources(board), len(PLACES)):
        count = min(LEADER_PLACES, rest[INDEX[resource]])
        wanted[depot] = Store(depot, resource, count) if count else Store(depot)
        rest[INDEX[resource]] -= count
    most = sorted(range(len(RESOURCES)), key=lambda place: -rest[place])
    for depot, place in zip(reversed(range(len(PLACES))), most, strict=False):
        wanted[depot] = Store(depot, RESOURCES[place], rest[place]) if rest[place] else Store(depot)
    return wanted


def _payment(board: Board, due: Stock) -> Pay:
    """What takes up room goes first."""
    warehouse, leaders, strongbox = [], [], []
    for owed, held, special in zip(due, board.warehouse, board.leader_depots, strict=True):
        first = min(owed, held)
        second = min(owed - first, special)
        warehouse.append(first)
        leaders.append(second)
        strongbox.append(owed - first - second)
    return Pay(Stock(*warehouse), Stock(*leaders), Stock(*strongbox))
