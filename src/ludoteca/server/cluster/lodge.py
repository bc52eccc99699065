"""The gate of a node: the house as the doors of this process see it, while its tables are in the hall, which
is in this process or in that of another node.

Guests and their conversations are here. What they want goes to the hall in batches, one for each turn of the
loop, and what they are told comes back (see `line`). When the hall is lost they stay, and the next one takes
them in where they were (see `stay`). Tables may be in rooms on other nodes: what they need goes there.
"""

import asyncio
from collections.abc import Iterable
from functools import partial

import msgspec
import structlog

from ludoteca import games
from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Gone, Over, Seated, Trouble
from ludoteca.hall.acts import Role
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import split
from ludoteca.server.cluster.passage import BACK, Passage
from ludoteca.server.cluster.stay import Stay
from ludoteca.server.cluster.trunk import Trunk
from ludoteca.server.cluster.words import (
    Answer,
    Finish,
    Go,
    Join,
    Missed,
    Pause,
    Rose,
    Tell,
    There,
)
from ludoteca.server.front import Shell
from ludoteca.server.settings import Settings

log = structlog.get_logger()

BEAT_S = 0.5
# After so many beats without a word of the hall people are told that they have to wait.
SILENT_BEATS = 4
# And after so many those at a room come back to the desk.
LOST_BEATS = 24
# Who was at a table and has not come to the new hall after this time is said to be away.
MISSING_S = 3.0
# A hall that leaves on purpose is followed by another one within a second or two: of that nobody is told.
FOLLOWED_S = 5.0
AWAY = "one moment: the tables are being taken over by another machine"


