"""The line a person types: an answer with its choices above it, a command, or something to say."""

import time
from typing import ClassVar, Protocol

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, Static

from ludoteca.clients import parsing
from ludoteca.clients.completion import Choice, Vocabulary, about, common_start
from ludoteca.clients.widgets.choices import ChoiceGrid

# Whoever presses Enter twice must not answer a question that came in between: a question that nobody has
# touched (by an arrow, a letter, the mouse) takes no bare Enter in its first moment.
REST_S = 0.5

# No more of a paste is looked at: a whole evening's answers are shorter.
PASTE_MAX = 10_000

STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class Hands(Protocol):
    """What the special keys of the line do. Called while the key is handled, never by a message: whatever
    was typed after it must find the line as the key left it, however fast it came."""

    def step(self, across: int, down: int) -> None:
        """An arrow key."""

    def complete(self) -> None:
        """Tab."""

    def back(self) -> None:
        """Escape."""

    def enter(self) -> None:
        """Enter."""


class TypedLine(Input):
    """An input whose arrow keys walk over the choices while there are any."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, hands: Hands) -> None:
        super().__init__(compact=True, id="line")
        self._hands = hands
        self.arrows = True

    async def _on_key(self, event: events.Key) -> None:
        if event.key in STEPS and self.arrows:
            self._hands.step(*STEPS[event.key])
        elif event.key == "tab":
            self._hands.complete()
        elif event.key == "escape":
            self._hands.back()
        elif event.key == "enter":
            self._hands.enter()
        elif event.key in _EDITING:
            await self.run_action(_EDITING[event.key])
        else:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()

    def _on_paste(self, event: events.Paste) -> None:
        """What is pasted is typed: every whole line of it is entered."""
        event.stop()
        event.prevent_default()
        *whole, rest = event.text[:PASTE_MAX].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for line in whole:
            self.insert_text_at_cursor(_printable(line))
            self._hands.enter()
        self.insert_text_at_cursor(_printable(rest))


# Bindings travel up to the application before they do anything, and letters overtake them.
_EDITING = {
    key: binding.action
    for binding in Binding.make_bindings(Input.BINDINGS)
    for key in [binding.key]
    if binding.action.startswith(("cursor_", "delete_", "home", "end"))
}


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text)


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

    class Marked(Message):
        """Another choice is marked; `text` is the answer as far as it goes."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__()
        self._vocabulary = Vocabulary(())
        self._answers: tuple[str, ...] = ()
        self.talking = False
        self._rests_until = 0.0
        # How many answers were sent whose questions have not passed yet: what is in the line came after them.
        self._sent = 0
        # The places of the board that were pointed at, and what that put into the line.
        self._places: list[tuple[str, ...]] = []
        self._pointed = ""
        # Made here and not in compose: the screen may ask for them before they are on it.
        self.grid = ChoiceGrid()
        self.line = TypedLine(self)
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
            stale = bool(self._answers) and not self._sent and not self.line.value.startswith(("/", "'"))
            self._answers, self._sent = answers, max(0, self._sent - 1)
            self._rests_until = time.monotonic() + REST_S
            self._forget_places()
            if stale and not self.talking:
                self.line.value = ""
        self._show()

    def point(self, words: tuple[str, ...]) -> bool:
        """Somebody pointed at a place of the board, which answers name so: go on to the answers about it.

        The one that is left is sent if the place is its last word, so that pointing at a piece never moves
        it. False when no answer is about that place.
        """
        if self.talking or not self.grid.display or time.monotonic() < self._rests_until:
            return False
        typed = self.line.value.casefold().split()
        if typed != self._pointed.casefold().split():
            self._forget_places()
        begun = [answer for answer in self._answers if answer.casefold().split()[: len(typed)] == typed]
        within = self._answers if self._places else begun or self._answers
        found = about(within, [*self._places, words])
        if not found:
            # Another piece than the one before: from the beginning.
            self._forget_places()
            found = about(self._answers, [words])
        if not found:
            self._show()
            return False
        self._places.append(words)
        if len(found) == 1 and any(ends_with(found[0], name) for place in self._places for name in place):
            self._send(found[0])
            return True
        self._vocabulary = Vocabulary(found)
        self._pointed = common_start(found)
        self.line.value = f"{self._pointed} " if self._pointed else ""
        self.line.cursor_position = len(self.line.value)
        self._show()
        return True

    @property
    def typing_by_hand(self) -> bool:
        """Whether the line holds something that did not come from the board."""
        return self.talking or self.line.value.strip() != self._pointed

    def _forget_places(self) -> None:
        self._places, self._pointed = [], ""
        self._vocabulary = Vocabulary(self._answers)

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
        self._tell_mark()

    def _tell_mark(self) -> None:
        choice = self.grid.choice if self.line.arrows else None
        self.post_message(self.Marked(choice.text if choice is not None else ""))

    def on_input_changed(self, _event: Input.Changed) -> None:
        """Narrow the choices."""
        if self.line.value:
            self._rests_until = 0.0
        if self._places and not self.line.value.startswith(self._pointed):
            self._forget_places()
        self._show()

    def step(self, across: int, down: int) -> None:
        """Walk over the choices."""
        self._rests_until = 0.0
        self._show()
        self.grid.step(across, down)
        self._tell_mark()

    def complete(self) -> None:
        """Take the marked word without sending."""
        self._show()
        choice = self.grid.choice
        if self.line.arrows and choice is not None:
            self._put(choice)

    def back(self) -> None:
        """One step back: out of the chat, or to an empty line, or one word back."""
        if self.talking:
            self.talk(False)
        else:
            self._forget_places()
            *before, _ = [*self.line.value.split(), ""][:-1] or [""]
            self.line.value = " ".join(before) + (" " if before else "")
            self.line.cursor_position = len(self.line.value)
            self._show()

    def enter(self) -> None:
        """Send what was typed, or take the marked choice when that is what Enter means."""
        typed = self.line.value.strip()
        if typed:
            self._rests_until = 0.0
        self._show()
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
        if parsing.is_answer(text):
            # The choices are used up: what is typed now is for the next question.
            self._answers, self._sent = (), self._sent + 1
            self._forget_places()
            self._show()
        self.post_message(self.Sent(text, False))


def ends_with(answer: str, name: str) -> bool:
    """Whether an answer ends with the words of a place."""
    words, wanted = answer.casefold().split(), name.casefold().split()
    return words[-len(wanted) :] == wanted
