"""What the doors know of a house, whether its tables are in this process or in another one."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Protocol

import structlog

from ludoteca.core import Notice, Request
from ludoteca.hall.acts import Role
from ludoteca.hall.budget import Bucket, Budget
from ludoteca.hall.guest import Guest
from ludoteca.server.metrics import Metrics
from ludoteca.server.refusals import Refusals
from ludoteca.server.settings import GameDefaults, Settings
from ludoteca.server.timers import Timers
from ludoteca.server.traces import Traces
from ludoteca.server.world import World

log = structlog.get_logger()


class Shell(Protocol):
    """Whatever stands behind a guest: a connection or a bot."""

    def tell(self, notices: list[Notice], now: float) -> None:
        """All that there is for this guest in one round, in order."""

    def pause(self, paused: bool) -> None:
        """Stop, or go on, taking in requests."""

    def is_behind(self) -> bool:
        """Whether something was told that has not been taken yet."""

    def fail(self) -> None:
        """What was to be done for this guest broke down: end it, and nobody else with it."""

    def finish(self) -> None:
        """Nothing more is said to this guest: send what there is, and close."""


class Crowd(Protocol):
    """Those who must wait until a house that has just started has time for them."""

    @property
    def crowded(self) -> bool:
        """Whether anybody must."""

    def line_up(self, call: Callable[[], None]) -> None:
        """Call back when it is one's turn."""


class Front(ABC):
    """A house as its doors see it: settings, clocks and counters, and what becomes of who comes in.

    Rounds: whatever comes in during one turn of the loop is one round. `round` is the one that is gathering
    now, `told` the last whose letters are out.
    """

    waking: Crowd

    def __init__(self, settings: Settings, world: World, metrics: Metrics | None = None) -> None:
        self.settings = settings
        self.world = world
        self.metrics = metrics or Metrics()
        self.refusals = Refusals(self.metrics, world.monotonic)
        # Who takes spans, where the operator wants that (see `traces`).
        self.traces: Traces | None = None
        self._loop = asyncio.get_running_loop()
        self._monotonic = world.monotonic
        self._epoch = world.wall() - world.monotonic()
        self.timers = Timers(self.now, lambda error: self.failed("alarm", error))
        self.defaults = GameDefaults(settings)
        self.round = 1
        self.told = 0
        self._messages = Budget(settings.rate_per_address_per_s, settings.rate_per_address_burst)
        self.trouble = ""
        self.closing = False
        self._leaves_until = 0.0

    def now(self) -> float:
        """Seconds since 1970 that never jump back while the house stands."""
        return self._epoch + self._monotonic()

    def leave(self, for_s: float) -> None:
        """Others serve from now on: nobody should be sent here for so long, unless it is stopped before."""
        self._leaves_until = self.now() + for_s

    def leaving(self) -> bool:
        """Whether nobody should be sent here who can go elsewhere."""
        return self.now() < self._leaves_until

    def bucket(self, address: str) -> Bucket:
        """The messages that all connections of one address share."""
        return self._messages.bucket(address, self.now())

    def failed(self, what: str, error: Exception, **facts: object) -> None:
        """Count and log an error of ours that was kept to the one guest or table it concerns."""
        self.metrics.failures.labels(what).inc()
        log.error(f"{what} failed", exc_info=error, **facts)

    @abstractmethod
    def role(self, listener: str, key: str = "") -> Role:
        """What somebody is who comes by this listener, and shows this key."""

    @abstractmethod
    def arrive(self, protocol: str, shell: Shell, address: str, role: Role = "guest") -> Guest:
        """Somebody comes in. Raises Refused."""

    @abstractmethod
    def submit(self, guest: Guest, requests: Iterable[Request], now: float) -> None:
        """Carry out what a guest wants."""

    @abstractmethod
    def depart(self, guest: Guest) -> None:
        """A guest's connection is gone."""

    @abstractmethod
    def after(self, number: int, call: Callable[[], None], guest: Guest | None = None) -> None:
        """Call back when this round has been told to everybody it concerns, or to this guest at least."""

    @abstractmethod
    def waits(self, guest: Guest) -> bool:
        """Whether the guest waits for other people."""

    @abstractmethod
    def game_of(self, guest: Guest) -> str:
        """The name of the game that is played at the guest's table, "" at none."""

    @abstractmethod
    def measure(self) -> None:
        """Look up what nobody counts as it comes about; for whoever reads the metrics."""
