"""Coming in under a name, and coming back to a seat.

A name is one person's: whoever holds a seat under it may come in again beside it, by that seat's token.
"""

from functools import partial

from ludoteca.core import Refused
from ludoteca.core.notices import Entered, Gone
from ludoteca.core.requests import Enter, Return
from ludoteca.hall.desk import Desk
from ludoteca.hall.elsewhere import Elsewhere
from ludoteca.hall.floor import Floor
from ludoteca.hall.guest import Guest
from ludoteca.hall.keeping import Keeping
from ludoteca.hall.limits import ReturnByName
from ludoteca.hall.post import Post
from ludoteca.hall.seating import Seating
from ludoteca.hall.table import Table


class Entrance:
    """Where it is decided who somebody is. `return_by_name` is what a name is worth without a token."""

    def __init__(
        self,
        desk: Desk,
        floor: Floor,
        seating: Seating,
        post: Post,
        keeping: Keeping,
        return_by_name: ReturnByName,
    ) -> None:
        self._desk = desk
        self._floor = floor
        self._seating = seating
        self.elsewhere = Elsewhere(desk, floor, post)
        self._post = post
        self._keeping = keeping
        self._names = desk.names
        self._tables = desk.tables
        self._return_by_name = return_by_name

    def enter(self, guest: Guest, request: Enter, now: float) -> None:
        """Be known by a name, or by a variation of it; or take the seat again that it was left at."""
        name = given = request.name
        if guest.name and self._desk.busy(guest):
            raise Refused("you have a name already", "name")
        self._names.check(name)
        self._wake_seat(guest, name, now)
        self._tables.aside.ask_name(guest.protocol, name, partial(self._may_own, guest))
        self._names.leave(guest)
        like = self._like(name, now)
        for held in like[:1] if request.distinct else like:
            found = self._absent_seat(held, guest)
            if found is not None:
                table, seat = found
                if table.elsewhere:
                    self._send_to(guest, table, seat, Enter(table.chair(seat).name), now)
                    return
                if self._return_by_name == "same-address":
                    table.claim(seat, self._desk.origin(table.id, guest), now)
                self._return_to(guest, table, seat, 0, now)
                return
        if not request.distinct:
            name = like[-1]
        elif len(like) > 1 and not self._holds(name, request.tokens):
            if guest.name:
                self._names.hold(guest)
            raise Refused("that name is taken", "taken")
        guest.name, guest.given = name, given
        self._names.hold(guest)
        self._post.letter(guest, Entered(name))
        at = self._desk.table_of(guest)
        if at is not None and guest.seat is not None and at.phase == "open":
            chair = at.chair(guest.seat)
            chair.name, chair.given = guest.name, guest.given
            at.tell_sat(guest.seat)

    def _like(self, name: str, now: float) -> list[str]:
        return self._names.variations(name, lambda one: self._keeping.is_barred(one, now))

    def _wake_seat(self, guest: Guest, name: str, now: float) -> None:
        """A seat that may be theirs is back, or set aside, before anything is said about it; then the name
        may lead to another one."""
        for held in self._like(name, now)[:-1]:
            while (found := self._absent_seat(held, guest)) is not None and found[0].asleep:
                if found[0].elsewhere:
                    break
                self._tables.wake(found[0])

    def _holds(self, name: str, tokens: tuple[str, ...]) -> bool:
        """Whether one of these tokens is that of a seat which holds this name.

        A seat at a match that is over holds it no more: there it is who is still here that holds it.
        """
        key = name.casefold()
        for table, seat in self._tables.seats_of(tokens):
            chair = table.chair(seat)
            if table.phase == "over":
                guest = self._desk.guest(chair.guest) if chair.guest is not None else None
                held = "" if guest is None else guest.name
            else:
                held = chair.name
            if held.casefold() == key:
                return True
        return False

    def _may_own(self, guest: Guest, table: str, origin: str) -> bool:
        """Whether a seat that was taken from this origin may be given back to this guest
        for the name alone."""
        if self._return_by_name == "never" or guest.protocol == "house":
            return False
        # Where nobody knows where the owner came from, the first who says the name is believed.
        return self._return_by_name == "anyone" or origin in ("", self._desk.origin(table, guest))

    def _absent_seat(self, name: str, guest: Guest) -> tuple[Table, int] | None:
        """The seat that a client whose protocol knows no token may take again by its name."""
        table = self._names.holder(name)
        if not isinstance(table, Table):
            return None
        for seat, chair in table.taken():
            if (
                chair.name.casefold() == name.casefold()
                and chair.guest is None
                and chair.protocol == guest.protocol
                and self._may_own(guest, table.id, chair.origin)
            ):
                return table, seat
        return None

    def take_again(self, guest: Guest, token: str, since: int, now: float) -> None:
        """Sit down again on the seat that the token is for, whoever is connected for it."""
        table, seat = self._tables.owned(token)
        chair = table.chair(seat)
        if guest.name and guest.name != chair.name:
            raise Refused("you came in under another name", "name")
        if table.elsewhere:
            self._send_to(guest, table, seat, Return(table.id, token, since), now)
            return
        if chair.guest == guest.id:
            table.show_again(guest.id, seat, since)
            return
        old = self._desk.guest(chair.guest) if chair.guest is not None else None
        if old is not None:
            # The token is worth more than a connection that may be long dead.
            chair.guest = None
            self._names.leave(old)
            old.place("", None)
            old.name = ""
            self._post.letter(old, Gone("you came back through another connection", code="elsewhere"))
        self._return_to(guest, table, seat, since, now)

    def _send_to(self, guest: Guest, table: Table, seat: int, request: Enter | Return, now: float) -> None:
        """A seat's owner goes on in another hall, which has the table."""
        self._seating.stop_seeking(guest, now)
        if guest.table != table.id:
            self._seating.get_up(guest, now, back=True)
        self.elsewhere.sit(guest, table, seat)
        self.elsewhere.send(guest, table, request)

    def _return_to(self, guest: Guest, table: Table, seat: int, since: int, now: float) -> None:
        """Give a seat back to its owner."""
        self._seating.stop_seeking(guest, now)
        self._seating.get_up(guest, now, back=True)
        chair = table.chair(seat)
        stand_in = self._desk.guest(chair.stand_in) if chair.stand_in is not None else None
        if stand_in is not None:
            self._desk.dismiss(stand_in)
        guest.name, guest.given = chair.name, chair.given
        self._names.forget(guest.name, table)
        self._names.hold(guest)
        self._post.letter(guest, Entered(guest.name))
        table.owner = table.owner or guest.address
        if not table.origin:
            # Nobody knows who opened it (a record of version 0.1): whoever comes back first has it on
            # the own budget.
            self._tables.charge(table, guest.address)
        guest.place(table.id, seat)
        table.come_back(guest.id, seat, since, now)
        self._floor.tend(table, now)
