"""Snapshots of tables that are being played: taken a few at a time, so that nobody waits, and used when
tables come back, so that a long match comes back as quickly as a short one (decision 29).
"""

import asyncio
import platform
import sys
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import structlog

import ludoteca
from ludoteca.core import Game
from ludoteca.hall import Table, snapshot
from ludoteca.hall.snapshot import DIGEST_BYTES, Snapshot

if TYPE_CHECKING:
    from ludoteca.server.house import House

log = structlog.get_logger()

# A table is worth a snapshot when so many records were written since the last.
EVERY = 32
# How often some tables are looked at, how many, and for how long at most snapshots are taken then: less than
# a hundredth of the time.
LOOK_S = 0.25
LOOKED_AT = 500
TURN_S = 0.002
# How long the house takes snapshots of what is left when it closes.
CLOSING_S = 2.0


class Snapshots:
    """The snapshots of one house."""

    def __init__(self, house: "House") -> None:
        self._house = house
        self._clock = house.world.monotonic
        # The number of the record that each table has a snapshot of.
        self._taken: dict[str, int] = {}
        self._around: list[str] = []
        # Games whose states cannot be stored.
        self._hopeless: set[str] = set()
        self.every = EVERY

    # Taking them.

    def begin(self) -> None:
        """Look at tables from now on."""
        asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        house = self._house
        if house.closing:
            return
        if not self._around:
            self._around = [table.id for table in house.hall.tables]
            self._taken = {table: self._taken[table] for table in self._around if table in self._taken}
        some, self._around = self._around[:LOOKED_AT], self._around[LOOKED_AT:]
        found = (house.hall.tables.get(table) for table in some)
        due = [table for table in found if table is not None and self._behind(table) >= self.every]
        if not house.trouble:
            done = self._take(due, TURN_S)
            self._around += [table.id for table in due[done:]]
        asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def take_rest(self) -> None:
        """The house closes: what was played since the last snapshots is in the next ones."""
        self._take([table for table in self._house.hall.tables if self._behind(table) > 0], CLOSING_S)

    def _behind(self, table: Table) -> int:
        if table.asleep or table.phase != "playing":
            return 0
        return table.ledger.number - self._taken.get(table.id, 0)

    def _take(self, tables: Iterable[Table], limit_s: float) -> int:
        """Take snapshots for so long; how many tables were done."""
        end, count, notes = self._clock() + limit_s, 0, {}
        for table in tables:
            if count and self._clock() >= end:
                break
            count += 1
            form = form_of(table.game)
            if not form or table.game.name in self._hopeless:
                continue
            try:
                notes[table.id] = (table.ledger.number, snapshot.take(table, form))
            except Exception as error:
                # A game of somebody else may keep anything in its state: it is executed again, as ever.
                self._hopeless.add(table.game.name)
                log.warning("no snapshots of this game", game=table.game.name, reason=str(error))
                continue
            self._taken[table.id] = table.ledger.number
        if notes:
            self._house.metrics.snapshots.labels("taken").inc(len(notes))
            self._house.store.note("snapshot", notes)
        return count

    # Using them.

    def find(self, tables: list[str]) -> dict[str, Snapshot]:
        """Snapshots of expected tables that this code may use."""
        house, found = self._house, {}
        for table, stored in house.archive.snapshots(tables).items():
            expected = house.hall.tables.get(table)
            form = form_of(expected.game) if expected is not None else b""
            read = snapshot.read(stored, form) if form else None
            if read is None or read.slip.opened.id != table:
                self.useless()
            else:
                found[table] = read
        return found

    def used(self, snapshot: Snapshot) -> None:
        """A table is back by this snapshot."""
        self._house.metrics.snapshots.labels("used").inc()
        self._taken[snapshot.slip.opened.id] = snapshot.number

    def useless(self) -> None:
        """A snapshot was ignored: damaged, of other code, or of other records than there are."""
        self._house.metrics.snapshots.labels("ignored").inc()


def form_of(game: Game) -> bytes:
    """A digest of all code that a game's snapshots depend on: whatever of it changes, they are ignored, and
    executing all records finds out what the change means, as ever. Nothing where the code is not found."""
    return _form(getattr(game.start, "__module__", ""), game.name, game.version)


@cache
def _form(module: str, game: str, version: int) -> bytes:
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return b""
    house = Path(ludoteca.__file__).parent
    digest = blake2b(digest_size=DIGEST_BYTES)
    digest.update(f"{game} {version} {platform.python_version()} {msgspec.__version__}".encode())
    for folder in (Path(file).parent, *(house / part for part in ("core", "journal", "hall"))):
        digest.update(_code_in(folder))
    return digest.digest()


@cache
def _code_in(folder: Path) -> bytes:
    digest = blake2b()
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()
