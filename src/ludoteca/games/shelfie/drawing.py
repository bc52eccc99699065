"""The living room, the goals as little pictures, and the bookshelves, as large as there is room."""

from typing import NamedTuple

from ludoteca.core import Canvas, Drawing, Room, Sight
from ludoteca.core.drawing import clipped
from ludoteca.games.shelfie.data import (
    SHELF_COLUMNS,
    SHELF_ROWS,
    TILES,
    Cell,
    Tile,
)
from ludoteca.games.shelfie.state import Common
from ludoteca.games.shelfie.text import LETTERS, draw, name_of, points_of
from ludoteca.games.shelfie.view import View

MARK = "*"
_INKS: dict[Tile, str] = dict(
    zip(
        TILES,
        ("green", "bright white", "bright yellow", "bright blue", "bright cyan", "bright magenta"),
        strict=True,
    )
)

# A bookshelf that reaches each common goal: equal signs are tiles of one type, numbers are all different, a
# square is any tile. tests/games/shelfie/test_drawing.py puts the tiles in and asks the goals.
PICTURES: dict[int, tuple[str, ...]] = {
    1: (".....", "##...", "##...", ".....", "...oo", "...oo"),
    2: ("1..1.", "2..2.", "3..3.", "4..4.", "5..5.", "6..6."),
    3: ("#...o", "#...o", "#...o", "#...o", "^^^^.", "++++."),
    4: ("##.oo", ".....", "^^.++", ".....", "xx.%%", "....."),
    5: ("#.o.^", "#.o.^", "^.o.^", "^.#.o", "o.#.o", "o.^.+"),
    6: (".....", "12345", ".....", ".....", "12345", "....."),
    7: ("##oo^", ".....", "oooo#", "^^##o", ".....", "#o^o#"),
    8: ("#...#", ".....", ".....", ".....", ".....", "#...#"),
    9: ("#...#", ".#...", "...#.", "#....", "..#.#", ".#..."),
    10: (".....", ".#.#.", "..#..", ".#.#.", ".....", "....."),
    11: ("#....", ".#...", "..#..", "...#.", "....#", "....."),
    12: (".....", "s....", "ss...", "sss..", "ssss.", "sssss"),
}
_SIGNS = {"#": "■", "o": "○", "^": "▲", "+": "+", "x": "x", "%": "●", "s": "□", ".": "·"}


class _Form(NamedTuple):
    """How wide a tile is, in the room and on shelves, and whether the room has frames."""

    room: int
    shelf: int
    framed: bool

    @property
    def across(self) -> int:
        """The room with its letters."""
        return 3 + 9 * (self.room + self.framed) + self.framed

    @property
    def down(self) -> int:
        """The room with its numbers."""
        return 1 + 9 * (1 + self.framed) + self.framed

    @property
    def shelf_across(self) -> int:
        """A bookshelf with what is between it and the next."""
        return SHELF_COLUMNS * (self.shelf + 1) + 3


_FORMS = (_Form(9, 7, True), _Form(7, 7, True), _Form(3, 7, False), _Form(3, 3, False))
# Below each other: name, frame, numbers, points.
_SHELF_LINES = 2 * SHELF_ROWS + 1 + 3
_GOAL = 26
_GOAL_LINES = 10


def board(sight: Sight[View], room: Room) -> Drawing:
    """The largest table that fits, or the one in letters."""
    seats = len(sight.view.shelves)
    for form in _FORMS:
        columns = max(form.across + 2 + 2 * _GOAL, seats * form.shelf_across - 2)
        lines = max(form.down, _GOAL_LINES) + 1 + _SHELF_LINES
        if columns <= room.columns and lines <= room.lines:
            return _large(sight, form)
    return _small(sight)


def _small(sight: Sight[View]) -> Drawing:
    """As `draw` has it, with tiles and columns to point at."""
    view, before = sight.view, sight.before
    canvas = Canvas(draw(view, sight.names))
    for cell in _cells(view):
        canvas.spot(1 + cell.row, 4 + 2 * cell.column, 1, 1, name_of(cell))
        if before is not None and view.room[cell.row][cell.column] != before.room[cell.row][cell.column]:
            canvas.ink(1 + cell.row, 4 + 2 * cell.column, 1, "underline")
    top = 1 + len(view.room) + 2
    for place, seat in enumerate(_seats(view)):
        left = 2 + place * 16
        for row, tiles in enumerate(view.shelves[seat]):
            for column, tile in enumerate(tiles):
                if before is not None and tile != before.shelves[seat][row][column]:
                    canvas.ink(top + row, left + 2 * column, 1, "underline")
        if seat == sight.seat:
            for column in range(SHELF_COLUMNS):
                canvas.spot(top, left + 2 * column, 1, SHELF_ROWS + 1, *_column_words(view, column))
    return canvas.drawing(plain=True)


def _cells(view: View) -> list[Cell]:
    return [Cell(row, column) for row, dots in enumerate(view.mask) for column, dot in enumerate(dots) if dot]


def _seats(view: View) -> list[int]:
    """The viewer's own bookshelf first."""
    mine = view.seat or 0
    return [(mine + step) % len(view.shelves) for step in range(len(view.shelves))]


def _column_words(view: View, column: int) -> list[str]:
    """What a column means: a whole answer where the tiles have only one order."""
    letters = [LETTERS[tile] for tile in view.hand]
    whole = [" ".join([f"fill {column + 1}", *letters])] if len(set(letters)) == 1 else []
    return [*whole, f"fill {column + 1}"]


