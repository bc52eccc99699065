"""What stands on a table of My Shelfie, and what each event changes there.

`Tabletop` is the picture that the players look at. The rules and the views follow the same events with the
same function, `happen`: a view is the true tabletop with the secrets blanked out.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from ludoteca.core import Choices, Outcome, Question, Seat
from ludoteca.games.shelfie import events
from ludoteca.games.shelfie.actions import Action, FillColumn, Takes, fills
from ludoteca.games.shelfie.data import (
    GROUP_POINTS,
    PERSONAL_GOALS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TAKE_MAX,
    TILES,
    Cell,
    Tile,
)

# Rows from the top, as they are drawn; None is an empty cell.
Grid = tuple[tuple[Tile | None, ...], ...]
# The five columns of a bookshelf, each from the bottom up: a tile at index 0 lies on the floor.
Shelf = list[tuple[Tile, ...]]
# The same as bits, a set of cells for each type of tile: seven bits for each column, from the bottom up, the
# seventh always empty, so that neighbours are found by shifting.
Kinds = Sequence[int]


class Options(msgspec.Struct, frozen=True, gc=False):
    """What can be agreed on before a match."""

    open_points: Annotated[
        bool,
        msgspec.Meta(
            description="Points shown during the match include the personal goal, so that the others can "
            "follow it. Otherwise it stays out of them until the end."
        ),
    ] = True


class Common(msgspec.Struct, frozen=True, gc=False):
    """A common goal: the tokens still on it, top first, and what each seat took from it (0: nothing)."""

    id: int
    name: str
    tokens: tuple[int, ...]
    taken: tuple[int, ...]


class Wish(msgspec.Struct, frozen=True, gc=False):
    """A cell of a personal goal, and whether it holds the tile it wants."""

    cell: Cell
    tile: Tile
    met: bool


class Tabletop(msgspec.Struct, frozen=True, gc=False):
    """The table as one seat sees it; `seat` is None for a spectator, and for the whole truth.

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

    def shelf(self, seat: int) -> Shelf:
        """A bookshelf by its columns."""
        return columns_of(self.shelves[seat])

    def tokens(self, seat: int) -> int:
        """The points that a seat has from common goals."""
        points = 0
        for common in self.commons:
            points += common.taken[seat]
        return points


