"""The host's desk: where acts of hosts arrive, from the page, from REST or from `ludoteca admin`, and where
whoever stands at the door is let in."""

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
import structlog

from ludoteca.core import Refused
from ludoteca.hall import acts, steward
from ludoteca.hall.budget import Budget, Spent
from ludoteca.hall.keeping import Key
from ludoteca.server import passwords
from ludoteca.server.daybook import Daybook
from ludoteca.server.house import House
from ludoteca.server.settings import Settings, SettingsError
from ludoteca.server.upkeep import Upkeep

log = structlog.get_logger()

_Made = TypeVar("_Made")

# Tries at the door from one address: so many at once, then one a minute. Who gets in has not tried.
TRIES, TRY_EVERY_S = 5, 60.0
# How many passwords are looked at at a time, and how many who stand at the door may wait for that.
HASHING_MAX, WAITING_MAX = 2, 32
# How often it is looked whether the last have gone.
LOOK_S = 0.5


class Desk:
    """Hosts' acts, keys and the password. `drained` is set when nobody plays in a house that is to end;
    `ways` are the listeners."""

    def __init__(self, house: House, ways: Mapping[str, tuple[str, int]]) -> None:
        self._house = house
        self.upkeep = Upkeep(house, ways)
        self.daybook = Daybook(house)
        self._keeping = house.hall.keeping
        self._tries = Budget(1 / TRY_EVERY_S, TRIES)
        self._hashing = asyncio.Semaphore(HASHING_MAX)
        self._waiting = 0
        self._watch: asyncio.Task[None] | None = None
        self.drained = asyncio.Event()

    def key(self, token: str) -> Key | None:
        """Whose key this is, while it holds."""
        return self._keeping.key(token, self._house.now())

    def check(self, settings: Settings) -> None:
        """Raises SettingsError where settings say about the door what cannot be."""
        if settings.door == "password" and not (settings.password or self._keeping.password):
            raise SettingsError('door = "password" needs a password: set it, too')

    async def settle(self) -> None:
        """What the operator's settings say about the door is so, and nobody else changes it. What they say no
        more stays as it is, until a host changes it. Raises SettingsError."""
        settings = self._house.settings
        self.check(settings)
        door = acts.Door(
            door=settings.door or None,
            guests=settings.guests or None,
            names=tuple(settings.names) or None,
            password=settings.password or None,
        )
        self._keeping.pinned = frozenset(
            name for name in door.__struct_fields__ if getattr(door, name) is not None
        )
        said = {name: getattr(door, name) for name in self._keeping.pinned if name != "password"}
        news: dict[str, Any] = {
            name: value for name, value in said.items() if value != getattr(self._keeping, name)
        }
        kept = self._keeping.password
        if settings.password and not await self._hash(passwords.matches, settings.password, kept):
            news["password"] = await self._hash(passwords.hashed, settings.password)
        if news:
            self._house.hall.steward.settle(acts.Door(**news), self._house.now())
            self._house.dispatch()

    def view(self) -> steward.House:
        """What a host sees."""
        return self._house.hall.steward.house(self._house.now())

    async def do(self, by: str, act: acts.Act, address: str = "") -> acts.Done:
        """Carry out an act of a host; it is in the log, and stored, when this returns. What takes a while is
        only begun then. Raises Refused."""
        self.upkeep.check(act)
        if isinstance(act, acts.Door) and act.password:
            act = msgspec.structs.replace(act, password=await self._hash(passwords.hashed, act.password))
        done = self._house.hall.do(by, act, self._house.now(), address)
        # That the house makes a link at its start is nothing that happened.
        (log.info if by else log.debug)("host", by=by, act=type(act).__name__.lower(), number=done.number)
        self._house.dispatch()
        if isinstance(act, acts.Drain | acts.Resume):
            self._look_out()
        elif isinstance(act, acts.Work):
            self.upkeep.begin(by, act, done.number)
        await self._house.settled()
        return done

    async def link(self) -> str:
        """The token of a one-time link that makes a host's browser of the one that opens it."""
        return (await self.do("", acts.Invite("Host", "host", 1, acts.HOUR_S))).token

    # The door.

    async def enter(self, address: str, *, password: str = "", invitation: str = "", name: str = "") -> str:
        """The token of a new key, for the password or for an invitation. Raises Refused."""
        now = self._house.now()
        bucket = self._tries.bucket(address, now)
        wait_s = bucket.take(now)
        if wait_s:
            reason = f"too many tries from this address: the next one in {math.ceil(wait_s)} s"
            raise self._house.refusals.spent("door", address, reason, "rate", wait_s)
        hall = self._house.hall
        try:
            if invitation:
                done = hall.steward.admit(invitation, name, now)
            else:
                await self._try(password)
                done = hall.steward.admit_by_password(name, self._house.now())
        except Spent:
            bucket.put_back()
            raise
        except Refused as refused:
            self._house.refusals.note("door", address, refused.reason)
            raise
        bucket.put_back()
        self._house.dispatch()
        await self._house.settled()
        return done.token

    async def _try(self, password: str) -> None:
        keeping = self._keeping
        if keeping.door != "password":
            raise Refused("nobody comes in by a password here", "password")
        kept = keeping.password
        if self._waiting >= WAITING_MAX:
            raise Spent("too many stand at the door: try again", "busy", "door", 1.0)
        self._waiting += 1
        try:
            right = await self._hash(passwords.matches, password, kept)
        finally:
            self._waiting -= 1
        # Whoever looked at it for long may have been overtaken by a host who set another one.
        if not right or keeping.password != kept:
            raise Refused("this is not the password", "password")

    async def _hash(self, work: Callable[..., _Made], *given: str) -> _Made:
        """Have a password looked at elsewhere: the house does not stand still for it."""
        async with self._hashing:
            return await asyncio.to_thread(work, *given)

    # The end.

    def _look_out(self) -> None:
        """Watch for the moment when nobody plays, while that is wanted."""
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        if self._keeping.drained == "stop":
            self._watch = asyncio.get_running_loop().create_task(self._wait_for_the_last())

    async def _wait_for_the_last(self) -> None:
        while any(table.phase == "playing" and table.attended() for table in self._house.hall.tables):
            await asyncio.sleep(LOOK_S)
        log.info("nobody plays any more, the house ends")
        self.drained.set()

    async def close(self) -> None:
        """The house closes."""
        self.daybook.close()
        await self.upkeep.close()
        if self._watch is not None:
            self._watch.cancel()
