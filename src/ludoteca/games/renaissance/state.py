"""What is on the table, and what each event changes there.

`Tabletop` is the picture that the players look at. The rules and the views follow the same events with the
same function, `happen`: a view is the true tabletop with the secrets blanked out.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, cast

import msgspec
from msgspec.structs import replace

from ludoteca.core import Dice, Outcome, Question, Seat
from ludoteca.games.renaissance import events
from ludoteca.games.renaissance.actions import Line, Pay, Step, TakeLine
from ludoteca.games.renaissance.data import (
    CARDS,
    COLOURS,
    COLUMNS,
    INDEX,
    LEADERS,
    LEVELS,
    NOTHING,
    PLACES,
    ROWS,
    TOKENS,
    Marble,
    Resource,
    Stock,
)
from ludoteca.games.renaissance.events import EMPTY, Depot

Phase = Literal["leaders", "resources", "turns", "over"]
Tile = Literal["down", "up", "lost"]


class Board(msgspec.Struct, frozen=True):
    """One player's side of the table.

    `dealt` are the four leaders of the setup, `hand` those kept and not yet used; None is a card that this
    view may not show. `due` starting resources are still to be chosen. `depots` are the three basic ones from
    the top, then one for each depot leader in the order played. `slots` list their cards bottom first.
    """

    dealt: tuple[str | None, ...] = ()
    kept: bool = False
    hand: tuple[str | None, ...] = ()
    played: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    due: int = 0
    faith: int = 0
    tiles: tuple[Tile, ...] = ("down", "down", "down")
    depots: tuple[Depot, ...] = (EMPTY, EMPTY, EMPTY)
    strongbox: Stock = NOTHING
    slots: tuple[tuple[str, ...], ...] = ((), (), ())
    here: bool = True

    @property
    def ready(self) -> bool:
        """Whether the setup of this player is complete."""
        return self.kept and not self.due

    @property
    def warehouse(self) -> Stock:
        """What the basic depots hold together."""
        return held(self.depots[: len(PLACES)])

    @property
    def leader_depots(self) -> Stock:
        """What the depots of leaders hold together."""
        return held(self.depots[len(PLACES) :])

    @property
    def resources(self) -> Stock:
        """Everything this player owns."""
        return held(self.depots).plus(self.strongbox)


class Pile(msgspec.Struct, frozen=True):
    """A deck of the grid: its top card, and how many cards it has."""

    card: str | None
    left: int


class Tabletop(msgspec.Struct, frozen=True):
    """All that lies on the table.

    `first` holds the inkwell; `acted` says whether the main action of the turn is done. `marbles` are the
    three rows of the market one after the other, `grid` likewise, level 3 first; `line` was taken last.
    `waiting` resources are to be placed by the current player, whose incomplete decision is `draft`.
    Solo: the cell of the black cross, the tokens turned since the last shuffle, the last one turned, and
    the cards they removed.
    """

    first: int
    boards: tuple[Board, ...]
    marbles: tuple[Marble, ...]
    slide: Marble
    grid: tuple[Pile, ...]
    phase: Phase = "leaders"
    current: int = 0
    acted: bool = False
    line: TakeLine | None = None
    waiting: tuple[Resource, ...] = ()
    draft: tuple[Step, ...] = ()
    reports: int = 0
    last_round: bool = False
    cross: int | None = None
    turned: tuple[str, ...] = ()
    token: str | None = None
    removed: tuple[str, ...] = ()


class State(msgspec.Struct):
    """A match: the tabletop, what lies face down beside it, and the dice.

    `decks` lie as in the grid and `stack` holds Lorenzo's tokens, in both the top is last. `take_backs` are
    left in this turn. What is `asked` of each seat, or None, is found anew by the rules after every change.
    """

    tabletop: Tabletop
    decks: list[tuple[str, ...]]
    stack: tuple[str, ...]
    dice: Dice
    take_backs: int = 0
    asked: tuple[Question | None, ...] = ()
    outcome: Outcome | None = None

    @property
    def questions(self) -> dict[Seat, Question]:
        """What is being asked of whom."""
        asked: dict[Any, Question] = {}
        for seat, question in enumerate(self.asked):
            if question is not None:
                asked[seat] = question
        return asked

    def clone(self) -> "State":
        """An independent copy: all but the decks and the dice is never changed in place."""
        return State(
            self.tabletop,
            self.decks.copy(),
            self.stack,
            Dice(self.dice.state),
            self.take_backs,
            self.asked,
            self.outcome,
        )


@lru_cache(maxsize=4096)  # Every question asks, and few boards of a match differ in their depots.
def held(depots: tuple[Depot, ...]) -> Stock:
    """What depots hold together."""
    counts = [0, 0, 0, 0]
    for depot in depots:
        if depot.resource is not None:
            counts[INDEX[depot.resource]] += depot.count
    return Stock(*counts)


def pile_of(card: str) -> int:
    """The place of a card's deck in the grid."""
    facts = CARDS[card]
    return LEVELS.index(facts.level) * len(COLOURS) + COLOURS.index(facts.colour)


