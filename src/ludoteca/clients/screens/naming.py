"""Asking for a name, when the one at hand cannot be had."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class NamingScreen(ModalScreen[str | None]):
    """One line for a name."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "Cancel")]
    DEFAULT_CSS = """
    NamingScreen { align: center middle; }
    NamingScreen > Vertical {
        width: 50; max-width: 95%; height: auto; background: $surface; border: round $primary;
        padding: 0 1;
    }
    """

    def __init__(self, name: str, reason: str) -> None:
        super().__init__()
        self._name_before = name
        self._reason = reason

    def compose(self) -> ComposeResult:
        """Why, and the line."""
        with Vertical():
            yield Static(f"{self._name_before}: {self._reason}. Choose another name.", markup=False)
            yield Input(value=self._name_before, compact=True, max_length=32)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """That is the name."""
        if event.value.strip():
            self.dismiss(event.value.strip())

    def action_cancel(self) -> None:
        """No name: go."""
        self.dismiss(None)
