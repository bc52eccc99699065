"""What stands on a table of My Shelfie, and what each event changes there.

`Tabletop` is the picture that the players look at. The rules and the views follow the same events with the
same function, `happen`: a view is the true tabletop with the secrets blanked out.
"""

from collections.abc import Sequence
from typing import Annotated, TypeVar, assert_never

import msgspec
from msgspec.structs import replace

from ludoteca.core import Outcome, Question, Seat
from ludoteca.games.shelfie import events
from ludoteca.games.shelfie.actions import Action
from ludoteca.games.shelfie.data import GROUP_POINTS, PERSONAL_GOALS, SHELF_ROWS, Cell, Tile

# Rows from the top, as they are drawn; None is an empty cell.
Grid = tuple[tuple[Tile | None, ...], ...]
# The five columns of a bookshelf, each from the bottom up: a tile at index 0 lies on the floor.
Shelf = list[tuple[Tile, ...]]


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
        return sum([common.taken[seat] for common in self.commons])


class State(msgspec.Struct):
    """One match: the tabletop, and the bag, which is drawn from its end.

    `choices` are the legal answers to the pending question; the rules renew them after every action.
    """

    tabletop: Tabletop
    bag: list[Tile]
    open_points: bool
    choices: tuple[Action, ...] = ()

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
        return {Seat(tabletop.turn): Question("fill" if tabletop.hand else "take", self.choices)}

    def clone(self) -> "State":
        """An independent copy: all but the bag is never changed in place."""
        return State(self.tabletop, self.bag.copy(), self.open_points, self.choices)


# Bookshelves

# For each personal goal its cells, each with the tile it wants and the wish, not met and met.
_WISHES = {
    card: tuple((cell, tile, (Wish(cell, tile, False), Wish(cell, tile, True))) for cell, tile in cells)
    for card, cells in PERSONAL_GOALS.items()
}
# Between two lines of tiles, rows or columns, there is always an empty place.
_NEXT = SHELF_ROWS + 1
_EMPTY: tuple[Tile | None, ...] = (None,) * _NEXT


def columns_of(grid: Grid) -> Shelf:
    """A bookshelf by its columns."""
    return [tuple(filter(None, column)) for column in zip(*reversed(grid), strict=True)]


def wishes_of(card: int, grid: Grid) -> tuple[Wish, ...]:
    """A personal goal spelled out for a bookshelf."""
    return tuple([wish[grid[row][column] == tile] for (row, column), tile, wish in _WISHES[card]])


def groups(shelf: Grid | Shelf) -> list[tuple[Tile, int]]:
    """The type and the size of every group, tiles of one type connected by sides; single tiles included."""
    places = [*_EMPTY]
    for line in shelf:
        places += line
        places += _EMPTY[len(line) :]
    places += _EMPTY
    found = []
    for start, tile in enumerate(places):
        if tile:
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
            found.append((tile, len(group)))
    return found


def group_points(shelf: Grid | Shelf) -> int:
    """The points for all groups of three and more."""
    largest = len(GROUP_POINTS) - 1
    return sum([GROUP_POINTS[size if size < largest else largest] for _, size in groups(shelf)])


# Events


def happen(tabletop: Tabletop, event: events.Event) -> Tabletop:
    """The tabletop after an event."""
    match event:
        case events.TilesTaken():
            room = _lay(tabletop.room, event.cells, [None] * len(event.cells))
            return replace(tabletop, room=room, hand=event.tiles)
        case events.ColumnFilled():
            return _fill(tabletop, event)
        case events.TurnEnded():
            points = _put(tabletop.points, event.seat, event.points)
            return replace(tabletop, points=points, turn=event.next)
        case events.TokenTaken():
            return replace(tabletop, commons=tuple(_take_token(common, event) for common in tabletop.commons))
        case events.RoomRefilled(cells, tiles):
            return replace(tabletop, room=_lay(tabletop.room, cells, tiles))
        case events.ShelfFilled(seat):
            return replace(tabletop, filled=seat)
        case events.Finished(cards, outcome):
            goals = tuple(map(wishes_of, cards, tabletop.shelves))
            total = outcome.scores["total"]
            return replace(tabletop, cards=cards, goals=goals, points=total, outcome=outcome)
        case events.BrokenOff(_, outcome):
            return replace(tabletop, turn=None, outcome=outcome)
        case events.Started():
            return tabletop
        case _:
            assert_never(event)


def _fill(tabletop: Tabletop, event: events.ColumnFilled) -> Tabletop:
    seat, column = event.seat, event.column
    rows = list(tabletop.shelves[seat])
    # The lowest free cell of the column, from the top down.
    row = -1
    while row + 1 < SHELF_ROWS and not rows[row + 1][column]:
        row += 1
    for tile in event.tiles:
        rows[row] = _put(rows[row], column, tile)
        row -= 1
    grid = tuple(rows)
    card = tabletop.cards[seat]
    wishes, goals = tabletop.wishes, tabletop.goals
    if card is not None:
        own = wishes_of(card, grid)
        wishes = own if seat == tabletop.seat else wishes
        goals = goals and _put(goals, seat, own)
    return replace(
        tabletop,
        shelves=_put(tabletop.shelves, seat, grid),
        hand=(),
        groups=_put(tabletop.groups, seat, group_points(grid)),
        wishes=wishes,
        goals=goals,
    )


def _take_token(common: Common, event: events.TokenTaken) -> Common:
    if common.id != event.goal:
        return common
    return replace(common, tokens=common.tokens[1:], taken=_put(common.taken, event.seat, event.value))


_T = TypeVar("_T")


def _put(items: tuple[_T, ...], place: int, item: _T) -> tuple[_T, ...]:
    changed = list(items)
    changed[place] = item
    return tuple(changed)


def _lay(grid: Grid, cells: Sequence[Cell], tiles: Sequence[Tile | None]) -> Grid:
    rows = list(grid)
    for (row, column), tile in zip(cells, tiles, strict=True):
        line = list(rows[row])
        line[column] = tile
        rows[row] = tuple(line)
    return tuple(rows)
