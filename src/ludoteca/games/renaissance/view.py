"""Who may know what: leaders in hand are their owner's secret, decks and tokens lie face down for all."""

from collections.abc import Sequence

from msgspec.structs import replace

from ludoteca.core import Dice, Seat
from ludoteca.games.renaissance import events, rules
from ludoteca.games.renaissance.actions import Store
from ludoteca.games.renaissance.cards.depots import proposed
from ludoteca.games.renaissance.data import LEADERS, TOKENS
from ludoteca.games.renaissance.events import Event
from ludoteca.games.renaissance.state import Board, State, Tabletop, happen

# What a seat sees is the tabletop itself, with None for every card it may not know.
View = Tabletop


def view(state: State, seat: Seat | None) -> View:
    """What one seat (or, for None, a spectator) may know."""
    tabletop = state.tabletop
    boards = tuple(
        board if owner == seat else replace(board, dealt=_blank(board.dealt), hand=_blank(board.hand))
        for owner, board in enumerate(tabletop.boards)
    )
    return replace(tabletop, boards=boards)


def seen(event: Event, seat: Seat | None) -> Event:
    """An event as a seat may know it: only what the others keep in hand is hidden."""
    if isinstance(event, events.LeadersKept) and event.seat != seat:
        return events.LeadersKept(event.seat, _blank(event.cards))
    return event


def update(picture: View, event: Event) -> View:
    """The view after an event."""
    return happen(picture, event)


def reveal(state: State) -> View:
    """The tabletop with every hand face up."""
    return state.tabletop


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:
    """Another state that this seat cannot tell from the true one."""
    other = state.clone()
    other.dice = dice.fork()
    other.decks = [_shuffled(deck[:-1], dice) + deck[-1:] for deck in state.decks]
    if state.tabletop.cross is not None:
        face_down = [token for token in TOKENS if token not in state.tabletop.turned]
        other.stack = _shuffled(tuple(face_down), dice)
    known = {
        card
        for owner, board in enumerate(state.tabletop.boards)
        for card in (*board.played, *board.discarded, *(board.dealt if owner == seat else ()))
    }
    unknown = [leader for leader in LEADERS if leader not in known]
    dice.shuffle(unknown)
    boards = tuple(
        board if owner == seat else _redealt(board, unknown)
        for owner, board in enumerate(state.tabletop.boards)
    )
    other.tabletop = replace(state.tabletop, boards=boards)
    rules.ask(other)
    return other


def propose(picture: View, seat: Seat) -> Sequence[Store]:
    """Where to put what was taken; nothing once its owner has begun to place it."""
    return () if picture.draft else proposed(picture.boards[seat], picture.waiting)


def _blank(cards: tuple[str | None, ...]) -> tuple[None, ...]:
    return (None,) * len(cards)


def _shuffled(cards: tuple[str, ...], dice: Dice) -> tuple[str, ...]:
    mixed = list(cards)
    dice.shuffle(mixed)
    return tuple(mixed)


def _redealt(board: Board, unknown: list[str]) -> Board:
    """The board with other leaders where they are secret; they are taken off the list."""
    public = (*board.played, *board.discarded)
    drawn = [unknown.pop() for _ in range(len(board.dealt) - len(public))]
    hand = tuple(sorted(drawn[: len(board.hand)]))
    return replace(board, dealt=tuple(sorted((*public, *drawn))), hand=hand)
