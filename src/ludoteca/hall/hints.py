"""Hints: what a bot would do in a person's place. No advantage over people, and thought about once."""

from typing import Any

from ludoteca.core import Refused
from ludoteca.core.notices import Advice, Declined, Hinted
from ludoteca.core.requests import Hint
from ludoteca.hall.chair import Chair
from ludoteca.hall.desk import Desk
from ludoteca.hall.guest import Guest
from ludoteca.hall.post import Post
from ludoteca.hall.questions import Pending


class Hints:
    """Who may have one, and who waits for one; the thinking itself is the shell's."""

    def __init__(self, desk: Desk, post: Post) -> None:
        self._desk = desk
        self._post = post

    def want(self, guest: Guest, at: int | None) -> None:
        """Somebody wants a hint: it is known already, or the shell finds in the post that it is wanted.
        Raises Refused."""
        table, seat = self._desk.table_of(guest), guest.seat
        if table is None or seat is None:
            raise Refused("you sit at no table", "seat")
        if any(not chair.bot for other, chair in table.taken() if other != seat):
            raise Refused("hints are for matches against bots", "people")
        table.asked.check(seat, at, table.phase)
        pending = table.asked.get(seat)
        assert pending is not None
        if pending.hint is not None:
            self._post.letter(guest, pending.hint)
        elif pending.wonders == guest.id:
            raise Refused("a bot is thinking about that already", "rate")
        else:
            pending.wonders = guest.id
            self._post.wonders.append((guest, pending.number))

    def give(
        self,
        guest: Guest,
        table: str,
        number: int,
        level: str,
        actions: tuple[Any, ...],
        advice: tuple[Advice, ...] = (),
    ) -> None:
        """A bot of this level has thought about a question; without actions it broke down."""
        asked = self._asked(guest, table, number)
        if asked is None:
            reason, code = "that question has been answered already", "stale"
        elif not actions:
            asked[0].wonders = None
            reason, code = "the bot broke down over this question", "bot"
        else:
            pending, chair = asked
            chair.hints += 1
            pending.hint = Hinted(number, level, actions, advice, chair.hints)
            self._post.letter(guest, pending.hint)
            return
        self._post.letter(guest, Declined(Hint(number), reason, code))

    def _asked(self, guest: Guest, table_id: str, number: int) -> tuple[Pending, Chair] | None:
        table, seat = self._desk.table_of(guest), guest.seat
        if table is None or table.id != table_id or seat is None:
            return None
        pending = table.asked.get(seat)
        if pending is None or pending.number != number:
            return None
        return pending, table.chair(seat)
