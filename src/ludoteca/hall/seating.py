"""The ways to a chair: seeking, opening, joining, bots, rematches."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import msgspec

from ludoteca import bots
from ludoteca.core import Game, Refused
from ludoteca.core.notices import Opening, Seated
from ludoteca.core.requests import Join, Open, Rematch, Seek, Terms
from ludoteca.hall.budget import Spent
from ludoteca.hall.chair import Chair, key_of
from ludoteca.hall.desk import Desk
from ludoteca.hall.floor import Floor
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.hall.keeping import Keeping
from ludoteca.hall.limits import Defaults, Limits
from ludoteca.hall.names import bot_name
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table
from ludoteca.journal import Match
from ludoteca.journal.records import Input, Opened
from ludoteca.journal.sequel import Position


class Seating:
    """Brings guests to tables, and starts a match when its table is complete."""

    def __init__(
        self,
        desk: Desk,
        floor: Floor,
        post: Post,
        limits: Limits,
        load: Callable[[str], Game],
        defaults: Mapping[str, Defaults],
        entropy: Callable[[], int],
        keeping: Keeping,
    ) -> None:
        self._desk = desk
        self._floor = floor
        self._post = post
        self._limits = limits
        self._tables = desk.tables
        self._seekers = desk.seekers
        self._load = load
        self._defaults = defaults
        self._entropy = entropy
        self._keeping = keeping
        # What was played already, of matches that are to be played on.
        self._sequels: dict[str, tuple[Input, ...]] = {}
        self.closed = False

    def _has_seat(self, guest: Guest) -> bool:
        """Whether the guest sits already. Raises Refused for our own clients; who comes back through a seed's
        protocol asks for a table as a matter of course, and has one."""
        busy = self._desk.busy(guest)
        if busy and guest.protocol == "house":
            raise Refused("you have a seat already", "seated")
        return busy

    # Seeking.

    def seek(self, guest: Guest, request: Seek, now: float) -> None:
        """Sit down anywhere, or wait for somebody who is choosing, or be the one who chooses."""
        if self._has_seat(guest):
            return
        game = self._load(request.game)
        # A wish that makes no sense is declined now, not later in the middle of what somebody else wants.
        typed(request.preference, game.preferences, game.preferences())
        if self._seekers.line_of(guest) != request.game:
            self.stop_seeking(guest, now)
        if not self._seekers.must_wait(request.game):
            table = self._tables.with_free_chair(request.game, guest.name)
            if table is not None:
                self._seat(guest, table, None, request.preference, now)
                return
            if request.otherwise is not None:
                self.open(guest, request.otherwise, now)
                return
            self._ask(guest, request.game, now)
        self._seekers.add(guest, request, now)

    def _ask(self, guest: Guest, game: str, now: float) -> None:
        """Have somebody choose what to open; others wait for the first."""
        first = self._seekers.first(game)
        if first is None or first[0] is guest:
            self._seekers.ask(game, now)
        self._post.letter(guest, Opening())

    def waits(self, guest: Guest) -> bool:
        """Whether the guest stands in line behind somebody who is choosing."""
        return self._seekers.waits(guest)

    def stop_seeking(self, guest: Guest, now: float) -> None:
        """Leave the line; when that was the one who was choosing, it is the next one's turn."""
        game = self._seekers.remove(guest)
        if game is not None:
            self._seat_seekers(game, now)

    def _seat_seekers(self, game: str, now: float) -> None:
        """Seat those who wait; when chairs run out, the next of them opens a table or is asked to."""
        while (first := self._seekers.first(game)) is not None:
            guest, request = first
            table = self._tables.with_free_chair(game, guest.name)
            if table is None and request.otherwise is None:
                if not self._seekers.all_asked(game):
                    self._ask(guest, game, now)
                return
            self._seekers.remove(guest)
            try:
                if table is not None:
                    self._seat(guest, table, None, request.preference, now)
                elif request.otherwise is not None:
                    self._open(guest, request.otherwise, now)
            except Refused as refusal:
                self._post.decline(guest, request, refusal)

    def tick(self, now: float) -> None:
        """Who waits for somebody who does not choose need not wait any more."""
        for game in self._seekers.free(now):
            for guest, request in self._seekers.behind(game):
                if self._seekers.line_of(guest) != game:
                    continue  # Seated meanwhile.
                if request.otherwise is None:
                    self._post.letter(guest, Opening())
                    continue
                self._seekers.remove(guest)
                try:
                    self._open(guest, request.otherwise, now)
                except Refused as refusal:
                    self._post.decline(guest, request, refusal)
                self._seat_seekers(game, now)

    # Opening and joining.

    def open(self, guest: Guest, request: Open, now: float) -> None:
        """Open a table and sit down at it; those who waited for one follow."""
        if self._has_seat(guest):
            return
        if not guest.name and guest.protocol == "house":
            raise Refused("say hello with a name first", "name")
        try:
            self._open(guest, request, now)
        except Spent:
            # Those who wait behind somebody who cannot open a table must not wait for that.
            self.stop_seeking(guest, now)
            raise
        self._seat_seekers(request.game, now)

    def _open(self, guest: Guest, request: Open, now: float) -> None:
        table = self._new_table(guest, request, now)
        try:
            self._seat(guest, table, None, request.preference, now)
        except Refused:
            # Nobody sits there, so there is no such table.
            self._floor.tend(table, now)
            raise
        self._seekers.remove(guest)

    def _new_table(self, guest: Guest, request: Open, now: float) -> Table:
        if self.closed:
            raise Refused("the house is closing", "limit")
        if self._keeping.drained:
            raise Spent("no new tables: the house is to be restarted", "drain", "drain")
        self._check_room(guest)
        game = self._load(request.game)
        defaults = self._defaults[game.name]
        seats = request.seats or defaults.seats
        if seats not in game.seats:
            raise Refused(f"{game.title} is for {game.seats[0]} to {game.seats[-1]} players", "seats")
        options = typed(request.options, game.options, defaults.options)
        terms = request.terms or (defaults.terms if guest.protocol != "house" else Terms())
        table_id = self._new_id(terms)
        opened = Opened(
            id=table_id,
            game=game.name,
            label=self._tables.label(game.name, request.label, private=terms.private),
            seats=seats,
            options=game.settle(options, seats),
            terms=terms,
            version=game.version,
            origin=self._desk.opener(table_id, guest.address),
        )
        table = self.table(Match(game), opened, int(now * 1000))
        table.owner = guest.address
        table.open(opened, now)
        self._tables.add(table)
        self._floor.add(table)
        guest.opened.append(table.id)
        return table

    def _check_room(self, guest: Guest) -> None:
        """Whether there may be another table, for this guest. Raises Spent."""
        limits = self._limits
        if len(self._tables) >= limits.tables_max:
            raise Spent("there is no room for another table", "limit", "tables")
        opened = [self._tables.get(one) for one in guest.opened]
        guest.opened = [table.id for table in opened if table is not None and table.phase != "over"]
        if len(guest.opened) >= limits.tables_per_guest_max:
            raise Spent("you have too many tables that are not over", "limit", "tables_guest")
        self._desk.claim(guest.address)
        if guest.address and self._tables.has_spent(guest.address, limits.tables_per_address_max):
            reason = "there are too many tables from your address that are not over"
            raise Spent(reason, "limit", "tables_address")

    def _new_id(self, terms: Terms) -> str:
        """Who knows a private table's id is invited, for as long as its record is kept:
        nobody can guess it."""
        return f"{self._entropy():032x}" if terms.private else f"{self._entropy() & 0xFFFF_FFFF_FFFF:012x}"

    def table(self, match: Match, opened: Opened, at_ms: int) -> Table:
        """A table of this hall."""
        return Table(match, opened, at_ms, self._post, self._stand_in, self._limits.history_max)

    def join(self, guest: Guest, request: Join, now: float) -> None:
        """Sit down at a certain table."""
        if self._desk.busy(guest):
            raise Refused("you have a seat already", "seated")
        table = self._tables.find(request.table, request.game)
        if table.phase != "open":
            raise Refused("that match has begun", "playing")
        if request.seat is not None and not 0 <= request.seat < len(table.chairs):
            raise Refused("there is no such chair", "seat")
        self.stop_seeking(guest, now)
        self._seat(guest, table, request.seat, request.preference, now)

    def _seat(self, guest: Guest, table: Table, seat: int | None, preference: Any, now: float) -> None:
        """Sit a guest down; whoever has a name already is ready at once.

        Only seeds let people sit down first.
        """
        if not guest.name and guest.protocol == "house":
            raise Refused("say hello with a name first", "name")
        wish = typed(preference, table.game.preferences, table.game.preferences())
        seat = table.free_seat() if seat is None else seat
        if seat is None or table.chairs[seat] is not None:
            raise Refused("that chair is taken", "full")
        if table.course.seats(guest.name):
            raise Refused("you sit at this table already", "seated")
        if guest.name:
            table.course.agree(seat, wish)
        self.get_up(guest, now)
        token = f"{self._entropy():032x}"
        chair = Chair(guest.protocol, key_of(token), guest.bot, self._desk.origin(table.id, guest))
        chair.name, chair.given, chair.preference = guest.name, guest.given, wish
        chair.ready = bool(guest.name)
        table.sit(guest.id, seat, chair)
        guest.place(table.id, seat)
        self._tables.seat(chair.key, table, seat)
        self._post.letter(guest, Seated(table.info(), seat, token))
        if guest.name:
            table.ready(seat, wish, now)
            self._start_if_complete(table, now)
        else:
            table.tell_sat(seat)

    def ready(self, guest: Guest, preference: Any, now: float) -> None:
        """A reserved chair is complete."""
        table, seat = self._desk.table_of(guest), guest.seat
        if table is None or seat is None:
            raise Refused("you sit at no table", "seat")
        if table.elsewhere and guest.protocol != "house":
            # The name that was said with this led back to a match, and its hall tells all that there is.
            return
        if table.phase != "open" or not guest.name:
            raise Refused("enter with a name first" if not guest.name else "the match has begun", "phase")
        wish = typed(preference, table.game.preferences, table.game.preferences())
        table.course.agree(seat, wish)
        table.ready(seat, wish, now)
        self._start_if_complete(table, now)

    def _start_if_complete(self, table: Table, now: float) -> None:
        if not table.course.complete():
            return
        played = self._sequels.pop(table.id, None)
        if played is not None:
            self._floor.guarded(table, now, partial(table.begin, played, now))
        else:
            seed = self._entropy() & 0x7FFF_FFFF_FFFF_FFFF
            self._floor.guarded(table, now, partial(table.start, seed, now))
        if self._post.begun is not None and table.phase == "playing":
            self._post.begun.append(table.id)

    def get_up(self, guest: Guest, now: float, back: bool = False) -> None:
        """Leave a table without consequences: from watching, an open table, or one that is over.

        With `back` the guest goes back to a match that was waiting.
        """
        table, seat = self._desk.table_of(guest), guest.seat
        guest.place("", None)
        if table is None:
            return
        if seat is None:
            table.watchers.pop(guest.id, None)
        elif table.phase == "open":
            self._tables.unseat(table.chair(seat).key)
            table.stand(seat, now, back)
            if not back:
                self._break_up(table, now)
        else:
            table.chair(seat).guest = None
        table.stir()
        self._floor.tend(table, now)

    def _break_up(self, table: Table, now: float) -> None:
        """Somebody left an open table: where a protocol says so, its people there have left with them.

        They are told of the first, and that is the end for them. The house must not wait until they have
        heard of it: meanwhile others would sit down, and a match begin that ends at once.
        """
        wire = table.game.wire
        if wire is None or table.terms.absence not in wire.breaks_up:
            return
        left = [
            (seat, chair, guest)
            for seat, chair in table.taken()
            if chair.protocol == table.game.name
            and chair.guest is not None
            and (guest := self._desk.guest(chair.guest)) is not None
        ]
        for _, chair, guest in left:
            guest.place("", None)
            chair.guest = None
            self._tables.unseat(chair.key)
        for seat, _, _ in left:
            table.stand(seat, now)

    # Bots and rematches.

    def add_bot(self, guest: Guest, level: str, seat: int | None, now: float) -> None:
        """Seat a bot at the guest's table."""
        table = self._desk.table_of(guest)
        if table is None or guest.seat is None:
            raise Refused("you sit at no table", "seat")
        if table.phase != "open":
            raise Refused("the match has begun", "playing")
        if table.free_seat() is None:
            raise Refused("there is no free chair", "full")
        if seat is not None and not 0 <= seat < len(table.chairs):
            raise Refused("there is no such chair", "seat")
        self._seat_bot(table, level, seat, now)

    def _seat_bot(self, table: Table, level: str, seat: int | None, now: float) -> None:
        """A bot comes for one chair, and has no business in the house when it does not get that."""
        bot = self._bot(table, level)
        try:
            self._seat(bot, table, seat, None, now)
        except Refused:
            self._desk.dismiss(bot)
            raise

    def _bot(self, table: Table, level: str) -> Guest:
        level = _level(table.game, level)
        bot = self._desk.arrive("bot", level)
        bot.name = bot.given = bot_name(table)
        return bot

    def _stand_in(self, table: Table, seat: int) -> GuestId:
        bot = self._bot(table, "")
        bot.place(table.id, seat)
        return bot.id

    def rematch(self, guest: Guest, now: float) -> None:
        """Play again: the new table opens when all who are still here agree; free chairs wait for others."""
        table, seat = self._desk.table_of(guest), guest.seat
        if table is None or seat is None or table.phase != "over":
            raise Refused("the match is not over", "phase")
        if not table.elsewhere and not table.want_rematch(seat):
            return
        if self._post.is_room:
            # All who are there agree: the desk seats them.
            self._post.sent.append((guest, "", Rematch()))
            return
        again = Open(table.game.name, len(table.chairs), table.options, table.terms)
        fresh = self._new_table(guest, again, now)
        table.lead_on(fresh.id)
        for seat, chair in list(table.taken()):
            if chair.bot:
                self._seat_bot(fresh, chair.bot, seat, now)
            elif chair.guest is not None and (sitter := self._desk.guest(chair.guest)) is not None:
                self._seat(sitter, fresh, seat, chair.preference, now)

    # What was broken off.

    def play_on(self, guest: Guest, position: Position, level: str, now: float) -> None:
        """Play a match on from where it stood: the guest on the own chair of a new table, bots on the others.

        The new table is one like all others: what was played stands in its record, too. Raises Refused.
        """
        if self._has_seat(guest):
            return
        if now - position.at_ms / 1000 > self._limits.sequel_s:
            raise Refused("that match was broken off too long ago", "gone")
        game, opened = position.game, position.opened
        level = _level(game, level)
        again = Open(game.name, opened.seats, opened.options, opened.terms)
        table = self._new_table(guest, again, now)
        self._sequels[table.id] = position.inputs
        try:
            self._seat(guest, table, position.seat, position.sitters[position.seat].preference, now)
        except Refused:
            del self._sequels[table.id]
            self._floor.tend(table, now)
            raise
        for seat, sat in position.sitters.items():
            if seat != position.seat:
                known = bots.named(game, sat.bot) in bots.levels(game)
                self._seat_bot(table, sat.bot if sat.bot and known else level, seat, now)


def _level(game: Game, level: str) -> str:
    """The level that is meant. Raises Refused."""
    meant = bots.named(game, level)
    if meant not in bots.levels(game):
        raise Refused(f"there is no bot {level!r} for this game", "bot")
    return meant


def typed(given: Any, kind: Any, default: Any) -> Any:
    """Options or a preference as the game's own type. Raises Refused."""
    if given is None:
        return default
    if isinstance(given, kind):
        return given
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise Refused(str(error), "options") from None
