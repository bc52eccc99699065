"""The desk's side of tables that are in rooms: which room gets a match that begins, what becomes of tables
whose room is lost, and where people are sent (docs/decisions/0035).
"""

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import structlog

from ludoteca.core import Request
from ludoteca.hall import Guest
from ludoteca.hall.post import Entry
from ludoteca.hall.slip import decode as decode_slip
from ludoteca.hall.slip import slip_from
from ludoteca.hall.table import Table
from ludoteca.server.cluster.follower import Taken
from ludoteca.server.cluster.way import Shell
from ludoteca.server.cluster.words import Go
from ludoteca.server.house import House

if TYPE_CHECKING:
    from ludoteca.server.cluster.node import Node

log = structlog.get_logger()

# A room that was not seen so many times, each of which is most of a second after the last, is lost.
MISSED_MAX = 3
# A room where most of a table's people are has it although another has fewer, by this part of those it has:
# what they want and are told need not travel.
MORE_OF = 8
# A table that was to be given away and has not been is given again after so many looks.
AGAIN = 6


class Placing:
    """What the hall with the desk does about rooms. `here` is how this node is called in the journal."""

    def __init__(self, house: House, node: "Node") -> None:
        self._house = house
        self._node = node
        self._here = node.here
        # The rooms there are, and how many tables each has; and how often others were missed.
        self._rooms: dict[str, int] = {}
        self._missed: dict[str, int] = {}
        self._looks = 0
        self._given: dict[str, int] = {}
        # How many matches are played in this very hall.
        self.here = 0
        house.halls = self._round
        house.is_hall = self._rooms.__contains__
        house.hall.post.begun = []

    def begin(self, taken: Taken) -> None:
        """Know of the tables that are in rooms already."""
        house, hall = self._house, self._house.hall
        self._taken = taken
        slips = house.archive.slips() if taken.placed else {}
        for number, where in taken.placed.items():
            slip = decode_slip(slips.get(number, b"")) or slip_from(house.archive.lines(number))
            if slip is None or not hall.expect(slip, house.now()):
                log.error("a table that is in a room cannot be known here", table=number, room=where)
                continue
            table = hall.tables.get(number)
            assert table is not None
            hall.elsewhere.give(table, where)
        self._node.placing = self
        self._node.rooms.begin()

    def end(self) -> None:
        """The desk is another's."""
        self._node.placing = None

    # Where to.

    def _choose(self, table: Table | None = None) -> str:
        """The room with the fewest tables of those on other nodes, this hall where none has fewer; of those
        with about as few the one where most of a table's people are."""
        mine = self._node.name
        counts = {one: count for one, count in self._rooms.items() if one != mine}
        counts[mine] = self.here + self._node.rooms.tables()
        best = min(counts, key=lambda one: (counts[one], one == mine))
        near = self._near(table) if table is not None else ""
        if near in counts and counts[near] <= counts[best] + counts[best] // MORE_OF:
            best = near
        if best == mine:
            self.here += 1
            return self._here
        self._rooms[best] += 1
        return best

    def _near(self, table: Table) -> str:
        """The node where most of a table's people are connected."""
        house = self._house
        guests = (house.hall.desk.guest(number) for number in table.company.guests())
        shells = (house.shell(guest) for guest in guests if guest is not None)
        gates = Counter(shell.way.gate for shell in shells if isinstance(shell, Shell))
        return max(gates, key=lambda gate: gates[gate], default="")

    def _round(self, round_: int) -> None:
        """With each round of this hall, when its records have been handed over."""
        hall = self._house.hall
        post = hall.post
        assert post.begun is not None
        begun, post.begun = post.begun, []
        for number in begun:
            table = hall.tables.get(number)
            if table is not None and table.phase == "playing" and not table.elsewhere:
                where = self._choose(table)
                if where != self._here:
                    hall.elsewhere.give(table, where)
                    self._node.give(number, where, self._here)
        called, post.called = post.called, []
        for number in called:
            table = hall.tables.get(number)
            if table is not None and table.elsewhere:
                self._node.give(number, self._here, table.elsewhere)
        sent, post.sent = post.sent, []
        for guest, where, request in sent:
            # Not later: that this round was told would say that nothing more comes of the request.
            self._say(guest, where, round_, request)

    # What is heard of rooms.

    def look(self, rooms: dict[str, int]) -> None:
        """These are there now."""
        self._looks += 1
        self._rooms.clear()
        self._rooms.update(rooms)
        away: dict[str, list[Table]] = {}
        given: Counter[str] = Counter()
        self.here = 0
        for table in self._house.hall.tables:
            if not table.elsewhere:
                self.here += table.phase == "playing"
            elif table.elsewhere not in rooms:
                away.setdefault(table.elsewhere, []).append(table)
            else:
                given[table.elsewhere] += 1
        # A room may not have said so yet of those that were given to it just now.
        for where, count in given.items():
            self._rooms[where] = max(self._rooms[where], count)
        self._missed = {where: self._missed.get(where, 0) + 1 for where in away}
        for where, tables in away.items():
            if self._missed[where] >= MISSED_MAX:
                log.warning("room lost", room=where, tables=len(tables))
                for table in tables:
                    self._take_from(table)

    def _take_from(self, table: Table) -> None:
        """A table's room is lost."""
        if table.phase == "over":
            # What is left of it is what its people know; they are told that it is gone.
            self._send_all(table, "", forget=True)
        elif self._looks >= self._given.get(table.id, 0):
            self._given[table.id] = self._looks + AGAIN
            self._node.give(table.id, self._choose(table), table.elsewhere)

    def given(self, number: str, where: str, sequence: int) -> None:
        """A table was given to this room, to this hall, or up, by this message of the stream."""
        house = self._house
        if sequence <= self._taken.at and number not in self._taken.placed:
            # That is known, and more.
            return
        table = house.hall.tables.get(number)
        log.debug("table given", table=number, where=where, known=table is not None)
        self._given.pop(number, None)
        if table is None or table.phase == "over":
            return
        if house.archive.summary(number) is not None:
            # It ended before its room was lost.
            self._send_all(table, "", forget=True)
        elif not where:
            # Whoever gives tables up wants no others.
            self._rooms.pop(table.elsewhere, None)
            self._node.give(number, self._choose(table), "")
        elif where != self._here:
            if not table.elsewhere:
                # It was ours: another desk has given it away, and this one is not any more.
                return
            table.elsewhere = where
            self._send_all(table, where)
        elif table.elsewhere:
            self._send_all(table, "", forget=True)
            house.waking.wake(number)
        house.dispatch()

    def _send_all(self, table: Table, where: str, *, forget: bool = False) -> None:
        """Everybody who is at a table goes there."""
        guests = [self._house.hall.desk.guest(number) for number in table.company.guests()]
        if forget:
            self._house.hall.elsewhere.forget(table)
        for guest in guests:
            if guest is not None:
                self._say(guest, where, self._house.round)
        self._house.dispatch()

    def _say(self, guest: Guest, where: str, round_: int, request: Request | None = None) -> None:
        """Somebody is to go there, when all that was told here up to this round has been."""
        shell = self._house.shell(guest)
        if isinstance(shell, Shell):
            go = Go(shell.number, where, request, guest.table)
            self._house.after(round_, partial(shell.way.say, go))

    def written(self, entry: Entry) -> None:
        """A room has written something that the desk must know."""
        house = self._house
        table = house.hall.tables.get(entry.table)
        if entry.fate == "over" and entry.summary is not None and not entry.summary.table.terms.private:
            house.hall.lobby.recall(entry.summary.table.game, msgspec.json.encode(entry.summary))
        if table is None or not table.elsewhere:
            return
        slip = decode_slip(entry.slip)
        if entry.fate is not None:
            house.hall.elsewhere.over(table, house.now())
        elif slip is not None:
            house.hall.elsewhere.learn(table, slip)
        house.dispatch()
