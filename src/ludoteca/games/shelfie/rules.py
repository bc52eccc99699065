"""The rules of My Shelfie: taking tiles, filling the bookshelf, goals, refill, the last
round and the result."""

from itertools import chain, compress
from typing import cast

from ludoteca.core import Dice, Outcome, Refused, Seat, Setup
from ludoteca.games.shelfie import events
from ludoteca.games.shelfie.actions import (
    LINE_BITS,
    LINES,
    Action,
    FillColumn,
    TakeTiles,
    any_touch,
    bit_of,
    with_free_side,
)
from ludoteca.games.shelfie.data import (
    COMMON_GOALS,
    COMMON_GOALS_PER_MATCH,
    FIRST_FULL_SHELF_POINTS,
    PERSONAL_GOALS,
    PERSONAL_POINTS,
    ROOM_COLUMNS,
    ROOM_MASKS,
    ROOM_ROWS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    SPACES,
    TAKE_MAX,
    TILES,
    TILES_PER_TYPE,
    TOKENS,
    Cell,
    Tile,
)
from ludoteca.games.shelfie.events import Event
from ludoteca.games.shelfie.goals import LEAST_TILES, SHOWN
from ludoteca.games.shelfie.state import (
    CHANGES,
    COLUMNS,
    NUMBER,
    Common,
    Grid,
    State,
    Tabletop,
    Wish,
    columns_of,
    kinds_of,
    space,
    wishes_of,
)

# All cells of the living room in reading order, as bits; and the spaces in use with theirs.
_BITS = tuple(bit_of(Cell(row, column)) for row in range(ROOM_ROWS) for column in range(ROOM_COLUMNS))
_SPACES = {seats: tuple((cell, bit_of(cell)) for cell in cells) for seats, cells in SPACES.items()}
_EMPTY_SHELF: Grid = ((None,) * SHELF_COLUMNS,) * SHELF_ROWS
# What every match begins with.
_FULL_BAG = tuple(tile for tile in TILES for _ in range(TILES_PER_TYPE))
_NONE_MET = {card: wishes_of(card, _EMPTY_SHELF) for card in PERSONAL_GOALS}


def start(setup: Setup) -> tuple[State, list[Event]]:
    """A full living room, two common goals, a secret card for each player, and somebody to begin."""
    dice = Dice(setup.seed)
    seats = setup.seats
    bag = list(_FULL_BAG)
    dice.shuffle(bag)
    commons = dice.sample(list(COMMON_GOALS), COMMON_GOALS_PER_MATCH)
    cards = tuple(dice.sample(list(PERSONAL_GOALS), seats))
    first = dice.below(seats)
    nothing = (0,) * seats
    tabletop = Tabletop(
        seat=None,
        first=first,
        turn=first,
        room=tuple([tuple([bag.pop() if dot else None for dot in dots]) for dots in ROOM_MASKS[seats]]),
        mask=ROOM_MASKS[seats],
        shelves=(_EMPTY_SHELF,) * seats,
        hand=(),
        commons=tuple(Common(goal, COMMON_GOALS[goal], TOKENS[seats], nothing) for goal in commons),
        cards=cards,
        wishes=(),
        groups=nothing,
        points=nothing,
        filled=None,
        outcome=None,
        goals=tuple([_NONE_MET[card] for card in cards]),
    )
    room = sum([bit for _, bit in _SPACES[seats]])
    nowhere = (0,) * len(TILES)
    state = State(
        tabletop,
        bag,
        setup.options.open_points,
        occupied=room,
        free=with_free_side(room),
        cells=[0] * seats,
        kinds=[nowhere] * seats,
    )
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
        bits = LINE_BITS.get(action.cells)
        # Whether it is among the choices, without making them.
        if (
            bits is None
            or tabletop.hand
            or bits & state.free != bits
            or not space(state.cells[seat], len(action.cells))
        ):
            raise _why_not(state, action)
        room = tabletop.room
        tiles = tuple([tile for row, column in action.cells if (tile := room[row][column])])
        _tell(state, log, events.TilesTaken(seat, action.cells, tiles))
        state.occupied ^= bits
    else:
        column, hand = action.column, tabletop.hand
        if (
            not hand
            or not 0 <= column < SHELF_COLUMNS
            or not space(state.cells[seat], len(hand)) & COLUMNS[column]
            or (action.tiles != hand and sorted(action.tiles) != sorted(hand))
        ):
            raise _why_not(state, action)
        _fill(state, log, seat, action)
    return log


