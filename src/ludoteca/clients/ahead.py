"""Lines typed ahead: taken one after the other, answers when the question is there that they are for."""

from collections import deque
from collections.abc import Callable

from ludoteca.clients import parsing
from ludoteca.clients.desks.desk import Desk

LINES_MAX = 100


class Ahead:
    """Lines on their way to a desk. `take` does what a line says; `later` has `go_on` called in a moment."""

    def __init__(self, desk: Desk, take: Callable[[str], None], later: Callable[[], None]) -> None:
        self._desk = desk
        self._take = take
        self._later = later
        self._lines: deque[str] = deque(maxlen=LINES_MAX)

    def put(self, line: str) -> None:
        """A line was typed."""
        self._lines.append(line)
        self.go_on()

    def go_on(self) -> None:
        """Take what can be taken now; something has changed, or a moment has passed."""
        while self._lines:
            if parsing.is_answer(self._lines[0]) and self._desk.settling:
                self._later()
                return
            self._take(self._lines.popleft())
