"""Who may know what: everything but the bag's order and, until the end, the personal goals of the others."""

from collections.abc import Sequence
from itertools import zip_longest

import msgspec
from msgspec.structs import replace

from ludoteca.core import Dice, LocalError, Outcome, Seat
from ludoteca.games.shelfie.data import (
    COMMON_GOALS,
    PERSONAL_GOALS,
    ROOM,
    ROOM_COLUMNS,
    SEATS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    Cell,
    Tile,
)
from ludoteca.games.shelfie.events import (
    BrokenOff,
    ColumnFilled,
    Event,
    Finished,
    RoomRefilled,
    ShelfFilled,
    Started,
    TilesTaken,
    TokenTaken,
    TurnEnded,
)
from ludoteca.games.shelfie.goals import group_points, in_place
from ludoteca.games.shelfie.state import Shelf, State

# Rows from the top, as they are drawn; None is an empty cell.
Grid = tuple[tuple[Tile | None, ...], ...]

# The number of players from which on each cell of the living room is used (the dots printed there), 0 for no
# space at all; spaces for more players than are playing count as none.
_MASKS = {
    seats: tuple(tuple(int(dot) if "2" <= dot <= str(seats) else 0 for dot in row) for row in ROOM)
    for seats in SEATS
}


class Common(msgspec.Struct, frozen=True):
    """A common goal: the tokens still on it, top first, and what each seat took from it (0: nothing)."""

    id: int
    name: str
    tokens: tuple[int, ...]
    taken: tuple[int, ...]


class Wish(msgspec.Struct, frozen=True):
    """A cell of a personal goal, and whether it holds the tile it wants."""

    cell: Cell
    tile: Tile
    met: bool


class View(msgspec.Struct, frozen=True):
    """The table as one seat sees it; `seat` is None for a spectator.

    `hand` are the tiles that `turn` has taken and not yet put away. `cards` are the personal goals by seat,
    None where unknown; `wishes` is the own one spelled out, `goals` are those of all seats once they are face
    up. `groups` are the points for groups by seat, `points` the totals as last announced. `filled` is the
    seat with the end-game token, which starts the last round.
    """

    seat: int | None
    first: int
    turn: int | None
    room: Grid
    mask: tuple[tuple[int, ...], ...]
    shelves: tuple[Grid, ...]
    hand: tuple[Tile, ...]
    commons: tuple[Common, ...]
    cards: tuple[int | None, ...]
    wishes: tuple[Wish, ...]
    groups: tuple[int, ...]
    points: tuple[int, ...]
    filled: int | None
    outcome: Outcome | None
    goals: tuple[tuple[Wish, ...], ...] = ()


def view(state: State, seat: Seat | None) -> View:
    """What one seat (or, for None, a spectator) may know."""
    revealed = _are_cards_up(state)
    shelves = tuple(map(_grid, state.shelves))
    return View(
        seat=seat,
        first=state.first,
        turn=None if state.outcome else state.turn,
        room=tuple(
            tuple(state.room[start : start + ROOM_COLUMNS])
            for start in range(0, len(state.room), ROOM_COLUMNS)
        ),
        mask=_MASKS[state.seats],
        shelves=shelves,
        hand=state.hand,
        commons=tuple(
            Common(goal, COMMON_GOALS[goal], state.stacks[index], tuple(own[index] for own in state.tokens))
            for index, goal in enumerate(state.commons)
        ),
        cards=tuple(card if revealed or owner == seat else None for owner, card in enumerate(state.cards)),
        wishes=() if seat is None else _wishes(state.cards[seat], shelves[seat]),
        groups=tuple(map(group_points, state.shelves)),
        points=tuple(state.points),
        filled=state.filled,
        outcome=state.outcome,
        goals=_goals(state.cards, shelves) if revealed else (),
    )


def reveal(state: State) -> View:
    """The table with all personal goals face up."""
    picture = view(state, None)
    return replace(picture, cards=state.cards, goals=_goals(state.cards, picture.shelves))