def line_of(line: Line, index: int) -> range:
    """The places of a line of the market, in reading order."""
    if line == "row":
        return range(index * COLUMNS, (index + 1) * COLUMNS)
    return range(index, ROWS * COLUMNS, COLUMNS)


def paid(board: Board, payment: Pay) -> Board:
    """The board after a payment."""
    if not any(payment.warehouse) and not any(payment.leaders):
        return replace(board, strongbox=board.strongbox.minus(payment.strongbox))
    depots = []
    for place, depot in enumerate(board.depots):
        if depot.resource is not None:
            source = payment.warehouse if place < len(PLACES) else payment.leaders
            left = depot.count - source[INDEX[depot.resource]]
            depot = Depot(depot.resource, left) if left else EMPTY
        depots.append(depot)
    return replace(board, depots=tuple(depots), strongbox=board.strongbox.minus(payment.strongbox))


def happen(tabletop: Tabletop, event: events.Event) -> Tabletop:
    """The tabletop after an event."""
    return CHANGES[type(event)](tabletop, event)


def _with(tabletop: Tabletop, seat: int, board: Board) -> tuple[Board, ...]:
    boards = tabletop.boards
    return (*boards[:seat], board, *boards[seat + 1 :])


def _without(hand: tuple[str | None, ...], card: str) -> tuple[str | None, ...]:
    """A hand without a card, which a view may know only as None."""
    place = hand.index(card if card in hand else None)
    return hand[:place] + hand[place + 1 :]


def _uncover(grid: tuple[Pile, ...], card: str, following: str | None) -> tuple[Pile, ...]:
    place = pile_of(card)
    return (*grid[:place], Pile(following, grid[place].left - 1), *grid[place + 1 :])


def _leaders_kept(tabletop: Tabletop, event: events.LeadersKept) -> Tabletop:
    board = replace(tabletop.boards[event.seat], kept=True, hand=event.cards)
    return replace(tabletop, boards=_with(tabletop, event.seat, board))


def _resources_opened(tabletop: Tabletop, _event: events.ResourcesOpened) -> Tabletop:
    return replace(tabletop, phase="resources")


def _resource_chosen(tabletop: Tabletop, event: events.ResourceChosen) -> Tabletop:
    board = tabletop.boards[event.seat]
    depots = list(board.depots)
    depots[event.depot] = Depot(event.resource, depots[event.depot].count + 1)
    board = replace(board, depots=tuple(depots), due=board.due - 1)
    return replace(tabletop, boards=_with(tabletop, event.seat, board))


def _turn_began(tabletop: Tabletop, event: events.TurnBegan) -> Tabletop:
    return replace(tabletop, phase="turns", current=event.seat, acted=False)


def _drafted(tabletop: Tabletop, event: events.Drafted) -> Tabletop:
    return replace(tabletop, draft=(*tabletop.draft, event.step))


def _taken_back(tabletop: Tabletop, _event: events.TakenBack) -> Tabletop:
    return replace(tabletop, draft=())


def _line_taken(tabletop: Tabletop, event: events.LineTaken) -> Tabletop:
    marbles = list(tabletop.marbles)
    places = line_of(event.line, event.index)
    leaving = marbles[places[0]]
    for place, following in pairwise(places):
        marbles[place] = marbles[following]
    marbles[places[-1]] = tabletop.slide
    return replace(
        tabletop,
        marbles=tuple(marbles),
        slide=leaving,
        line=TakeLine(event.line, event.index),
        waiting=event.taken,
        acted=True,
    )


def _warehouse_arranged(tabletop: Tabletop, event: events.WarehouseArranged) -> Tabletop:
    board = replace(tabletop.boards[event.seat], depots=event.depots)
    return replace(tabletop, boards=_with(tabletop, event.seat, board), waiting=(), draft=())


