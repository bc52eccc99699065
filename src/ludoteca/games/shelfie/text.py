"""My Shelfie in words and letters: the picture of the table, sentences about it, and commands.

Tiles are their first letters (Cat, Book, Game, Frame, Trophy, Plant). In the living room rows are letters and
columns digits (`d4`); columns of a bookshelf are counted from 1.
"""

import re
from collections.abc import Sequence

from ludoteca.core import Question, Refused
from ludoteca.games.shelfie import events
from ludoteca.games.shelfie.actions import Action, FillColumn, TakeTiles
from ludoteca.games.shelfie.data import COMMON_GOALS, PLURALS, TILES, Cell, Tile
from ludoteca.games.shelfie.events import Event
from ludoteca.games.shelfie.view import View

LETTERS: dict[Tile, str] = {tile: tile[0].upper() for tile in TILES}
_TILES = {letter: tile for tile, letter in LETTERS.items()}
_ROWS = "abcdefghi"
_WIDTH = 80
_SHELF_WIDTH = 14


def draw(view: View, names: Sequence[str]) -> str:
    """The living room beside the goals, and the bookshelves below, the viewer's first."""
    room = ["    1 2 3 4 5 6 7 8 9", *map(_draw_room_row, range(len(view.room)), view.room, view.mask)]
    beside = ["", *_draw_goals(view, names)]
    beside += [""] * (len(room) - len(beside))
    lines = [f"{left:24}{right}".rstrip() for left, right in zip(room, beside, strict=True)]
    lines += ["", *_draw_shelves(view, names)]
    return "\n".join(lines)


def _draw_room_row(row: int, tiles: Sequence[Tile | None], mask: Sequence[int]) -> str:
    cells = [LETTERS[tile] if tile else "." if dots else " " for tile, dots in zip(tiles, mask, strict=True)]
    return f"  {_ROWS[row]} {' '.join(cells)}"


def _draw_goals(view: View, names: Sequence[str]) -> list[str]:
    lines = []
    for common in view.commons:
        tokens = " ".join(map(str, common.tokens)) or "none left"
        lines.append(f"{common.name} (tokens: {tokens})"[: _WIDTH - 24])
        taken = [f"{name} {value}" for name, value in zip(names, common.taken, strict=True) if value]
        lines.append("  " + ", ".join(taken) if taken else "")
    if view.wishes:
        met = sum(wish.met for wish in view.wishes)
        lines.append(f"Your own goal, small letters on your shelf: {met} of 6")
    if view.filled is not None:
        lines.append(f"{names[view.filled]} filled a bookshelf first: last round")
    if view.hand:
        lines.append("In hand: " + count(view.hand))
    return lines


def _draw_shelves(view: View, names: Sequence[str]) -> list[str]:
    mine = view.seat or 0
    seats = [(mine + step) % len(view.shelves) for step in range(len(view.shelves))]
    headings = []
    for seat in seats:
        mark = ">" if seat == view.turn else " "
        headings.append(f"{mark} {names[seat][: _SHELF_WIDTH - 2]}")
    grids = [_draw_shelf(view, seat) for seat in seats]
    points = [f"  {points_of(view.points[seat])}" for seat in seats]
    rows = [headings, *zip(*grids, strict=True), ["  1 2 3 4 5"] * len(seats), points]
    return ["  ".join(cell.ljust(_SHELF_WIDTH) for cell in row).rstrip() for row in rows]


def _draw_shelf(view: View, seat: int) -> list[str]:
    wishes = {wish.cell: wish.tile for wish in view.wishes} if seat == view.seat else {}
    return [
        "  " + " ".join(_draw_place(tile, wishes.get(Cell(row, column))) for column, tile in enumerate(tiles))
        for row, tiles in enumerate(view.shelves[seat])
    ]


def _draw_place(tile: Tile | None, wish: Tile | None) -> str:
    if tile is not None:
        return LETTERS[tile]
    return LETTERS[wish].lower() if wish else "."


