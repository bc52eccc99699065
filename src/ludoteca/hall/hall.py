"""The hall: the directory of tables, the nicknames, the seat tokens, and who is matched with whom."""

import heapq
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import msgspec

from ludoteca.core import Dice, Game, Notice, Refused, Seat
from ludoteca.core.notices import Declined, Entered, Gone, Opening, Seated, Tables
from ludoteca.core.requests import (
    Act,
    AddBot,
    Enter,
    Join,
    Leave,
    List,
    Open,
    Ready,
    Rematch,
    Reply,
    Request,
    Return,
    Say,
    Seek,
    Terms,
    Watch,
)
from ludoteca.hall.chair import Chair, key_of
from ludoteca.hall.guest import Guest
from ludoteca.hall.limits import Defaults, Limits
from ludoteca.hall.names import Names, bot_name
from ludoteca.hall.post import Post
from ludoteca.hall.table import Table
from ludoteca.journal.records import Opened
from ludoteca.journal.replay import begin, execute


class Hall:
    """The whole house without its sockets. The shell calls it with the time and then takes the `post`.

    `entropy()` gives 128 random bits: the one source of seeds, table ids and tokens.
    """

    def __init__(
        self,
        load: Callable[[str], Game],
        defaults: Mapping[str, Defaults],
        entropy: Callable[[], int],
        limits: Limits | None = None,
        *,
        require_tokens: bool = False,
    ) -> None:
        self.load = load
        self.defaults = defaults
        self.limits = limits or Limits()
        self.post = Post()
        self.tables: dict[str, Table] = {}
        self.guests: set[Guest] = set()
        self.names = Names(self.limits.name_length_max)
        self._entropy = entropy
        self._require_tokens = require_tokens
        self._seats_by_key: dict[str, tuple[Table, int]] = {}
        # For each game: who waits for a table; the first of them is choosing what to open.
        self._seekers: dict[str, dict[Guest, Seek]] = {}
        self._timers: list[tuple[float, str]] = []
        self._closing = False

    # Coming and going.

    def arrive(self, protocol: str, bot: str = "") -> Guest:
        """Somebody comes in."""
        if len(self.guests) >= self.limits.guests_max:
            raise Refused("the house is full", "limit")
        guest = Guest(protocol, bot)
        self.guests.add(guest)
        return guest

    def depart(self, guest: Guest, now: float) -> None:
        """The guest's connection is gone."""
        if guest not in self.guests:
            return
        self.guests.discard(guest)
        self._stop_seeking(guest, now)
        self._guarded(guest.table, now, partial(self._lose, guest, now))
        self.names.release(guest.name, guest)

    def handle(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Carry out requests in order; the first that is declined ends the rest."""
        for request in requests:
            if guest not in self.guests:
                return
            try:
                self._guarded(guest.table, now, partial(self._serve, guest, request, now))
            except Refused as refusal:
                self._letter(guest, Declined(request, refusal.reason, refusal.code))
                return

    def _guarded(self, table: Table | None, now: float, call: Callable[[], None]) -> None:
        """The one place that keeps a crash at one table from reaching the others."""
        try:
            call()
        except Refused:
            raise
        except Exception as error:
            if table is None or table.id not in self.tables:
                raise
            self.post.crashes.append((table.id, error))
            table.close("this table broke down; its record is kept", now)
            self._forget(table)
            return
        if table is not None:
            self._tend(table, now)

    def _serve(self, guest: Guest, request: Request, now: float) -> None:
        match request:
            case Act():
                self._act(guest, request, now)
            case Say(text=text, to=to):
                self._say(guest, text, to, now)
            case Enter(name=name, distinct=distinct):
                self._enter(guest, name, distinct, now)
            case Seek():
                self._seek(guest, request, now)
            case Open():
                self._open(guest, request, now)
            case Join():
                self._join(guest, request, now)
            case Ready(preference=preference):
                self._ready(guest, preference, now)
            case Watch(table=table, since=since):
                self._watch(guest, table, since, now)
            case Return(token=token, since=since):
                self._return(guest, token, since, now)
            case AddBot(level=level, seat=seat):
                self._add_bot(guest, level, seat, now)
            case Leave(reason=reason):
                self._leave(guest, reason, now)
            case Rematch():
                self._rematch(guest, now)
            case List(game=game):
                infos = (
                    t.info()
                    for t in self.tables.values()
                    if not t.terms.private and game in ("", t.game.name)
                )
                self._letter(guest, Tables(tuple(infos)))
            case Reply():
                raise AssertionError("a reply is the shell's business")

    def _letter(self, guest: Guest, notice: Notice) -> None:
        self.post.letters.append((guest, notice))

    # Names.

    def _enter(self, guest: Guest, name: str, distinct: bool, now: float) -> None:
        if guest.name:
            raise Refused("you have a name already", "name")
        self.names.check(name)
        holder = self.names.holder(name)
        if isinstance(holder, Table):
            seat = self._absent_seat(holder, name, guest.protocol)
            if seat is not None:
                self._stop_seeking(guest, now)
                self._leave_table(guest, now)
                self._letter(guest, Entered(holder.chair(seat).name))
                self._take_back(guest, holder, seat, 0, now)
                return
        if holder is not None:
            if distinct:
                raise Refused("that name is taken", "taken")
            name, guest.given = self.names.variation(name), name
        guest.name, guest.given = name, guest.given or name
        self.names.hold(name, guest)
        self._letter(guest, Entered(name))
        if guest.table is not None and guest.seat is not None:
            chair = guest.table.chair(guest.seat)
            chair.name, chair.given = guest.name, guest.given
            guest.table.tell_sat(guest.seat)

    def _absent_seat(self, table: Table, name: str, protocol: str) -> int | None:
        """The seat that a client whose protocol knows no token may take again by its name."""
        if self._require_tokens or protocol == "house":
            return None
        for seat, chair in table.taken():
            if (
                chair.name.casefold() == name.casefold()
                and chair.guest is None
                and chair.protocol == protocol
            ):
                return seat
        return None

    def _return(self, guest: Guest, token: str, since: int, now: float) -> None:
        table, seat = self._seats_by_key.get(key_of(token), (None, 0))
        if table is None:
            raise Refused("there is no such seat (any more)", "gone")
        chair = table.chair(seat)
        if guest.name and guest.name != chair.name:
            raise Refused("you came in under another name", "name")
        if chair.guest is guest:
            return
        self._stop_seeking(guest, now)
        self._leave_table(guest, now)
        if chair.guest is not None:
            # The token is worth more than a connection that may be long dead.
            old, chair.guest = chair.guest, None
            old.table, old.seat, old.name = None, None, ""
            self._letter(old, Gone("you came back through another connection"))
        self._letter(guest, Entered(chair.name))
        self._take_back(guest, table, seat, since, now)

    def _take_back(self, guest: Guest, table: Table, seat: int, since: int, now: float) -> None:
        chair = table.chair(seat)
        stand_in = chair.stand_in
        guest.name, guest.given = chair.name, chair.given
        self.names.hold(guest.name, guest)
        table.come_back(guest, seat, since, now)
        if stand_in is not None:
            self.guests.discard(stand_in)
        self._tend(table, now)

    # Finding a table.

    def _busy(self, guest: Guest) -> bool:
        """Whether the guest has a seat that matters; one at an ended table does not."""
        return guest.table is not None and guest.seat is not None and guest.table.phase != "over"

    def _seek(self, guest: Guest, request: Seek, now: float) -> None:
        if self._busy(guest):
            return
        self.load(request.game)
        waiting = self._seekers.setdefault(request.game, {})
        if not waiting:
            table = self._open_table(request.game)
            if table is not None:
                self._seat(guest, table, None, request.preference, now)
                return
            if request.otherwise is not None:
                self._open(guest, request.otherwise, now)
                return
            self._letter(guest, Opening())
        waiting[guest] = request

    def _open_table(self, game: str) -> Table | None:
        """The oldest open public table of a game with a free chair."""
        for table in self.tables.values():
            public = table.game.name == game and not table.terms.private
            if public and table.phase == "open" and table.free_seat() is not None:
                return table
        return None

    def _stop_seeking(self, guest: Guest, now: float) -> None:
        for game, waiting in self._seekers.items():
            if guest in waiting:
                chooser = next(iter(waiting))
                del waiting[guest]
                if guest is chooser:
                    self._seat_seekers(game, now)

    def _seat_seekers(self, game: str, now: float) -> None:
        """Seat those who wait; when chairs run out, the next of them is asked to open a table."""
        waiting = self._seekers.get(game, {})
        while waiting:
            guest, request = next(iter(waiting.items()))
            table = self._open_table(game)
            if table is None:
                self._letter(guest, Opening())
                return
            del waiting[guest]
            self._seat(guest, table, None, request.preference, now)

    def _open(self, guest: Guest, request: Open, now: float) -> None:
        if self._busy(guest):
            return
        table = self._new_table(guest, request, now)
        self._stop_seeking_quietly(guest)
        self._seat(guest, table, None, request.preference, now)
        self._seat_seekers(request.game, now)

    def _stop_seeking_quietly(self, guest: Guest) -> None:
        for waiting in self._seekers.values():
            waiting.pop(guest, None)

    def _new_table(self, guest: Guest, request: Open, now: float) -> Table:
        if self._closing:
            raise Refused("the house is closing", "limit")
        if len(self.tables) >= self.limits.tables_max:
            raise Refused("there is no room for another table", "limit")
        game = self.load(request.game)
        defaults = self.defaults[game.name]
        seats = request.seats or defaults.seats
        if seats not in game.seats:
            raise Refused(f"{game.title} is for {game.seats[0]} to {game.seats[-1]} players", "seats")
        options = self._typed(request.options, game.options, defaults.options)
        terms = request.terms or (defaults.terms if guest.protocol != "house" else Terms())
        opened = Opened(
            id=f"{self._entropy() & 0xFFFF_FFFF_FFFF:012x}",
            game=game.name,
            label=self._label(game.name, request.label),
            seats=seats,
            options=game.settle(options, seats),
            terms=terms,
        )
        table = Table(game, opened, int(now * 1000), self.post, self._stand_in, self.limits.history_max)
        table.open(opened, now)
        self.tables[table.id] = table
        return table

    def _typed(self, given: Any, kind: Any, default: Any) -> Any:
        """Options or a preference as the game's own type."""
        if given is None:
            return default
        if isinstance(given, kind):
            return given
        try:
            return msgspec.convert(given, kind)
        except msgspec.ValidationError as error:
            raise Refused(str(error), "options") from None

    def _label(self, game: str, wanted: str) -> str:
        taken = {table.label.casefold() for table in self.tables.values() if table.game.name == game}
        if wanted:
            if len(wanted) > self.limits.label_length_max or not wanted.isprintable() or " " in wanted:
                raise Refused(
                    f"a table's name has 1 to {self.limits.label_length_max} characters, no blanks", "label"
                )
            if wanted.casefold() in taken:
                raise Refused("there is a table of that name", "taken")
            return wanted
        number = len(taken) + 1
        while f"table-{number}" in taken:
            number += 1
        return f"table-{number}"

    def _join(self, guest: Guest, request: Join, now: float) -> None:
        if self._busy(guest):
            raise Refused("you have a seat already", "seated")
        table = self._find(request.table, request.game)
        if table.phase != "open":
            raise Refused("that match has begun", "playing")
        if request.seat is not None and not 0 <= request.seat < len(table.chairs):
            raise Refused("there is no such chair", "seat")
        self._stop_seeking(guest, now)
        self._seat(guest, table, request.seat, request.preference, now)

    def _find(self, table_id: str, game: str = "") -> Table:
        table = self.tables.get(table_id)
        if table is None and game:
            label = table_id.casefold()
            table = next(
                (t for t in self.tables.values() if t.game.name == game and t.label.casefold() == label), None
            )
        if table is None:
            raise Refused("there is no such table", "gone")
        return table

    def _seat(self, guest: Guest, table: Table, seat: int | None, preference: Any, now: float) -> None:
        """Sit a guest down; whoever has a name already is ready at once."""
        wish = self._typed(preference, table.game.preferences, table.game.preferences())
        seat = table.free_seat() if seat is None else seat
        if seat is None or table.chairs[seat] is not None:
            raise Refused("that chair is taken", "full")
        if guest.name:
            others = [other.preference if other and other.ready else None for other in table.chairs]
            others[seat] = wish
            table.game.agree(others)
        self._leave_table(guest, now)
        token = f"{self._entropy():032x}"
        chair = Chair(guest.protocol, key_of(token), guest.bot)
        chair.name, chair.given, chair.preference = guest.name, guest.given, wish
        table.sit(guest, seat, chair)
        self._seats_by_key[chair.key] = (table, seat)
        if guest.name:
            chair.ready = True
        self._letter(guest, Seated(table.info(), seat, token))
        if guest.name:
            table.ready(seat, wish, now)
            self._start_if_complete(table, now)
        else:
            table.tell_sat(seat)

    def _ready(self, guest: Guest, preference: Any, now: float) -> None:
        table, seat = self._at_table(guest)
        if table.phase != "open" or not guest.name:
            raise Refused("enter with a name first" if not guest.name else "the match has begun", "phase")
        wish = self._typed(preference, table.game.preferences, table.game.preferences())
        table.ready(seat, wish, now)
        self._start_if_complete(table, now)

    def _start_if_complete(self, table: Table, now: float) -> None:
        if table.complete():
            table.start(self._entropy() & 0x7FFF_FFFF_FFFF_FFFF, now)
            self._tend(table, now)

    # At the table.

    def _at_table(self, guest: Guest) -> tuple[Table, int]:
        if guest.table is None or guest.seat is None:
            raise Refused("you sit at no table", "seat")
        return guest.table, guest.seat

    def _act(self, guest: Guest, request: Act, now: float) -> None:
        table, _ = self._at_table(guest)
        table.act(guest, request, now)

    def _say(self, guest: Guest, text: str, to: str | None, now: float) -> None:
        table = guest.table
        if table is None or not guest.name:
            raise Refused("chat is for those at a table, under a name", "seat")
        text = "".join(letter for letter in text if letter.isprintable())[: self.limits.text_length_max]
        if not text.strip():
            raise Refused("there is nothing in it", "text")
        if to is not None:
            names = {one.name.casefold(): one.name for one in table.guests()}
            to = names.get(to.casefold())
            if to is None:
                raise Refused("there is nobody of that name here", "name")
        table.say(guest.name, text, to, now)

    def _watch(self, guest: Guest, table_id: str, since: int, now: float) -> None:
        if self._busy(guest):
            raise Refused("you have a seat already", "seated")
        table = self._find(table_id)
        self._stop_seeking(guest, now)
        self._leave_table(guest, now)
        table.watch(guest, since)

    def _leave(self, guest: Guest, reason: str, now: float) -> None:
        self._stop_seeking(guest, now)
        table, seat = guest.table, guest.seat
        if table is None:
            return
        if seat is None or table.phase != "playing":
            self._leave_table(guest, now)
            return
        chair = table.chair(seat)
        if reason:
            # Whoever broke the protocol still hears what comes of it.
            table.depart(seat, reason, now)
        chair.guest = None
        guest.table, guest.seat = None, None
        self._release_to(guest, table)
        table.depart(seat, "", now)
        self._tend(table, now)

    def _lose(self, guest: Guest, now: float) -> None:
        """A connection ended without a word."""
        table, seat = guest.table, guest.seat
        if table is None:
            return
        keeps = seat is not None and table.chair(seat).ready and table.phase != "over"
        if not keeps or (table.phase == "open" and table.terms.absence == "end"):
            self._leave_table(guest, now)
            return
        assert seat is not None
        guest.table, guest.seat = None, None
        self._release_to(guest, table)
        table.lost(seat, now)

    def _release_to(self, guest: Guest, table: Table) -> None:
        """The table keeps the guest's name for the seat."""
        self.names.hold(guest.name, table)

    def _leave_table(self, guest: Guest, now: float) -> None:
        """Get up without consequences: from watching, an open table, or one that is over."""
        table, seat = guest.table, guest.seat
        guest.table, guest.seat = None, None
        if table is None:
            return
        if seat is None:
            table.watchers.pop(guest, None)
        elif table.phase == "open":
            del self._seats_by_key[table.chair(seat).key]
            table.stand(seat, now)
        else:
            table.chair(seat).guest = None
        self._tend(table, now)

    # Bots and rematches.

    def _add_bot(self, guest: Guest, level: str, seat: int | None, now: float) -> None:
        table, _ = self._at_table(guest)
        if table.phase != "open":
            raise Refused("the match has begun", "playing")
        self._seat(self._bot(table, level), table, seat, None, now)

    def _bot(self, table: Table, level: str) -> Guest:
        level = level or next(reversed([*table.game.bots]), "search")
        if level not in (*table.game.bots, "random", "search"):
            raise Refused(f"there is no bot {level!r} for this game", "bot")
        bot = self.arrive("bot", level)
        bot.name = bot.given = bot_name(table)
        return bot

    def _stand_in(self, table: Table, seat: int) -> Guest:
        bot = self._bot(table, "")
        bot.table, bot.seat = table, seat
        return bot

    def _rematch(self, guest: Guest, now: float) -> None:
        table, seat = self._at_table(guest)
        if table.phase != "over":
            raise Refused("the match is not over", "phase")
        if not table.want_rematch(seat):
            return
        sitters = [(s, c.guest, c.preference) for s, c in table.taken() if c.guest is not None and not c.bot]
        bots = [(s, c.bot) for s, c in table.taken() if c.bot]
        again = Open(table.game.name, len(table.chairs), table.options, table.terms)
        fresh = self._new_table(guest, again, now)
        for seat, sitter, preference in sitters:
            self._seat(sitter, fresh, seat, preference, now)
        for seat, level in bots:
            self._seat(self._bot(fresh, level), fresh, seat, None, now)

    # Time, restarts, the end.

    def alarm(self) -> float | None:
        """When `tick` has something to do."""
        return self._timers[0][0] if self._timers else None

    def _tend(self, table: Table, now: float) -> None:
        """Look after a table whose people or questions may have changed."""
        if table.id not in self.tables:
            return
        people = any(not guest.bot for guest in table.guests())
        if people:
            table.deserted_since = None
        elif table.phase == "open" and not any(c.ready and not c.bot for _, c in table.taken()):
            table.close("everybody left", now)
            self._forget(table)
            return
        elif table.phase == "over":
            self._forget(table)
            return
        elif table.deserted_since is None:
            table.deserted_since = now
        due = table.due()
        if table.deserted_since is not None:
            limit = table.deserted_since + self.limits.deserted_s
            due = limit if due is None else min(due, limit)
        if due is not None:
            heapq.heappush(self._timers, (due, table.id))

    def tick(self, now: float) -> None:
        """Do what the time has come for."""
        while self._timers and self._timers[0][0] <= now:
            table = self.tables.get(heapq.heappop(self._timers)[1])
            if table is not None:
                self._guarded(table, now, partial(self._tick_table, table, now))

    def _tick_table(self, table: Table, now: float) -> None:
        table.tick(now)
        deserted = table.deserted_since
        if deserted is not None and now >= deserted + self.limits.deserted_s:
            table.close("nobody came back", now)
            self._forget(table)

    def _forget(self, table: Table) -> None:
        self.tables.pop(table.id, None)
        for _, chair in table.taken():
            self._seats_by_key.pop(chair.key, None)
            self.names.release(chair.name, table)
            for bot in (chair.guest, chair.stand_in):
                if bot is not None and bot.bot:
                    self.guests.discard(bot)

    def recover(self, lines: list[bytes], now: float) -> Table:
        """Bring a table back from its records. Raises JournalError, and then the hall has not changed.

        Everybody's chair is kept for at least the grace time from now, and no clock runs meanwhile.
        """
        match, opened = begin(lines, self.load)
        opened = msgspec.structs.replace(opened, options=msgspec.convert(opened.options, match.game.options))
        first, _ = execute(match, lines[0], 1)
        table = Table(match.game, opened, first.at_ms, self.post, self._stand_in, self.limits.history_max)
        table.match, table.number = match, 1
        for number, line in enumerate(lines[1:], 2):
            record, events = execute(match, line, number)
            table.restore(record, events)
        if table.phase == "over":
            return table
        self.tables[table.id] = table
        for seat, chair in table.taken():
            chair.preference = msgspec.convert(chair.preference, match.game.preferences)
            self._seats_by_key[chair.key] = (table, seat)
            if chair.bot:
                bot = self.arrive("bot", chair.bot)
                bot.name = bot.given = chair.name
                table.come_back(bot, seat, 0, now)
            else:
                self.names.hold(chair.name, table)
                chair.away_since = now if not chair.left else None
        self._tend(table, now)
        return table

    def announce(self, notice: Notice) -> None:
        """Tell everybody in the house."""
        for guest in self.guests:
            if not guest.bot:
                self._letter(guest, notice)

    def close(self, reason: str) -> None:
        """The house closes; matches go on after the restart."""
        self._closing = True
        self.announce(Gone(reason, back=True))

    def imagine(self, guest: Guest, number: int) -> tuple[Game, Any, Seat, Dice] | None:
        """What a bot needs to answer the question asked under `number`, or None when it is answered already."""
        table, seat = guest.table, guest.seat
        if (
            guest not in self.guests
            or table is None
            or seat is None
            or table.asked.get(seat, (None,))[0] != number
        ):
            return None
        dice = Dice(self._entropy() & 0xFFFF_FFFF_FFFF_FFFF)
        return table.game, table.imagine(seat, dice), Seat(seat), dice
