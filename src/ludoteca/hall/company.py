"""Those who are at a table now, and telling them."""

from collections.abc import Callable, Sequence
from typing import Any

from ludoteca.core import Notice, Seat
from ludoteca.core.notices import Happened
from ludoteca.hall.chair import Chair
from ludoteca.hall.guest import GuestId
from ludoteca.hall.post import Aside, Post

# More than so many who look on are an audience, which is told aside; fewer take no time worth speaking of.
AUDIENCE_MIN = 32


class Company:
    """Whoever is connected: on the chairs, for somebody absent, or looking on."""

    __slots__ = ("_chairs", "_post", "watchers")

    def __init__(self, chairs: Sequence[Chair | None], post: Post) -> None:
        self._chairs = chairs
        self._post = post
        self.watchers: dict[GuestId, None] = {}

    def guests(self) -> list[GuestId]:
        """Everybody: players, stand-ins, watchers."""
        seated = [
            guest
            for chair in self._chairs
            if chair is not None
            for guest in (chair.guest, chair.stand_in)
            if guest is not None
        ]
        return seated + list(self.watchers)

    def plays(self) -> bool:
        """Whether anybody but bots sits here; asked after every input, so it looks no further than needed."""
        for chair in self._chairs:  # noqa: SIM110 - `any` makes a generator, which costs more than the look
            if chair is not None and chair.guest is not None and not chair.bot:
                return True
        return False

    def tell(self, notice: Notice, but: int | None = None) -> None:
        """The same to everybody, or to all but one seat."""
        letters = self._post.letters
        for seat, chair in enumerate(self._chairs):
            if chair is not None and seat != but:
                if chair.guest is not None:
                    letters.append((chair.guest, notice))
                if chair.stand_in is not None:
                    letters.append((chair.stand_in, notice))
        if self.watchers:
            self._tell_watchers(notice)

    def _tell_watchers(self, notice: Notice) -> None:
        if len(self.watchers) <= AUDIENCE_MIN:
            self._post.letters += [(guest, notice) for guest in self.watchers]
        else:
            self._post.letters.append((None, Aside(notice, tuple(self.watchers))))
            self._post.asides += 1

    def tell_seat(self, seat: int, notice: Notice) -> None:
        """A notice for one seat, and for a bot that holds it."""
        chair = self._chairs[seat]
        if chair is not None:
            for guest in (chair.guest, chair.stand_in):
                if guest is not None:
                    self._post.letters.append((guest, notice))

    def tell_events(self, happened: Happened, as_seen: Callable[[Happened, Seat | None], Any]) -> None:
        """Each seat and the watchers hear of the events as they may know them."""
        letters = self._post.letters
        for seat, chair in enumerate(self._chairs):
            if chair is not None:
                if chair.guest is not None:
                    letters.append((chair.guest, as_seen(happened, Seat(seat))))
                if chair.stand_in is not None:
                    letters.append((chair.stand_in, as_seen(happened, Seat(seat))))
        if self.watchers:
            self._tell_watchers(as_seen(happened, None))
