"""One person's visit to a house: the connection, the lobby, the table, and what they came for."""

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from ludoteca import bots
from ludoteca.clients import saved
from ludoteca.clients.address import Address
from ludoteca.clients.desks.house import HouseTable
from ludoteca.clients.link import Heard, Link, Lost, Restored
from ludoteca.core import Refused
from ludoteca.core.notices import TableInfo
from ludoteca.core.requests import LISTED_MAX, WantedTerms
from ludoteca.core.wording import allowed
from ludoteca.wire import messages as m

# A private match waits for its only player as long as that takes.
PRIVATE_GRACE_S = 30 * 24 * 3600.0
NAMES_MAX = 9


class Look(msgspec.Struct, frozen=True):
    """See what there is."""


class Play(msgspec.Struct, frozen=True):
    """Sit down at a table of this game: with these bots at a new one, or (None) at the
    oldest that is open."""

    game: str
    bots: int | None = None
    level: str = ""
    options: dict[str, Any] = {}
    seats: int = 0
    fresh: bool = False
    terms: WantedTerms | None = None
    label: str = ""


class Sit(msgspec.Struct, frozen=True):
    """Sit down at this table."""

    table: str


class Watch(msgspec.Struct, frozen=True):
    """Look on at this table."""

    table: str


Wish = Look | Play | Sit | Watch


def _nothing(*_: Any) -> None:
    pass


def _in_order(tables: Iterable[TableInfo]) -> tuple[TableInfo, ...]:
    """Those that wait for players first, each kind oldest first."""
    return tuple(sorted(tables, key=lambda info: (info.phase != "open", info.opened_ms)))


