"""The hall: what becomes of a request. Nothing here waits or does I/O; the time is an argument.

Whatever a call brings about is in the `post` when it returns: letters to guests and records for the journal,
in the order they came about. The shell may send a letter only when the records before it are durable; the
hall itself goes on at once, so its state may be ahead of what anybody has been told.
"""

from collections.abc import Callable, Iterable, Mapping, ValuesView
from functools import partial

from ludoteca.core import Game, Notice, Question, Refused
from ludoteca.core.notices import Entered, Gone, Noted, Tables
from ludoteca.core.requests import (
    Act,
    AddBot,
    Beat,
    Continue,
    Decisive,
    Enter,
    Hint,
    Join,
    Leave,
    List,
    Look,
    Open,
    Ready,
    Rematch,
    Reply,
    Report,
    Request,
    Return,
    Say,
    Seek,
    Unlock,
    Unlook,
    Watch,
    Why,
)
from ludoteca.hall import acts, away
from ludoteca.hall.chat import Chat
from ludoteca.hall.desk import Desk
from ludoteca.hall.directory import never
from ludoteca.hall.entrance import Entrance
from ludoteca.hall.floor import Floor
from ludoteca.hall.guest import Guest, GuestId, Speaker
from ludoteca.hall.hints import Hints
from ludoteca.hall.keeping import Keeping
from ludoteca.hall.limits import Defaults, Limits, ReturnByName
from ludoteca.hall.lobby import SHOWN, Lobby
from ludoteca.hall.lookers import Lookers
from ludoteca.hall.porter import Porter
from ludoteca.hall.post import Post
from ludoteca.hall.reasons import explain
from ludoteca.hall.recovery import Recovery
from ludoteca.hall.seating import Seating
from ludoteca.hall.slip import Slip
from ludoteca.hall.snapshot import Snapshot
from ludoteca.hall.steward import Steward
from ludoteca.hall.table import Table
from ludoteca.journal.sequel import Position


