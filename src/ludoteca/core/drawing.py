"""Pictures for screens: what stands where, in which ink, and which places one can point at."""

from collections.abc import Sequence
from typing import Any, Generic
from unicodedata import combining, east_asian_width

import msgspec
from msgspec.structs import replace
from typing_extensions import TypeVar

V = TypeVar("V", default=Any)


class Room(msgspec.Struct, frozen=True):
    """How much of a screen a picture may take."""

    columns: int
    lines: int


class Sight(msgspec.Struct, Generic[V], frozen=True):
    """What is to be drawn: a view, the players by seat, and whose eyes see it (None: a spectator's).

    `before` is the view that the last turn began with, so that a picture can mark what that turn changed.
    """

    view: V
    names: tuple[str, ...]
    seat: int | None = None
    before: V | None = None


class Spot(msgspec.Struct, frozen=True):
    """A place of a picture that means something.

    `words` are its names in answers; an answer that holds one of them, word by word, is about this place.
    """

    row: int
    column: int
    width: int
    height: int
    words: tuple[str, ...]

    def covers(self, row: int, column: int) -> bool:
        """Whether a point lies on it."""
        return self.row <= row < self.row + self.height and self.column <= column < self.column + self.width


class Stroke(msgspec.Struct, frozen=True):
    """Signs `start` to `end` of a row in an ink: a colour of terminals ("red", "bright blue"), or "bold",
    "reverse", "underline"; several are separated by commas."""

    row: int
    start: int
    end: int
    ink: str


class Drawing(msgspec.Struct, frozen=True):
    """A picture that is finished. Spots may lie on others: the last that covers a point is meant.

    A `plain` one is what the game's `draw` drew, to be coloured by its inks.
    """

    rows: tuple[str, ...]
    strokes: tuple[Stroke, ...] = ()
    spots: tuple[Spot, ...] = ()
    columns: int = 0
    plain: bool = False

    def fits(self, room: Room) -> bool:
        """Whether there is room for it."""
        return self.columns <= room.columns and len(self.rows) <= room.lines

    def without_blanks(self) -> "Drawing":
        """The same without its empty rows, for a screen that is too low."""
        kept = [row for row, text in enumerate(self.rows) if text.strip()]
        place = {row: at for at, row in enumerate(kept)}
        return replace(
            self,
            rows=tuple(self.rows[row] for row in kept),
            strokes=tuple(replace(one, row=place[one.row]) for one in self.strokes if one.row in place),
            spots=tuple(replace(one, row=place[one.row]) for one in self.spots if one.row in place),
        )

    def spot_at(self, row: int, column: int) -> Spot | None:
        """What somebody means who points there."""
        return next((spot for spot in reversed(self.spots) if spot.covers(row, column)), None)

    def near(self, spot: Spot, across: int, down: int) -> Spot:
        """The next spot in a direction, or the same one at the edge."""
        x, y = _middle(spot)
        # A sign is about twice as high as it is wide; what lies straight on is nearer than what lies aside.
        best, found = 0.0, spot
        for other in self.spots:
            there = _middle(other)
            ahead = (there[0] - x) * across / 2 + (there[1] - y) * down
            aside = abs((there[0] - x) * down / 2 + (there[1] - y) * across)
            distance = ahead + 3 * aside
            if ahead > 0 and other != spot and (found == spot or distance < best):
                best, found = distance, other
        return found


# Corners of frames by the lines that meet there: up, down, left, right.
_CORNERS = {
    (False, True, False, True): "┌",
    (False, True, True, False): "┐",
    (True, False, False, True): "└",
    (True, False, True, False): "┘",
    (True, True, False, True): "├",
    (True, True, True, False): "┤",
    (False, True, True, True): "┬",
    (True, False, True, True): "┴",
    (True, True, True, True): "┼",
}


def _middle(spot: Spot) -> tuple[float, float]:
    return spot.column + spot.width / 2, spot.row + spot.height / 2


