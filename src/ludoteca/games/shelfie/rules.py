"""The rules of My Shelfie: taking tiles, filling the bookshelf, goals, refill, the last
round and the result."""

from functools import cache
from itertools import permutations
from typing import assert_never

from ludoteca.core import Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import (
    COMMON_GOALS,
    COMMON_GOALS_PER_MATCH,
    FIRST_FULL_SHELF_POINTS,
    PERSONAL_GOALS,
    ROOM,
    ROOM_COLUMNS,
    ROOM_ROWS,
    SEATS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TAKE_MAX,
    TILES,
    TILES_PER_TYPE,
    TOKENS,
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
from ludoteca.games.shelfie.goals import COMMON, group_points, personal_points
from ludoteca.games.shelfie.state import Shelf, State

# The spaces in use by number of players, in reading order.
SPACES = {
    seats: tuple(
        Cell(row, column)
        for row in range(ROOM_ROWS)
        for column in range(ROOM_COLUMNS)
        if ROOM[row][column] != "." and int(ROOM[row][column]) <= seats
    )
    for seats in SEATS
}

# Sets of cells are kept as bits of one integer, so that all neighbours are found with four shifts. A row
# takes one bit more than it has columns: no cell is next to the first one of the next row.
_ROW_BITS = ROOM_COLUMNS + 1


def _bit(cell: Cell) -> int:
    return 1 << (cell.row * _ROW_BITS + cell.column)


def _lines(seats: int, length: int) -> list[tuple[int, TakeTiles]]:
    spaces = set(SPACES[seats])
    lines = [
        tuple(Cell(cell.row + down * step, cell.column + right * step) for step in range(length))
        for cell in SPACES[seats]
        for down, right in ([(0, 1), (1, 0)] if length > 1 else [(0, 1)])
    ]
    return [(sum(map(_bit, line)), TakeTiles(line)) for line in lines if spaces.issuperset(line)]


# Every line that could ever be taken, by number of players and length: its cells as bits, and the action.
_LINES = {seats: tuple(_lines(seats, length) for length in range(1, TAKE_MAX + 1)) for seats in SEATS}
_PLACES = {
    seats: tuple((cell.row * ROOM_COLUMNS + cell.column, _bit(cell)) for cell in SPACES[seats])
    for seats in SEATS
}


def start(setup: Setup) -> tuple[State, list[Event]]:
    """A full living room, two common goals, a secret card for each player, and somebody to begin."""
    dice = Dice(setup.seed)
    bag: list[Tile] = [tile for tile in TILES for _ in range(TILES_PER_TYPE)]
    dice.shuffle(bag)
    state = State(
        seats=setup.seats,
        open_points=setup.options.open_points,
        room=[None] * (ROOM_ROWS * ROOM_COLUMNS),
        bag=bag,
        shelves=[[()] * SHELF_COLUMNS for _ in range(setup.seats)],
        commons=tuple(dice.sample(list(COMMON_GOALS), COMMON_GOALS_PER_MATCH)),
        stacks=[TOKENS[setup.seats]] * COMMON_GOALS_PER_MATCH,
        tokens=[(0,) * COMMON_GOALS_PER_MATCH] * setup.seats,
        cards=tuple(dice.sample(list(PERSONAL_GOALS), setup.seats)),
        points=[0] * setup.seats,
        first=0,
        turn=0,
    )
    state.first = state.turn = dice.below(setup.seats)
    _refill(state)
    ask(state)
    return state, [Started(state.first, state.commons)]


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """One action of the player whose turn it is."""
    if state.outcome is not None:
        raise Refused("the match is over", "over")
    if seat != state.turn:
        raise Refused("it is not your turn", "turn")
    match action:
        case TakeTiles():
            return _take(state, action)
        case FillColumn():
            return _fill(state, action)
        case _:
            assert_never(action)


def leave(state: State, seat: Seat) -> list[Event]:
    """Without one of its players the match is over for all, and nobody wins."""
    if state.outcome is not None:
        return []
    state.outcome = Outcome(ranks=(), reason="a player left")
    ask(state)
    return [BrokenOff(seat, state.outcome)]


def ask(state: State) -> None:
    """Find the legal answers to what is asked now; also after a position was set up by hand."""
    if state.outcome is not None:
        state.choices = ()
    elif state.hand:
        columns = _columns_with_space(state.shelves[state.turn], len(state.hand))
        state.choices = _fills(tuple(sorted(state.hand)), columns)
    else:
        state.choices = _takes(state)


def _take(state: State, action: TakeTiles) -> list[Event]:
    if state.hand:
        raise Refused("first put the tiles in your hand into your bookshelf", "hand")
    if action not in state.choices:
        raise _why_not_taken(state, action.cells)
    places = [cell.row * ROOM_COLUMNS + cell.column for cell in action.cells]
    hand = tuple([tile for place in places if (tile := state.room[place])])
    for place in places:
        state.room[place] = None
    state.hand = hand
    ask(state)
    return [TilesTaken(state.turn, action.cells, hand)]


def _fill(state: State, action: FillColumn) -> list[Event]:
    if action not in state.choices:
        raise _why_not_filled(state, action)
    seat = state.turn
    state.shelves[seat][action.column] += action.tiles
    state.hand = ()
    events: list[Event] = [ColumnFilled(seat, action.column, action.tiles)]
    events += _take_tokens(state, seat)
    if state.filled is None and _is_full(state.shelves[seat]):
        state.filled = seat
        events.append(ShelfFilled(seat))
    events += _end_turn(state, seat)
    return events


def _take_tokens(state: State, seat: int) -> list[Event]:
    events: list[Event] = []
    for index, goal in enumerate(state.commons):
        tokens = state.tokens[seat]
        if not tokens[index] and COMMON[goal](state.shelves[seat]):
            value, *rest = state.stacks[index]
            state.stacks[index] = tuple(rest)
            state.tokens[seat] = (*tokens[:index], value, *tokens[index + 1 :])
            events.append(TokenTaken(seat, goal, value))
    return events


def _end_turn(state: State, seat: int) -> list[Event]:
    events: list[Event] = []
    following = (seat + 1) % state.seats
    # All have had the same number of turns when it would be the first player's again.
    if state.filled is not None and following == state.first:
        outcome = result(_rows(state), state.first)
        announced = outcome.scores["total"][seat]
        if not state.open_points:
            announced -= outcome.scores["personal goal"][seat]
        events.append(TurnEnded(seat, announced, None))
        state.points = list(outcome.scores["total"])
        state.outcome = outcome
        ask(state)
        return [*events, Finished(state.cards, outcome)]
    occupied = _occupied(state)
    if not _any_touch(occupied):
        events += _refill(state)
    state.points[seat] = _announced(state, seat)
    state.turn = following
    ask(state)
    events.append(TurnEnded(seat, state.points[seat], following))
    return events


def _announced(state: State, seat: int) -> int:
    shelf = state.shelves[seat]
    points = sum(state.tokens[seat]) + group_points(shelf)
    if state.filled == seat:
        points += FIRST_FULL_SHELF_POINTS
    if state.open_points:
        points += personal_points(state.cards[seat], shelf)
    return points


def _rows(state: State) -> dict[str, tuple[int, ...]]:
    """The points of all seats by source."""
    return {
        "common goals": tuple(map(sum, state.tokens)),
        "first full shelf": tuple(
            FIRST_FULL_SHELF_POINTS * (seat == state.filled) for seat in range(state.seats)
        ),
        "personal goal": tuple(map(personal_points, state.cards, state.shelves)),
        "groups": tuple(map(group_points, state.shelves)),
    }


def result(rows: dict[str, tuple[int, ...]], first: int) -> Outcome:
    """Who wins with these points.

    Of tied players it is the one furthest from the first, as the rulebook says.
    """
    total = tuple(map(sum, zip(*rows.values(), strict=True)))
    places = [(points, (seat - first) % len(total)) for seat, points in enumerate(total)]
    order = sorted(places, reverse=True)
    is_tied = total.count(max(total)) > 1
    return Outcome(
        ranks=tuple(order.index(place) + 1 for place in places),
        reason="most points, as the last to move of those tied" if is_tied else "most points",
        scores={**rows, "total": total},
    )


def _refill(state: State) -> list[Event]:
    """Fill the empty spaces from the bag, in reading order, as far as it goes."""
    cells: list[Cell] = []
    tiles: list[Tile] = []
    for cell, (place, _) in zip(SPACES[state.seats], _PLACES[state.seats], strict=True):
        if state.room[place] is None and state.bag:
            state.room[place] = tile = state.bag.pop()
            cells.append(cell)
            tiles.append(tile)
    return [RoomRefilled(tuple(cells), tuple(tiles))] if cells else []


def _occupied(state: State) -> int:
    room = state.room
    return sum([bit for place, bit in _PLACES[state.seats] if room[place]])


def _any_touch(occupied: int) -> bool:
    return bool(occupied & (occupied >> 1 | occupied >> _ROW_BITS))


def _with_free_side(occupied: int) -> int:
    surrounded = occupied >> 1 & occupied << 1 & occupied >> _ROW_BITS & occupied << _ROW_BITS
    return occupied & ~surrounded


def _takes(state: State) -> tuple[TakeTiles, ...]:
    free = _with_free_side(_occupied(state))
    lines_that_fit = _LINES[state.seats][: _space(state.shelves[state.turn])]
    return tuple([take for lines in lines_that_fit for bits, take in lines if bits & free == bits])


def _space(shelf: Shelf) -> int:
    return SHELF_ROWS - min(map(len, shelf))


def _columns_with_space(shelf: Shelf, count: int) -> tuple[int, ...]:
    return tuple([column for column, tiles in enumerate(shelf) if len(tiles) + count <= SHELF_ROWS])


@cache  # 83 hands on 31 sets of columns: the same few thousand tuples serve all matches.
def _fills(hand: tuple[Tile, ...], columns: tuple[int, ...]) -> tuple[FillColumn, ...]:
    orders = dict.fromkeys(permutations(hand))
    return tuple(FillColumn(column, order) for column in columns for order in orders)


def _is_full(shelf: Shelf) -> bool:
    return _space(shelf) == 0


def _why_not_taken(state: State, cells: tuple[Cell, ...]) -> Refused:
    """The first rule that taking these cells would break."""
    if not 1 <= len(cells) <= TAKE_MAX:
        return Refused(f"take one to {TAKE_MAX} tiles", "count")
    if len(set(cells)) < len(cells):
        return Refused("name each tile once", "duplicate")
    if not set(SPACES[state.seats]).issuperset(cells):
        return Refused("that is outside the living room", "off_board")
    if not all(state.room[cell.row * ROOM_COLUMNS + cell.column] for cell in cells):
        return Refused("there is no tile", "empty_cell")
    bits = sum(map(_bit, cells))
    if bits & ~_with_free_side(_occupied(state)):
        return Refused("every tile needs a free side at the start of the turn", "no_free_side")
    if len({cell.row for cell in cells}) > 1 and len({cell.column for cell in cells}) > 1:
        return Refused("take tiles in one straight line", "not_in_line")
    if all(bits != line for lines in _LINES[state.seats] for line, _ in lines):
        return Refused("take tiles that lie side by side", "not_adjacent")
    if len(cells) > _space(state.shelves[state.turn]):
        return Refused("no column of your bookshelf has space for so many", "no_column_fits")
    return Refused("name the tiles in reading order", "order")


def _why_not_filled(state: State, action: FillColumn) -> Refused:
    if not state.hand:
        return Refused("first take tiles from the living room", "hand")
    if not 0 <= action.column < SHELF_COLUMNS:
        return Refused("there is no such column", "column")
    if action.column not in _columns_with_space(state.shelves[state.turn], len(state.hand)):
        return Refused("that column has too few free spaces", "column")
    return Refused("these are not the tiles in your hand", "order")