class Lodge(Passage):
    """What a gate is to its doors."""

    def __init__(self, settings: Settings, courier: Courier, name: str) -> None:
        super().__init__(settings, courier, name, AWAY)

    async def open(self) -> None:
        """Look for the hall."""
        await self._courier.hear(self._subject, self._receive)
        await self._courier.hear(self._here, self._find, shared=True)
        self._beating = self._loop.create_task(self._beat())

    async def close(self, reason: str) -> None:
        """Tell everybody, and end it."""
        now = self.now()
        for stay in list(self._stays.values()):
            self._guarded(stay, partial(stay.shell.tell, [Gone(reason, back=True)], now))
        self.closing = True
        for stay in list(self._stays.values()):
            self._guarded(stay, stay.shell.finish)
        for guest, stay in list(self._stays.items()):
            self._say_left(guest, stay)
        self._flush()
        await self._courier.overhear(self._here)
        await self._inquiries.close(reason)
        if self._beating is not None:
            self._beating.cancel()
        await self._courier.overhear(self._subject)
        self.timers.stop()

    # What the doors ask for.

    def arrive(self, protocol: str, shell: Shell, address: str, role: Role = "guest") -> Guest:
        """Somebody comes in."""
        self._arrived += 1
        guest = Guest(GuestId(self._arrived), protocol, address=address)
        stay = self._stays[self._arrived] = Stay(guest, shell, role)
        if self._desk is not None:
            self._say(stay.come())
            stay.taken_in = True
        if self.trouble:
            shell.pause(True)
        return guest

    def submit(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Have the hall carry out what a guest wants."""
        stay = self._stays.get(guest.id)
        if stay is not None:
            self._ask_for(stay, list(requests))

    def depart(self, guest: Guest) -> None:
        """A guest's connection is gone."""
        stay = self._stays.pop(guest.id, None)
        if stay is not None and not self.closing:
            self._say_left(int(guest.id), stay)

    def _say_left(self, guest: int, stay: Stay) -> None:
        self._say(words.Left(guest))
        if stay.home:
            self._say(words.Left(guest), stay.home)

    async def ask(self, address: str, data: bytes, *, reads: bool) -> bytes:
        """Have the hall answer a request over HTTP. Raises Refused."""
        if self.trouble not in ("", AWAY):
            raise Refused(self.trouble, "trouble")
        return await self._inquiries.ask(address, data, reads=reads)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            behind = tuple(number for number, stay in self._stays.items() if stay.shell.is_behind())
            homes = {stay.home for stay in self._stays.values()} if self._rooms else ()
            for trunk in list(self._trunks.values()):
                trunk.beat(behind)
                if trunk.silent_beats > SILENT_BEATS:
                    self._worry(trunk.where)
                    if trunk.where and trunk.where not in homes:
                        self._end(trunk)
                        # Nobody will say any more that its rounds were told, and others wait behind them.
                        self._release()
                if trunk.where and trunk.silent_beats == LOST_BEATS:
                    # Nobody has said where its tables are: the desk may know.
                    self._leave(trunk.where, "")

    # The halls.

    def _give_up(self, trunk: Trunk) -> None:
        """This line has ended. Where the desk is has to be said; a room is where it was."""
        if not trunk.where:
            self._lose()
            return
        self._end(trunk)
        self._leave(trunk.where, trunk.where)
        self._release()

    def _leave(self, where: str, then: str) -> None:
        """Who is at this room goes there; who was only on the way to a seat asks again."""
        for stay in self._at(where):
            if stay.guest.table:
                self._move(stay, then)
            else:
                self._return(stay)

    def _find(self, data: bytes) -> None:
        """Somebody says that the hall is there."""
        found = words.decode_here(data)
        hall = self._hall
        if hall is not None and found.epoch < hall.epoch:
            return
        if found.leaves:
            if hall is not None and found.epoch == hall.epoch and self._desk is not None:
                self._end(self._desk)
                self._inquiries.lose()
                self._hush()
                self.timers.at(self.now() + FOLLOWED_S, self._miss_hall)
            return
        if hall is None or found.epoch > hall.epoch or self._desk is None:
            self._hall = found
            self._join()
        elif found.trouble != hall.trouble:
            self._hall = found
            if self.trouble != AWAY:
                # It tells people itself; what we thought of it until now may be older than that.
                self.trouble, self._is_known = found.trouble, bool(found.trouble)
                self._pause(self._is_known)

    def _join(self) -> None:
        """Take everybody to this hall."""
        assert self._hall is not None
        log.info("hall found", node=self._name, epoch=self._hall.epoch, guests=len(self._stays))
        if self._desk is not None:
            self._end(self._desk)
        self._inquiries.lose()
        for stay in self._stays.values():
            if stay.visits:
                # This desk does not know of it.
                self._leave_room(stay)
        self._hush()
        # What was to be said is wanted again when everybody is there.
        self._settling = True
        self._begin("", self._hall.subject)
        for stay in self._stays.values():
            self._say(stay.come())
        self._flush()

    def _lose(self) -> None:
        """There is no hall, until one says that it is there."""
        if self._desk is not None:
            self._end(self._desk)
        self._inquiries.lose()
        self._worry()

    def _hush(self) -> None:
        """Another hall takes everybody in: it takes a moment that nobody need hear of."""
        if self.trouble != AWAY:
            self.trouble, self._is_known = AWAY, bool(self.trouble)
            self._inquiries.hold()
            self._pause(True)

    def _miss_hall(self) -> None:
        if self._desk is None:
            self._worry()

    def _worry(self, where: str = "") -> None:
        """Everybody there waits, and is told so."""
        if where:
            for stay in self._at(where):
                if not stay.worried:
                    stay.worried = True
                    self._guarded(stay, partial(stay.shell.pause, True))
                    self._guarded(stay, partial(stay.shell.tell, [Trouble(AWAY)], self.now()))
        elif self.trouble != AWAY or not self._is_known:
            log.warning("no hall", node=self._name)
            self.trouble, self._is_known = AWAY, True
            self._inquiries.hold()
            self._pause(True)
            self._tell_all(Trouble(AWAY))

    def _relax(self) -> None:
        """The hall has taken everybody in. Whatever trouble there was with another one is over."""
        if self.trouble == AWAY:
            self.trouble = self._hall.trouble if self._hall is not None else ""
            if self._is_known and not self.trouble:
                self._tell_all(Trouble(BACK, over=True))
            self._is_known = bool(self.trouble)
            self._pause(self._is_known)
            self._inquiries.resume()

    # In.

    def _receive(self, data: bytes) -> None:
        head, items = split(data)
        trunk = self._trunks.get(head.line)
        if trunk is None:
            return
        if head.over:
            log.error("the hall has given this gate up", line=head.line, where=trunk.where)
            self._give_up(trunk)
            return
        if trunk.where and trunk.silent_beats > SILENT_BEATS:
            for stay in self._at(trunk.where):
                if not stay.moves:
                    self._calm(stay)
        self._read.clear()
        for item in trunk.receive(head, items):
            try:
                word = words.decode_hall(item)
            except msgspec.DecodeError as error:
                # Of another version, perhaps.
                log.error("the hall says what cannot be understood", reason=str(error))
                continue
            self._hear(word, trunk.where)
        trunk.post()
        number = trunk.told(head)
        if number:
            self._told(number, trunk.where)
        elif not (trunk.where or self._settling or trunk.waits_for()):
            self._relax()

    def _hear(self, word: words.FromHall, where: str) -> None:
        if isinstance(word, Answer):
            self._inquiries.hear(word)
            return
        stay = self._stays.get(word.guest)
        if stay is None or (where and where != stay.home):
            return
        match word:
            case Tell():
                if where == stay.home:
                    stay.waits = word.waits
                self._guarded(stay, partial(self._tell, stay, word, where))
            case Pause(paused=paused):
                if where == stay.home and not stay.moves:
                    self._guarded(stay, partial(stay.shell.pause, paused))
            case Finish():
                self._guarded(stay, stay.shell.finish)
            case Go():
                self._go(stay, word)
            case There():
                if stay.moves and where == stay.home:
                    self._settle(stay, moved=True)
                elif where and stay.visits and stay.guest.table:
                    self._let_down(stay, "no seat for somebody who got up from another")
                elif where:
                    wanted = stay.visited()
                    self._look_after(stay, where)
                    stay.visits = ""
                    self._again(stay, wanted)
                    self._release()
            case Missed(requests=requests):
                meant = [words.wanted(one, stay.game) for one in requests]
                self._again(stay, stay.missed(meant, where))

    def _tell(self, stay: Stay, word: Tell, where: str) -> None:
        news: list[Notice] = []
        table = stay.guest.table
        for data in word.notices:
            game = stay.game
            key = bytes(data), game.name if game is not None else ""
            notice = self._read.get(key)
            if notice is None:
                notice = self._read[key] = words.read(data, game)
            moves = stay.moves and where == stay.home
            if moves or not (where or stay.taken_in):
                if isinstance(notice, Seated):
                    stay.game = games.load(notice.table.game)
                (stay.gathered_there if moves else stay.gathered).append(notice)
                continue
            if isinstance(notice, Trouble) and where != stay.home:
                continue
            heard = stay.hear(notice)
            if heard is not None:
                news.append(heard)
            if stay.home:
                if isinstance(notice, Seated) and not where:
                    self._look_after(stay, where)
                elif isinstance(notice, Over | Gone) and where:
                    self._say(Rose(word.guest, table, over=isinstance(notice, Over)))
                    self._look_after(stay, where)
        if news:
            stay.shell.tell(news, self.now())

    def _told(self, number: int, where: str) -> None:
        """A hall has told all that came of this round and those before."""
        # Of all who are here few wait for something.
        for guest in list(self._asking):
            stay = self._stays.get(guest)
            if stay is not None and (where or stay.taken_in):
                stay.told(number, where)
                if where and not stay.visits:
                    self._look_after(stay, where)
            if stay is None or not stay.asks:
                self._asking.discard(guest)
        settled = False
        if self._settling and not where:
            for stay in [stay for stay in self._stays.values() if not stay.taken_in]:
                self._settle(stay)
                settled = True
        if not where:
            self._relax()
            # Whoever waits for an answer waits until what is wanted again, if anything is, has been told.
            self._settling = settled
            if settled:
                self._say(Join())
        self._release()

    def _settle(self, stay: Stay, *, moved: bool = False) -> None:
        """Another hall has taken somebody in: what was wanted before and not done is wanted again."""
        table, now = stay.guest.table, self.now()
        news, again, wrong = stay.settle(moved=moved)
        log.debug(
            "settled",
            name=stay.guest.name,
            table=table,
            home=stay.home,
            moved=moved,
            news=len(news),
            again=[type(one).__name__ for one in again],
            wrong=wrong,
        )
        if wrong:
            self._let_down(stay, wrong)
            return
        if moved:
            self._calm(stay)
            if stay.home and (stay.is_over or not stay.guest.table):
                self._say(Rose(int(stay.guest.id), table, over=bool(stay.guest.table)))
                self._look_after(stay, stay.home)
        if news:
            self._guarded(stay, partial(stay.shell.tell, news, now))
        self.timers.at(now + MISSING_S, partial(self._miss, stay))
        self._again(stay, again)
        if moved:
            # Whoever waits for an answer waits until what is wanted again, if anything is, has been told.
            self._say(Join(), stay.home)
            self._release()

    def _let_down(self, stay: Stay, why: str) -> None:
        """Where somebody is nobody can say: they come back as they would after a restart."""
        log.warning("not taken in", name=stay.guest.name, protocol=stay.guest.protocol, reason=why)
        gone = Gone("the house has moved", back=True)
        self._guarded(stay, partial(stay.shell.tell, [gone], self.now()))
        self._guarded(stay, stay.shell.finish)

    def _miss(self, stay: Stay) -> None:
        missing = stay.miss()
        if missing and stay.guest.id in self._stays:
            self._guarded(stay, partial(stay.shell.tell, missing, self.now()))