def _card_bought(tabletop: Tabletop, event: events.CardBought) -> Tabletop:
    board = paid(tabletop.boards[event.seat], event.payment)
    slots = list(board.slots)
    slots[event.slot] = (*slots[event.slot], event.card)
    board = replace(board, slots=tuple(slots))
    return replace(
        tabletop,
        boards=_with(tabletop, event.seat, board),
        grid=_uncover(tabletop.grid, event.card, event.following),
        acted=True,
        draft=(),
    )


def _produced(tabletop: Tabletop, event: events.Produced) -> Tabletop:
    board = paid(tabletop.boards[event.seat], event.payment)
    board = replace(board, strongbox=board.strongbox.plus(event.gained))
    return replace(tabletop, boards=_with(tabletop, event.seat, board), acted=True, draft=())


def _leader_played(tabletop: Tabletop, event: events.LeaderPlayed) -> Tabletop:
    board = tabletop.boards[event.seat]
    board = replace(
        board,
        hand=_without(board.hand, event.leader),
        played=(*board.played, event.leader),
        depots=(*board.depots, EMPTY) if LEADERS[event.leader].kind == "depot" else board.depots,
    )
    return replace(tabletop, boards=_with(tabletop, event.seat, board))


def _leader_discarded(tabletop: Tabletop, event: events.LeaderDiscarded) -> Tabletop:
    board = tabletop.boards[event.seat]
    hand = _without(board.hand, event.leader)
    board = replace(board, hand=hand, discarded=(*board.discarded, event.leader))
    return replace(tabletop, boards=_with(tabletop, event.seat, board))


def _faith_moved(tabletop: Tabletop, event: events.FaithMoved) -> Tabletop:
    boards = tuple(
        board if board.faith == cell else replace(board, faith=cell)
        for board, cell in zip(tabletop.boards, event.cells, strict=True)
    )
    return replace(tabletop, boards=boards, cross=event.cross)


def _report_held(tabletop: Tabletop, event: events.ReportHeld) -> Tabletop:
    boards = []
    for board, kept in zip(tabletop.boards, event.kept, strict=True):
        tiles = list(board.tiles)
        tiles[event.report] = "up" if kept else "lost"
        boards.append(replace(board, tiles=tuple(tiles)))
    return replace(tabletop, boards=tuple(boards), reports=event.report + 1)


def _last_round_began(tabletop: Tabletop, _event: events.LastRoundBegan) -> Tabletop:
    return replace(tabletop, last_round=True)


def _token_turned(tabletop: Tabletop, event: events.TokenTurned) -> Tabletop:
    grid = tabletop.grid
    for card, following in zip(event.removed, event.following, strict=True):
        grid = _uncover(grid, card, following)
    turned = () if TOKENS[event.token].shuffles else (*tabletop.turned, event.token)
    removed = tabletop.removed + event.removed
    return replace(tabletop, grid=grid, turned=turned, token=event.token, removed=removed)


def _departed(tabletop: Tabletop, event: events.Departed) -> Tabletop:
    board = replace(tabletop.boards[event.seat], here=False)
    draft = () if event.seat == tabletop.current else tabletop.draft
    return replace(tabletop, boards=_with(tabletop, event.seat, board), draft=draft)


def _rejoined(tabletop: Tabletop, event: events.Rejoined) -> Tabletop:
    board = replace(tabletop.boards[event.seat], here=True)
    return replace(tabletop, boards=_with(tabletop, event.seat, board))


def _finished(tabletop: Tabletop, _event: events.Finished) -> Tabletop:
    return replace(tabletop, phase="over", waiting=(), draft=())


CHANGES = cast(
    "dict[type[events.Event], Callable[[Tabletop, Any], Tabletop]]",
    {
        events.LeadersKept: _leaders_kept,
        events.ResourcesOpened: _resources_opened,
        events.ResourceChosen: _resource_chosen,
        events.TurnBegan: _turn_began,
        events.Drafted: _drafted,
        events.TakenBack: _taken_back,
        events.LineTaken: _line_taken,
        events.WarehouseArranged: _warehouse_arranged,
        events.CardBought: _card_bought,
        events.Produced: _produced,
        events.LeaderPlayed: _leader_played,
        events.LeaderDiscarded: _leader_discarded,
        events.FaithMoved: _faith_moved,
        events.ReportHeld: _report_held,
        events.LastRoundBegan: _last_round_began,
        events.TokenTurned: _token_turned,
        events.Departed: _departed,
        events.Rejoined: _rejoined,
        events.Finished: _finished,
    },
)
