"""Why a tile cannot be taken, or a column not be filled."""

from collections.abc import Iterator, Sequence

from ludoteca.core import Question
from ludoteca.core.why import Attempt, Reason, Why, reason
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import SHELF_COLUMNS, TAKE_MAX, Cell, Tile
from ludoteca.games.shelfie.state import Grid
from ludoteca.games.shelfie.view import View

# A board takes tiles one by one: so many first ones are tried with every second.
FIRST_MAX = 4


def tempting(view: View, _seat: int, question: Question) -> Iterator[tuple[Action, ...]]:
    """Every tile alone and beside one that was chosen, every column."""
    if question.kind == "fill":
        yield from ((FillColumn(column, view.hand),) for column in range(SHELF_COLUMNS))
        return
    tiles = [
        Cell(row, column) for row, line in enumerate(view.room) for column, tile in enumerate(line) if tile
    ]
    yield from ((TakeTiles((cell,)),) for cell in tiles)
    for take in question.choices[:FIRST_MAX]:
        others = [cell for cell in tiles if cell not in take.cells]
        yield from ((TakeTiles(tuple(sorted((*take.cells, cell)))),) for cell in others)
        hand = _tiles(view, take)
        yield from ((take, FillColumn(column, hand)) for column in range(SHELF_COLUMNS))


def why(attempt: Attempt) -> Reason | None:
    """Why not, by the living room and the own bookshelf."""
    view: View = attempt.view
    match attempt.actions:
        case (TakeTiles(),):
            return _take(view, attempt.seat, attempt.action.cells)
        case (FillColumn() as fill,):
            return _fill(view.shelves[attempt.seat], view.hand, fill)
        case (TakeTiles() as take, FillColumn() as fill):
            return _fill(view.shelves[attempt.seat], _tiles(view, take), fill)
    return reason("turn", "A turn is taking tiles and filling a column.", "Un turno: prendere e riempire.")


def _tiles(view: View, take: TakeTiles) -> tuple[Tile, ...]:
    return tuple(tile for row, column in take.cells if (tile := view.room[row][column]))


def _take(view: View, seat: int, cells: Sequence[Cell]) -> Reason | None:
    if view.hand:
        count = len(view.hand)
        return reason(
            "hand",
            "First put the tile you hold into a column."
            if count == 1
            else f"First put the {count} tiles you hold into a column.",
            "Prima metti in una colonna la tessera che hai."
            if count == 1
            else f"Prima metti in una colonna le {count} tessere che hai.",
        )
    for cell in cells:
        if not _at(view.room, cell):
            return reason("empty", "There is no tile.", "Lì non c'è una tessera.")
        if all(_at(view.room, near) for near in _around(cell)):
            return reason(
                "enclosed",
                "This tile has no free side: others touch it on all four.",
                "Questa tessera non ha lati liberi: altre la toccano su tutti e quattro.",
            )
    return _line(cells) or _space(view.shelves[seat], len(cells))


def _line(cells: Sequence[Cell]) -> Reason | None:
    if len(cells) > TAKE_MAX:
        return reason("three", f"{TAKE_MAX} tiles are the most.", f"Al massimo {TAKE_MAX} tessere.")
    rows, columns = {cell.row for cell in cells}, {cell.column for cell in cells}
    straight = len(rows) == 1 or len(columns) == 1
    if cells and straight and len(rows) * len(columns) == len(cells) == _length(rows) * _length(columns):
        return None
    return reason(
        "line",
        "The tiles must lie side by side in one straight line.",
        "Le tessere devono stare una accanto all'altra, in linea retta.",
    )


def _length(places: set[int]) -> int:
    return max(places) - min(places) + 1


def _space(shelf: Grid, count: int) -> Reason | None:
    free = max(_free(shelf, column) for column in range(SHELF_COLUMNS))
    if count <= free:
        return None
    return reason(
        "space",
        f"No column of your bookshelf has room for {count}: the most free places are {free}.",
        f"Nessuna colonna della tua libreria ha posto per {count}: i posti liberi sono al massimo {free}.",
    )


def _fill(shelf: Grid, hand: Sequence[Tile], fill: FillColumn) -> Reason | None:
    if not hand:
        return reason("take", "First take tiles from the living room.", "Prima prendi tessere dal soggiorno.")
    if not 0 <= fill.column < SHELF_COLUMNS:
        return reason("column", "There is no such column.", "Non c'è una colonna così.")
    free, number = _free(shelf, fill.column), fill.column + 1
    if len(hand) > free:
        return reason(
            "room",
            f"Column {number} is full."
            if not free
            else f"Column {number} has room for {free}, you hold {len(hand)}.",
            f"La colonna {number} è piena."
            if not free
            else f"La colonna {number} ha posto per {free}, ne hai {len(hand)}.",
        )
    if sorted(fill.tiles) != sorted(hand):
        return reason("tiles", "Those are not the tiles you hold.", "Non sono le tessere che hai.")
    return None


def _free(shelf: Grid, column: int) -> int:
    return sum(not row[column] for row in shelf)


def _at(room: Grid, cell: Cell) -> Tile | None:
    inside = 0 <= cell.row < len(room) and 0 <= cell.column < len(room[0])
    return room[cell.row][cell.column] if inside else None


def _around(cell: Cell) -> list[Cell]:
    row, column = cell
    return [Cell(row - 1, column), Cell(row + 1, column), Cell(row, column - 1), Cell(row, column + 1)]


WHY = Why(why, tempting)
