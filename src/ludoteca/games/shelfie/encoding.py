"""Tiles, columns and bookshelves as numbers, for those who learn to play."""

from itertools import chain, product

from ludoteca.core import Seat
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import (
    COMMON_GOALS,
    ROOM_COLUMNS,
    ROOM_ROWS,
    SHELF_COLUMNS,
    SHELF_ROWS,
    TAKE_MAX,
    TILES,
    Cell,
    Tile,
)
from ludoteca.games.shelfie.state import Grid, Options
from ludoteca.games.shelfie.view import View

_KINDS: tuple[Tile, ...] = tuple(TILES)
_PLACES = SHELF_ROWS * SHELF_COLUMNS
_BIT: dict[Tile | None, int] = {None: 0} | {kind: 1 + number for number, kind in enumerate(_KINDS)}
_PLANES = tuple(bytes(value == 1 + kind for value in range(256)) for kind in range(len(_KINDS)))


def vocabulary(_options: Options, _seats: int) -> list[Action]:
    """Every straight line of one to three cells, then every column with every order of tiles."""
    words: list[Action] = [
        TakeTiles(tuple(Cell(row + step * down, column + step * (not down)) for step in range(length)))
        for length in range(1, TAKE_MAX + 1)
        for down in (False, True)[: 1 if length == 1 else 2]
        for row in range(ROOM_ROWS - (length - 1) * down)
        for column in range(ROOM_COLUMNS - (length - 1) * (not down))
    ]
    for length in range(1, TAKE_MAX + 1):
        for tiles in product(_KINDS, repeat=length):
            words += [FillColumn(column, tiles) for column in range(SHELF_COLUMNS)]
    return words


def tensor(view: View, seat: Seat) -> bytes:
    """For each kind a plane of the living room; for each player from the own one on a plane of the bookshelf
    for each kind, points and the end token; the hand; the own goal, a plane for each kind; common goals with
    their tokens and who took what; who is on turn."""
    seats = len(view.shelves)
    players = [(seat + place) % seats for place in range(seats)]
    parts: list[bytes | bytearray] = [*_planes(view.room)]
    for player in players:
        parts += _planes(view.shelves[player])
        parts.append(bytes((min(255, view.points[player]), view.filled == player, view.turn == player)))
    parts.append(bytes(view.hand.count(kind) for kind in _KINDS))
    goal = bytearray(len(_KINDS) * _PLACES)
    for wish in view.wishes:
        place = wish.cell.row * SHELF_COLUMNS + wish.cell.column
        goal[(_BIT[wish.tile] - 1) * _PLACES + place] = 1
    parts.append(goal)
    for common in view.commons:
        parts.append(bytes(common.id == goal for goal in COMMON_GOALS))
        parts.append(bytes((max(common.tokens, default=0), *(common.taken[player] for player in players))))
    return b"".join(parts)


def _planes(grid: Grid) -> list[bytes]:
    cells = bytes(map(_BIT.__getitem__, chain.from_iterable(grid)))
    return [cells.translate(plane) for plane in _PLANES]
