"""Which of one's tables to see: one can sit at several."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static


class TablesScreen(ModalScreen[int | None]):
    """A list of tables; the number of the chosen one, None to stay."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,f6", "cancel", "Stay")]
    DEFAULT_CSS = """
    TablesScreen { align: center middle; }
    TablesScreen > Vertical {
        width: 60; max-width: 95%; height: auto; max-height: 90%; background: $surface;
        border: round $primary; padding: 0 1;
    }
    TablesScreen OptionList { height: auto; border: none; }
    """

    def __init__(self, tables: Sequence[str]) -> None:
        super().__init__()
        self._tables = tables

    def compose(self) -> ComposeResult:
        """What to do, and the list."""
        with Vertical():
            yield Static("Enter goes there and keeps your seat here; Esc stays.", markup=False)
            yield OptionList(*(Text(table) for table in self._tables), compact=True, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """There."""
        self.dismiss(event.option_index)

    def action_cancel(self) -> None:
        """Here."""
        self.dismiss(None)