class Visit:
    """Carries out a wish at a house, and the ones that follow.

    `house` is the address as remembered, "" when private.
    """

    def __init__(
        self, address: Address, house: str, name: str, wish: Wish, beside: "Visit | None" = None
    ) -> None:
        """`beside` is another visit of the same person, who is at a table there."""
        self.house = house
        # Nobody minds two of a name like ours where both are ours.
        self._may_vary = not house or beside is not None
        self.wish: Wish = wish
        self.desk: HouseTable | None = None
        # The tables that we look at, or that were listed last, and the matches that ended while we looked.
        self.tables: tuple[TableInfo, ...] = ()
        self.finished: tuple[m.Finished, ...] = ()
        # Where somebody of our name sits, among however many; and what to do with the lists we asked for.
        self.mine: tuple[TableInfo, ...] = ()
        self._lists: deque[Callable[[tuple[TableInfo, ...]], None]] = deque()
        self.lost = "connecting"
        self.memory: saved.Memory = beside.memory if beside is not None else saved.load()
        # What the front end wants to know: a desk to show, a line about the lobby, a change of the lobby.
        self.sat: Callable[[HouseTable], None] = _nothing
        self.noted: Callable[[str], None] = _nothing
        self.changed: Callable[[], None] = _nothing
        # Why the match that one came back for is not there, to be said where it can be read.
        self._bad_news = ""
        self.name_declined: Callable[[str], None] = _nothing
        self._given_name = name or self.memory.name or saved.usual_name()
        self._names_tried = 1
        self.link = Link(address, self._given_name, self.hear, self._tokens)
        self._returning = self._seat_to_return_to(wish)
        if self._returning is not None:
            self.link.sit_by_token(self._returning.token)

    def _seat_to_return_to(self, wish: Wish) -> saved.Seat | None:
        if not isinstance(wish, Play) or wish.fresh:
            return None
        return next((seat for seat in self.memory.seats_at(self.house) if seat.game == wish.game), None)

    def _tokens(self, name: str) -> list[str]:
        """The seats held here under this name, which show that it is ours."""
        return [
            one.token for one in self.memory.seats_at(self.house) if one.name.casefold() == name.casefold()
        ]

    # Out.

    def do(self, wish: Wish) -> None:
        """Go for something. Raises Refused while the connection is lost."""
        self.wish = wish
        send = self.link.send
        match wish:
            case Look():
                send(m.Look())
                self._list(m.List(mine=True), self._know_mine)
            case Watch() | Sit():
                # Tables have names too, but only the list knows whose id that is.
                self._list(m.List(label=wish.table[:64]), partial(self._go, wish))
            case Play(game=game, bots=None, seats=0, options={}, terms=None, label=""):
                send(m.Seek(game))
            case Play(game=game):
                seats = wish.seats or (wish.bots + 1 if wish.bots is not None else 0)
                terms = wish.terms
                if not self.house:
                    terms = msgspec.structs.replace(terms or WantedTerms(), grace_s=PRIVATE_GRACE_S)
                send(m.Open(game, seats, wish.options or None, terms, wish.label))

    def list_tables(self) -> None:
        """Ask for all tables that fit into one list. Raises Refused while the connection is lost."""
        self._list(m.List(count=LISTED_MAX), self._know)

    def _list(self, wanted: m.List, then: Callable[[tuple[TableInfo, ...]], None]) -> None:
        self.link.send(wanted)
        self._lists.append(then)

    def _know(self, tables: tuple[TableInfo, ...]) -> None:
        self.tables = tables

    def _know_mine(self, tables: tuple[TableInfo, ...]) -> None:
        self.mine = tables

    def _go(self, wish: Watch | Sit, named: tuple[TableInfo, ...]) -> None:
        """To a table by its id or, where there is one of that name, to that."""
        name = wish.table.casefold()
        table = next((info.id for info in named if info.label.casefold() == name), wish.table)
        if isinstance(wish, Watch):
            self.link.watch(table)
        else:
            self.link.send(m.Sit(table))

    async def back(self, seat: saved.Seat) -> None:
        """Take a remembered seat again, through a fresh connection: this one may have come
        in under another name."""
        self._returning = seat
        self.link.sit_by_token(seat.token)
        await self.link.hang_up()

    def leave_desk(self) -> None:
        """Back to the lobby."""
        self.desk, self.wish = None, Look()
        self.link.forget()
        if self.link.connected:
            self.do(Look())

    def notice(self, text: str) -> None:
        """Something to be said at the next table."""
        self._bad_news = text

    def rename(self, name: str) -> None:
        """Try another name."""
        self._given_name = name
        self.link.introduce(name)

    # In.

    def hear(self, message: Heard) -> None:
        """A message of the house, for the lobby or the desk."""
        match message:
            case Lost(reason=reason):
                self.lost = reason
                self._lists.clear()
            case Restored():
                self.lost = ""
            case m.Welcome():
                self._welcomed(message.name)
            case m.Seated():
                self._seated(message)
                return
            case m.Lobby(tables=tables, finished=finished):
                self.tables, self.finished = _in_order(tables), finished
            case m.Changes():
                self._look_again(message)
            case m.Tables(tables=tables) if self._lists:
                self._lists.popleft()(tables)
            case m.Declined(request="list") if self._lists:
                self._lists.popleft()
            case m.Declined(request="hello", code=code, reason=reason):
                self._name_declined(code, reason)
                return
            case m.Declined(request="return", code=code, reason=reason):
                self._return_declined(code, reason)
                return
            case m.Over():
                self.memory.drop(self.link.token)
            case m.Gone(back=False):
                self.memory.drop(self.link.token)
        if self.desk is not None:
            self.desk.hear(message)
        elif isinstance(message, m.Declined):
            self.noted(f"Not done: {message.reason}.")
        elif isinstance(message, Lost):
            self.noted(f"There is no connection ({message.reason}).")
        self.changed()

    def _look_again(self, changes: m.Changes) -> None:
        known = {info.id: info for info in (*self.tables, *changes.tables) if info.id not in changes.gone}
        self.tables = _in_order(known.values())
        ended = {match.table.id for match in changes.finished}
        self.finished = (
            *changes.finished,
            *(match for match in self.finished if match.table.id not in ended),
        )

    def _welcomed(self, name: str) -> None:
        if self.memory.name != self._given_name:
            self.memory.call(self._given_name)
        if self.desk is None and self._returning is None:
            self.do(self.wish)

    def _name_declined(self, code: str, reason: str) -> None:
        # In a private house an unfinished match may hold the name: nobody minds a second one like it.
        if code == "taken" and self._may_vary and self._names_tried < NAMES_MAX:
            self._names_tried += 1
            self.link.introduce(f"{self._given_name} {self._names_tried}")
        else:
            self.name_declined(reason)

    def _return_declined(self, code: str, reason: str) -> None:
        # What the house has set aside it may serve again, under its next version: that seat is not forgotten.
        kept = code == "aside"
        why = f"{reason[:1].upper()}{reason[1:]}." if kept else "Your seat at this table is gone."
        if self._returning is not None:
            if kept:
                self._bad_news = why
            else:
                self.memory.drop(self._returning.token)
            self._returning = None
        elif self.desk is not None:
            if not kept:
                self.memory.drop(self.link.token)
            self.desk.ended = True
            self.desk.log("error", why)
            self.desk.changed()

    def _seated(self, seated: m.Seated) -> None:
        token, info = self.link.token, seated.table
        if self.desk is None:
            self.link.send(m.Unlook())
        if seated.seat is not None and token:
            seat = saved.Seat(self.house, info.game, info.id, token, self.link.name, info.opened_ms / 1000)
            self.memory.keep(seat)
        if self.desk is not None and not self.desk.ended:
            self.desk.hear(seated)
            return
        self.desk = HouseTable(seated, self._send)
        if self.house and not self.link.address.lines:
            self.desk.address = f"{self.link.address.page_url}/table/{info.id}"
        if self._bad_news:
            self.desk.log("note", self._bad_news)
            self._bad_news = ""
        if self._returning is not None:
            self._returning = None
            self.desk.log("note", "You are back at a match that was not finished; /leave gives it up.")
        elif isinstance(self.wish, Play) and self.wish.bots is not None:
            self.desk.expect_bots(self.wish.bots)
            level = self.wish.level or bots.first(self.desk.game)
            self.link.send(*[m.Bot(level)] * self.wish.bots)
        self.sat(self.desk)
        self.changed()

    def _send(self, *messages: m.FromClient) -> None:
        if any(isinstance(message, m.Leave) for message in messages):
            self.memory.drop(self.link.token)
        token = self.link.token
        self.link.send(
            *(
                msgspec.structs.replace(message, token=token) if isinstance(message, m.Continue) else message
                for message in messages
            )
        )


def check_options(game_options: type[msgspec.Struct], given: dict[str, str]) -> dict[str, Any]:
    """Options typed as KEY=VALUE, as the game's own types. Raises Refused."""
    unknown = [key for key in given if key not in game_options.__struct_fields__]
    if unknown:
        known = ", ".join(game_options.__struct_fields__) or "none"
        raise Refused(f"there is no option {unknown[0]!r}; there are {known}", "options")
    kinds = {field.name: field.type for field in msgspec.structs.fields(game_options)}
    for key, value in given.items():
        try:
            msgspec.convert(value, kinds[key], strict=False)
        except msgspec.ValidationError:
            raise Refused(f"{key} cannot be {value!r}: it is {allowed(kinds[key])}", "options") from None
    made = msgspec.convert(given, game_options, strict=False)
    return {key: msgspec.to_builtins(getattr(made, key)) for key in given}
