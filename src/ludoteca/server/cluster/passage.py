"""The part of a gate that sends each request of a guest to the hall that is to carry it out, and takes guests
from one hall to another with their tables.
"""

from functools import partial

import structlog

from ludoteca.core import Request
from ludoteca.core.notices import Trouble
from ludoteca.core.requests import Leave
from ludoteca.server.cluster import words
from ludoteca.server.cluster.porch import Porch
from ludoteca.server.cluster.stay import Stay
from ludoteca.server.cluster.words import Go, Rose, Want

log = structlog.get_logger()

BACK = "the tables are back"


class Passage(Porch):
    """Between the doors and the halls."""

    def _ask_for(self, stay: Stay, requests: list[Request]) -> None:
        """Have the halls carry this out."""
        wanted = stay.want(requests, self.round)
        self._asking.add(int(stay.guest.id))
        self._want(stay, wanted)

    def _want(self, stay: Stay, requests: tuple[Request, ...]) -> None:
        if not stay.home and not stay.moves:
            if stay.taken_in:
                self._say(Want(int(stay.guest.id), requests))
            return
        there = tuple(one for one in requests if isinstance(one, words.AT_TABLE))
        at_desk = tuple(one for one in requests if not isinstance(one, words.AT_TABLE))
        if there and not stay.moves and not stay.visits:
            self._say(Want(int(stay.guest.id), there), stay.home)
            for one in there:
                if isinstance(one, Leave):
                    self._say(Rose(int(stay.guest.id), stay.guest.table, named=one.name))
        if at_desk and stay.taken_in:
            self._say(Want(int(stay.guest.id), at_desk))

    # Tables in rooms.

    def _calm(self, stay: Stay) -> None:
        """The room of somebody who had to wait is there."""
        worried, stay.worried = stay.worried, False
        if worried:
            self._guarded(stay, partial(stay.shell.tell, [Trouble(BACK, over=True)], self.now()))
        if stay.home or not self.trouble:
            self._guarded(stay, partial(stay.shell.pause, False))

    def _move(self, stay: Stay, where: str) -> None:
        """A guest's table is there now: that hall takes the guest in as another one left it."""
        log.debug("moving", name=stay.guest.name, table=stay.guest.table, old=stay.home, where=where)
        self._guarded(stay, partial(stay.shell.pause, True))
        if where:
            self._room(where)
        come = stay.move(where)
        self._say(come, where)
        if not where and self._desk is None:
            # The next hall with the desk takes everybody in.
            stay.moves = False

    def _go(self, stay: Stay, word: Go) -> None:
        old, guest = stay.home, int(stay.guest.id)
        if word.want is not None:
            if word.where:
                self._room(word.where)
                self._asking.add(guest)
                self._say(stay.go(word.where, word.want, word.table), word.where)
            elif stay.taken_in:
                self._say(Want(guest, (word.want,)))
        else:
            if stay.guest.table:
                if old and old != word.where:
                    self._say(words.Left(guest), old)
                self._move(stay, word.where)
            elif old and old != word.where:
                self._return(stay)

    def _return(self, stay: Stay) -> None:
        """Somebody who has no seat in a room yet does not get one there: the desk is asked again."""
        old = self._leave_room(stay)
        self._calm(stay)
        self._again(stay, stay.reclaim(old))

    def _leave_room(self, stay: Stay) -> str:
        old, stay.home, stay.visits = stay.home, "", ""
        self._say(words.Left(int(stay.guest.id)), old)
        return old

    def _again(self, stay: Stay, requests: list[Request]) -> None:
        if requests and stay.guest.id in self._stays:
            self._ask_for(stay, requests)

    def _look_after(self, stay: Stay, where: str) -> None:
        """Somebody who was told something may have no table in a room any more."""
        if stay.home and not stay.moves and (not stay.guest.table or not where):
            self._say(words.Left(int(stay.guest.id)), stay.home)
            visits, stay.home, stay.visits = stay.visits, "", ""
            if visits:
                # The desk has taken it for done.
                self._say(Rose(int(stay.guest.id), visits, declined=True, called=stay.guest.name))
