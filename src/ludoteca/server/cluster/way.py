"""The hall's side of one gate: guests whose connections are elsewhere come in here like all others."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

import msgspec
import structlog

from ludoteca.core import Notice, Refused
from ludoteca.core.requests import Enter, Rematch, Request, Return
from ludoteca.hall.acts import Role
from ludoteca.hall.guest import Guest
from ludoteca.hall.table import Table
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import Line, Overrun, split
from ludoteca.server.cluster.missed import missed
from ludoteca.server.cluster.words import (
    AT_TABLE,
    Answer,
    Ask,
    Come,
    Finish,
    Go,
    Join,
    Left,
    Missed,
    Pause,
    Rose,
    Tell,
    There,
    Want,
)
from ludoteca.server.house import House

log = structlog.get_logger()

# So many words of a gate are carried out before others have their turn.
WORDS_PER_TURN = 64
# An answer over HTTP is carried in parts of so many bytes.
PART_BYTES = 128 << 10
# No server of NATS takes more in one message.
WORD_BYTES_MAX = 900_000

# Answers a request over HTTP from an address, whole.
Answering = Callable[[str, bytes], Awaitable[bytes]]


class Waits(Protocol):
    """A room, in which people may come before their table does."""

    def waits_for(self, way: "Way", word: Come) -> bool:
        """Whether the table may still come: then `come` is called when it does."""

    def wait_no_more(self, way: "Way", guest: int) -> None:
        """This one does not wait any more."""


class Shell:
    """What stands behind a guest whose connection is at a gate."""

    __slots__ = ("guest", "number", "way")

    def __init__(self, way: "Way", number: int) -> None:
        self.way = way
        self.number = number
        self.guest: Guest | None = None

    def tell(self, notices: list[Notice], now: float) -> None:
        """All that there is in one round."""
        self.way.tell(self, notices)

    def pause(self, paused: bool) -> None:
        """Stop, or go on, taking in requests."""
        self.way.say(Pause(self.number, paused))

    def is_behind(self) -> bool:
        """Whether the other side of the gate does not read."""
        return self.number in self.way.behind

    def fail(self) -> None:
        """Something broke down."""
        self.finish()

    def finish(self) -> None:
        """Nothing more is said to this guest; the gate says when it has gone."""
        self.way.say(Finish(self.number))
        self.way.leave(self.number)


class Way:
    """One gate."""

    def __init__(
        self, house: House, courier: Courier, name: str, back: str, room: "Waits | None" = None
    ) -> None:
        self._house = house
        # Gates are told up to which round everything has been told.
        house.gallery.is_open = False
        self._courier = courier
        self._room = room
        self._back = back
        self._line = Line(name)
        self._shells: dict[int, Shell] = {}
        # What was heard and is not carried out yet, with the number of its message, which ends with nothing.
        self._words: deque[tuple[int, bytes]] = deque()
        self._bag: list[bytes] = []
        self._flushing = self.is_over = False
        # Encoded once for all who are told the same in one round.
        self._written: dict[int, tuple[Notice, msgspec.Raw]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.silent_beats = 0
        # The guests who do not read what they are told.
        self.behind: tuple[int, ...] = ()

    @property
    def gate(self) -> str:
        """The life of the node whose gate it is."""
        return self._line.name.rpartition(".")[0]

    # In.

    def receive(self, data: bytes, answer: Answering) -> None:
        """A message of the gate."""
        head, items = split(data)
        self.silent_beats = 0
        self.behind = head.behind
        number = self._line.heard + 1
        heard = self._line.receive(head, items)
        if self._line.heard == number:
            rests = not self._words
            self._words += ((number, item) for item in heard)
            self._words.append((number, b""))
            if rests:
                self._work(answer)
        self.post()

    def _work(self, answer: Answering) -> None:
        """Carry out what was heard, in order, and as much as may be done now."""
        house = self._house
        for _ in range(WORDS_PER_TURN):
            if not self._words or self.is_over:
                return
            number, item = self._words.popleft()
            if not item:
                house.after(house.round, partial(self._tell_round, number))
                house.dispatch()
                continue
            try:
                word = words.decode_gate(item)
            except msgspec.DecodeError as error:
                # Of another version, perhaps.
                log.error("a gate says what cannot be understood", line=self._line.name, reason=str(error))
                continue
            try:
                self._hear(word, answer)
            except Exception as error:
                # It concerns one guest, who is not served any more.
                house.failed("gate", error, word=type(word).__name__)
                if isinstance(word, Come | Want):
                    self.say(Finish(word.guest))
                    self.leave(word.guest)
        asyncio.get_running_loop().call_soon(self._work, answer)

    def _tell_round(self, number: int) -> None:
        """What came of this message has been told."""
        self._line.told = max(self._line.told, number)
        self._flush_soon()

    def _hear(self, word: words.FromGate, answer: Answering) -> None:
        house = self._house
        match word:
            case Want(guest=number, requests=requests):
                shell = self._shells.get(number)
                if shell is None and self._room is not None:
                    # The table has left, and everybody who was there with it.
                    self._miss(number, requests, None)
                elif shell is not None and shell.guest is not None:
                    table = house.hall.tables.get(shell.guest.table)
                    if (table is None and self._room is not None) or (table is not None and table.elsewhere):
                        requests = self._miss(number, requests, table)
                    game = table.game if table is not None else None
                    meant = [words.wanted(request, game) for request in requests]
                    house.submit(shell.guest, meant, house.now())
            case Come():
                self.come(word)
            case Left(guest=number):
                self.leave(number)
            case Rose():
                self._rise(word)
            case Ask(number=number, address=address, data=data):
                task = asyncio.get_running_loop().create_task(self._answer(number, answer(address, data)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case Join():
                pass

    def come(self, word: Come) -> None:
        """Somebody comes in, or comes here with a table."""
        house = self._house
        shell = self._shells.get(word.guest)
        guest = shell.guest if shell is not None else self._let_in(word)
        if guest is None:
            return
        if self._room is not None:
            if word.name and not guest.name:
                # It is the desk that knows who is called how.
                guest.name = guest.given = word.name
                house.hall.names.hold(guest)
            here = house.hall.tables.get(word.table)
            if word.table and (here is None or here.elsewhere) and self._room.waits_for(self, word):
                return
        wants: list[Request] = list(word.wants)
        table = house.hall.tables.get(word.table)
        if table is not None and table.elsewhere:
            self._sit_elsewhere(word, guest, table)
        elif word.where and not (table is None and house.is_hall(word.where)):
            # It is here now, or over: the gate comes for it.
            self.say(Go(word.guest, ""))
        elif word.where:
            wants += [Enter(word.name)] if word.token else []
        elif word.token:
            if table is not None:
                wants.append(Return(word.table, word.token, word.since))
            else:
                for notice in missed(house.archive.lines(word.table), word.token, word.since):
                    house.hall.post.letter(guest, notice)
                if word.name and guest.name != word.name:
                    wants.append(Enter(word.name))
        if wants:
            house.submit(guest, wants, house.now())
        if word.there and not (table is not None and table.elsewhere):
            house.after(house.round, partial(self.say, There(word.guest)))
            house.dispatch()

    def _let_in(self, word: Come) -> Guest | None:
        house = self._house
        listener, _, key = word.claim.partition(" ")
        shell = Shell(self, word.guest)
        role: Role = house.role(listener, key)
        try:
            shell.guest = house.arrive(word.protocol, shell, word.address, role)
        except Refused as error:
            is_banned = error.code == "banned"
            house.refusals.note("banned" if is_banned else "full", word.address, error.reason)
            self.say(Finish(word.guest))
            return None
        self._shells[word.guest] = shell
        return shell.guest

    # Tables in other halls.

    def _sit_elsewhere(self, word: Come, guest: Guest, table: Table) -> None:
        """Somebody's table is in a room: there they are served, and here they are known."""
        elsewhere = self._house.hall.elsewhere
        if word.seat is None:
            elsewhere.look_on(guest, table)
        elif (chair := table.chairs[word.seat]) is not None and chair.name == word.name:
            elsewhere.sit(guest, table, word.seat)
        if word.where != table.elsewhere:
            self.say(Go(word.guest, table.elsewhere))

    def _miss(self, number: int, requests: tuple[Request, ...], table: Table | None) -> tuple[Request, ...]:
        """What is wanted of a table that is elsewhere is not done here; the rest."""
        over = table is not None and table.phase == "over" and self._room is None
        theirs = tuple(
            one for one in requests if isinstance(one, AT_TABLE) and not (over and isinstance(one, Rematch))
        )
        if theirs:
            self.say(Missed(number, theirs))
        return tuple(one for one in requests if one not in theirs)

    def _rise(self, word: Rose) -> None:
        shell, hall = self._shells.get(word.guest), self._house.hall
        table = hall.tables.get(word.table)
        guest = shell.guest if shell is not None else None
        if word.declined:
            if guest is not None:
                hall.elsewhere.decline(guest, word.table, word.called, self._house.now())
        elif table is not None and table.elsewhere:
            if word.over:
                hall.elsewhere.over(table, self._house.now())
            elif guest is not None and guest.table == table.id:
                hall.elsewhere.rise(guest, self._house.now(), gave_up=True)
        if word.named and guest is not None:
            hall.names.leave(guest)
            guest.name = guest.given = ""
        self._house.dispatch()

    def let_go(self, number: int, *, lost: bool) -> None:
        """A guest is at another hall now; what was not stored before the table was `lost` nobody is told."""
        if self._shells.pop(number, None) is not None and lost:
            # What has been told is not wanted again.
            self._flush()
            self.say(Missed(number, ()))

    async def _answer(self, number: int, answer: Awaitable[bytes]) -> None:
        data = await answer
        for start in range(0, len(data) or 1, PART_BYTES):
            part = data[start : start + PART_BYTES]
            self.say(Answer(number, part, more=start + PART_BYTES < len(data)))

    def leave(self, number: int) -> None:
        """A guest is gone."""
        if self._room is not None:
            self._room.wait_no_more(self, number)
        shell = self._shells.pop(number, None)
        if shell is not None and shell.guest is not None:
            self._house.depart(shell.guest)

    # Out.

    def tell(self, shell: Shell, notices: list[Notice]) -> None:
        """Tell a guest."""
        told = tuple(self._write(notice) for notice in notices)
        guest = shell.guest
        waits = guest is not None and not guest.name and self._house.waits(guest)
        self.say(Tell(shell.number, told, waits))

    def _write(self, notice: Notice) -> msgspec.Raw:
        found = self._written.get(id(notice))
        if found is None:
            # The notice is kept, so that no other can have the same identity meanwhile.
            found = self._written[id(notice)] = notice, msgspec.Raw(words.written(notice))
        return found[1]

    def say(self, word: words.FromHall) -> None:
        """Have this said to the gate, with all else of this turn of the loop."""
        data = words.encode(word)
        if len(data) > WORD_BYTES_MAX:
            log.error("too much for one message to a gate", bytes=len(data), word=type(word).__name__)
            assert not isinstance(word, Answer)
            data = words.encode(Finish(word.guest))
        self._bag.append(data)
        self._flush_soon()

    def _flush_soon(self) -> None:
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        self._written.clear()
        bag, self._bag = self._bag, []
        if self.is_over:
            return
        if not bag:
            self._line.beat()
        else:
            try:
                self._line.send(bag)
            except Overrun as error:
                log.error("a gate does not hear the hall", line=self._line.name, reason=str(error))
                self.end()
                return
        self.post()

    def post(self) -> None:
        """Have it carried."""
        messages, self._line.messages = self._line.messages, []
        for message in messages:
            self._courier.send(self._back, message)

    def beat(self) -> None:
        """Say that the hall is there."""
        self.silent_beats += 1
        self._line.beat()
        self.post()

    def end(self) -> None:
        """This gate is lost, and its guests with it."""
        self.is_over = True
        for number in list(self._shells):
            self.leave(number)

    def forget(self) -> None:
        """The hall is: nobody has left, and nobody is told anything any more."""
        self.is_over = True
        for task in self._tasks:
            task.cancel()