def _large(sight: Sight[View], form: _Form) -> Drawing:
    canvas, view = Canvas(), sight.view
    _draw_room(canvas, sight, form)
    beside = form.across + 2
    for place, common in enumerate(view.commons):
        _draw_goal(canvas, sight, common, beside + place * _GOAL)
    top = max(form.down, _GOAL_LINES) + 1
    _draw_facts(canvas, sight, form, beside)
    for place, seat in enumerate(_seats(view)):
        _draw_shelf(canvas, sight, seat, (top, place * form.shelf_across), form)
    return canvas.drawing()


def _draw_room(canvas: Canvas, sight: Sight[View], form: _Form) -> None:
    view, before, step = sight.view, sight.before, form.room + form.framed
    for number in range(9):
        canvas.put(0, 3 + form.framed + number * step + form.room // 2, str(number + 1))
        canvas.put(1 + form.framed + number * (1 + form.framed), 1, "abcdefghi"[number])
    if form.framed:
        canvas.grid(1, 3, (form.room, 1), view.mask, "bright black")
    for cell in _cells(view):
        row, column = 1 + form.framed + cell.row * (1 + form.framed), 3 + form.framed + cell.column * step
        tile = view.room[cell.row][cell.column]
        changed = before is not None and tile != before.room[cell.row][cell.column]
        _draw_tile(canvas, row, column, form.room, tile, changed=changed)
        canvas.spot(row, column, form.room, 1, name_of(cell))


def _draw_tile(
    canvas: Canvas,
    row: int,
    column: int,
    width: int,
    tile: Tile | None,
    *,
    changed: bool = False,
    wish: str = "",
) -> None:
    """A tile by its word or its letter, an empty place by a dot or by the tile that is wanted there."""
    if tile is None:
        text = wish if width > 4 else wish[:1]
        canvas.put(row, column, f"{(text or '·'):^{width}}"[:width], "bright black" if not wish else "")
    else:
        text = tile.upper()[: width - 1] if width > 4 else LETTERS[tile]
        canvas.put(row, column, f" {text:^{width - 1}}", f"reverse,{_INKS[tile]}")
    if changed:
        canvas.put(row, column, MARK, "bold")


def _draw_goal(canvas: Canvas, sight: Sight[View], common: Common, column: int) -> None:
    """A common goal: its name, a bookshelf that reaches it, its tokens, and who has one."""
    words, lines = common.name.split(), [""]
    for word in words:
        if len(lines[-1]) + 1 + len(word) >= _GOAL:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    for row, line in enumerate(lines[:2]):
        canvas.put(row, column, line, "bold")
    for row, signs in enumerate(PICTURES[common.id]):
        canvas.put(2 + row, column, " ".join(_SIGNS.get(sign, sign) for sign in signs))
    tokens = " ".join(map(str, common.tokens)) or "none"
    canvas.put(2, column + 11, f"tokens {tokens}"[: _GOAL - 11])
    taken = [(name, value) for name, value in zip(sight.names, common.taken, strict=True) if value]
    for row, (name, value) in enumerate(taken):
        canvas.put(3 + row, column + 11, f"{clipped(name, _GOAL - 15)} {value}")


def _draw_facts(canvas: Canvas, sight: Sight[View], form: _Form, column: int) -> None:
    """The own goal, the tiles in hand, what the signs mean: below the goals, or beside them."""
    view = sight.view
    row = 9
    if view.hand:
        at = canvas.put(row, column, "In hand ", "bold")
        for tile in view.hand:
            width = max(form.shelf, 3)
            _draw_tile(canvas, row, at, width, tile)
            if view.turn == sight.seat:
                canvas.spot(row, at, width, 1, LETTERS[tile])
            at += width + 1
    elif view.filled is not None:
        canvas.put(row, column, f"{clipped(sight.names[view.filled], 20)} filled a bookshelf: last round")
    else:
        canvas.put(row, column, f"equal signs: one type; {MARK} last turn")
    if view.wishes and form.down > _GOAL_LINES:
        canvas.put(row + 2, column, "Small words on your bookshelf are what your own goal wants.")


def _draw_shelf(canvas: Canvas, sight: Sight[View], seat: int, at: tuple[int, int], form: _Form) -> None:
    view, (top, left) = sight.view, at
    before = sight.before.shelves[seat] if sight.before is not None else view.shelves[seat]
    wishes = {wish.cell: wish.tile for wish in view.wishes} if seat == view.seat else {}
    mark = ">" if seat == view.turn else " "
    width = form.shelf_across - 3
    canvas.put(top, left, f"{mark} {clipped(sight.names[seat], width - 2)}", "bold")
    canvas.grid(top + 1, left, (form.shelf, 1), [[True] * SHELF_COLUMNS] * SHELF_ROWS, "bright black")
    for row, tiles in enumerate(view.shelves[seat]):
        for column, tile in enumerate(tiles):
            wish = wishes.get(Cell(row, column), "")
            changed = tile is not None and before[row][column] is None
            x = left + 1 + column * (form.shelf + 1)
            _draw_tile(canvas, top + 2 + 2 * row, x, form.shelf, tile, changed=changed, wish=wish)
    for column in range(SHELF_COLUMNS):
        x = left + 1 + column * (form.shelf + 1)
        canvas.put(top + 2 * SHELF_ROWS + 2, x + form.shelf // 2, str(column + 1))
        if seat == sight.seat:
            canvas.spot(top + 2, x, form.shelf, 2 * SHELF_ROWS + 1, *_column_words(view, column))
    facts = points_of(view.points[seat]) if form.shelf > 4 else f"{view.points[seat]} pt"
    if wishes:
        met = f"{sum(wish.met for wish in view.wishes)} of {len(wishes)}"
        facts += f", own goal {met}" if form.shelf > 4 else f", goal {met}"
    canvas.put(top + 2 * SHELF_ROWS + 3, left, facts)