class Canvas:
    """Where a picture is put together. It grows as far as something is put; columns are those of the screen,
    so that a name in wide signs moves nothing else."""

    def __init__(self, text: str = "") -> None:
        self._cells: list[list[str]] = []
        self._strokes: list[tuple[int, int, int, str]] = []
        self._spots: list[Spot] = []
        for row, line in enumerate(text.rstrip("\n").split("\n") if text else ()):
            self.put(row, 0, line)

    @property
    def lines(self) -> int:
        """How high it is by now."""
        return len(self._cells)

    @property
    def columns(self) -> int:
        """How wide it is by now."""
        return max(map(len, self._cells), default=0)

    def put(self, row: int, column: int, text: str, ink: str = "") -> int:
        """Write on one line, over what was there; the column after it."""
        while len(self._cells) <= row:
            self._cells.append([])
        line = self._cells[row]
        start = column
        for sign in text:
            width = sign_width(sign)
            if not width:
                continue
            after = column + width
            line += [" "] * (after - len(line))
            # Of a wide sign that is covered by half, the other half is blank.
            if not line[column]:
                line[column - 1] = " "
            if after < len(line) and not line[after]:
                line[after] = " "
            line[column:after] = [sign, ""][:width]
            column = after
        if ink and column > start:
            self._strokes.append((row, start, column, ink))
        return column

    def box(
        self, row: int, column: int, width: int, height: int, ink: str = "", lines: str = "┌─┐│└┘"
    ) -> None:
        """A frame; what is inside stays."""
        left_top, across, right_top, down, left_bottom, right_bottom = tuple(lines)
        self.put(row, column, left_top + across * (width - 2) + right_top, ink)
        for inner in range(row + 1, row + height - 1):
            self.put(inner, column, down, ink)
            self.put(inner, column + width - 1, down, ink)
        self.put(row + height - 1, column, left_bottom + across * (width - 2) + right_bottom, ink)

    def grid(
        self, row: int, column: int, size: tuple[int, int], cells: Sequence[Sequence[object]], ink: str = ""
    ) -> None:
        """Frames around the cells that are true, of this width and height inside; they share their lines."""
        width, height = size
        across = len(cells[0]) if cells else 0

        def there(i: int, j: int) -> bool:
            return 0 <= i < len(cells) and 0 <= j < across and bool(cells[i][j])

        for i in range(len(cells) + 1):
            for j in range(across + 1):
                # The corner above and left of a cell, and the lines that go right and down from it.
                near = there(i - 1, j - 1), there(i - 1, j), there(i, j - 1), there(i, j)
                sides = near[0] or near[1], near[2] or near[3], near[0] or near[2], near[1] or near[3]
                y, x = row + i * (height + 1), column + j * (width + 1)
                if any(near):
                    self.put(y, x, _CORNERS[sides], ink)
                if sides[3]:
                    self.put(y, x + 1, "─" * width, ink)
                for line in range(height if sides[1] else 0):
                    self.put(y + 1 + line, x, "│", ink)

    def ink(self, row: int, column: int, width: int, ink: str) -> None:
        """Colour what is there already."""
        self._strokes.append((row, column, column + width, ink))

    def spot(self, row: int, column: int, width: int, height: int, *words: str) -> None:
        """A place one can point at."""
        self._spots.append(Spot(row, column, width, height, words))

    def drawing(self, *, plain: bool = False) -> Drawing:
        """What is on it."""
        strokes = [
            Stroke(row, len("".join(cells[:start])), len("".join(cells[:end])), ink)
            for row, start, end, ink in self._strokes
            if (cells := self._cells[row])
        ]
        # Filled up with blanks, so that a cursor on an empty place can be seen.
        edges = [] if plain else [spot.column + spot.width for spot in self._spots]
        columns = max([self.columns, *edges])
        rows = tuple("".join([*cells, " " * (columns - len(cells))]) for cells in self._cells)
        return Drawing(rows, tuple(strokes), tuple(self._spots), columns, plain)


def sign_width(sign: str) -> int:
    """How many columns a sign takes; one that would steer the terminal is none."""
    if combining(sign) or not sign.isprintable():
        return 0
    return 2 if east_asian_width(sign) in "WF" else 1


def text_width(text: str) -> int:
    """How many columns a text takes."""
    return sum(map(sign_width, text))


def clipped(text: str, columns: int) -> str:
    """As much of a text as fits, with a sign for what does not."""
    width = text_width(text)
    if width <= columns:
        return text
    while text and width > columns - 1:
        width -= sign_width(text[-1])
        text = text[:-1]
    return f"{text}…" if columns > 0 else ""


# A frame, as Canvas.box takes it.
DOUBLE = "╔═╗║╚╝"
