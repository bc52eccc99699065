"""What tries a server from outside: checks, their order, and a ledger of messages.

A suite is one module of this package for each protocol, written from the protocol's page. Its checks stand
alone: each opens its own connections, and everything is hung up between them.
"""

import asyncio
import random
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Literal

import msgspec

from ludoteca import games
from ludoteca.cli.conformance.peers import (
    TALK_LENGTH_MAX,
    Dialect,
    JsonDialect,
    Message,
    Peer,
    Player,
    Prefer,
    Unmet,
    by_chance,
)
from ludoteca.core import LudotecaError

__all__ = ["JsonDialect", "Kit", "Message", "Peer", "Result", "Suite", "Unreachable"]

LINE_BYTES_MAX = 1 << 20
# After a check the server has this long to notice that everybody hung up.
SETTLE_S = 0.1

# `lacks` is not done, and not asked for by the seed either: only the page has it.
Outcome = Literal["ok", "failed", "lacks", "untried"]


class Unreachable(LudotecaError):
    """There is no server to try."""


class Check(msgspec.Struct, frozen=True):
    """One thing that a server does; `run` raises Unmet when it does not.

    `beyond` is what the page settles and the seed is silent about.
    """

    section: str
    text: str
    run: Callable[["Kit"], Awaitable[None]]
    beyond: bool = False


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What came of a check."""

    section: str
    text: str
    outcome: Outcome
    expected: str = ""
    instead: str = ""
    talk: list[str] = []


class Suite:
    """The checks of one protocol, in the order they are tried.

    `rare` are messages of the server that chance or the operator decide about: not to have heard one of them
    proves nothing; `beyond` are those that the seed does not have. `farewell` is what clients say who go for
    good.
    """

    def __init__(
        self, dialect: Dialect, rare: str = "", beyond: str = "", farewell: tuple[Message, ...] = ()
    ) -> None:
        self.dialect = dialect
        self.beyond = frozenset(beyond.split())
        self.farewell = farewell
        self.rare = frozenset(rare.split())
        self.checks: list[Check] = []

    def check(
        self, section: str, *, beyond: bool = False
    ) -> Callable[[Callable[["Kit"], Awaitable[None]]], None]:
        """Add a check; its docstring says what the server does."""

        def add(run: Callable[["Kit"], Awaitable[None]]) -> None:
            self.checks.append(Check(section, (run.__doc__ or "").strip().rstrip("."), run, beyond))

        return add


class Ledger:
    """Which messages went over the line, and what was wrong with them."""

    def __init__(self) -> None:
        self.said: Counter[str] = Counter()
        self.heard: Counter[str] = Counter()
        self.faults: dict[str, tuple[str, str]] = {}

    def say(self, name: str) -> None:
        """We said this."""
        self.said[name] += 1

    def hear(self, name: str, line: bytes, fault: str) -> None:
        """The server said this; the first fault of each message is kept."""
        self.heard[name] += 1
        if fault:
            self.faults.setdefault(name, (fault, line.decode(errors="replace")[:TALK_LENGTH_MAX]))


class Kit:
    """One run of a suite against one server."""

    def __init__(
        self, suite: Suite, host: str, port: int, *, patience_s: float = 5.0, players: int = 2, seed: int = 0
    ) -> None:
        self.suite = suite
        self.address = (host, port)
        self.patience_s = patience_s
        self.players = players
        self.chance = random.Random(seed)
        self.ledger = Ledger()
        self.hears_noise = False
        self._peers: list[Peer] = []
        # Not by the seed: a server may keep the seats of those who left the last time.
        self._tag = secrets.token_hex(2)
        self._names = 0

    def name(self) -> str:
        """A name that nobody has: short, small letters and figures, begins with a letter."""
        self._names += 1
        return f"{'abcdefgh'[self._names % 8]}n{self._tag}{self._names}"

    async def connect(self) -> Peer:
        """A connection of one's own."""
        peer = Peer(self, *await self._open())
        self._peers.append(peer)
        return peer

    async def player(self, game: str, prefer: Prefer = by_chance) -> Player:
        """A connection that plays by itself."""
        caller = games.load_client(game)(self.name())
        player = Player(self, *await self._open(), caller, prefer)
        self._peers.append(player)
        return player

    async def match(self, game: str, count: int, prefer: Prefer = by_chance) -> list[Player]:
        """A whole match between so many players of ours; Unmet when it does not come to its end."""
        players: list[Player] = []
        tasks: list[asyncio.Task[None]] = []
        try:
            for _ in range(count):
                players.append(await self.player(game, prefer))
                tasks.append(asyncio.create_task(players[-1].play()))
                # The next one finds the table that this one opened.
                await asyncio.sleep(SETTLE_S)
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return players

    @staticmethod
    async def settle() -> None:
        """Give the server a moment to take note."""
        await asyncio.sleep(SETTLE_S)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        try:
            return await asyncio.open_connection(*self.address, limit=LINE_BYTES_MAX)
        except OSError as error:
            host, port = self.address
            raise Unreachable(f"there is nobody at {host}:{port}: {error.strerror or error}") from None

    async def run(self, sections: Iterable[str] = ()) -> AsyncIterator[Result]:
        """Every check, one after the other, then what became of each message."""
        wanted = set(sections)
        for check in self.suite.checks:
            if not wanted or check.section in wanted:
                yield await self._try(check)
        if not wanted or "messages" in wanted:
            for result in self._messages():
                yield result

    async def _try(self, check: Check) -> Result:
        unmet: Unmet | None = None
        try:
            await check.run(self)
        except Unmet as error:
            unmet = error
        except (LookupError, TypeError, ValueError, OSError) as error:
            # A check takes messages for what the page says they are.
            talk = self._peers[-1].talk if self._peers else ()
            unmet = Unmet("messages as the page has them", repr(error), talk)
        finally:
            for peer in self._peers:
                peer.send(*self.suite.farewell)
                peer.hang_up()
            self._peers.clear()
            self.hears_noise = False
            await asyncio.sleep(SETTLE_S)
        if unmet is None:
            return Result(check.section, check.text, "ok")
        outcome: Outcome = "lacks" if check.beyond else "failed"
        return Result(check.section, check.text, outcome, unmet.expected, unmet.instead, unmet.talk)

    def _messages(self) -> Iterator[Result]:
        """A line for each message of the page: that it came, and came right."""
        for name in sorted(self.suite.dialect.server | set(self.ledger.faults)):
            text = f"`{name or 'a line'}` of the server"
            if name in self.ledger.faults:
                fault, line = self.ledger.faults[name]
                wanted = f"`{name}` in the form of the page" if name else "lines of the protocol"
                yield Result("messages", text, "failed", wanted, fault, [f"server: {line}"])
            elif self.ledger.heard[name]:
                yield Result("messages", text, "ok")
            elif name in self.suite.rare:
                yield Result("messages", text, "untried", instead="it never came, which may be chance")
            elif name in self.suite.beyond:
                yield Result("messages", text, "lacks", f"`{name}` at some time", "it never came")
            else:
                yield Result("messages", text, "failed", f"`{name}` at some time", "it never came")
        for name in sorted(self.suite.dialect.client - self.suite.dialect.noise):
            if not self.ledger.said[name]:
                yield Result(
                    "messages", f"`{name}` of clients", "untried", instead="no check came so far as to say it"
                )
