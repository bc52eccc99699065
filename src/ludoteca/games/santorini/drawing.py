"""The island on a screen: towers stand as high as they are, and the gods lie beside it."""

from textwrap import wrap

from ludoteca.core import Canvas, Drawing, Room, Sight
from ludoteca.core.drawing import clipped, text_width
from ludoteca.games.santorini.data import CARDS, COLOURS, SIDE, Cell, Colour
from ludoteca.games.santorini.text import colour_name, draw, name_of
from ludoteca.games.santorini.view import View

# The inside of a space: its width, and the lines of one level. Above three levels somebody may stand.
_FORMS = ((21, 2), (17, 2), (11, 1))
_PANEL_MIN = 22
_PANEL_MAX = 50
_LEFT = 4
_TOP = 1
_TIERS = "░▒▓"
_INKS: dict[Colour | None, str] = dict(
    zip((*COLOURS, None), ("bright magenta", "bright cyan", "bright white", "bold"), strict=True)
)
MARK = "*"


def board(sight: Sight[View], room: Room) -> Drawing:
    """The largest island that fits, or the one in letters."""
    for width, tier in _FORMS:
        columns = _LEFT + SIDE * (width + 1) + 1
        if columns + 2 + _PANEL_MIN <= room.columns and _TOP + SIDE * (3 * tier + 2) + 1 <= room.lines:
            return _large(sight, width, tier, min(_PANEL_MAX, room.columns - columns - 2))
    return _small(sight)


def hues(view: View) -> tuple[str, ...]:
    """The colour that each seat has taken."""
    return tuple(_INKS[colour] if colour else "" for colour in view.colours)


def changed(sight: Sight[View]) -> set[Cell]:
    """The spaces that the last turn changed: where somebody built, came or went."""
    if sight.before is None:
        return set()
    cells = [Cell(i, j) for i in range(SIDE) for j in range(SIDE)]
    return {cell for cell in cells if _face(sight.view, cell) != _face(sight.before, cell)}


def _face(view: View, cell: Cell) -> tuple[int, bool, tuple[tuple[int, int], ...]]:
    workers = tuple(
        (worker.seat, worker.number) for worker in view.workers if (worker.i, worker.j) == (cell.i, cell.j)
    )
    return view.levels[cell.i][cell.j], view.domes[cell.i][cell.j], workers


def _small(sight: Sight[View]) -> Drawing:
    """As `draw` has it, with spaces to point at."""
    canvas, marked = Canvas(draw(sight.view, sight.names)), changed(sight)
    for cell in (Cell(i, j) for i in range(SIDE) for j in range(SIDE)):
        row, column = 1 + cell.i, 5 + 6 * cell.j
        canvas.spot(row, column, 5, 1, name_of(cell))
        if cell in marked:
            canvas.ink(row, column, 4, "underline")
    for worker in sight.view.workers:
        level = 2 if sight.view.domes[worker.i][worker.j] else 1
        ink = hues(sight.view)[worker.seat]
        if ink:
            canvas.ink(1 + worker.i, 5 + 6 * worker.j + level, 2, ink)
    return canvas.drawing(plain=True)


def _large(sight: Sight[View], width: int, tier: int, panel: int) -> Drawing:
    canvas, view, height = Canvas(), sight.view, 3 * tier + 1
    marked = changed(sight)
    _grid(canvas, width, height)
    for cell in (Cell(i, j) for i in range(SIDE) for j in range(SIDE)):
        top, left = _TOP + 1 + cell.i * (height + 1), _LEFT + 1 + cell.j * (width + 1)
        level, dome, workers = _face(view, cell)
        bottom = top + height - 1
        for number in range(level):
            size = width - 2 - (width - 5) // 6 * 2 * number
            for line in range(tier):
                row = bottom - number * tier - line
                canvas.put(row, left + (width - size) // 2, _TIERS[number] * size)
        above = bottom - level * tier
        if dome:
            _dome(canvas, above, left, width)
        for seat, number in workers:
            name = f"{clipped(sight.names[seat], width - 4)} {number}"
            ink = f"bold,{_INKS[view.colours[seat]]}"
            canvas.put(above, left + (width - text_width(name)) // 2, name, ink)
        if level:
            canvas.put(top, left, str(level), "bold")
        if cell in marked:
            canvas.put(top, left + width - 1, MARK, "bold,bright yellow")
        canvas.spot(top, left, width, height, name_of(cell))
    _panel(canvas, sight, _LEFT + SIDE * (width + 1) + 3, panel)
    return canvas.drawing()


def _grid(canvas: Canvas, width: int, height: int) -> None:
    canvas.grid(_TOP, _LEFT, (width, height), [[True] * SIDE] * SIDE, "bright black")
    for i in range(SIDE):
        canvas.put(0, _LEFT + 1 + i * (width + 1) + width // 2, "ABCDE"[i], "bold")
        canvas.put(_TOP + 1 + i * (height + 1) + height // 2, 1, str(i + 1), "bold")


def _dome(canvas: Canvas, row: int, left: int, width: int) -> None:
    canvas.put(row, left + width // 2 - 2, "(dome)"[: 6 if width > 6 else 4], "bold,bright blue")


def _panel(canvas: Canvas, sight: Sight[View], column: int, width: int) -> None:
    """Who plays which colour under which god, and what that god can do."""
    view, row = sight.view, 1
    for seat in view.order:
        mark = ">" if seat == view.seat and view.phase != "over" else " "
        canvas.put(row, column, f"{mark} {clipped(sight.names[seat], width - 2)}", "bold")
        colour = view.colours[seat]
        facts = [colour_name(colour)] if colour else []
        facts += [view.gods[seat]] if view.gods[seat] else []
        facts += [f"{view.tokens[seat]} tokens"] if view.tokens[seat] else []
        facts += ["is out"] if view.out[seat] else []
        facts += ["has won"] if view.winner == seat else []
        row += 1
        for line in wrap(", ".join(facts), width - 2):
            canvas.put(row, column + 2, line, _INKS[colour])
            row += 1
        for line in wrap(CARDS[view.gods[seat]].text, width - 2) if view.gods[seat] else ():
            canvas.put(row, column + 2, line)
            row += 1
        row += 1
    if sight.before is not None and changed(sight):
        canvas.put(row, column, f"{MARK} the last turn", "bright yellow")
