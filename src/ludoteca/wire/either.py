"""Two tongues at one port: the first byte decides which, and whoever stays silent gets the usual one."""

from collections.abc import Callable

from ludoteca.core import Conversation, Notice, Request
from ludoteca.core.notices import Gone
from ludoteca.wire.java.stream import MAGIC
from ludoteca.wire.lines import end_of_line

# The originals begin their stream before they read; a client that waits for us waits so much longer.
PATIENCE_S = 0.25


class Either:
    """A conversation that becomes one of two: in lines, or of Java objects when that is how it begins.

    No line of any protocol begins with the first byte of a Java stream, so one byte is enough.
    """

    def __init__(self, lines: Callable[[], Conversation], java: Callable[[], Conversation]) -> None:
        self._lines = lines
        self._java = java
        self._chosen: Conversation | None = None
        self._greeted = False
        self._closing = False
        self._patient_until: float | None = None
        # Who wants to hear which of the two it is, and go on with it.
        self.on_choice: Callable[[str, Conversation], None] | None = None
        self._spoken = ""

    # As long as nobody goes on with what was chosen, it is asked through here.

    @property
    def closing(self) -> bool:
        """Whether nothing more will be said."""
        return self._closing if self._chosen is None else self._chosen.closing

    @closing.setter
    def closing(self, closing: bool) -> None:
        self._closing = closing

    @property
    def alarm(self) -> float | None:
        """When `tick` wants to be called."""
        return self._patient_until if self._chosen is None else self._chosen.alarm

    @alarm.setter
    def alarm(self, alarm: float | None) -> None:
        self._patient_until = alarm

    def greet(self, now: float) -> list[Request]:
        """Wait."""
        self._patient_until = now + PATIENCE_S
        return []

    def cut(self, data: bytes, at: int) -> int:
        """Where the next message ends, in the tongue that its first byte tells."""
        if at == len(data):
            return 0
        chosen = self._choose(data[at] == MAGIC[0])
        cut: Callable[[bytes, int], int] = getattr(chosen, "cut", end_of_line)
        return cut(data, at)

    def receive(self, data: bytes, now: float) -> list[Request]:
        """The first bytes decide, and are answered with the greeting."""
        if not data:
            return []
        chosen = self._choose(data[0] == MAGIC[0])
        greeting = self._greeting(now)
        return greeting + chosen.receive(data, now)

    def tick(self, now: float) -> list[Request]:
        """Nobody has said anything: then it is lines."""
        if self._chosen is not None and self._greeted:
            return self._chosen.tick(now)
        self._choose(java=False)
        return self._greeting(now)

    def send(self, notice: Notice, now: float) -> bytes:
        """Whoever has said nothing yet is told nothing, not even good-bye."""
        if self._chosen is None:
            self._closing = self._closing or isinstance(notice, Gone)
            return b""
        return self._chosen.send(notice, now)

    def _choose(self, java: bool) -> Conversation:
        if self._chosen is None:
            self._spoken = "java" if java else "lines"
            self._chosen = self._java() if java else self._lines()
        return self._chosen

    def _greeting(self, now: float) -> list[Request]:
        if self._greeted or self._chosen is None:
            return []
        self._greeted = True
        if self.on_choice is not None:
            self.on_choice(self._spoken, self._chosen)
        return self._chosen.greet(now)
