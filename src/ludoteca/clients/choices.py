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

from ludoteca.clients.words import Choice, Choices

ROWS_MAX = 4
GAP = 2


class ChoiceGrid(Widget):
    """Shows what may come next. It never takes the focus: keys come from the line that is being typed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--lead", "choice--item", "choice--part", "choice--marked"}
    DEFAULT_CSS = """
    ChoiceGrid { height: auto; padding: 0 1; }
    ChoiceGrid > .choice--lead { color: $text-muted; }
    ChoiceGrid > .choice--item { color: $accent; text-style: bold; }
    ChoiceGrid > .choice--part { color: $primary; }
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
        """Move the mark."""
        count = len(self._choices.items)
        if not count:
            return
        columns = self._columns(self.content_size.width)
        target = self.marked + across + down * columns
        if down and not 0 <= target < count:
            target = self.marked
        self.marked = max(0, min(count - 1, target))
        self._top = max(
            self._row(self.marked) - self._height(columns) + 1, min(self._top, self._row(self.marked))
        )
        self.refresh()

    def _row(self, index: int) -> int:
        return index // self._columns(self.content_size.width)

    def _cell(self) -> int:
        return max((len(item.label) for item in self._choices.items), default=0) + GAP

    def _lead(self) -> str:
        return f"{self._choices.lead} " if self._choices.lead else ""

    def _columns(self, width: int) -> int:
        return max(1, (width - len(self._lead()) + GAP) // max(1, self._cell()))

    def _height(self, columns: int) -> int:
        return min(self.rows_max, -(-len(self._choices.items) // columns))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as are needed, up to the limit."""
        return self._height(self._columns(width)) if self._choices.items else 0

    def render_line(self, y: int) -> Strip:
        """One row: the clear words before it, then a cell for each choice."""
        width = self.content_size.width
        columns = self._columns(width)
        lead = self._lead()
        segments = [Segment(lead if y == 0 else " " * len(lead), self._style("choice--lead"))]
        items = self._choices.items
        rows = -(-len(items) // columns)
        first = (self._top + y) * columns
        for index in range(first, min(first + columns, len(items))):
            item = items[index]
            name = "choice--item" if item.complete else "choice--part"
            style = self._style("choice--marked" if index == self.marked else name)
            segments.append(Segment(item.label, style))
            segments.append(Segment(" " * (self._cell() - len(item.label)), self._style("choice--lead")))
        hidden = rows - self._top - self._height(columns)
        strip = Strip(segments).adjust_cell_length(width, self.rich_style)
        if y == self._height(columns) - 1 and hidden > 0:
            more = f" +{hidden} rows"
            strip = Strip.join(
                [strip.crop(0, width - len(more)), Strip([Segment(more, self._style("choice--lead"))])]
            )
        return strip

    def _style(self, name: str) -> Style:
        return self.get_component_rich_style(name)

    def on_click(self, event: events.Click) -> None:
        """Take what was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        columns = self._columns(self.content_size.width)
        column = (offset.x - len(self._lead())) // self._cell()
        index = (self._top + offset.y) * columns + column
        if 0 <= column < columns and index < len(self._choices.items):
            self.marked = index
            self.post_message(self.Taken(self._choices.items[index]))

    def on_mouse_scroll_down(self) -> None:
        """Further rows."""
        self.step(0, 1)

    def on_mouse_scroll_up(self) -> None:
        """Earlier rows."""
        self.step(0, -1)
