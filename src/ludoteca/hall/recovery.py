"""How tables come back after a restart: known by their slips at once, executed again when they are needed."""

from collections.abc import Callable
from typing import NoReturn

import msgspec

from ludoteca.core import Damaged, Game, JournalError, Unplayable
from ludoteca.hall.desk import Desk
from ludoteca.hall.elsewhere import ASLEEP
from ludoteca.hall.floor import Floor
from ludoteca.hall.post import Post
from ludoteca.hall.seating import Seating
from ludoteca.hall.slip import Slip, slip_of
from ludoteca.hall.snapshot import Snapshot, resume
from ludoteca.hall.table import Table
from ludoteca.journal.match import Match, whole
from ludoteca.journal.records import Opened
from ludoteca.journal.replay import begin, empty, execute


class Recovery:
    """Brings tables back, each alone: one that cannot be harms no other."""

    def __init__(
        self, desk: Desk, floor: Floor, seating: Seating, post: Post, load: Callable[[str], Game]
    ) -> None:
        self._desk = desk
        self._floor = floor
        self._seating = seating
        self._post = post
        self._load = load

    def expect(self, slip: Slip, now: float) -> bool:
        """A table takes its place by what its slip says; it sleeps until it is recovered. False, with nothing
        done, where it cannot wait so long: where nobody sits it is closed, and what cannot be understood
        must be looked into."""
        try:
            match = empty(slip.opened, self._load)
            table = self._seating.table(match, _understood(slip.opened, match), slip.opened_ms)
            slip.lay(table.course)
            _understand_wishes(table)
        except Exception:
            return False
        if not any(not chair.bot for _, chair in table.taken()) and table.phase == "open":
            return False
        match.state = ASLEEP
        table.asleep = True
        self._place(table, now)
        self._floor.tend(table, now)
        return True

    def recover(self, lines: list[bytes], now: float, table_id: str = "") -> Table:
        """Bring a table back from its records, which are those of this one. Raises JournalError, and then the
        hall has not changed, but that it does not expect the table any more.

        Everybody's chair is kept for at least the grace time from now or, where the table was expected, from
        then on, and no clock runs meanwhile. When the rules have another version than those it was played by,
        that is written down, and it goes on under these. A table that was opened and nobody sat down at yet
        is closed at once.
        """
        match, opened = begin(lines, self._load)
        if table_id and opened.id != table_id:
            # Nothing may happen to the other one, whose first record has come to lie here.
            raise Damaged("its first record is that of another table")
        try:
            table = self._seating.table(match, _understood(opened, match), 0)
            for number, line in enumerate(lines, 1):
                record, _ = execute(match, line, number, table.perform)
                table.restore(record)
        except Exception as error:
            self._give_up(opened.id, error)
        return self._finish(table, now)

    def resume(self, snapshot: Snapshot, lines: list[bytes], now: float) -> Table | None:
        """The same from a snapshot and the records from that one on; None, with nothing changed, when they do
        not go together. Raises JournalError."""
        try:
            table = resume(snapshot, lines, self._load, self._seating.table)
        except Exception:
            # A snapshot is trusted in nothing: all records are asked what is wrong.
            return None
        return self._finish(table, now)

    def _finish(self, table: Table, now: float) -> Table:
        """Take a table in that was executed again. Raises JournalError."""
        letters, entries = len(self._post.letters), len(self._post.entries)
        try:
            if table.phase == "over":
                raise Unplayable("these rules say that it was over before its last record")
            return self._take_in(table, now)
        except Exception as error:
            # Whatever rules of another version stumble over: this table alone is not served.
            del self._post.letters[letters:], self._post.entries[entries:]
            self._give_up(table.id, error)

    def _give_up(self, table_id: str, error: Exception) -> NoReturn:
        """This table is not served. Raises JournalError."""
        self.forget(table_id)
        if isinstance(error, JournalError):
            raise error
        raise Unplayable(f"it cannot be taken up again: {str(error) or type(error).__name__}") from error

    def forget(self, table_id: str) -> None:
        """A table that takes a place here is not served."""
        table = self._desk.tables.get(table_id)
        if table is not None:
            self._floor.end(table)
            for news in self._floor.take_news():
                self._desk.hear(news)

    def _take_in(self, table: Table, now: float) -> Table:
        """A table that was executed again takes its place; its bots sit down, everybody else may return."""
        _understand_wishes(table)
        known = self._desk.tables.get(table.id)
        if known is not None and _known(known) == _known(table):
            _wake(known, table)
            table = known
        else:
            # The records decide what is true of it.
            self.forget(table.id)
            self._place(table, now)
        if table.match.version != table.game.version:
            table.change_rules(now)
        for seat, chair in table.taken():
            if chair.bot and chair.guest is not None:
                table.come_back(chair.guest, seat, 0, now)
        table.stir()
        self._floor.tend(table, now)
        return table

    def _place(self, table: Table, now: float) -> None:
        """The table is found and looked after; nobody is there but its bots."""
        self._desk.tables.add(table)
        self._floor.add(table)
        for seat, chair in table.taken():
            if chair.bot:
                bot = self._desk.arrive("bot", chair.bot)
                bot.name = bot.given = chair.name
                bot.place(table.id, seat)
                chair.guest = bot.id
            else:
                self._desk.names.keep(chair.name, table)
                chair.away_since = now if not chair.left else None
        table.stir()


def _understood(opened: Opened, match: Match) -> Opened:
    """The first record with options of the game's own type. Raises an error of any kind."""
    return msgspec.structs.replace(opened, options=whole(opened.options, match.game.options))


def _understand_wishes(table: Table) -> None:
    for _, chair in table.taken():
        chair.preference = whole(chair.preference, table.game.preferences)


def _wake(table: Table, back: Table) -> None:
    """The table is back: what was known of it gives way. Who was away stays so since then."""
    for seat, chair in back.taken():
        chair.guest, chair.away_since = table.chair(seat).guest, table.chair(seat).away_since
    for part in ("course", "match", "ledger", "chairs", "company", "watchers", "asked"):
        setattr(table, part, getattr(back, part))
    table.asleep = False


def _known(table: Table) -> Slip:
    return slip_of(table.course, table.opened_ms)