def leave(state: State, seat: Seat) -> list[Event]:
    """Without one of its players the match is over for all, and nobody wins."""
    if state.outcome is not None:
        return []
    log: list[Event] = []
    _tell(state, log, events.BrokenOff(seat, Outcome(ranks=(), reason="a player left")))
    return log


def survey(state: State) -> None:
    """Look at the table anew, when a position was set up by hand."""
    tabletop = state.tabletop
    state.occupied = _occupied(tabletop)
    state.free = with_free_side(state.occupied)
    shelves = list(map(columns_of, tabletop.shelves))
    state.kinds = list(map(kinds_of, shelves))
    state.cells = list(map(sum, state.kinds))


def _tell(state: State, log: list[Event], event: Event) -> Tabletop:
    """Let an event happen; the tabletop after it."""
    log.append(event)
    # As `happen` does it, without a hop: bots play millions of moves.
    state.tabletop = tabletop = CHANGES[type(event)](state.tabletop, event)
    return tabletop


def _fill(state: State, log: list[Event], seat: int, action: FillColumn) -> None:
    tabletop = _tell(state, log, events.ColumnFilled(seat, action.column, action.tiles))
    _put_away(state, seat, action.column, action.tiles)
    kinds, tiles = state.kinds[seat], state.cells[seat].bit_count()
    for common in tabletop.commons:
        if not common.taken[seat] and tiles >= LEAST_TILES[common.id] and SHOWN[common.id](kinds):
            _tell(state, log, events.TokenTaken(seat, common.id, common.tokens[0]))
    if tabletop.filled is None and tiles == SHELF_ROWS * SHELF_COLUMNS:
        _tell(state, log, events.ShelfFilled(seat))
    _end_turn(state, log, seat)


def _put_away(state: State, seat: int, column: int, tiles: tuple[Tile, ...]) -> None:
    """Note where tiles came into a column."""
    cells, kinds = state.cells[seat], list(state.kinds[seat])
    for tile in tiles:
        # The lowest free cell.
        cell = (cells | ~COLUMNS[column]) + 1 & COLUMNS[column]
        kinds[NUMBER[tile]] |= cell
        cells |= cell
    state.cells[seat], state.kinds[seat] = cells, tuple(kinds)


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
    state.free = with_free_side(state.occupied)
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
    met = 0
    for wish in goal:
        met += wish.met
    return PERSONAL_POINTS[met]


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
    bag, occupied = state.bag, state.occupied
    empty = [space for space in _SPACES[len(state.tabletop.shelves)] if not occupied & space[1]]
    if empty and bag:
        cells, bits = zip(*empty[: len(bag)], strict=True)
        tiles = tuple(bag[: -len(cells) - 1 : -1])
        del bag[-len(cells) :]
        _tell(state, log, events.RoomRefilled(cells, tiles))
        state.occupied = occupied + sum(bits)


def _occupied(tabletop: Tabletop) -> int:
    return sum(compress(_BITS, chain.from_iterable(tabletop.room)))


def _why_not(state: State, action: Action) -> Refused:
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
    if bits & ~state.free:
        return Refused("every tile needs a free side at the start of the turn", "no_free_side")
    if len({cell.row for cell in cells}) > 1 and len({cell.column for cell in cells}) > 1:
        return Refused("take tiles in one straight line", "not_in_line")
    if all(bits != line for lines in LINES[seats] for line, _ in lines):
        return Refused("take tiles that lie side by side", "not_adjacent")
    if not space(state.cells[tabletop.turn or 0], len(cells)):
        return Refused("no column of your bookshelf has space for so many", "no_column_fits")
    return Refused("name the tiles in reading order", "order")


def _why_not_filled(state: State, action: FillColumn) -> Refused:
    tabletop = state.tabletop
    if not tabletop.hand:
        return Refused("first take tiles from the living room", "hand")
    if not 0 <= action.column < SHELF_COLUMNS:
        return Refused("there is no such column", "column")
    if not space(state.cells[tabletop.turn or 0], len(tabletop.hand)) & COLUMNS[action.column]:
        return Refused("that column has too few free spaces", "column")
    return Refused("these are not the tiles in your hand", "order")
