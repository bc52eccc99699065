"""The gate of a node: the house as the doors of this process see it, while its tables are in the hall, which
is in this process or in that of another node.

Guests and their conversations are here. What they want goes to the hall in batches, one for each turn of the
loop, and what they are told comes back (see `line`). When the hall is lost they stay, and the next one takes
them in where they were (see `stay`).
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

import msgspec
import structlog

from ludoteca import games
from ludoteca.core import Notice, Refused, Request
from ludoteca.core.notices import Gone, Seated, Trouble
from ludoteca.hall.acts import Role
from ludoteca.hall.guest import Guest, GuestId
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.line import Line, Overrun, split
from ludoteca.server.cluster.stay import Stay
from ludoteca.server.cluster.words import Answer, Ask, Finish, Here, Join, Pause, Tell, Want
from ludoteca.server.front import Front, Shell
from ludoteca.server.settings import Settings
from ludoteca.server.world import REAL

log = structlog.get_logger()

BEAT_S = 0.5
# After so many beats without a word of the hall people are told that they have to wait.
SILENT_BEATS = 4
# Who was at a table and has not come to the new hall after this time is said to be away.
MISSING_S = 3.0
ANSWER_S = 30.0
AWAY = "one moment: the tables are being taken over by another machine"


def here(name: str) -> str:
    """Where it is said who has the hall."""
    return f"ludoteca-here.{name}"


class Quiet:
    """Nobody waits at a gate: the hall has those who must."""

    crowded = False

    def line_up(self, call: Callable[[], None]) -> None:
        """Never needed."""
        raise AssertionError("nobody waits at a gate")


class Lodge(Front):
    """What a gate is to its doors. `inside` is told by who looks at the metrics, when the hall is here."""

    def __init__(self, settings: Settings, courier: Courier, name: str) -> None:
        super().__init__(settings, REAL)
        self.waking = Quiet()
        self._courier = courier
        self._name = name
        self._subject = f"ludoteca-gate.{settings.cluster_name}.{name}"
        self._here = here(settings.cluster_name)
        self._stays: dict[int, Stay] = {}
        self._arrived = 0
        self._line: Line | None = None
        self._lines = 0
        self._hall: Here | None = None
        self._silent_beats = 0
        # What goes to the hall at the end of this turn of the loop.
        self._bag: list[bytes] = []
        self._flushing = False
        # The last message of each round that is on its way.
        self._rounds: deque[tuple[int, int]] = deque()
        self._behind: list[tuple[int, Callable[[], None]]] = []
        self._asked = 0
        self._answers: dict[int, tuple[asyncio.Future[bytes], list[bytes]]] = {}
        # Read once for all who are told the same in one message.
        self._read: dict[tuple[bytes, str], Notice] = {}
        self._beating: asyncio.Task[None] | None = None
        # People know of trouble, whoever told them; at first nobody is here.
        self.trouble = AWAY
        self._is_known = False
        self.inside: Callable[[], None] | None = None

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
        for guest in list(self._stays):
            self._say(words.Left(guest))
        self._flush()
        if self._beating is not None:
            self._beating.cancel()
        await self._courier.overhear(self._subject)
        await self._courier.overhear(self._here)
        self.timers.stop()

    # What the doors ask for.

    def role(self, listener: str, key: str = "") -> Role:
        """What somebody is only the hall can say: it is told by what they came."""
        return cast(Role, f"{listener} {key}")

    def arrive(self, protocol: str, shell: Shell, address: str, role: Role = "guest") -> Guest:
        """Somebody comes in."""
        self._arrived += 1
        guest = Guest(GuestId(self._arrived), protocol, address=address)
        stay = self._stays[self._arrived] = Stay(guest, shell, role)
        if self._line is not None:
            self._say(stay.come())
            stay.taken_in = True
        if self.trouble:
            shell.pause(True)
        return guest

    def submit(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Have the hall carry out what a guest wants."""
        stay = self._stays.get(guest.id)
        if stay is not None:
            wanted = stay.want(list(requests), self.round)
            if stay.taken_in and self._line is not None:
                self._say(Want(int(guest.id), wanted))

    def depart(self, guest: Guest) -> None:
        """A guest's connection is gone."""
        if self._stays.pop(guest.id, None) is not None and not self.closing:
            self._say(words.Left(int(guest.id)))

    def after(self, number: int, call: Callable[[], None]) -> None:
        """Call back when this round has been told."""
        self._behind.append((number, call))

    def waits(self, guest: Guest) -> bool:
        """Whether the guest waits for other people, or for the hall."""
        stay = self._stays.get(guest.id)
        return bool(self.trouble) or (stay is not None and (stay.waits or not stay.taken_in))

    def game_of(self, guest: Guest) -> str:
        """The game at the guest's table."""
        stay = self._stays.get(guest.id)
        return stay.game.name if stay is not None and stay.game is not None else ""

    def measure(self) -> None:
        """Look up what nobody counts."""
        if self.inside is not None:
            self.inside()
        else:
            self.metrics.measure(self.settings.data_folder())

    async def ask(self, address: str, data: bytes) -> bytes:
        """Have the hall answer a request over HTTP. Raises Refused."""
        if self._line is None or self.trouble:
            raise Refused(self.trouble or AWAY, "trouble")
        self._asked += 1
        number, future = self._asked, self._loop.create_future()
        self._answers[number] = future, []
        self._say(Ask(number, address, data))
        try:
            async with asyncio.timeout(ANSWER_S):
                found: bytes = await future
                return found
        except TimeoutError:
            raise Refused("the hall does not answer", "busy") from None
        finally:
            self._answers.pop(number, None)

    # Out.

    def _say(self, word: words.FromGate) -> None:
        self._bag.append(words.encode(word))
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """All that came in with this turn of the loop goes to the hall as one round."""
        self._flushing = False
        bag, self._bag = self._bag, []
        line = self._line
        if not bag or line is None:
            return
        try:
            line.send(bag)
        except Overrun as error:
            log.error("the hall does not hear what this gate says", reason=str(error))
            self._lose()
            return
        self._rounds.append((line.sent, self.round))
        self.round += 1
        self._post()

    def _post(self) -> None:
        line, hall = self._line, self._hall
        if line is not None and hall is not None:
            messages, line.messages = line.messages, []
            for message in messages:
                self._courier.send(hall.subject, message)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            self._silent_beats += 1
            line = self._line
            if line is None:
                continue
            line.behind = tuple(number for number, stay in self._stays.items() if stay.shell.is_behind())
            line.beat()
            self._post()
            if self._silent_beats > SILENT_BEATS:
                self._worry()

    # The hall.

    def _find(self, data: bytes) -> None:
        """Somebody says that the hall is there."""
        found = words.decode_here(data)
        hall = self._hall
        if hall is not None and found.epoch < hall.epoch:
            return
        if found.leaves:
            if hall is not None and found.epoch == hall.epoch and self._line is not None:
                self._lose()
            return
        if hall is None or found.epoch > hall.epoch or self._line is None:
            self._hall = found
            self._join()
        elif found.trouble != hall.trouble:
            self._hall = found
            if self.trouble != AWAY:
                # It tells people itself.
                self.trouble, self._is_known = found.trouble, bool(found.trouble)

    def _join(self) -> None:
        """Take everybody to this hall."""
        assert self._hall is not None
        log.info("hall found", node=self._name, epoch=self._hall.epoch, guests=len(self._stays))
        self._lines += 1
        self._line = Line(f"{self._name}.{self._lines}", self._subject)
        self._silent_beats = 0
        self._rounds.clear()
        self._give_up_answers()
        if self.trouble != AWAY:
            # It takes a moment that nobody need hear of.
            self.trouble, self._is_known = AWAY, bool(self.trouble)
            self._pause(True)
        # What was to be said is wanted again when everybody is there.
        self._bag = [words.encode(Join()), *(words.encode(stay.come()) for stay in self._stays.values())]
        self._flush()

    def _lose(self) -> None:
        """There is no hall, until one says that it is there."""
        self._line = None
        self._give_up_answers()
        self._worry()

    def _give_up_answers(self) -> None:
        for future, _ in self._answers.values():
            if not future.done():
                future.set_exception(Refused(AWAY, "trouble"))

    def _worry(self) -> None:
        """Everybody waits, and is told so."""
        if self.trouble != AWAY or not self._is_known:
            log.warning("no hall", node=self._name)
            self.trouble, self._is_known = AWAY, True
            self._pause(True)
            self._tell_all(Trouble(AWAY))

    def _relax(self) -> None:
        """The hall has taken everybody in. Whatever trouble there was with another one is over."""
        if self.trouble == AWAY:
            self.trouble = self._hall.trouble if self._hall is not None else ""
            if self._is_known and not self.trouble:
                self._tell_all(Trouble("the tables are back", over=True))
            self._is_known = bool(self.trouble)
            self._pause(self._is_known)

    def _tell_all(self, notice: Trouble) -> None:
        for stay in list(self._stays.values()):
            self._guarded(stay, partial(stay.shell.tell, [notice], self.now()))

    def _pause(self, paused: bool) -> None:
        for stay in list(self._stays.values()):
            self._guarded(stay, partial(stay.shell.pause, paused))

    # In.

    def _receive(self, data: bytes) -> None:
        head, items = split(data)
        line = self._line
        if line is None or head.line != line.name:
            return
        self._silent_beats = 0
        if head.over:
            log.error("the hall has given this gate up", line=head.line)
            self._lose()
            return
        self._read.clear()
        for item in line.receive(head, items):
            try:
                word = words.decode_hall(item)
            except msgspec.DecodeError as error:
                # Of another version, perhaps.
                log.error("the hall says what cannot be understood", reason=str(error))
                continue
            self._hear(word)
        self._post()
        self._told(head.told)

    def _hear(self, word: words.FromHall) -> None:
        if isinstance(word, Answer):
            waiting = self._answers.get(word.number)
            if waiting is not None:
                future, parts = waiting
                parts.append(word.data)
                if not word.more and not future.done():
                    future.set_result(b"".join(parts))
            return
        stay = self._stays.get(word.guest)
        if stay is None:
            return
        match word:
            case Tell():
                stay.waits = word.waits
                self._guarded(stay, partial(self._tell, stay, word))
            case Pause(paused=paused):
                self._guarded(stay, partial(stay.shell.pause, paused))
            case Finish():
                self._guarded(stay, stay.shell.finish)

    def _tell(self, stay: Stay, word: Tell) -> None:
        news: list[Notice] = []
        for data in word.notices:
            game = stay.game
            key = bytes(data), game.name if game is not None else ""
            notice = self._read.get(key)
            if notice is None:
                notice = self._read[key] = words.read(data, game)
            if not stay.taken_in:
                if isinstance(notice, Seated):
                    stay.game = games.load(notice.table.game)
                stay.gathered.append(notice)
                continue
            heard = stay.hear(notice)
            if heard is not None:
                news.append(heard)
        if news:
            stay.shell.tell(news, self.now())

    def _told(self, number: int) -> None:
        """The hall has told all that came of the messages up to this one."""
        told = self.told
        while self._rounds and self._rounds[0][0] <= number:
            told = self._rounds.popleft()[1]
        if told == self.told:
            if not self._rounds:
                # The hall was silent and speaks again, and nobody has wanted anything meanwhile.
                self._relax()
            return
        settled = False
        for stay in list(self._stays.values()):
            if stay.taken_in:
                stay.told(told)
            else:
                self._settle(stay)
                settled = True
        self._relax()
        if settled:
            # Whoever waits for an answer waits until what is wanted again, if anything is, has been told.
            self._say(Join())
            return
        self.told = told
        due = [call for number, call in self._behind if number <= told]
        self._behind = [waiting for waiting in self._behind if waiting[0] > told]
        for call in due:
            call()

    def _settle(self, stay: Stay) -> None:
        """Another hall has taken somebody in: what was wanted before and not done is wanted again."""
        news, again, wrong = stay.settle()
        now = self.now()
        if wrong:
            # Where they were nobody can say: they come back as they would after a restart.
            log.warning("not taken in", name=stay.guest.name, protocol=stay.guest.protocol, reason=wrong)
            self._guarded(stay, partial(stay.shell.tell, [Gone("the house has moved", back=True)], now))
            self._guarded(stay, stay.shell.finish)
            return
        if news:
            self._guarded(stay, partial(stay.shell.tell, news, now))
        self.timers.at(now + MISSING_S, partial(self._miss, stay))
        if again and stay.guest.id in self._stays:
            self._say(Want(int(stay.guest.id), stay.want(again, self.round)))

    def _miss(self, stay: Stay) -> None:
        missing = stay.miss()
        if missing and stay.guest.id in self._stays:
            self._guarded(stay, partial(stay.shell.tell, missing, self.now()))

    def _guarded(self, stay: Stay, call: Callable[[], object]) -> None:
        """What breaks down over one guest ends that one alone."""
        try:
            call()
        except Exception as error:
            self.failed("telling", error, name=stay.guest.name, protocol=stay.guest.protocol)
            try:
                stay.shell.fail()
            except Exception as worse:
                self.failed("closing", worse, name=stay.guest.name, protocol=stay.guest.protocol)
