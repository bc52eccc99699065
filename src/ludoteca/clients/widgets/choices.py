"""The possible answers as a grid of words: arrows walk over it, a click or Enter takes one."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from ludoteca.clients.completion import Choice, Choices

ROWS_MAX = 4
GAP = 2
COLUMN_MAX = 12


class ChoiceGrid(Widget):
    """Shows what may come next. It never takes the focus: keys come from the line that is being typed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--lead", "choice--item", "choice--part", "choice--marked"}
    DEFAULT_CSS = """
    ChoiceGrid { height: auto; padding: 0 1; }
    ChoiceGrid > .choice--lead { color: $text-muted; }
    ChoiceGrid > .choice--item { color: $accent; text-style: bold; }
    ChoiceGrid > .choice--part { color: $text-primary; text-style: bold; }
    ChoiceGrid > .choice--marked { text-style: reverse bold; }
    """

    marked: reactive[int] = reactive(0)
    rows_max: reactive[int] = reactive(ROWS_MAX, layout=True)

    class Taken(Message):
        """Somebody clicked on a choice."""

        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    def __init__(self) -> None:
        super().__init__()
        self._choices = Choices("", ())
        self._top = 0

    def show(self, choices: Choices) -> None:
        """Show other choices; the mark goes back to the first."""
        if choices != self._choices:
            self._choices = choices
            self._top = 0
            self.marked = 0
            self.refresh(layout=True)

    @property
    def choice(self) -> Choice | None:
        """The marked choice."""
        items = self._choices.items
        return items[min(self.marked, len(items) - 1)] if items else None

    def step(self, across: int, down: int) -> None:
        """Move the mark: along the words, or to the nearest one of the next row."""
        rows = self._rows(self.content_size.width)
        here = next((row for row, cells in enumerate(rows) if self.marked in [i for i, _ in cells]), None)
        if here is None:
            return
        if down and 0 <= here + down < len(rows):
            column = dict(rows[here])[self.marked]
            self.marked = min(rows[here + down], key=lambda cell: abs(cell[1] - column))[0]
            here += down
        elif across:
            self.marked = max(0, min(len(self._choices.items) - 1, self.marked + across))
            here = next(row for row, cells in enumerate(rows) if self.marked in [i for i, _ in cells])
        self._top = max(here - self._height(rows) + 1, min(self._top, here))
        self.refresh()

    def _lead(self) -> str:
        return f"{self._choices.lead} " if self._choices.lead else ""

    def _rows(self, width: int) -> list[list[tuple[int, int]]]:
        """The choices with their columns, row by row, as many as fit into each."""
        start = len(self._lead())
        items = self._choices.items
        # Short words stand in columns, which the eye finds sooner; long ones are packed.
        longest = max((len(item.label) for item in items), default=0)
        rows: list[list[tuple[int, int]]] = []
        column = width + 1
        for index, item in enumerate(items):
            size = longest if longest <= COLUMN_MAX else len(item.label)
            if column + size > width:
                rows.append([])
                column = start
            rows[-1].append((index, column))
            column += size + GAP
        return rows

    def _height(self, rows: list[list[tuple[int, int]]]) -> int:
        return min(self.rows_max, len(rows))

    def rows_wanted(self, width: int) -> int:
        """How many rows the choices take at this width."""
        return self._height(self._rows(width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as are needed, up to the limit."""
        return self._height(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """One row: the clear words before it, then the choices."""
        width = self.content_size.width
        rows = self._rows(width)
        plain = self._style("choice--lead")
        at = 0
        segments = []
        if y == 0:
            segments.append(Segment(self._lead(), plain))
            at = len(self._lead())
        for index, column in rows[self._top + y] if self._top + y < len(rows) else []:
            item = self._choices.items[index]
            name = "choice--item" if item.complete else "choice--part"
            segments.append(Segment(" " * (column - at), plain))
            segments.append(
                Segment(item.label, self._style("choice--marked" if index == self.marked else name))
            )
            at = column + len(item.label)
        strip = Strip(segments).adjust_cell_length(width, self.rich_style)
        hidden = len(rows) - self._top - self._height(rows)
        if y == self._height(rows) - 1 and hidden > 0:
            more = f" {hidden} more row{'s' * (hidden > 1)} below"
            strip = Strip.join([strip.crop(0, width - len(more)), Strip([Segment(more, plain)])])
        return strip

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(name)

    def on_click(self, event: events.Click) -> None:
        """Take what was clicked."""
        offset = event.get_content_offset(self)
        rows = self._rows(self.content_size.width)
        if offset is None or self._top + offset.y >= len(rows):
            return
        for index, column in rows[self._top + offset.y]:
            item = self._choices.items[index]
            if column <= offset.x < column + len(item.label):
                self.marked = index
                self.post_message(self.Taken(item))

    def on_mouse_scroll_down(self) -> None:
        """Further rows."""
        self.step(0, 1)

    def on_mouse_scroll_up(self) -> None:
        """Earlier rows."""
        self.step(0, -1)
