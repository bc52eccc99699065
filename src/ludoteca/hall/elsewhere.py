"""Tables whose match is played in another hall of the same house: here is who sits there, and nothing of the
match (docs/decisions/0035).

The hall that has it writes, tells and asks. Who is at such a table is here all the same, under the own name:
that is what the lobby, hosts and everybody who looks for a name or a seat need to know.
"""

from ludoteca.core import Request
from ludoteca.core.requests import Watch
from ludoteca.hall.desk import Desk
from ludoteca.hall.floor import Ended, Floor
from ludoteca.hall.guest import Guest
from ludoteca.hall.post import Post
from ludoteca.hall.slip import Slip
from ludoteca.hall.table import Table

# The state of a match that is not here: whatever looks at it breaks down, rather than take it for none.
ASLEEP = object()


class Elsewhere:
    """What becomes of tables that this hall gives away, and of those who are there."""

    def __init__(self, desk: Desk, floor: Floor, post: Post) -> None:
        self._desk = desk
        self._floor = floor
        self._post = post

    def give(self, table: Table, where: str) -> None:
        """From now on this table's match is played in the hall of this name."""
        for _, chair in table.taken():
            for number in (chair.guest if chair.bot else None, chair.stand_in):
                bot = self._desk.guest(number) if number is not None else None
                if bot is not None:
                    self._desk.dismiss(bot)
            chair.stand_in = None
        table.elsewhere, table.asleep, table.alarm = where, True, None
        table.match.state = ASLEEP
        table.asked.clear()
        table.ledger.history.clear()
        self._floor.release(table)
        table.stir()

    def learn(self, table: Table, slip: Slip) -> None:
        """Who sits there has changed, as its hall has written."""
        for sat, came, left, gave_up in slip.places:
            chair = table.chairs[sat.seat]
            if chair is not None:
                chair.take(sat)
                chair.came, chair.left, chair.gave_up = came, left, gave_up
        table.stir()

    def over(self, table: Table, now: float) -> None:
        """The match is over: its people may stay as long as they like."""
        if table.phase != "over":
            table.course.phase = "over"
            self._floor.add(table)
            table.stir()
            self._tend(table, now)

    def forget(self, table: Table) -> None:
        """Know no more of it: it is brought back here, or gone. Who was there walks about."""
        self._floor.release(table)
        self._desk.hear(Ended(table))

    # Those who are there.

    def send(self, guest: Guest, table: Table, request: Request) -> None:
        """Have its hall do what this guest wants."""
        self._post.sent.append((guest, table.elsewhere, request))

    def sit(self, guest: Guest, table: Table, seat: int) -> None:
        """Somebody has a seat there (again); who had it before is told so there."""
        chair = table.chair(seat)
        old = self._desk.guest(chair.guest) if chair.guest is not None else None
        if old is not None and old is not guest:
            self._desk.names.leave(old)
            old.place("", None)
            old.name = ""
        guest.name, guest.given = chair.name, chair.given
        self._desk.names.forget(guest.name, table)
        self._desk.names.hold(guest)
        guest.place(table.id, seat)
        chair.guest = guest.id
        table.stir()

    def look_on(self, guest: Guest, table: Table) -> None:
        """Somebody looks on there."""
        guest.place(table.id, None)
        table.watchers[guest.id] = None
        table.stir()

    def watch(self, guest: Guest, table: Table, since: int) -> None:
        """Somebody wants to, after this record."""
        self.look_on(guest, table)
        self.send(guest, table, Watch(table.id, since))

    def rise(self, guest: Guest, now: float, *, gave_up: bool = False) -> bool:
        """Somebody who is at a table elsewhere, if that is so, is there no more."""
        table = self._desk.table_of(guest)
        if table is None or not table.elsewhere:
            return False
        if guest.seat is None:
            table.watchers.pop(guest.id, None)
        else:
            chair = table.chair(guest.seat)
            chair.guest = None
            if table.phase == "playing":
                chair.gave_up = gave_up
                self._desk.names.keep(guest.name, table)
        guest.place("", None)
        table.stir()
        self._tend(table, now)
        return True

    def decline(self, guest: Guest, table: str, called: str, now: float) -> None:
        """That table's hall has not taken somebody in who was sent there: the seat is as free as it was, and
        so is its name."""
        if guest.table == table:
            self.rise(guest, now)
        if not guest.table:
            self._desk.names.leave(guest)
            guest.name = guest.given = called
            if called:
                self._desk.names.hold(guest)

    def _tend(self, table: Table, now: float) -> None:
        """Where nobody is left the desk hears of it at once: perhaps nobody asks for anything for long."""
        self._floor.tend(table, now)
        for news in self._floor.take_news():
            self._desk.hear(news)
