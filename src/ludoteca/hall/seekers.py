"""Who waits for a table of a game: the first is choosing what to open, the others wait for it."""

from ludoteca.core.requests import Seek
from ludoteca.hall.guest import Guest


class Seekers:
    """One line for each game, in order of arrival."""

    def __init__(self) -> None:
        self._lines: dict[str, dict[Guest, Seek]] = {}

    def add(self, guest: Guest, request: Seek) -> None:
        """Stand at the end of the line."""
        self._lines.setdefault(request.game, {})[guest] = request

    def remove(self, guest: Guest) -> str | None:
        """Leave the line; the game's name when it was the one who was choosing who left."""
        for game, line in self._lines.items():
            if guest in line:
                chooser = next(iter(line))
                del line[guest]
                return game if chooser is guest else None
        return None

    def line_of(self, guest: Guest) -> str | None:
        """The game whose line the guest stands in."""
        return next((game for game, line in self._lines.items() if guest in line), None)

    def first(self, game: str) -> tuple[Guest, Seek] | None:
        """Who is choosing."""
        line = self._lines.get(game)
        return next(iter(line.items())) if line else None

    def waits(self, guest: Guest) -> bool:
        """Whether the guest is in a line, but not first."""
        return any(guest in line and next(iter(line)) is not guest for line in self._lines.values())