def tell(event: Event, names: Sequence[str]) -> str:
    """One sentence about an event."""
    match event:
        case events.Started(first, commons):
            goals = " and ".join(COMMON_GOALS[goal] for goal in commons)
            return f"The common goals are {goals}. {names[first]} begins."
        case events.TilesTaken(seat, cells, tiles):
            return f"{names[seat]} takes {count(tiles)} from {write_cells(cells)}."
        case events.ColumnFilled(seat, column, tiles):
            return f"{names[seat]} puts {' then '.join(map(_article, tiles))} into column {column + 1}."
        case events.TokenTaken(seat, goal, value):
            return f"{names[seat]} reaches the common goal {COMMON_GOALS[goal]} and takes {value} points."
        case events.ShelfFilled(seat):
            return f"{names[seat]} is the first to fill a bookshelf and takes 1 point. The last round begins."
        case events.RoomRefilled(_, tiles):
            return f"The living room gets {len(tiles)} new tiles."
        case events.TurnEnded(seat, points, _):
            return f"{names[seat]} has {points_of(points)}."
        case events.Finished(_, outcome):
            totals = ", ".join(
                f"{name} {total}" for name, total in zip(names, outcome.scores["total"], strict=True)
            )
            return f"{names[outcome.winners[0]]} wins: {totals}."
        case events.BrokenOff(seat, _):
            return f"{names[seat]} left, which ends the match."


def count(tiles: Sequence[Tile]) -> str:
    """Tiles as a number of each type: "2 cats and 1 book"."""
    kinds = [(tiles.count(tile), tile) for tile in TILES if tile in tiles]
    parts = [f"{number} {tile if number == 1 else PLURALS[tile]}" for number, tile in kinds]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def points_of(number: int) -> str:
    """A number of points."""
    return "1 point" if number == 1 else f"{number} points"


def _article(tile: Tile) -> str:
    return f"a {tile}"


def ask(question: Question, _view: View) -> str:
    """What is wanted, with an example that is legal."""
    example = write(question.choices[0])
    if question.kind == "take":
        return f"Take one to three tiles in a line, each with a free side: {example}"
    return f"Choose a column and an order, the lowest first: {example}"


def explain(question: Question, view: View) -> str:
    """What the rules say about a question, and what the goals are."""
    if question.kind == "take":
        said = (
            "Take one, two or three tiles that lie in a straight line without a gap, each of which had a "
            "free side before your turn; they must all fit into one column of your bookshelf."
        )
    else:
        said = "All tiles go into one column, one on top of the other, in the order you choose."
    goals = " and ".join(common.name for common in view.commons)
    return (
        f"{said} The common goals are: {goals}; whoever reaches one first takes the highest token on it. "
        "Groups of three, four, five and six or more tiles of one type count 2, 3, 5 and 8 points at the "
        "end, and your own goal up to 12. Whoever fills the bookshelf first takes a point and begins the "
        "last round."
    )


# Tiles by their letters.
_INKS = ("green", "bright white", "bright yellow", "bright blue", "bright cyan", "bright magenta")
INKS = tuple((rf"(?<= ){letter}(?= |$)", ink) for letter, ink in zip(LETTERS.values(), _INKS, strict=True))


def write(action: Action) -> str:
    """An action as a command."""
    match action:
        case TakeTiles(cells):
            return f"take {write_cells(cells)}"
        case FillColumn(column, tiles):
            return f"fill {column + 1} {' '.join(LETTERS[tile] for tile in tiles)}"


def write_cells(cells: Sequence[Cell]) -> str:
    """Cells of the living room: "d4 d5"."""
    return " ".join(map(name_of, cells))


def name_of(cell: Cell) -> str:
    """A cell of the living room: "d4"."""
    return f"{_ROWS[cell.row]}{cell.column + 1}"


def read(words: str, question: Question) -> Action:
    """The choice that a command means. The verb may be left out."""
    parts = words.split()
    if parts and parts[0].lower() in ("take", "fill"):
        parts = parts[1:]
    action = _read_cells(parts) if question.kind == "take" else _read_column(parts, question)
    if action not in question.choices:
        raise Refused(f"you cannot {write(action)} now")
    return action


def _read_cells(parts: Sequence[str]) -> TakeTiles:
    cells = []
    for part in parts:
        if not re.fullmatch("[a-iA-I][1-9]", part):
            raise Refused(f"{part} is no cell: name a row and a column, such as d4", "words")
        cells.append(Cell(_ROWS.index(part[0].lower()), int(part[1]) - 1))
    if not cells:
        raise Refused("name the cells of the tiles, such as d4 d5", "words")
    return TakeTiles(tuple(sorted(cells)))


def _read_column(parts: Sequence[str], question: Question) -> FillColumn:
    column, *letters = [*"".join(parts).upper()] or [""]
    if column not in (*"12345",) or not all(letter in _TILES for letter in letters):
        raise Refused("name a column and the tiles from the lowest up, such as 3 C B", "words")
    action = FillColumn(int(column) - 1, tuple(_TILES[letter] for letter in letters))
    same_column = [choice for choice in question.choices if choice.column == action.column]
    if not letters and len(same_column) == 1:
        # Tiles of one type have only one order.
        return FillColumn(action.column, same_column[0].tiles)
    return action
