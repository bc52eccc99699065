"""Tables come back after a restart: those that somebody needs at once, all others in the background, a few at
a time, while the doors are open (decision 22).
"""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec
import structlog

from ludoteca.core import JournalError, LudotecaError, Unplayable
from ludoteca.hall import Table
from ludoteca.hall.slip import Slip, encode, slip_from
from ludoteca.hall.slip import decode as decode_slip
from ludoteca.hall.snapshot import Snapshot
from ludoteca.journal import damage

if TYPE_CHECKING:
    from ludoteca.server.house import House

log = structlog.get_logger()

# What can be brought back in this time is back before the doors open: a small house has no need to wait. With
# more tables than this not all would be, and then the doors come first.
FIRST_S = 0.1
FIRST_MAX = 1000
# The records of so many tables are read together.
AT_ONCE = 8
# While the doors are shut nobody waits between them.
UNKNOWN_AT_ONCE = 500
# How long nobody else's turn comes because tables are brought back.
TURN_S = 0.01
# A rest between two turns is at least so long, and as long as the turn took: half of the time is for others.
REST_S = 0.002


class Waking:
    """The tables that a house still expects, and what it does about them."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._clock = house.world.monotonic
        # Oldest first; who is needed earlier is taken out of the middle.
        self._asleep: dict[str, None] = {}
        self._causes: set[str] = set()
        # Those who have to wait because others had tables brought back in this turn.
        self._line: deque[Callable[[], None]] = deque()
        self._spent_s = 0.0
        self._due = False
        self.crowded = False
        # For how long before the doors open, how many are brought back together, for how long in one turn,
        # how long the next waits after one that took so long, and what is called after each.
        self.first_s = FIRST_S
        self.at_once = AT_ONCE
        self.turn_s = TURN_S
        self.rest_s: Callable[[float], float] = lambda took_s: max(took_s, REST_S)
        self.rested: Callable[[], None] = lambda: None
        house.metrics.waking.set_function(lambda: len(self._asleep))

    def __len__(self) -> int:
        return len(self._asleep)

    def begin(self) -> None:
        """Know of every table that was live, and bring back what there is time for."""
        house, archive = self._house, self._house.archive
        slips = archive.slips()
        unknown = [
            table for table in archive.live() if not self._expect(table, decode_slip(slips.get(table, b"")))
        ]
        with archive.together():
            for first in range(0, len(unknown), UNKNOWN_AT_ONCE):
                self._look_up(unknown[first : first + UNKNOWN_AT_ONCE])
        if len(self._asleep) <= FIRST_MAX:
            self._work(self.first_s, "start")
        house.dispatch()
        if self._asleep:
            log.info("tables come back while the doors are open", tables=len(self._asleep))
            self._rest(0.0)

    def _expect(self, table: str, slip: Slip | None) -> bool:
        """Whether a table takes its place by what its slip says; then it sleeps."""
        if slip is None or slip.opened.id != table or not self._house.hall.expect(slip, self._house.now()):
            return False
        self._asleep[table] = None
        return True

    def _look_up(self, tables: list[str]) -> None:
        """Tables without a slip, from older versions: who sits there their records say, too. Where those are
        not clear, or the table cannot wait, it is brought back now."""
        hall, notes, unclear = self._house.hall, {}, []
        for table, lines in self._read(tables, {}).items():
            slip = slip_from(lines)
            if slip is not None and self._expect(table, slip):
                notes[table] = (len(lines), encode(slip))
            else:
                unclear.append(table)
        self._recover(unclear, "start")
        found = (hall.tables.get(table) for table in unclear)
        notes |= {table.id: (table.ledger.number, table.slip()) for table in found if table is not None}
        self._house.store.note("slip", notes)

    # When somebody needs one.

    def wake(self, table: str) -> None:
        """Bring back a table that somebody needs now; if it cannot be, it is set aside."""
        began = self._clock()
        with self._house.archive.together():
            self._recover([table], "needed")
        self._house.dispatch()
        self._spent_s += self._clock() - began
        if self._spent_s >= self.turn_s:
            self._close()

    def line_up(self, call: Callable[[], None]) -> None:
        """Call back when it is somebody's turn who may have a table brought back: for those who come while
        it is `crowded` and play nowhere yet. Whoever plays need not wait."""
        self._line.append(call)

    def _close(self) -> None:
        """Enough for this turn: who comes now waits for the next."""
        self.crowded = True
        if not self._due:
            self._due = True
            self._later(self.rest_s(self._spent_s), self._let_in)

    def _let_in(self) -> None:
        self._spent_s = 0.0
        self._due = self.crowded = False
        while self._line and not self.crowded:
            self._line.popleft()()
        if self._line:
            self._close()

    # In the background.

    def _turn(self) -> None:
        began = self._clock()
        with self._house.archive.together():
            self._some("meanwhile")
            self._work(self.turn_s, "meanwhile")
        self._house.dispatch()
        self.rested()
        if self._asleep:
            self._rest(self._clock() - began)
        else:
            log.info("all tables are back", tables=len(self._house.hall.tables))

    def _rest(self, took_s: float) -> None:
        self._later(self.rest_s(took_s), self._turn)

    def _work(self, limit_s: float, why: str) -> None:
        """Bring tables back for so long."""
        end = self._clock() + limit_s
        with self._house.archive.together():
            while self._asleep and self._clock() < end:
                self._some(why)

    def _some(self, why: str) -> None:
        self._recover(list(itertools.islice(self._asleep, self.at_once)), why)

    def _later(self, rest_s: float, call: Callable[[], None]) -> None:
        def unless_closing() -> None:
            if not self._house.closing:
                call()

        asyncio.get_running_loop().call_later(rest_s, unless_closing)

    # One by one.

    def _recover(self, tables: list[str], why: str) -> None:
        snapshots = self._snapshots(tables)
        for table, lines in self._read(tables, snapshots).items():
            self._asleep.pop(table, None)
            back = None
            if table in snapshots:
                back = self._resume(snapshots[table], lines)
                lines = []  # Only the last of them.
            try:
                if back is None:
                    lines = lines or self._house.archive.lines(table)
                    back = self._house.hall.recover(lines, self._house.now(), table)
                self._house.metrics.back.labels(why).inc()
                if back.match.unexplained:
                    log.warning(
                        "rules changed without a new version",
                        game=back.game.name,
                        table=back.id,
                        record=back.match.unexplained,
                    )
            except Exception as error:
                # The one place that keeps a table from keeping the house from starting.
                self._set_aside(table, lines, error)

    def _snapshots(self, tables: list[str]) -> dict[str, Snapshot]:
        try:
            return self._house.snapshots.find(tables)
        except Exception as error:
            # They only make it quicker.
            log.warning("snapshots cannot be read", reason=str(error))
            return {}

    def _resume(self, snapshot: Snapshot, lines: list[bytes]) -> Table | None:
        """A table from its snapshot, if that goes with its records; what is wrong otherwise they say
        themselves, all of them."""
        try:
            back = self._house.hall.resume(snapshot, lines, self._house.now())
        except Exception as error:
            log.warning("snapshot cannot be used", table=snapshot.slip.opened.id, reason=str(error))
            back = None
        if back is None:
            self._house.snapshots.useless()
        else:
            self._house.snapshots.used(snapshot)
        return back

    def _read(self, tables: list[str], snapshots: dict[str, Snapshot]) -> dict[str, list[bytes]]:
        """The records of tables, from their snapshots on; none where that fails, which may be the fault of
        one of them."""
        try:
            since = {table: snapshot.number for table, snapshot in snapshots.items()}
            return self._house.archive.records(tables, since)
        except Exception as error:
            # Each is read again alone, and a failure that many share is traced back once.
            log.warning("tables are read one by one", tables=len(tables), exc_info=self._first(error))
            return {table: [] for table in tables}

    def _set_aside(self, table: str, lines: list[bytes], error: Exception) -> None:
        """Keep a table for a version that can serve it; a failure that many share is traced back once."""
        error = damage(lines) or error
        why = "rules" if isinstance(error, Unplayable) else "damaged"
        cause = error.__cause__ if isinstance(error, JournalError) else error
        # That a rule says no, or that a shape is another, needs no traceback.
        expected = cause is None or isinstance(cause, (LudotecaError, msgspec.ValidationError))
        traced = None if expected else self._first(cause)
        log.error("table set aside", table=table, why=why, reason=str(error), exc_info=traced)
        self._house.metrics.aside.labels(why).inc()
        self._house.hall.set_aside(table, lines, error)

    def _first(self, cause: BaseException | None) -> BaseException | None:
        """This failure, when none like it has been traced back yet."""
        known = repr(cause) in self._causes
        self._causes.add(repr(cause))
        return None if known else cause
