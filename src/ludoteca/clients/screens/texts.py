"""A page of text over the screen: help, the whole log."""

from typing import ClassVar

from rich.markdown import Markdown
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class TextPage(ModalScreen[None]):
    """Shows a text until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,f1,f2", "dismiss", "Close"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
    ]
    DEFAULT_CSS = """
    TextPage { align: center middle; }
    TextPage > Vertical {
        width: 76; max-width: 95%; height: auto; max-height: 90%; background: $surface;
        border: round $primary; padding: 0 1;
    }
    TextPage VerticalScroll { height: auto; max-height: 100%; }
    TextPage #title { text-style: bold; color: $primary; }
    """

    def __init__(self, title: str, text: Text | Markdown | str, *, at_end: bool = False) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        """Title and text."""
        with Vertical():
            yield Static(f"{self._title}  (Esc closes)", id="title", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static(self._text, id="text", markup=False)

    def on_mount(self) -> None:
        """Start where it is interesting."""
        if self._at_end:
            self.call_after_refresh(self.query_one(VerticalScroll).scroll_end, animate=False)

    def action_scroll(self, rows: int) -> None:
        """Move the text."""
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)