class State(msgspec.Struct):
    """One match: the tabletop, and the bag, which is drawn from its end.

    What the rules know of the tabletop without looking for it: `occupied`, the cells of the living room with
    tiles, as bits, and of these `free`, those that had a free side at the start of the turn; and by seat the
    bookshelf, as the `cells` with tiles and as those of each type.
    """

    tabletop: Tabletop
    bag: list[Tile]
    open_points: bool
    occupied: int = 0
    free: int = 0
    cells: list[int] = []
    kinds: list[Kinds] = []

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it runs."""
        return self.tabletop.outcome

    @property
    def questions(self) -> dict[Seat, Question]:
        """The tiles to take, or the column to fill with them; nothing once the match is over."""
        tabletop = self.tabletop
        if tabletop.turn is None:
            return {}
        asked: dict[Any, Question] = {
            tabletop.turn: Question("fill" if tabletop.hand else "take", self.choices)
        }
        return asked

    @property
    def choices(self) -> Sequence[Action]:
        """The legal answers to the pending question."""
        tabletop = self.tabletop
        if tabletop.turn is None:
            return ()
        cells, hand = self.cells[tabletop.turn], tabletop.hand
        if hand:
            return _fills(hand, space(cells, len(hand)))
        length_max = TAKE_MAX
        while not space(cells, length_max):
            length_max -= 1
        return Takes(self.free, length_max)

    def clone(self) -> "State":
        """An independent copy: all but the lists is never changed in place."""
        return State(
            self.tabletop,
            self.bag.copy(),
            self.open_points,
            self.occupied,
            self.free,
            self.cells.copy(),
            self.kinds.copy(),
        )


# Bookshelves

# For each personal goal its cells, each with the tile it wants and the wish, not met and met.
_WISHES = {
    card: tuple((cell, tile, (Wish(cell, tile, False), Wish(cell, tile, True))) for cell, tile in cells)
    for card, cells in PERSONAL_GOALS.items()
}
# And, by column, the rows of these cells as bits.
_WISHED = {
    card: [
        sum(1 << cell.row for cell, _ in cells if cell.column == column) for column in range(SHELF_COLUMNS)
    ]
    for card, cells in PERSONAL_GOALS.items()
}
# Between two lines of tiles, rows or columns, there is always an empty place.
_NEXT = SHELF_ROWS + 1
_EMPTY: tuple[Tile | None, ...] = (None,) * _NEXT
# Points for a group of any size, and the size from which on a smaller one may count.
_POINTS = (*GROUP_POINTS, *GROUP_POINTS[-1:] * (SHELF_ROWS * SHELF_COLUMNS - len(GROUP_POINTS) + 1))
_LEAST = sum(points == 0 for points in GROUP_POINTS)


def columns_of(grid: Grid) -> Shelf:
    """A bookshelf by its columns."""
    return [tuple(filter(None, column)) for column in zip(*reversed(grid), strict=True)]


# The bits of Kinds: how far a column is from the next, and the place of each type.
NEXT_COLUMN = SHELF_ROWS + 1
NUMBER: dict[Tile, int] = {tile: number for number, tile in enumerate(TILES)}


def bit(column: int, height: int) -> int:
    """A cell of a bookshelf."""
    return 1 << NEXT_COLUMN * column + height


COLUMNS = tuple(sum(bit(column, height) for height in range(SHELF_ROWS)) for column in range(SHELF_COLUMNS))
# From the bottom up.
ROWS = tuple(sum(bit(column, height) for column in range(SHELF_COLUMNS)) for height in range(SHELF_ROWS))


def kinds_of(shelf: Shelf) -> tuple[int, ...]:
    """A bookshelf as bits."""
    kinds = [0] * len(TILES)
    for column, stack in enumerate(shelf):
        for height, tile in enumerate(stack):
            kinds[NUMBER[tile]] |= bit(column, height)
    return tuple(kinds)


@lru_cache(maxsize=100_000)
def parts(cells: int) -> tuple[int, ...]:
    """The groups that cells of one type form."""
    found = []
    while cells:
        part = cells & -cells
        while (
            grown := (part | part << 1 | part >> 1 | part << NEXT_COLUMN | part >> NEXT_COLUMN) & cells
        ) != part:
            part = grown
        found.append(part)
        cells ^= part
    return tuple(found)


def space(cells: int, count: int) -> int:
    """The columns that so many tiles fit into, as bits of one row: above a free cell all are free."""
    return ROWS[SHELF_ROWS - count] & ~cells


@cache  # 258 hands on 31 sets of columns: the same few thousand tuples serve all matches.
def _fills(hand: tuple[Tile, ...], free: int) -> Choices[FillColumn]:
    return fills(hand, [column for column in range(SHELF_COLUMNS) if free & COLUMNS[column]])


def wishes_of(card: int, grid: Grid) -> tuple[Wish, ...]:
    """A personal goal spelled out for a bookshelf."""
    return tuple([wish[grid[row][column] == tile] for (row, column), tile, wish in _WISHES[card]])


def _places(shelf: Grid | Shelf) -> list[Tile | None]:
    """All cells in one row, with empty places all around."""
    places = [*_EMPTY]
    for line in shelf:
        places += line + _EMPTY[len(line) :]
    places += _EMPTY
    return places


def _pick_up(places: list[Tile | None], start: int) -> list[int]:
    """The group that a tile belongs to, which leaves its places."""
    tile = places[start]
    places[start] = None
    group = [start]
    # The list grows while it is walked. The four sides are spelled out: every turn comes here.
    for place in group:
        if places[place + 1] == tile:
            places[place + 1] = None
            group.append(place + 1)
        if places[place - 1] == tile:
            places[place - 1] = None
            group.append(place - 1)
        if places[place + _NEXT] == tile:
            places[place + _NEXT] = None
            group.append(place + _NEXT)
        if places[place - _NEXT] == tile:
            places[place - _NEXT] = None
            group.append(place - _NEXT)
    return group


def groups(shelf: Grid | Shelf) -> list[tuple[Tile, int]]:
    """The type and the size of every group, tiles of one type connected by sides; single tiles included."""
    places = _places(shelf)
    found = []
    for start, tile in enumerate(places):
        if tile:
            # Most tiles stand alone; whoever is joined to one that was met before is gone already.
            if places[start + 1] != tile != places[start + _NEXT]:
                found.append((tile, 1))
            else:
                found.append((tile, len(_pick_up(places, start))))
    return found


def group_points(shelf: Grid | Shelf) -> int:
    """The points for all groups of three and more."""
    return sum([_POINTS[size] for _, size in groups(shelf)])


def _points_gained(grid: Grid, column: int, rows: range) -> int:
    """What tiles that have just come into these rows of a column add to the points for groups: groups that
    they make, less those that were there without them."""
    if not _have_companions(grid, column, rows):
        return 0
    places = _places(grid)
    came = [_NEXT + row * _NEXT + column for row in rows]
    gained = 0
    for start in came:
        tile = places[start]
        if tile:
            group = _pick_up(places, start)
            gained += _POINTS[len(group)]
            if len(group) > _LEAST:
                # They are put back without the new ones, to see what they were before.
                old = [place for place in group if place not in came]
                for place in old:
                    places[place] = tile
                for place in old:
                    if places[place]:
                        gained -= _POINTS[len(_pick_up(places, place))]
    return gained


def _have_companions(grid: Grid, column: int, rows: range) -> bool:
    """Whether a tile of the same type lies below one of these, or beside it."""
    for row in rows:
        line = grid[row]
        tile = line[column]
        if (
            (column and line[column - 1] == tile)
            or (column + 1 < SHELF_COLUMNS and line[column + 1] == tile)
            or (row + 1 < SHELF_ROWS and grid[row + 1][column] == tile)
        ):
            return True
    return False


# Events


def happen(tabletop: Tabletop, event: events.Event) -> Tabletop:
    """The tabletop after an event."""
    return CHANGES[type(event)](tabletop, event)


def _started(tabletop: Tabletop, _event: events.Started) -> Tabletop:
    return tabletop


def _tiles_taken(tabletop: Tabletop, event: events.TilesTaken) -> Tabletop:
    rows = list(tabletop.room)
    for row, column in event.cells:
        rows[row] = _put(rows[row], column, None)
    return replace(tabletop, room=tuple(rows), hand=event.tiles)


def _column_filled(tabletop: Tabletop, event: events.ColumnFilled) -> Tabletop:
    seat, column = event.seat, event.column
    rows = list(tabletop.shelves[seat])
    # From the top down to the lowest free cell of the column.
    free = 0
    while free < SHELF_ROWS and rows[free][column] is None:
        free += 1
    top = free
    for tile in event.tiles:
        top -= 1
        rows[top] = _put(rows[top], column, tile)
    grid = tuple(rows)
    points = tabletop.groups[seat] + _points_gained(grid, column, range(top, free))
    card = tabletop.cards[seat]
    wishes, goals = tabletop.wishes, tabletop.goals
    if card is not None and _WISHED[card][column] & (1 << free) - (1 << top):
        own = wishes_of(card, grid)
        wishes = own if seat == tabletop.seat else wishes
        goals = goals and _put(goals, seat, own)
    return replace(
        tabletop,
        shelves=_put(tabletop.shelves, seat, grid),
        hand=(),
        groups=_put(tabletop.groups, seat, points),
        wishes=wishes,
        goals=goals,
    )


def _token_taken(tabletop: Tabletop, event: events.TokenTaken) -> Tabletop:
    commons = list(tabletop.commons)
    for place, common in enumerate(commons):
        if common.id == event.goal:
            taken = _put(common.taken, event.seat, event.value)
            commons[place] = replace(common, tokens=common.tokens[1:], taken=taken)
    return replace(tabletop, commons=tuple(commons))


def _shelf_filled(tabletop: Tabletop, event: events.ShelfFilled) -> Tabletop:
    return replace(tabletop, filled=event.seat)


def _room_refilled(tabletop: Tabletop, event: events.RoomRefilled) -> Tabletop:
    return replace(tabletop, room=_lay(tabletop.room, event.cells, event.tiles))


def _turn_ended(tabletop: Tabletop, event: events.TurnEnded) -> Tabletop:
    return replace(tabletop, points=_put(tabletop.points, event.seat, event.points), turn=event.next)


def _finished(tabletop: Tabletop, event: events.Finished) -> Tabletop:
    goals = tuple(map(wishes_of, event.cards, tabletop.shelves))
    total = event.outcome.scores["total"]
    return replace(tabletop, cards=event.cards, goals=goals, points=total, outcome=event.outcome)


def _broken_off(tabletop: Tabletop, event: events.BrokenOff) -> Tabletop:
    return replace(tabletop, turn=None, outcome=event.outcome)


CHANGES = cast(
    "dict[type[events.Event], Callable[[Tabletop, Any], Tabletop]]",
    {
        events.Started: _started,
        events.TilesTaken: _tiles_taken,
        events.ColumnFilled: _column_filled,
        events.TokenTaken: _token_taken,
        events.ShelfFilled: _shelf_filled,
        events.RoomRefilled: _room_refilled,
        events.TurnEnded: _turn_ended,
        events.Finished: _finished,
        events.BrokenOff: _broken_off,
    },
)


# The smallest changes

_T = TypeVar("_T")


def _put(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    changed = list(items)
    changed[place] = item
    return tuple(changed)


def _lay(grid: Grid, cells: Sequence[Cell], tiles: Sequence[Tile]) -> Grid:
    rows = [list(line) for line in grid]
    for (row, column), tile in zip(cells, tiles, strict=True):
        rows[row][column] = tile
    return tuple([tuple(line) for line in rows])
