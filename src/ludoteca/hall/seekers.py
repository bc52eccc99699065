"""Who waits for a table of a game: the first is choosing what to open, the others wait for it,
but not for ever."""

from ludoteca.core.requests import Seek
from ludoteca.hall.guest import Guest


class Seekers:
    """One line for each game, in order of arrival.

    Whoever keeps the others waiting for `choosing_s` loses the privilege, for as long as the line lasts: a
    sign of life is no choice.
    """

    def __init__(self, choosing_s: float) -> None:
        self._choosing_s = choosing_s
        self._lines: dict[str, dict[Guest, Seek]] = {}
        # Since when the first of a line has kept others waiting, and the lines in which everybody may choose:
        # all who stand there have been asked.
        self._since: dict[str, float] = {}
        self._anybody: set[str] = set()

    def add(self, guest: Guest, request: Seek, now: float) -> None:
        """Stand at the end of the line."""
        line = self._lines.setdefault(request.game, {})
        if len(line) == 1 and guest not in line:
            self._since[request.game] = now
        line[guest] = request

    def remove(self, guest: Guest) -> str | None:
        """Leave the line; the name of the game, if this guest was the one to choose for the others."""
        for game, line in self._lines.items():
            if guest in line:
                chooser = next(iter(line))
                del line[guest]
                if not line:
                    self._anybody.discard(game)
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

    def ask(self, game: str, now: float) -> None:
        """The first of the line is choosing from now on."""
        self._since[game] = now

    def all_asked(self, game: str) -> bool:
        """Whether everybody in the line may choose already."""
        return game in self._anybody

    def must_wait(self, game: str) -> bool:
        """Whether a newcomer must wait for somebody who is choosing."""
        return bool(self._lines.get(game)) and game not in self._anybody

    def alarm(self) -> float | None:
        """When somebody will have kept others waiting for too long."""
        if not self._since:
            return None
        times = [
            self._since[game] + self._choosing_s
            for game, line in self._lines.items()
            if len(line) > 1 and game not in self._anybody
        ]
        return min(times, default=None)

    def free(self, now: float) -> list[str]:
        """The games whose chooser has kept others waiting for too long; those who wait
        may choose now, too."""
        late = [
            game
            for game, line in self._lines.items()
            if len(line) > 1 and game not in self._anybody and now >= self._since[game] + self._choosing_s
        ]
        self._anybody.update(late)
        return late

    def behind(self, game: str) -> list[tuple[Guest, Seek]]:
        """All but the first of a line."""
        return list(self._lines[game].items())[1:]
