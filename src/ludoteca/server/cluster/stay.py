"""One guest of a gate: what was told and wanted, so that another hall can go on where one was lost.

The guest's conversation is here and stays. When a new hall has been asked to take the guest in as it was,
this decides what of its answer is news, and what the old hall had not answered is wanted again.
"""

from typing import Any

from msgspec.structs import replace

from ludoteca import games
from ludoteca.core import Game, Notice, Request
from ludoteca.core.notices import (
    Asked,
    Declined,
    Entered,
    Gone,
    Happened,
    Left,
    Opening,
    Over,
    Returned,
    Said,
    Sat,
    Seated,
    Shown,
    Sitter,
    Stood,
)
from ludoteca.core.requests import (
    Act,
    Enter,
    Join,
    Leave,
    Look,
    Open,
    Ready,
    Rematch,
    Return,
    Say,
    Seek,
    Unlock,
    Unlook,
    Watch,
)
from ludoteca.hall.guest import Guest
from ludoteca.server.cluster.words import AT_TABLE, Come
from ludoteca.server.front import Shell

# What leads to a seat: who has one since does not want it again.
_SITS = (Seek, Open, Join, Ready, Rematch, Return)

# The number of no message.
NEVER = 1 << 62


class Stay:
    """`guest` is as much of it as the gate knows. `taken_in` is false while the hall with the desk has not
    said what became of it. Its table may be in a room, which is its `home`; `moves` is true while the hall
    that the table has moved to has not said how things stand there."""

    def __init__(self, guest: Guest, shell: Shell, claim: str) -> None:
        self.guest = guest
        self.shell = shell
        self.claim = claim
        self.waits = False
        self.game: Game | None = None
        # What was told, while the hall with the desk, or that with the table, has not told all yet.
        self.gathered: list[Notice] = []
        self.gathered_there: list[Notice] = []
        self.taken_in = True
        self.home = ""
        self.moves = False
        # The table in a room to which the desk has sent the guest, who has not sat down there yet.
        self.visits = ""
        # Somebody in a room that is silent has been told to wait.
        self.worried = False
        # Where the table was when the desk was asked to take the guest in.
        self._came_from = ""
        # Requests with the number of the message that carried them, the table the guest was at and the hall
        # that is to carry them out, until their consequences were told.
        self._open: list[tuple[int, Request, str, str]] = []
        self._unlock: Unlock | None = None
        self._enter: Enter | None = None
        self._seek: Seek | None = None
        self._look: Look | None = None
        self._choosing = False
        self._token = ""
        self._since = 0
        self._asked = 0
        self.is_over = False
        self._chairs: list[Sitter | None] = []
        # The seats of those who, as far as was told, are not there.
        self._away: set[int] = set()
        # Of those who were there, whoever has not come to the new hall yet, and how long they are waited for.
        self._missing: dict[int, Left] = {}

    # Wanting.

    def want(self, requests: list[Request], number: int) -> tuple[Request, ...]:
        """What goes to the hall with this message: an answer says which question it is to."""
        wanted = []
        for request in requests:
            if isinstance(request, Act) and request.at is None and self._asked:
                request = replace(request, at=self._asked)
            elif isinstance(request, Unlock):
                self._unlock = request
            elif isinstance(request, Enter):
                self._enter = request
            elif isinstance(request, Seek):
                self._seek = request
            elif isinstance(request, Look):
                self._look = request
            elif isinstance(request, Unlook):
                self._look = None
            elif isinstance(request, Leave) and request.name:
                self._enter = None
            if isinstance(request, Return):
                self._token = request.token
            self.expect(request, number, self.where(request))
            wanted.append(request)
        return tuple(wanted)

    def where(self, request: Request) -> str:
        """The room that is to carry this out, "" for the hall with the desk."""
        return self.home if isinstance(request, AT_TABLE) else ""

    def expect(self, request: Request, number: int, where: str) -> None:
        """This hall was asked for something; while the table moves, or the guest to it, it will be."""
        if (self.moves or self.visits) and isinstance(request, AT_TABLE):
            number = NEVER
        self._open.append((number, request, self.guest.table, where))

    @property
    def asks(self) -> bool:
        """Whether anything was wanted of which it has not been told what came."""
        return bool(self._open)

    def told(self, number: int, where: str = "") -> None:
        """All that came of the messages to this hall up to this one has been told."""
        if not self._open:
            return
        done = [one for one in self._open if one[0] <= number and one[3] == where]
        if self.moves and where:
            # A room that we have left may have lost the table before it could say so: the next one knows.
            done = [one for one in done if isinstance(one[1], Leave) or not isinstance(one[1], AT_TABLE)]
        if done:
            self._open = [one for one in self._open if one not in done]
            for _, request, table, _ in done:
                if isinstance(request, Leave) and table == self.guest.table:
                    self._stand(named=request.name)

    # Being told.

    def hear(self, notice: Notice) -> Notice | None:
        """Keep what matters of it; nothing, where it is no news to somebody whose hall has changed."""
        guest = self.guest
        match notice:
            case Entered(name=name):
                guest.name = name
            case Seated(table=table, seat=seat, token=token):
                again = guest.table == table.id
                guest.place(table.id, seat)
                self.game = games.load(table.game)
                self._token = token or self._token
                self._chairs = list(table.chairs)
                self._away = {place for place, chair in enumerate(table.chairs) if chair and not chair.here}
                self._seek, self._choosing, self.visits = None, False, ""
                if not again:
                    self._since = self._asked = 0
                    self.is_over = False
            case Happened(number=number) | Said(number=number):
                if number <= self._since and self._since:
                    return None
                self._since = number
            case Shown(number=number):
                self._since = max(number, self._since)
            case Asked(number=number):
                self._asked = number
            case Sat(seat=seat, sitter=sitter):
                self._chairs[seat : seat + 1] = [sitter]
            case Stood(seat=seat):
                self._chairs[seat : seat + 1] = [None]
            case Left(seat=seat):
                self._missing.pop(seat, None)
                self._away.add(seat)
            case Returned(seat=seat):
                self._missing.pop(seat, None)
                if seat not in self._away:
                    return None
                self._away.discard(seat)
            case Over():
                self.is_over, self._asked = True, 0
            case Opening():
                self._choosing = True
            case Gone():
                self._stand()
        return notice

    def _stand(self, *, named: bool = False) -> None:
        """No seat and no place among those who watch."""
        self.guest.place("", None)
        self.game, self._token, self._since, self._asked = None, "", 0, 0
        self._chairs, self._away, self._missing, self.is_over = [], set(), {}, False
        if named:
            self.guest.name, self._enter = "", None

    # Another hall.

    def come(self) -> Come:
        """Somebody to a hall that does not know them."""
        guest = self.guest
        self.gathered, self.taken_in, self._came_from = [], False, self.home
        self.moves = self.moves and bool(self.home)
        wants: list[Any] = [self._unlock] if self._unlock is not None else []
        seated = bool(guest.table) and guest.seat is not None
        if guest.name and not (seated and (self._token or self.home)):
            wants.append(replace(self._enter, name=guest.name) if self._enter else Enter(guest.name))
        if guest.table and guest.seat is None and not self.home:
            wants.append(Watch(guest.table, self._since))
        if self._seek is not None and not seated and not self._waits_for(self._seek):
            wants.append(self._seek)
        if self._look is not None and not self._waits_for(self._look):
            wants.append(self._look)
        token = self._token if seated else ""
        return Come(
            int(guest.id),
            guest.protocol,
            guest.address,
            self.claim,
            tuple(wants),
            guest.name,
            guest.table,
            token,
            self._since,
            self.home,
            seat=guest.seat,
        )

    def _waits_for(self, request: Request) -> bool:
        return any(one[1] is request for one in self._open)

    def move(self, where: str) -> Come:
        """The table is in another hall: somebody who comes there from another one."""
        guest = self.guest
        self.gathered_there, self.home, self.moves = [], where, True
        wants: tuple[Request, ...] = ()
        if guest.seat is None:
            wants = (Watch(guest.table, self._since),)
        elif not self._token:
            wants = (Enter(guest.name),)
        token = self._token if guest.seat is not None else ""
        return Come(
            int(guest.id),
            guest.protocol,
            guest.address,
            self.claim,
            wants,
            guest.name,
            guest.table,
            token,
            self._since,
            there=True,
            seat=guest.seat,
        )

    def go(self, where: str, request: Request, table: str) -> Come:
        """This hall is to do what another one was asked for, and serve the guest from then on. The table may
        come there later than the guest: it says when it has done it."""
        guest = self.guest
        self.home, self.moves, self.visits = where, False, table
        self.expect(request, NEVER, where)
        wants, address = (request,), guest.address
        return Come(int(guest.id), guest.protocol, address, self.claim, wants, guest.name, table, there=True)

    def visited(self) -> list[Request]:
        """The room has done what the guest was sent there for, or declined to: what is wanted there now."""
        mine = [one for one in self._open if one[0] == NEVER and one[3] == self.home]
        self._open = [one for one in self._open if one not in mine]
        return [request for _, request, _, _ in mine if isinstance(request, AT_TABLE)]

    def missed(self, requests: list[Request], where: str) -> list[Request]:
        """A hall that had the table has not done this, or nothing of what it has not told of: it is wanted
        again when it is known who has it. Where that is known it is returned, unless it has been wanted there
        already."""
        if not requests:
            requests = [one for _, one, _, hall in self._open if hall == where and isinstance(one, AT_TABLE)]
        again: list[Request] = []
        for request in requests:
            undone = next((one for one in self._open if one[3] == where and _same(one[1], request)), None)
            if undone is not None:
                self._open.remove(undone)
                again.append(request)
        if self.home != where:
            return again
        for request in again:
            self.expect(request, NEVER, where)
        return []

    def reclaim(self, where: str) -> list[Request]:
        """What this hall was asked for and has not answered: it is not asked any more."""
        asked = [request for _, request, _, hall in self._open if hall == where]
        self._open = [one for one in self._open if one[3] != where]
        return asked

    def settle(self, *, moved: bool = False) -> tuple[list[Notice], list[Request], str]:
        """The hall has told all that there is to somebody who comes so, or has `moved` there with the table:
        what of it is news, what is wanted again, and why they are not where they were, if that is so."""
        if not moved:
            told, self.gathered, self.taken_in = self.gathered, [], True
            if self._came_from:
                return self._settle_desk(told)
            open_, self._open = [one[1] for one in self._open], []
        else:
            told, self.gathered_there, self.moves = self.gathered_there, [], False
            at_table = [isinstance(one[1], AT_TABLE) for one in self._open]
            open_ = [one[1] for one, mine in zip(self._open, at_table, strict=True) if mine]
            self._open = [one for one, mine in zip(self._open, at_table, strict=True) if not mine]
        before, asked, chairs, away = self.guest.table, self._asked, self._chairs, self._away
        was_over, choosing, named = self.is_over, self._choosing, bool(self.guest.name)
        # Nothing is, unless it is asked again.
        self._asked = 0
        shown = False
        news: list[Notice] = []
        for notice in told:
            match notice:
                case Declined(Enter() | Return() | Watch() | Unlock() | Seek() | Look(), reason):
                    return [], [], reason
                case Seated(table=table) if table.id == before:
                    self.hear(notice)
                    # Also where the match has begun since: who is who was said before that.
                    news += _moved(chairs, self._chairs)
                    # Whoever is not back yet may be on the way: that is said when it is known.
                    self._missing = {
                        place: Left(place, chair.name, table.terms.grace_s)
                        for place, chair in enumerate(table.chairs)
                        if chair is not None and place in self._away - away
                    }
                    self._away = away
                case Shown(number=number) if number <= self._since:
                    pass
                case Asked(number=number) if number == asked and not shown:
                    self.hear(notice)
                case Over() if was_over:
                    pass
                case Entered(name=name) if named or (before and not name):
                    self.hear(notice)
                case Opening() if choosing:
                    pass
                case _:
                    # Whoever is shown everything anew forgets what was asked.
                    shown = shown or isinstance(notice, Shown)
                    heard = self.hear(notice)
                    if heard is not None:
                        news.append(replace(heard, again=False) if isinstance(heard, Asked) else heard)
        said = {notice.text for notice in told if isinstance(notice, Said) and notice.name == self.guest.name}
        # It was done, and nobody was told.
        done: tuple[type, ...] = () if named or not self.guest.name else (Enter,)
        done += (Ready,) if self._is_ready(self._chairs) and not self._is_ready(chairs) else ()
        open_ = [request for request in open_ if not isinstance(request, done)]
        again = [request for request in open_ if self._wants_again(request, before, said)]
        return news, again, ""

    def _settle_desk(self, told: list[Notice]) -> tuple[list[Notice], list[Request], str]:
        """The desk knows somebody again whose table is in a room: of that it has nothing to tell."""
        news: list[Notice] = []
        for notice in told:
            if isinstance(notice, Declined) and isinstance(notice.request, Enter | Unlock | Seek | Look):
                return [], [], notice.reason
            heard = self.hear(notice)
            if heard is not None and not isinstance(notice, Entered):
                news.append(heard)
        return news, self.reclaim(""), ""

    def miss(self) -> list[Notice]:
        """Some time has passed since: who has not come back is not there."""
        missing, self._missing = self._missing, {}
        self._away |= missing.keys()
        return [*missing.values()]

    def _is_ready(self, chairs: list[Sitter | None]) -> bool:
        seat = self.guest.seat
        sitter = chairs[seat] if seat is not None and seat < len(chairs) else None
        return sitter is not None and sitter.ready

    def _wants_again(self, request: Request, before: str, said: set[str]) -> bool:
        if isinstance(request, Act):
            return bool(self._asked) and request.at == self._asked
        if isinstance(request, Say):
            return request.text not in said and bool(self.guest.table)
        if isinstance(request, Leave):
            return bool(self.guest.table) or request.name
        if isinstance(request, _SITS):
            return self.guest.table in ("", before)
        if isinstance(request, Watch):
            # Who looks on there and knows it all would be seated anew, and shown nothing after that.
            return request.table != self.guest.table or request.since < self._since
        return True


def _same(one: Request, other: Request) -> bool:
    return one == other or (isinstance(one, Act) and isinstance(other, Act) and one.at == other.at)


def _moved(old: list[Sitter | None], new: list[Sitter | None]) -> list[Notice]:
    """Who sat down, said a name and stood up meanwhile."""
    news: list[Notice] = []
    for seat, (was, now) in enumerate(zip(old, new, strict=False)):
        if was is not None and (now is None or (was.name and now.name != was.name)):
            news.append(Stood(seat, was))
        if now is not None and (was is None or now.name != was.name or now.ready != was.ready):
            news.append(Sat(seat, now))
    return news
