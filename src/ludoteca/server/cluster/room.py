"""A room: a hall on this node for tables that the desk has given to it. Names, newcomers and the lobby are
the desk's; here is what happens at the tables (docs/decisions/0035).
"""

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import structlog

from ludoteca.hall import Guest
from ludoteca.hall.post import Look
from ludoteca.hall.table import Table
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.lodge import Lodge
from ludoteca.server.cluster.node import AVOIDED_S
from ludoteca.server.cluster.reception import Reception
from ludoteca.server.cluster.thinkers import Thinkers
from ludoteca.server.cluster.way import Shell as GateShell
from ludoteca.server.cluster.way import Way
from ludoteca.server.cluster.words import Come, Go
from ludoteca.server.front import Shell
from ludoteca.server.house import House
from ludoteca.server.workshop import Workshop
from ludoteca.server.world import World

if TYPE_CHECKING:
    from ludoteca.server.cluster.node import Node

log = structlog.get_logger()

CLOSING = "the house closes and will be back"
# So long tables that are given up have to be somebody else's.
EMPTY_S = 20.0
# How often it is looked which tables are gone.
SWEEP_S = 10.0
# How often, whether people can come back.
LOOK_OUT_S = 0.5


class Room:
    """The hall of one life of a node."""

    def __init__(self, lodge: Lodge, courier: Courier, node: "Node") -> None:
        settings = lodge.settings
        self._lodge = lodge
        self._node = node
        self._loop = asyncio.get_running_loop()
        # Who came before their table.
        self._early: dict[str, list[tuple[Way, Come]]] = {}
        self._leaving: list[str] = []
        self._closes = False
        self._looked = self._loop.time()
        # By which message each table of ours is.
        self._tenures: dict[str, int] = {}
        node.rooms.came, node.rooms.lost, node.rooms.went = self._came, self._lost, self._went
        node.rooms.heard = self._heard
        world = World(keep=node.keep_room, elsewhere=Thinkers(settings))
        self.house = House(settings, self._drive, self._advise, self._look_back, world, lodge.metrics)
        self.house.hall.post.is_room = True
        self.house.halls = self._round
        self.workshop = Workshop(self.house)
        self.reception = Reception(self.house, courier, settings.cluster_name, node.name, _never, room=self)

    def _drive(self, guest: Guest) -> Shell:
        return self.workshop.drive(guest)

    def _advise(self, guest: Guest, number: int) -> None:
        self.workshop.advise(guest, number)

    def _look_back(self, guest: Guest, request: Look) -> None:
        raise AssertionError("the desk looks back")

    async def open(self) -> None:
        """Let tables and people come."""
        self.house.recover()
        await self.reception.open()
        self._welcome()
        self._look_after()
        self._look_out()

    def _welcome(self) -> None:
        """Tables may be given to this room (again)."""
        if not self._closes:
            self._node.rooms.count = lambda: len(self.house.hall.tables)

    async def close(self) -> None:
        """Have others take the tables, and end it."""
        self._closes = True
        await self.empty()
        await self.reception.close()
        await self.workshop.close()
        await self.house.close(CLOSING)

    async def empty(self) -> None:
        """Give up all tables whose match is running, and wait until they are others'."""
        self._node.rooms.count = None
        self._loop.call_later(AVOIDED_S, self._welcome)
        self._leaving = [table.id for table in self.house.hall.tables if table.phase == "playing"]
        self.house.dispatch()
        end = self._loop.time() + EMPTY_S
        while any(table.phase == "playing" for table in self.house.hall.tables):
            if self._loop.time() > end or self.house.trouble:
                log.warning("tables are left to whoever takes them")
                return
            await asyncio.sleep(0.02)

    # With each round.

    def _round(self, round_: int) -> None:
        """What was written so far comes before that a table is given up."""
        hall = self.house.hall
        leaving, self._leaving = self._leaving, []
        for number in leaving:
            table = hall.tables.get(number)
            if table is not None and table.phase == "playing" and not table.elsewhere:
                hall.elsewhere.give(table, NOBODY)
                self._node.rooms.writer.give(number, "", self._node.name)
        sent, hall.post.sent = hall.post.sent, []
        for guest, where, request in sent:
            shell = self.house.shell(guest)
            if isinstance(shell, GateShell):
                word = Go(shell.number, where, request, guest.table)
                # Not later: that this round was told would say that nothing more comes of the request.
                self.house.after(round_, partial(shell.way.say, word))

    # Tables.

    def _came(self, table: str, tenure: int) -> None:
        """A table is ours."""
        log.debug("table came", table=table, early=len(self._early.get(table, ())))
        self._node.rooms.writer.wake(table, tenure)
        self._tenures[table] = tenure
        before = self.house.hall.tables.get(table)
        if before is not None:
            # It was given up, and has come again before all of that was told.
            self._forget(before, lost=True)
        if self.house.archive.summary(table) is None:
            self.house.waking.wake(table)
        for way, word in self._early.pop(table, ()):
            way.come(word)
        self.house.dispatch()

    def _lost(self, number: str) -> None:
        """A table is another's: what its people have not been told they are not."""
        log.debug("table lost", table=number)
        self._tenures.pop(number, None)
        table = self.house.hall.tables.get(number)
        if table is not None:
            self._forget(table, lost=True)

    def _went(self, number: str) -> None:
        """A table was given up: all has been stored, and is told before."""
        log.debug("table went", table=number)
        self._tenures.pop(number, None)
        table = self.house.hall.tables.get(number)
        if table is not None:
            self.house.after(self.house.round, partial(self._forget, table))
            self.house.dispatch()

    def _look_after(self) -> None:
        """Tables that are over and deserted are nobody's: nothing is written about them any more."""
        tables = self.house.hall.tables
        for number, tenure in list(self._tenures.items()):
            if tables.get(number) is None:
                del self._tenures[number]
                self._node.rooms.writer.release(number, tenure)
        if not self._closes:
            self._loop.call_later(SWEEP_S, self._look_after)

    def _look_out(self) -> None:
        """Who is away comes back by the desk: while nobody finds that, no time counts against them."""
        before, self._looked = self._looked, self._loop.time()
        # What cannot be stored is trouble of its own, after which all time is given back.
        if not (self._lodge.finds_desk() or self.house.trouble):
            self.house.hall.floor.give_back(self._looked - before, self.house.now(), absent=True)
        if not self._closes:
            self._loop.call_later(LOOK_OUT_S, self._look_out)

    def _forget(self, table: Table, *, lost: bool = False) -> None:
        if self.house.hall.tables.get(table.id) is not table:
            return
        for number in table.company.guests():
            guest = self.house.hall.desk.guest(number)
            shell = self.house.shell(guest) if guest is not None else None
            if guest is not None and isinstance(shell, GateShell):
                self.house.let_go(guest)
                shell.way.let_go(shell.number, lost=lost)
        self.house.hall.elsewhere.forget(table)

    def _heard(self, number: int, line: bytes) -> None:
        """A host has done something."""
        keeping = self.house.hall.keeping
        if number > keeping.number:
            keeping.load([line])

    # People who come before their table.

    def waits_for(self, way: Way, word: Come) -> bool:
        """Whether the table may still come: then the guest does when it has."""
        table = word.table
        if self.house.archive.summary(table) is not None or table in self.house.hall.tables.aside:
            return False
        self._early.setdefault(table, []).append((way, word))
        return True

    def wait_no_more(self, way: Way, guest: int) -> None:
        """This one does not wait any more."""
        for table, waiting in list(self._early.items()):
            left = [one for one in waiting if one[0] is not way or one[1].guest != guest]
            if left:
                self._early[table] = left
            else:
                del self._early[table]


# A table that is given up is, until the desk has taken it, nowhere.
NOBODY = "nobody"


async def _never(_address: str, _data: bytes) -> bytes:
    """Nobody asks a room over HTTP."""
    return b""
