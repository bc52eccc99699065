"""The rules of My Shelfie: taking tiles, filling the bookshelf, goals, refill, the last
round and the result."""

from functools import cache
from itertools import chain, compress, permutations
from typing import cast

from ludoteca.core import Choices, Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.shelfie import events
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import (
    COMMON_GOALS,
    COMMON_GOALS_PER_MATCH,
    FIRST_FULL_SHELF_POINTS,
    PERSONAL_GOALS,
    PERSONAL_POINTS,
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
from ludoteca.games.shelfie.events import Event
from ludoteca.games.shelfie.goals import COMMON
from ludoteca.games.shelfie.state import Common, Grid, State, Tabletop, Wish, happen, wishes_of

# The number of players from which on each cell of the living room is used (the dots printed there), 0 for no
# space at all; spaces for more players than are playing count as none.
_MASKS = {
    seats: tuple(tuple(int(dot) if "2" <= dot <= str(seats) else 0 for dot in row) for row in ROOM)
    for seats in SEATS
}
# The spaces in use by number of players, in reading order.
SPACES = {
    seats: tuple(Cell(row, column) for row, dots in enumerate(mask) for column, dot in enumerate(dots) if dot)
    for seats, mask in _MASKS.items()
}

# Sets of cells are kept as bits of one integer, so that all neighbours are found with four shifts. A row
# takes one bit more than it has columns: no cell is next to the first one of the next row.
_ROW_BITS = ROOM_COLUMNS + 1


def bit_of(cell: Cell) -> int:
    """A cell as a bit."""
    return 1 << (cell.row * _ROW_BITS + cell.column)


def _lines(seats: int, length: int) -> list[tuple[int, TakeTiles]]:
    spaces = set(SPACES[seats])
    lines = [
        tuple(Cell(cell.row + down * step, cell.column + right * step) for step in range(length))
        for cell in SPACES[seats]
        for down, right in ([(0, 1), (1, 0)] if length > 1 else [(0, 1)])
    ]
    return [(sum(map(bit_of, line)), TakeTiles(line)) for line in lines if spaces.issuperset(line)]


# Every line that could ever be taken, by number of players and length: its cells as bits, and the action.
LINES = {seats: tuple(_lines(seats, length) for length in range(1, TAKE_MAX + 1)) for seats in SEATS}
_LINE_BITS = {take.cells: bits for lines in LINES[max(SEATS)] for bits, take in lines}
# All cells in reading order.
_BITS = tuple(bit_of(Cell(row, column)) for row in range(ROOM_ROWS) for column in range(ROOM_COLUMNS))
EVERYWHERE = sum(_BITS)
_EMPTY_SHELF: Grid = ((None,) * SHELF_COLUMNS,) * SHELF_ROWS


def start(setup: Setup) -> tuple[State, list[Event]]:
    """A full living room, two common goals, a secret card for each player, and somebody to begin."""
    dice = Dice(setup.seed)
    seats = setup.seats
    bag: list[Tile] = [tile for tile in TILES for _ in range(TILES_PER_TYPE)]
    dice.shuffle(bag)
    commons = dice.sample(list(COMMON_GOALS), COMMON_GOALS_PER_MATCH)
    cards = tuple(dice.sample(list(PERSONAL_GOALS), seats))
    first = dice.below(seats)
    nothing = (0,) * seats
    shelves = (_EMPTY_SHELF,) * seats
    tabletop = Tabletop(
        seat=None,
        first=first,
        turn=first,
        room=tuple(tuple(bag.pop() if dot else None for dot in dots) for dots in _MASKS[seats]),
        mask=_MASKS[seats],
        shelves=shelves,
        hand=(),
        commons=tuple(Common(goal, COMMON_GOALS[goal], TOKENS[seats], nothing) for goal in commons),
        cards=cards,
        wishes=(),
        groups=nothing,
        points=nothing,
        filled=None,
        outcome=None,
        goals=tuple(map(wishes_of, cards, shelves)),
    )
    state = State(tabletop, bag, setup.options.open_points)
    ask(state)
    return state, [events.Started(first, tuple(commons))]


def apply(state: State, seat: Seat, action: Action) -> list[Event]:
    """One action of the player whose turn it is."""
    tabletop = state.tabletop
    if tabletop.outcome is not None:
        raise Refused("the match is over", "over")
    if seat != tabletop.turn:
        raise Refused("it is not your turn", "turn")
    log: list[Event] = []
    if isinstance(action, TakeTiles):
        bits = _LINE_BITS.get(action.cells)
        # The same question as whether it is among the choices, without looking through them.
        if (
            bits is None
            or tabletop.hand
            or bits & ~with_free_side(state.occupied)
            or len(action.cells) > _space(tabletop.shelves[seat])
        ):
            raise _why_not(state, tabletop.shelves[seat], action)
        room = tabletop.room
        tiles = tuple([tile for row, column in action.cells if (tile := room[row][column])])
        _tell(state, log, events.TilesTaken(seat, action.cells, tiles))
        state.occupied ^= bits
    elif action not in state.choices:
        raise _why_not(state, tabletop.shelves[seat], action)
    else:
        _fill(state, log, seat, action)
    _ask(state)
    return log


def leave(state: State, seat: Seat) -> list[Event]:
    """Without one of its players the match is over for all, and nobody wins."""
    if state.outcome is not None:
        return []
    log: list[Event] = []
    _tell(state, log, events.BrokenOff(seat, Outcome(ranks=(), reason="a player left")))
    ask(state)
    return log


def ask(state: State) -> None:
    """Find the legal answers to what is asked now, also after a position was set up by hand."""
    state.occupied = _occupied(state.tabletop)
    _ask(state)


def _ask(state: State) -> None:
    tabletop = state.tabletop
    if tabletop.turn is None:
        state.choices = ()
    elif tabletop.hand:
        columns = _columns_with_space(tabletop.shelves[tabletop.turn], len(tabletop.hand))
        state.choices = _fills(tuple(sorted(tabletop.hand)), columns)
    else:
        state.choices = _takes(tabletop, tabletop.shelves[tabletop.turn], state.occupied)


def _tell(state: State, log: list[Event], event: Event) -> Tabletop:
    """Let an event happen; the tabletop after it."""
    log.append(event)
    state.tabletop = tabletop = happen(state.tabletop, event)
    return tabletop


def _fill(state: State, log: list[Event], seat: int, action: FillColumn) -> None:
    tabletop = _tell(state, log, events.ColumnFilled(seat, action.column, action.tiles))
    open_goals = [common for common in tabletop.commons if not common.taken[seat]]
    if open_goals:
        shelf = tabletop.shelf(seat)
        for common in open_goals:
            if COMMON[common.id](shelf):
                _tell(state, log, events.TokenTaken(seat, common.id, common.tokens[0]))
    if tabletop.filled is None and None not in tabletop.shelves[seat][0]:
        _tell(state, log, events.ShelfFilled(seat))
    _end_turn(state, log, seat)


def _end_turn(state: State, log: list[Event], seat: int) -> None:
    tabletop = state.tabletop
    following = (seat + 1) % len(tabletop.shelves)
    # All have had the same number of turns when it would be the first player's again.
    if tabletop.filled is not None and following == tabletop.first:
        outcome = result(_rows(tabletop), tabletop.first)
        _tell(state, log, events.TurnEnded(seat, _announced(state, seat), None))
        _tell(state, log, events.Finished(cast("tuple[int, ...]", tabletop.cards), outcome))
        return
    if not any_touch(state.occupied):
        _refill(state, log)
    _tell(state, log, events.TurnEnded(seat, _announced(state, seat), following))


def _announced(state: State, seat: int) -> int:
    tabletop = state.tabletop
    points = tabletop.tokens(seat) + tabletop.groups[seat]
    if tabletop.filled == seat:
        points += FIRST_FULL_SHELF_POINTS
    if state.open_points:
        points += _personal_points(tabletop.goals[seat])
    return points


def _personal_points(goal: tuple[Wish, ...]) -> int:
    return PERSONAL_POINTS[sum([wish.met for wish in goal])]


def _rows(tabletop: Tabletop) -> dict[str, tuple[int, ...]]:
    """The points of all seats by source."""
    seats = range(len(tabletop.shelves))
    return {
        "common goals": tuple(map(tabletop.tokens, seats)),
        "first full shelf": tuple(FIRST_FULL_SHELF_POINTS * (seat == tabletop.filled) for seat in seats),
        "personal goal": tuple(map(_personal_points, tabletop.goals)),
        "groups": tabletop.groups,
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


def _refill(state: State, log: list[Event]) -> None:
    """Fill the empty spaces from the bag, in reading order, as far as it goes."""
    tabletop = state.tabletop
    empty = [cell for cell in SPACES[len(tabletop.shelves)] if not tabletop.room[cell.row][cell.column]]
    cells = tuple(empty[: len(state.bag)])
    if cells:
        _tell(state, log, events.RoomRefilled(cells, tuple([state.bag.pop() for _ in cells])))
        state.occupied = _occupied(state.tabletop)


def _occupied(tabletop: Tabletop) -> int:
    return sum(compress(_BITS, chain.from_iterable(tabletop.room)))


def any_touch(occupied: int) -> bool:
    """Whether two tiles lie side by side; if not, the room is filled up."""
    return bool(occupied & (occupied >> 1 | occupied >> _ROW_BITS))


def with_free_side(occupied: int) -> int:
    """The tiles that can be taken, by themselves."""
    surrounded = occupied >> 1 & occupied << 1 & occupied >> _ROW_BITS & occupied << _ROW_BITS
    return occupied & ~surrounded


def _takes(tabletop: Tabletop, shelf: Grid, occupied: int) -> tuple[TakeTiles, ...]:
    closed = EVERYWHERE ^ with_free_side(occupied)
    lines_that_fit = LINES[len(tabletop.shelves)][: _space(shelf)]
    return tuple([take for lines in lines_that_fit for bits, take in lines if not bits & closed])


# Nothing floats in a bookshelf: a row is full only if all below it are, and a cell is free only if all above
# it are.


def _space(shelf: Grid) -> int:
    """How many tiles fit into the emptiest column."""
    return sum([None in row for row in shelf])


def _columns_with_space(shelf: Grid, count: int) -> tuple[int, ...]:
    return tuple([column for column, tile in enumerate(shelf[count - 1]) if tile is None])


@cache  # 83 hands on 31 sets of columns: the same few thousand tuples serve all matches.
def _fills(hand: tuple[Tile, ...], columns: tuple[int, ...]) -> Choices[FillColumn]:
    orders = dict.fromkeys(permutations(hand))
    return Choices(FillColumn(column, order) for column in columns for order in orders)


def _why_not(state: State, shelf: Grid, action: Action) -> Refused:
    """The first rule that this would break."""
    if isinstance(action, FillColumn):
        return _why_not_filled(state, action)
    tabletop = state.tabletop
    cells = action.cells
    seats = len(tabletop.shelves)
    if tabletop.hand:
        return Refused("first put the tiles in your hand into your bookshelf", "hand")
    if not 1 <= len(cells) <= TAKE_MAX:
        return Refused(f"take one to {TAKE_MAX} tiles", "count")
    if len(set(cells)) < len(cells):
        return Refused("name each tile once", "duplicate")
    if not set(SPACES[seats]).issuperset(cells):
        return Refused("that is outside the living room", "off_board")
    if not all(tabletop.room[row][column] for row, column in cells):
        return Refused("there is no tile", "empty_cell")
    bits = sum(map(bit_of, cells))
    if bits & ~with_free_side(_occupied(tabletop)):
        return Refused("every tile needs a free side at the start of the turn", "no_free_side")
    if len({cell.row for cell in cells}) > 1 and len({cell.column for cell in cells}) > 1:
        return Refused("take tiles in one straight line", "not_in_line")
    if all(bits != line for lines in LINES[seats] for line, _ in lines):
        return Refused("take tiles that lie side by side", "not_adjacent")
    if len(cells) > _space(shelf):
        return Refused("no column of your bookshelf has space for so many", "no_column_fits")
    return Refused("name the tiles in reading order", "order")


def _why_not_filled(state: State, action: FillColumn) -> Refused:
    tabletop = state.tabletop
    if not tabletop.hand:
        return Refused("first take tiles from the living room", "hand")
    if not 0 <= action.column < SHELF_COLUMNS:
        return Refused("there is no such column", "column")
    if all(action.column != choice.column for choice in state.choices if isinstance(choice, FillColumn)):
        return Refused("that column has too few free spaces", "column")
    return Refused("these are not the tiles in your hand", "order")
