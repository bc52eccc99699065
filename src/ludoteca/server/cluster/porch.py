"""What a gate has: the guests whose connections are here, its lines to the halls, and who waits until a round
has been told.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import cast

import structlog

from ludoteca.core import Notice
from ludoteca.core.notices import Trouble
from ludoteca.hall.acts import Role
from ludoteca.hall.guest import Guest
from ludoteca.server.cluster import words
from ludoteca.server.cluster.courier import Courier
from ludoteca.server.cluster.inquiries import Inquiries
from ludoteca.server.cluster.line import Overrun
from ludoteca.server.cluster.stay import Stay
from ludoteca.server.cluster.trunk import Trunk
from ludoteca.server.cluster.words import Here, Join
from ludoteca.server.front import Front
from ludoteca.server.settings import Settings
from ludoteca.server.world import REAL

log = structlog.get_logger()

# A hall of which nothing was heard for more beats than these may be lost.
FRESH_BEATS = 2


def here(name: str) -> str:
    """Where it is said who has the hall."""
    return f"ludoteca-here.{name}"


class Quiet:
    """Nobody waits at a gate: the hall has those who must."""

    crowded = False

    def line_up(self, call: Callable[[], None]) -> None:
        """Never needed."""
        raise AssertionError("nobody waits at a gate")


class Porch(Front):
    """The part of a gate that knows nothing of what is said. `away` is why nothing is done while no hall is
    there; `inside` is told by who looks at the metrics, when the hall is here."""

    def __init__(self, settings: Settings, courier: Courier, name: str, away: str) -> None:
        super().__init__(settings, REAL)
        self.waking = Quiet()
        self._courier = courier
        self._name = name
        self._subject = f"ludoteca-gate.{settings.cluster_name}.{name}"
        self._here = here(settings.cluster_name)
        self._stays: dict[int, Stay] = {}
        # Of these, who waits for what came of something.
        self._asking: set[int] = set()
        self._arrived = 0
        # The lines to the hall with the desk, and to the rooms where people of ours play; all by their names.
        self._desk: Trunk | None = None
        self._rooms: dict[str, Trunk] = {}
        self._trunks: dict[str, Trunk] = {}
        self._lines = 0
        self._hall: Here | None = None
        self._flushing = False
        # Not everybody whom the hall has taken in has what they wanted before.
        self._settling = True
        self._behind: list[tuple[int, Callable[[], None], Stay | None]] = []
        self._inquiries = Inquiries(self._say, away)
        # Read once for all who are told the same in one message.
        self._read: dict[tuple[bytes, str], Notice] = {}
        self._beating: asyncio.Task[None] | None = None
        # People know of trouble, whoever told them; at first nobody is here.
        self.trouble = away
        self._is_known = False
        self.inside: Callable[[], None] | None = None

    def role(self, listener: str, key: str = "") -> Role:
        """What somebody is only the hall can say: it is told by what they came."""
        return cast(Role, f"{listener} {key}")

    def after(self, number: int, call: Callable[[], None], guest: Guest | None = None) -> None:
        """Call back when this round has been told."""
        self._behind.append((number, call, self._stays.get(guest.id) if guest is not None else None))

    def waits(self, guest: Guest) -> bool:
        """Whether the guest waits for other people, or for the hall."""
        stay = self._stays.get(guest.id)
        if stay is None:
            return bool(self.trouble)
        at_desk = not stay.home and (bool(self.trouble) or not stay.taken_in)
        return stay.waits or stay.moves or bool(stay.visits) or at_desk

    def finds_desk(self) -> bool:
        """Whether somebody who comes now is taken in, as far as can be known so soon."""
        return self._desk is not None and not self.trouble and self._desk.silent_beats <= FRESH_BEATS

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

    # The lines.

    def _say(self, word: words.FromGate, where: str = "") -> None:
        """To the hall with the desk, or to a room; to one that is not there nothing is said."""
        trunk = self._rooms.get(where) if where else self._desk
        if trunk is None:
            return
        trunk.put(words.encode(word))
        if not self._flushing:
            self._flushing = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        """All that came in with this turn of the loop goes to the halls as one round."""
        self._flushing = False
        said = False
        for trunk in list(self._trunks.values()):
            try:
                said = trunk.flush(self.round) or said
            except Overrun as error:
                log.error("the hall does not hear what this gate says", where=trunk.where, reason=str(error))
                self._give_up(trunk)
        self.round += said

    def _begin(self, where: str, subject: str) -> Trunk:
        """A new line to a hall."""
        self._lines += 1
        trunk = Trunk(where, f"{self._name}.{self._lines}", subject, self._subject, self._courier)
        self._trunks[trunk.name] = trunk
        if where:
            self._rooms[where] = trunk
        else:
            self._desk = trunk
        self._say(Join(), where)
        return trunk

    def _end(self, trunk: Trunk) -> None:
        self._trunks.pop(trunk.name, None)
        if trunk.where:
            self._rooms.pop(trunk.where, None)
        else:
            self._desk = None

    def _room(self, where: str) -> None:
        if where not in self._rooms:
            self._begin(where, words.hall_subject(self.settings.cluster_name, where))

    @abstractmethod
    def _give_up(self, trunk: Trunk) -> None:
        """This line has ended."""

    # Those who are here.

    def _at(self, where: str) -> list[Stay]:
        return [stay for stay in self._stays.values() if stay.home == where]

    def _tell_all(self, notice: Trouble) -> None:
        for stay in self._at(""):
            self._guarded(stay, partial(stay.shell.tell, [notice], self.now()))

    def _pause(self, paused: bool) -> None:
        for stay in self._at(""):
            self._guarded(stay, partial(stay.shell.pause, paused))

    def _release(self) -> None:
        """Let those go on whose rounds have been told, by all halls."""
        if (self._settling or self._desk is None) and not self._rooms:
            return
        waiting = [trunk.waits_for() for trunk in self._trunks.values()]
        self.told = max(self.told, min((one for one in waiting if one is not None), default=self.round) - 1)
        due, behind = [], []
        for one in self._behind:
            number, call, stay = one
            holds = (
                stay is not None
                # For somebody who has left no hall will ever say how things stand.
                and stay.guest.id in self._stays
                and (stay.moves or stay.visits or (not stay.home and not stay.taken_in))
            )
            if number > self.told or holds:
                behind.append(one)
            else:
                due.append(call)
        self._behind = behind
        for call in due:
            call()

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
