"""The line a person types: an answer with its choices above it, a command, or something to say."""

import time
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static

from ludoteca.clients.completion import Choice, Vocabulary
from ludoteca.clients.widgets.choices import ChoiceGrid

# Whoever presses Enter twice must not answer a question that came in between: a question that nobody has
# touched (by an arrow, a letter, the mouse) takes no bare Enter in its first moment.
REST_S = 0.5

_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class TypedLine(Input):
    """An input whose arrow keys walk over the choices while there are any."""

    BINDINGS: ClassVar[list[BindingType]] = []

    class Stepped(Message):
        """An arrow key was pressed."""

        def __init__(self, across: int, down: int) -> None:
            super().__init__()
            self.across, self.down = across, down

    class Completed(Message):
        """Tab: take the marked word."""

    class Cleared(Message):
        """Escape."""

    arrows = True

    async def _on_key(self, event: events.Key) -> None:
        if event.key in _STEPS and self.arrows:
            self.post_message(self.Stepped(*_STEPS[event.key]))
        elif event.key == "tab":
            self.post_message(self.Completed())
        elif event.key == "escape":
            self.post_message(self.Cleared())
        else:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()


class Composer(Vertical):
    """Choices and the typed line. Posts `Sent` with a whole line; `talking` lines are for the chat."""

    DEFAULT_CSS = """
    Composer { height: auto; }
    Composer #typing { height: 1; }
    Composer #lead { width: auto; padding: 0 1; color: $primary; text-style: bold; }
    Composer TypedLine { width: 1fr; border: none; height: 1; padding: 0; background: transparent; }
    Composer TypedLine:focus { border: none; background: transparent; }
    """

    class Sent(Message):
        """A whole line."""

        def __init__(self, text: str, talking: bool) -> None:
            super().__init__()
            self.text, self.talking = text, talking

    def __init__(self) -> None:
        super().__init__()
        self._vocabulary = Vocabulary(())
        self._answers: tuple[str, ...] = ()
        self.talking = False
        self._rests_until = 0.0
        # Made here and not in compose: the screen may ask for them before they are on it.
        self.grid = ChoiceGrid()
        self.line = TypedLine(compact=True, id="line")
        self._lead = Static(">", id="lead")

    def compose(self) -> ComposeResult:
        """The grid above the line."""
        yield self.grid
        with Horizontal(id="typing"):
            yield self._lead
            yield self.line

    def offer(self, answers: tuple[str, ...]) -> None:
        """These are the answers now.

        What was typed ahead of them stays; half an answer to older ones does not.
        """
        if answers != self._answers:
            stale = bool(self._answers) and not self.line.value.startswith(("/", "'"))
            self._answers = answers
            self._rests_until = time.monotonic() + REST_S
            self._vocabulary = Vocabulary(answers)
            if stale and not self.talking:
                self.line.value = ""
        self._show()

    def talk(self, talking: bool) -> None:
        """Type for the chat, or for the game again."""
        self.talking = talking
        self._lead.update("say:" if talking else ">")
        self.line.value = ""
        self.line.focus()
        self._show()

    def _show(self) -> None:
        typed = self.line.value
        hide = self.talking or typed.startswith("'")
        self.grid.show(self._vocabulary.after("" if hide else typed))
        self.grid.display = not hide and bool(self._answers)
        self.line.arrows = self.grid.display

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Narrow the choices."""
        if self.line.value:
            self._rests_until = 0.0
        self._show()

    def on_typed_line_stepped(self, event: TypedLine.Stepped) -> None:
        """Walk over the choices."""
        self._rests_until = 0.0
        self.grid.step(event.across, event.down)

    def on_typed_line_completed(self) -> None:
        """Take the marked word without sending."""
        choice = self.grid.choice
        if self.line.arrows and choice is not None:
            self._put(choice)

    def on_typed_line_cleared(self) -> None:
        """One step back: out of the chat, or to an empty line, or one word back."""
        if self.talking:
            self.talk(False)
        else:
            *before, _ = [*self.line.value.split(), ""][:-1] or [""]
            self.line.value = " ".join(before) + (" " if before else "")
            self.line.cursor_position = len(self.line.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Send what was typed, or take the marked choice when that is what Enter means."""
        event.stop()
        typed = event.value.strip()
        if self.talking:
            self.talk(False)
            if typed:
                self.post_message(self.Sent(typed, True))
            return
        choice = self.grid.choice if self.line.arrows else None
        if choice is not None and not self._is_whole(typed):
            if time.monotonic() >= self._rests_until:
                self._take(choice)
        elif typed:
            self._send(typed)

    def _is_whole(self, typed: str) -> bool:
        """Whether what was typed is an answer as it stands, and the mark was not moved away from it."""
        same = [answer for answer in self._answers if answer.casefold() == " ".join(typed.casefold().split())]
        return bool(same) and self.grid.marked == 0

    def on_choice_grid_taken(self, event: ChoiceGrid.Taken) -> None:
        """A click means the same as Enter."""
        event.stop()
        self._take(event.choice)
        self.line.focus()

    def _take(self, choice: Choice) -> None:
        if choice.complete:
            self._send(choice.text)
        else:
            self._put(choice)

    def _put(self, choice: Choice) -> None:
        self.line.value = choice.text + " "
        self.line.cursor_position = len(self.line.value)

    def _send(self, text: str) -> None:
        self.line.value = ""
        self.post_message(self.Sent(text, False))