class Hall:
    """The whole house without its sockets. The shell calls it with the time and then takes the `post`.

    `entropy()` gives 128 random bits: the one source of seeds, table ids and tokens. `secret` is what
    addresses are hashed with; it must be the same after a restart. `bring_back(id)` is called when a table is
    needed that is expected and not back yet: it has it recovered, or set aside. `is_behind(id)` says whether
    a guest has not read yet what it was sent.
    """

    def __init__(
        self,
        load: Callable[[str], Game],
        defaults: Mapping[str, Defaults],
        entropy: Callable[[], int],
        limits: Limits | None = None,
        *,
        return_by_name: ReturnByName = "same-address",
        secret: bytes = b"",
        keeping: Keeping | None = None,
        bring_back: Callable[[str], None] = never,
        is_behind: Callable[[GuestId], bool] = lambda _guest: False,
    ) -> None:
        self.limits = limits or Limits()
        self.post = Post()
        self.lobby = Lobby(self.post)
        self.lookers = Lookers(self.lobby, self.post, is_behind, self._stirs)
        self.desk = Desk(self.limits, secret, self.lobby, bring_back)
        self.floor = Floor(self.limits, self.post, bring_back)
        self.hints = Hints(self.desk, self.post)
        self.tables, self.names = self.desk.tables, self.desk.names
        self._load = load
        self._entropy = entropy
        self.keeping = keeping or Keeping()
        self.porter = Porter(self.keeping, self.tables, self.post)
        self._chat = Chat(self.desk, self.porter, self.limits)
        self.steward = Steward(self.desk, self.floor, self.post, self.keeping, entropy)
        self._seating = Seating(
            self.desk, self.floor, self.post, self.limits, load, defaults, entropy, self.keeping
        )
        self._recovery = Recovery(self.desk, self.floor, self._seating, self.post, load)
        self._entrance = Entrance(
            self.desk, self.floor, self._seating, self.post, self.keeping, return_by_name
        )
        self.elsewhere = self._entrance.elsewhere

    @property
    def guests(self) -> ValuesView[Guest]:
        """Everybody in the house, in order of arrival."""
        return self.desk.guests

    # Coming, asking, going.

    def arrive(self, protocol: str, bot: str = "", address: str = "") -> Guest:
        """Somebody comes in. Raises Refused when the house is full."""
        return self.desk.arrive(protocol, bot, address)

    def depart(self, guest: Guest, now: float) -> None:
        """The guest's connection is gone."""
        if not self.desk.has(guest):
            return
        self.desk.dismiss(guest)
        self.lookers.unlook(guest)
        self._seating.stop_seeking(guest, now)
        self._guarded(self.desk.table_of(guest), now, partial(self._lose, guest, now))
        self.names.leave(guest)

    def _guarded(self, table: Table | None, now: float, call: Callable[[], None]) -> None:
        """Do something that concerns a table, which falls alone if it breaks down. Raises Refused."""
        try:
            self.floor.guarded(table, now, call)
        finally:
            self._sweep()

    def _sweep(self) -> None:
        """The desk hears what happened on the floor, and the lobby takes notice of what changed there."""
        for news in self.floor.take_news():
            self.desk.hear(news)
        self.lobby.settle()

    def handle(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Carry out requests in order; the first that is declined ends the rest."""
        for request in requests:
            # As `_guarded` does it, without a hop: every move of the house passes here.
            if self.desk.guest(guest.id) is None:
                return
            table = self.tables.get(guest.table)
            try:
                if type(request) is Act and table is not None and guest.seat is not None:
                    table.act(guest.id, guest.seat, request, now)
                    if not guest.bot and not table.terms.move_s:
                        continue  # Somebody is here, and no clock runs: the floor has nothing to look after.
                else:
                    self._serve(guest, table, request, now)
            except Refused as refusal:
                self.post.decline(guest, request, refusal)
                return
            except Exception as error:
                self.floor.fell(table, error)
            else:
                if table is not None:
                    self.floor.tend(table, now)
            finally:
                if self.floor.news or self.post.stirred:
                    self._sweep()

    def _serve(self, guest: Guest, table: Table | None, request: Request, now: float) -> None:
        self.porter.check(guest, request, now)
        match request:
            case Act():
                raise Refused("you sit at no table", "seat")
            case Hint(at=at):
                self.hints.want(guest, at)
            case Say(text=text, to=to):
                self._chat.say(guest, text, to, now)
            case Report(name=name, text=text):
                self.steward.report(guest, name, text, now)
                self.post.letter(guest, Noted(name))
            case Enter():
                self._entrance.enter(guest, request, now)
            case Seek():
                self._seating.seek(guest, request, now)
            case Open():
                self._seating.open(guest, request, now)
            case Join():
                self._seating.join(guest, request, now)
            case Ready(preference=preference):
                self._seating.ready(guest, preference, now)
            case Watch(table=wanted, since=since):
                self._watch(guest, wanted, since, now)
            case Return(token=token, since=since):
                self._entrance.take_again(guest, token, since, now)
            case AddBot(level=level, seat=seat):
                self._seating.add_bot(guest, level, seat, now)
            case Leave(reason=reason, name=name):
                self._leave(guest, reason, now)
                if name:
                    self.names.leave(guest)
                    guest.name = guest.given = ""
            case Rematch():
                self._seating.rematch(guest, now)
            case List():
                self.post.letter(guest, self._list(guest, request))
            case Look(game=wanted, table=looked_at):
                if looked_at:
                    self.tables.find(looked_at)
                elif wanted:
                    self._load(wanted)
                self.lookers.look(guest, request, now)
            case Unlook():
                self.lookers.unlook(guest)
            case Why():
                explain(guest, table, request, self.post)
            case Decisive() | Continue():
                self.post.looks.append((guest, request))
            case Unlock(greet=greet):
                if greet:
                    self.post.letter(guest, Entered(guest.name))
            case Beat():
                pass
            case Reply():
                raise AssertionError("a reply is the shell's business")

    def _list(self, guest: Guest, request: List) -> Tables:
        """Some of the tables, as they are this very moment."""
        self.lobby.settle()
        if not request.label and not request.mine:
            page = self.lobby.page(request.game, SHOWN[request.show], request.after, request.count)
            return Tables(page.tables, page.more)
        tables = self.desk.held(guest) if request.mine else self.tables.called(request.label, request.game)
        # Of very few: they are looked at one by one.
        listed = (
            self.lobby.one(table.id)
            for table in tables
            if request.game in ("", table.game.name)
            and table.phase in SHOWN[request.show]
            and request.label.casefold() in ("", table.label.casefold())
        )
        return Tables(tuple(one for one in listed if one is not None))

    # At the table.

    def _watch(self, guest: Guest, table_id: str, since: int, now: float) -> None:
        if self.desk.busy(guest):
            raise Refused("you have a seat already", "seated")
        table = self.tables.find(table_id)
        self._seating.stop_seeking(guest, now)
        self._seating.get_up(guest, now)
        if table.elsewhere:
            return self.elsewhere.watch(guest, table, since)
        guest.place(table.id, None)
        table.watch(guest.id, since)

    def _leave(self, guest: Guest, reason: str, now: float) -> None:
        self._seating.stop_seeking(guest, now)
        table, seat = self.desk.table_of(guest), guest.seat
        if self.elsewhere.rise(guest, now, gave_up=True):
            return
        if table is None or seat is None or table.phase != "playing":
            self._seating.get_up(guest, now)
            return
        table.chair(seat).gave_up = True
        if reason:
            # Whoever broke the protocol still hears what comes of it.
            away.depart(table, seat, reason, now, "broke")
        table.chair(seat).guest = None
        table.stir()
        guest.place("", None)
        self.names.keep(guest.name, table)
        away.depart(table, seat, "", now)
        self.floor.tend(table, now)

    def _lose(self, guest: Guest, now: float) -> None:
        """A connection ended without a word."""
        table, seat = self.desk.table_of(guest), guest.seat
        if table is None or self.elsewhere.rise(guest, now):
            return
        kept = seat is not None and table.chair(seat).ready and table.phase != "over"
        if not kept or (table.phase == "open" and table.terms.absence == "end"):
            self._seating.get_up(guest, now)
            return
        assert seat is not None
        guest.place("", None)
        self.names.keep(guest.name, table)
        away.lost(table, seat, now)

    def waits(self, guest: Guest) -> bool:
        """Whether the guest waits for other people: in the lobby, behind a chooser, at a table with
        free chairs, or watching."""
        if guest.id in self.lookers.gazes:
            return True
        table = self.desk.table_of(guest)
        if table is None:
            return self._seating.waits(guest)
        return guest.seat is None or table.phase != "open" or table.free_seat() is not None

    def asked(self, guest: Guest, number: int) -> tuple[Table, Question] | None:
        """The table and the question that this bot should answer under `number` (or that a bot should
        think about for this person), or None when there is no need.

        It is answered already, or nobody is there to see the answer: then it is asked
        again when somebody comes.
        """
        table, seat = self.desk.table_of(guest), guest.seat
        if not self.desk.has(guest) or table is None or seat is None or not table.attended():
            return None
        pending = table.asked.get(seat)
        if pending is None or pending.number != number:
            return None
        return table, pending.question

    def change_bot(self, guest: Guest, level: str, why: str, now: float) -> None:
        """Another bot goes on in this one's place, and everybody at the table is told why."""
        table, seat = self.desk.table_of(guest), guest.seat
        if self.desk.has(guest) and table is not None and seat is not None:
            guest.bot = level
            bot = Speaker(guest.id, guest.name)
            self._guarded(table, now, partial(table.change_bot, bot, seat, level, why, now))

    def resign(self, guest: Guest, why: str, now: float) -> None:
        """A bot has no hope left: where it may (`Course.may_resign`), it says so and gives up."""
        table, seat = self.desk.table_of(guest), guest.seat
        assert table is not None
        assert seat is not None
        self._guarded(table, now, partial(table.resign, Speaker(guest.id, guest.name), seat, why, now))

    def play_on(self, guest: Guest, request: Continue, position: Position, now: float) -> None:
        """Where a match was broken off has been found: it is played on from there."""
        if not self.desk.has(guest):
            return
        try:
            self._guarded(None, now, partial(self._seating.play_on, guest, position, request.level, now))
        except Refused as refusal:
            self.post.decline(guest, request, refusal)

    def _stirs(self) -> int:
        return self.desk.comings + self.porter.asked + self.keeping.number

    # Time.

    def alarm(self) -> float | None:
        """When `tick` has something to do."""
        table, seeker = self.floor.alarm(), self.desk.seekers.alarm()
        if self.lookers.gazes and (looker := self.lookers.alarm()) is not None:
            table = looker if table is None or looker < table else table
        if table is None or seeker is None:
            return seeker if table is None else table
        return min(table, seeker)

    def tick(self, now: float) -> None:
        """Ring the timers that are due."""
        try:
            self.floor.tick(now)
            self._seating.tick(now)
        finally:
            self._sweep()
        if self.keeping.door != "open":
            for guest in [self.desk.guest(number) for number in self.lookers.gazes]:
                if guest is not None and not self.porter.may_look(guest):
                    self.lookers.unlook(guest)
        self.lookers.tick(now)

    # Restarts.

    def expect(self, slip: Slip, now: float) -> bool:
        """Know of a table before it is back; False where it has to be brought back at once."""
        return self._recovery.expect(slip, now)

    def recover(self, lines: list[bytes], now: float, table_id: str = "") -> Table:
        """Bring a table back from its records, which are those of this one. Raises JournalError, and then the
        hall has not changed, but that it does not expect the table any more."""
        try:
            return self._recovery.recover(lines, now, table_id)
        finally:
            self._sweep_news()

    def resume(self, snapshot: Snapshot, lines: list[bytes], now: float) -> Table | None:
        """The same from a snapshot and the records from that one on; None, with nothing changed, when they do
        not go together. Raises JournalError."""
        try:
            return self._recovery.resume(snapshot, lines, now)
        finally:
            self._sweep_news()

    def _sweep_news(self) -> None:
        """A table that was closed as soon as it was back is not listed until somebody asks for anything."""
        if self.floor.news:
            self._sweep()

    def set_aside(self, table: str, lines: list[bytes], error: Exception) -> None:
        """Keep a table that cannot be brought back because of this error, without serving it."""
        self._recovery.forget(table)
        self.tables.aside.add(table, lines, error)

    def do(self, by: str, act: acts.Act, now: float, address: str = "") -> acts.Done:
        """A host of this name wants this. Raises Refused."""
        try:
            return self.steward.do(by, act, now, address)
        finally:
            self._sweep()

    def announce(self, notice: Notice) -> None:
        """Tell everybody in the house."""
        for guest in self.guests:
            if not guest.bot:
                self.post.letter(guest, notice)

    def close(self, reason: str) -> None:
        """The house closes; matches go on after the restart."""
        self._seating.closed = True
        self.announce(Gone(reason, back=True))