def update(view: View, event: Event) -> View:
    """The view after the event."""
    match event:
        case Started():
            return view
        case TilesTaken(_, cells, tiles):
            return replace(view, room=_with(view.room, cells, [None] * len(cells)), hand=tiles)
        case ColumnFilled(seat, column, tiles):
            return _update_shelf(view, seat, column, tiles)
        case TokenTaken(seat, goal, value):
            return replace(
                view,
                commons=tuple(
                    replace(common, tokens=common.tokens[1:], taken=_put(common.taken, seat, value))
                    if common.id == goal
                    else common
                    for common in view.commons
                ),
            )
        case ShelfFilled(seat):
            return replace(view, filled=seat)
        case RoomRefilled(cells, tiles):
            return replace(view, room=_with(view.room, cells, tiles))
        case TurnEnded(seat, points, following):
            return replace(view, points=_put(view.points, seat, points), turn=following)
        case Finished(cards, outcome):
            goals = _goals(cards, view.shelves)
            return replace(view, cards=cards, goals=goals, points=outcome.scores["total"], outcome=outcome)
        case BrokenOff(_, outcome):
            return replace(view, turn=None, outcome=outcome)


def redeal(state: State, seat: Seat | None, dice: Dice) -> State:
    """A state that this seat cannot tell from the true one: another order of the bag, other
    cards of the others."""
    dealt = state.clone()
    dice.shuffle(dealt.bag)
    if not _are_cards_up(state):
        dealt.cards = _redeal_cards(state, seat, dice)
    return dealt


def _are_cards_up(state: State) -> bool:
    """The personal goals are turned up when they are counted, not when a match is broken off."""
    return state.outcome is not None and bool(state.outcome.ranks)


def _redeal_cards(state: State, seat: Seat | None, dice: Dice) -> tuple[int, ...]:
    """All different, the own one kept, and with open points as many tiles in place as everybody has seen."""
    fitting = []
    for owner, card in enumerate(state.cards):
        if owner == seat:
            fitting.append([card])
            continue
        shelf = state.shelves[owner]
        count = in_place(card, shelf) if state.open_points else None
        cards = [other for other in PERSONAL_GOALS if count is None or in_place(other, shelf) == count]
        dice.shuffle(cards)
        fitting.append(cards)
    dealt = _all_different(fitting)
    if dealt is None:
        raise LocalError("the true cards fit, so some must")
    return dealt


def _all_different(fitting: list[list[int]]) -> tuple[int, ...] | None:
    """One of each list, none twice; None when that cannot be."""
    if not fitting:
        return ()
    *before, last = fitting
    for card in last:
        rest = _all_different([[other for other in cards if other != card] for cards in before])
        if rest is not None:
            return (*rest, card)
    return None


def _grid(shelf: Shelf) -> Grid:
    rows = list(zip_longest(*shelf))
    return ((None,) * SHELF_COLUMNS,) * (SHELF_ROWS - len(rows)) + tuple(reversed(rows))


def _shelf(grid: Grid) -> Shelf:
    return [tuple([tile for tile in column if tile]) for column in zip(*reversed(grid), strict=True)]


def _wishes(card: int, grid: Grid) -> tuple[Wish, ...]:
    return tuple(Wish(cell, tile, grid[cell.row][cell.column] == tile) for cell, tile in PERSONAL_GOALS[card])


def _goals(cards: Sequence[int], shelves: Sequence[Grid]) -> tuple[tuple[Wish, ...], ...]:
    return tuple(map(_wishes, cards, shelves))


def _update_shelf(view: View, seat: int, column: int, tiles: tuple[Tile, ...]) -> View:
    shelf = _shelf(view.shelves[seat])
    shelf[column] += tiles
    grid = _grid(shelf)
    return replace(
        view,
        shelves=(*view.shelves[:seat], grid, *view.shelves[seat + 1 :]),
        hand=(),
        groups=_put(view.groups, seat, group_points(shelf)),
        wishes=_wishes(card, grid) if seat == view.seat and (card := view.cards[seat]) else view.wishes,
    )


def _put(row: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*row[:place], value, *row[place + 1 :])


def _with(room: Grid, cells: tuple[Cell, ...], tiles: Sequence[Tile | None]) -> Grid:
    rows = [list(row) for row in room]
    for cell, tile in zip(cells, tiles, strict=True):
        rows[cell.row][cell.column] = tile
    return tuple(map(tuple, rows))
