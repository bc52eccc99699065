"""The picture of a table: it takes the room there is, and its places can be pointed at."""

from collections.abc import Callable

from rich.text import Text
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from ludoteca.core.drawing import Drawing, Room, Spot, sign_width

# The log stands beside a board that leaves it so many columns, and else below it.
SIDE_WIDTH_MIN = 26
# The blanks beside a board, and the log's frame.
MARGIN = 3
LOG_ROWS_MIN = 2
# A smaller screen has the compact picture.
LARGE = Room(100, 30)

Board = Callable[[Room], Drawing | None]


def largest(board: Board, size: Size, rows_kept: int) -> Drawing | None:
    """The richest picture for a screen of which so many rows are needed for other things.

    It depends on nothing but the size, so that a board does not change its form from question to question.
    """
    if size.width < LARGE.columns or size.height < LARGE.lines:
        return board(Room(0, 0))
    lines = size.height - rows_kept
    drawing = board(Room(size.width - MARGIN - SIDE_WIDTH_MIN, lines))
    if drawing is None or not drawing.plain:
        return drawing
    return board(Room(size.width - MARGIN, lines - LOG_ROWS_MIN))


class Picture(Static):
    """A drawing, or plain text. The mouse points at its spots, and so do keys, by a cursor."""

    class Pointed(Message):
        """Somebody pointed at a place."""

        def __init__(self, spot: Spot) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self) -> None:
        super().__init__(id="picture", markup=False)
        self._drawing: Drawing | None = None
        self._painted = Text()
        self._cursor: Spot | None = None

    @property
    def cursor(self) -> Spot | None:
        """Where the cursor is; None while it is put away."""
        return self._cursor

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The places one can point at."""
        return self._drawing.spots if self._drawing is not None else ()

    def show(self, painted: Text, drawing: Drawing | None) -> None:
        """Show a picture; the cursor stays on the place it was on, wherever that is drawn now."""
        self._painted, self._drawing = painted, drawing
        if self._cursor is not None:
            words = self._cursor.words
            self._cursor = next((spot for spot in self.spots if spot.words == words), None)
        self._refresh()

    def walk(self, across: int, down: int) -> None:
        """Move the cursor to the next place in a direction, or bring it out."""
        if self._drawing is None or not self.spots:
            return
        if self._cursor is None:
            self._cursor = self.spots[len(self.spots) // 2]
        else:
            self._cursor = self._drawing.near(self._cursor, across, down)
        self._refresh()
        at = self._cursor
        region = Region(at.column, at.row, at.width, at.height).translate(self.virtual_region.offset)
        if isinstance(self.parent, Widget):
            self.parent.scroll_to_region(region, animate=False)

    def put_cursor_away(self) -> None:
        """Without a cursor."""
        if self._cursor is not None:
            self._cursor = None
            self._refresh()

    def _refresh(self) -> None:
        shown = self._painted
        at = self._cursor
        if at is not None:
            shown = shown.copy()
            start = 0
            for row, line in enumerate(shown.plain.split("\n")):
                if at.row <= row < at.row + at.height:
                    left, middle = chop_cells(line, at.column, at.width)
                    shown.stylize("reverse", start + left, start + left + middle)
                start += len(line) + 1
        self.update(shown)

    def on_click(self, event: events.Click) -> None:
        """Somebody pointed with the mouse."""
        offset: Offset | None = event.get_content_offset(self)
        spot = self._drawing.spot_at(offset.y, offset.x) if self._drawing and offset else None
        if spot is not None:
            self.post_message(self.Pointed(spot))


def chop_cells(line: str, column: int, width: int) -> tuple[int, int]:
    """How many signs stand before a column, and how many from there on so wide."""
    before = inside = at = 0
    for sign in line:
        before += at < column
        inside += column <= at < column + width
        at += sign_width(sign)
    return before, inside
