"""The board on a screen: cells as large as there is room for, each of which can be pointed at."""

from typing import NamedTuple

from ludoteca.core import Canvas, Drawing, Room, Sight
from ludoteca.core.drawing import clipped
from ludoteca.games.multisweeper.data import CLOSED, MINE
from ludoteca.games.multisweeper.text import draw, margin_of
from ludoteca.games.multisweeper.view import View

# Forms of cells, largest first: columns and lines of one, how many of the columns a closed one fills, and
# whether it has a frame.
_FORMS = (
    (7, 3, 5, True),
    (5, 2, 3, True),
    (3, 1, 3, True),
    (5, 1, 3, False),
    (4, 1, 2, False),
    (3, 1, 1, False),
)
_PANEL = 26
_DIGITS = (
    "",
    "bright blue",
    "green",
    "bright red",
    "bright magenta",
    "red",
    "cyan",
    "bright white",
    "bright black",
)


class _Form(NamedTuple):
    width: int
    height: int
    filled: int
    framed: bool

    @property
    def across(self) -> int:
        """From one cell to the next."""
        return self.width + self.framed

    @property
    def down(self) -> int:
        """From one row to the next."""
        return self.height + self.framed


def board(sight: Sight[View], room: Room) -> Drawing:
    """The largest board that fits, or the one in letters."""
    view = sight.view
    left = margin_of(view)
    for form in map(_Form._make, _FORMS):
        columns = left + view.width * form.across + form.framed
        lines = 1 + view.height * form.down + form.framed
        for panel in (True, False):
            beside, above = (2 + _PANEL, 0) if panel else (0, 1 + len(view.out))
            if columns + beside <= room.columns and lines + above <= room.lines:
                return _large(sight, form, panel=panel)
    return _small(sight)


def _marks(sight: Sight[View]) -> dict[int, str]:
    """The signs beside what was clicked last and what opened since the view before."""
    view, before = sight.view, sight.before
    marks = {}
    if before is not None and before.round == view.round:
        changed = [cell for cell, now in enumerate(view.cells) if now != before.cells[cell]]
        marks = {cell: "‹›" for cell in changed if 0 < view.cells[cell] < CLOSED}
    if view.last is not None:
        marks[view.last.row * view.width + view.last.column] = "()"
    return marks


def _words(view: View, cell: int) -> str:
    return f"{cell % view.width} {cell // view.width}"


def _small(sight: Sight[View]) -> Drawing:
    """As `draw` has it, with cells to point at."""
    view = sight.view
    canvas = Canvas(draw(view, sight.names))
    top = 3 if view.width > 10 else 2
    left, marks = margin_of(view), _marks(sight)
    for cell in range(len(view.cells)):
        row, column = top + cell // view.width, left + 2 * (cell % view.width)
        canvas.spot(row, column, 1, 1, _words(view, cell))
        if cell in marks:
            canvas.ink(row, column, 1, "bold,underline" if marks[cell] == "()" else "underline")
    return canvas.drawing(plain=True)


def _large(sight: Sight[View], form: _Form, *, panel: bool) -> Drawing:
    view, canvas, left = sight.view, Canvas(), margin_of(sight.view)
    top = _heading(canvas, sight, panel=panel)
    if form.framed:
        cells = [[True] * view.width] * view.height
        canvas.grid(top + 1, left, (form.width, form.height), cells, "bright black")
    first, begin = top + 1 + form.framed, left + form.framed
    marks = _marks(sight)
    for column in range(view.width):
        name = str(column)
        canvas.put(top, begin + column * form.across + (form.width - len(name)) // 2, name)
    for row in range(view.height):
        canvas.put(first + row * form.down + (form.height - 1) // 2, 0, f"{row:>{left - 1}}")
    for cell, value in enumerate(view.cells):
        row, column = first + cell // view.width * form.down, begin + cell % view.width * form.across
        _cell(canvas, form, row, column, value, marks.get(cell, ""))
        canvas.spot(row, column, form.width, form.height, _words(view, cell))
    _beside(canvas, sight, left + view.width * form.across + form.framed + 2, panel=panel)
    return canvas.drawing()


def _cell(canvas: Canvas, form: _Form, row: int, column: int, value: int, marks: str) -> None:
    middle, centre = row + (form.height - 1) // 2, column + (form.width - 1) // 2
    if value == CLOSED:
        for line in range(form.height):
            canvas.put(
                row + line, column + (form.width - form.filled) // 2, "░" * form.filled, "bright black"
            )
    elif value == MINE:
        canvas.put(middle, centre, "*", "bold,bright red")
    elif value:
        canvas.put(middle, centre, str(value), f"bold,{_DIGITS[value]}")
    if marks:
        canvas.put(middle, centre - 1, marks[0], "bright yellow")
        canvas.put(middle, centre + 1, marks[1], "bright yellow")


def _heading(canvas: Canvas, sight: Sight[View], *, panel: bool) -> int:
    """What stands above the board where there is no room beside it; the next line."""
    if panel:
        return 0
    canvas.put(0, 0, draw(sight.view, sight.names).split("\n")[0])
    return 1


def _beside(canvas: Canvas, sight: Sight[View], column: int, *, panel: bool) -> None:
    """Who plays, beside the board, or who is out, below it."""
    view, names = sight.view, sight.names
    if not panel:
        for out in view.out:
            canvas.put(canvas.lines, 0, f"Round {out.round}: {names[out.seat]} is out.")
        return
    lines = [
        (f"{view.width} by {view.height}, {view.mines} mines", ""),
        (f"Round {view.round}, turn {view.turn}", ""),
        (f"{sum(value == CLOSED for value in view.cells)} cells closed", ""),
        ("", ""),
    ]
    lines += [
        (f"{'>' if seat == view.mover else ' '} {clipped(names[seat], _PANEL - 2)}", "bold")
        for seat in view.order
    ]
    lines += [
        (f"  {clipped(names[out.seat], _PANEL - 18)}, out in round {out.round}", "") for out in view.out
    ]
    if view.last is not None:
        lines += [("", ""), ("( ) the last click", "bright yellow")]
        lines += [("‹ › opened lately", "bright yellow")] if "‹›" in _marks(sight).values() else []
    for row, (text, ink) in enumerate(lines, 1):
        canvas.put(row, column, clipped(text, _PANEL), ink)
