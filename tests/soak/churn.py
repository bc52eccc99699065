"""Matches and connections without end, of people who come, play, vanish and come again: whatever a house
keeps of them must be gone when they are, and its memory must not grow."""

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc.aio
from tests import people
from tests.games.shelfie.remote import Remote, play_briefly
from tests.soak.process import Soaked

from ludoteca import games
from ludoteca.games.shelfie.rpc import pb

# So many at a time, from addresses of their own.
PAIRS, CALLERS, CALLS = 12, 8, 1
CALLED = "shelfie"
# A match by remote calls takes some seconds; on a busy machine it may be broken off.
CALLS_S = 60.0
OPTIONS = {"width": 4, "height": 4, "mines": 3, "pause_s": 0}
# Every so many matches somebody is gone in the midst of it.
VANISH = 10
# The plateau is reached after this part of the time; from there to the end memory may grow by so much.
PLATEAU = 0.4
GROWN_MAX, GROWN_KIB = 0.05, 6000
# Where there are more, so many kinds are named.
KINDS = 8
OBJECTS_MAX = 3000
# What has come about once before anything is counted, however busy the machine.
FIRST = ("matches", "vanished", "matches by calls")
# What must be none at all when everybody has gone.
EMPTY = (
    "tables",
    "on the floor",
    "guests",
    "names",
    "tokens",
    "shells",
    "letters",
    "connections",
    "addresses",
    "lookers",
    "thoughts",
    "crashes",
    "failures",
)
QUIET_S = 60.0


class Player(Remote):
    """Somebody who plays by remote calls, and wants a table for two whenever that is asked."""

    async def next(self) -> tuple[str, Any] | None:
        """The next message but that question."""
        while (found := await super().next()) is not None and found[0] == "num_players_request":
            await self.call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
        return found


class Churn:
    """Those who come and go, and how often they did."""

    def __init__(self, house: Soaked, seed: int) -> None:
        self._house = house
        self._seed = seed
        self.counts: Counter[str] = Counter()

    async def pair(self, number: int) -> None:
        """Two play match after match, through one connection each or through a new one for every match."""
        dice = random.Random(f"{self._seed} pair {number}")
        local = f"127.3.{number}.1"
        listener, path = (("house", ""), ("http", "/ws"))[number % 2]
        for count in range(1 << 30):
            where = self._where(listener, local, path)
            names = [f"{name}{number}x{count}" for name in ("a", "b")]
            first, second = (people.OwnMind("multisweeper", name, dice, options=OPTIONS) for name in names)
            if dice.randrange(VANISH):
                with contextlib.suppress(ConnectionError, OSError):
                    await people.own_table(where, first, second)
                    self.counts["matches"] += 1
            else:
                await self._vanish(where, first)
                self.counts["vanished"] += 1

    async def calls(self, number: int) -> None:
        """Two play My Shelfie by remote calls, match after match, or hang up in the midst of it."""
        dice = random.Random(f"{self._seed} calls {number}")
        for count in range(1 << 30):
            names = [f"{name}{number}x{count}" for name in ("r", "s")]
            remotes: list[Remote] = [Player(self._house) for _ in names]
            self.counts["connections by calls"] += len(remotes)
            with contextlib.suppress(grpc.aio.AioRpcError, AssertionError, TimeoutError):
                try:
                    async with asyncio.timeout(CALLS_S):
                        await self._play_by_calls(remotes, names, dice)
                finally:
                    for remote in remotes:
                        await remote.close()
            _cancelled()

    async def _play_by_calls(self, remotes: list[Remote], names: list[str], dice: random.Random) -> None:
        for remote, name in zip(remotes, names, strict=True):
            await remote.connect()
            await remote.call("Login", pb.LoginRequest(nickname=name))
            if not dice.randrange(VANISH):
                self.counts["vanished by calls"] += 1
                return
        players = [play_briefly(remote, name, dice) for remote, name in zip(remotes, names, strict=True)]
        streams = await asyncio.gather(*players, return_exceptions=True)
        is_over = all(
            isinstance(heard, list) and heard[-1:] and heard[-1][0] == "game_result" for heard in streams
        )
        self.counts["matches by calls" if is_over else "broken off by calls"] += 1

    def _where(self, listener: str, local: str, path: str) -> Callable[[], Any]:
        async def where() -> people.Line:
            self.counts["connections"] += 1
            return await people.line(self._house.addresses[listener], local, path)

        return where

    async def _vanish(self, where: Callable[[], Any], mind: people.OwnMind) -> None:
        """Sit down, say something, look around, and be gone."""
        with contextlib.suppress(ConnectionError, OSError, TimeoutError):
            line = await where()
            try:
                await line.send(mind.open(0.0))
                opening = {"type": "open", "game": "multisweeper", "seats": 2, "terms": {"grace_s": 0.5}}
                await line.send(people.encode(opening) + people.encode({"type": "look"}))
                await line.send(people.encode({"type": "bot", "level": "random"}))
                async with asyncio.timeout(5):
                    await line.read()
            finally:
                line.cut()

    async def caller(self, number: int) -> None:
        """Come to every door, say hello or half of it, and go."""
        dice = random.Random(f"{self._seed} caller {number}")
        doors = [("house", ""), ("http", "/ws"), ("http", ""), *((name, "") for name in _spoken())]
        local = f"127.4.{number}.1"
        for count in range(1 << 30):
            listener, path = dice.choice(doors)
            with contextlib.suppress(ConnectionError, OSError, TimeoutError):
                line = await self._where(listener, local, path)()
                try:
                    async with asyncio.timeout(2):
                        await self._greet(line, listener, path, f"c{number}x{count}", dice)
                finally:
                    line.cut()

    async def _greet(
        self, line: people.Line, listener: str, path: str, name: str, dice: random.Random
    ) -> None:
        if listener == "http" and not path:
            await line.raw(b"GET /api/tables HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await line.read()
        elif listener in ("house", "http"):
            hello = people.encode({"type": "hello", "name": name})
            await line.send(hello[: dice.choice((4, len(hello)))])
            if dice.randrange(2):
                await line.send(people.encode({"type": "list"}))
        else:
            greeting = games.load_client(listener)(name).open(0.0) or b"\n"
            # Where some play by remote calls nobody sits down with them only to go.
            await line.send(greeting[:-4] if listener == CALLED else greeting)
            if dice.randrange(3) == 0:
                await line.read()


def _cancelled() -> None:
    """A stream of grpc that ends may look like a cancellation of ours; a real one goes on."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _spoken() -> tuple[str, ...]:
    return tuple(name for name in games.names() if games.load(name).wire is not None)


def flat(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What has grown from the plateau to the end, with as many people there."""
    grown = after["rss_kib"] - before["rss_kib"]
    wrong = []
    if grown > max(GROWN_KIB, GROWN_MAX * before["rss_kib"]):
        wrong.append(f"memory has grown by {grown} KiB from {before['rss_kib']}")
    if after["descriptors"] > before["descriptors"] + 4 * (PAIRS + CALLERS):
        wrong.append(f"{after['descriptors']} descriptors, after {before['descriptors']}")
    return wrong


def emptied(begin: dict[str, Any], end: dict[str, Any]) -> list[str]:
    """What is left when all have gone."""
    wrong = [f"{end[what]} {what} are left" for what in EMPTY if end[what]]
    for what, more in (
        ("tasks", 0),
        ("descriptors", 8),
        ("objects", OBJECTS_MAX),
        ("timers", 8),
        ("alarms", 80),
    ):
        if end[what] > begin[what] + more:
            wrong.append(f"{end[what]} {what}, {begin[what]} at the beginning")
            if what == "objects":
                more_of = Counter(end["kinds"]) - Counter(begin["kinds"])
                wrong += [f"{count} more of {kind}" for kind, count in more_of.most_common(KINDS)]
    return wrong


async def churn(
    folder: Path, seed: int, seconds: float, matches: int, tell: Callable[[str], None]
) -> tuple[Counter[str], list[str]]:
    """For so long, or for so many matches if that is said; what was done, and what does not hold."""
    house = Soaked(
        folder,
        "house",
        "http",
        "shelfie-rpc",
        *_spoken(),
        rate_per_s="1000000",
        rate_burst="1000000",
        abandoned_s="1",
        deserted_s="1",
        handshake_s="2",
        bot_workers="0",
        bot_s="0.001",
        tables_per_guest_max="1000",
        java="false",
        durability="normal",
    )
    await house.start()
    company = Churn(house, seed)
    wrong: list[str] = []
    try:
        # The first of everything makes what is kept for all that follow.
        await _warm_up(company)
        begin = await _quiet(house)
        tasks = [asyncio.create_task(company.pair(number)) for number in range(PAIRS)]
        tasks += [asyncio.create_task(company.caller(number)) for number in range(CALLERS)]
        tasks += [asyncio.create_task(company.calls(number)) for number in range(CALLS)]
        try:
            plateau: dict[str, Any] | None = None
            since = time.monotonic()
            while True:
                await asyncio.sleep(2.0)
                for task in tasks:
                    if task.done():
                        wrong.append(f"somebody honest gave up: {task.exception()!r}")
                part = (
                    company.counts["matches"] / matches if matches else (time.monotonic() - since) / seconds
                )
                now = await house.census()
                tell(f"{part:4.0%} {company.counts['matches']} matches, {now['rss_kib'] // 1024} MiB")
                if plateau is None and part >= PLATEAU:
                    plateau = now
                if part >= 1 or wrong:
                    break
        finally:
            await _end(tasks)
        if plateau is not None:
            wrong += flat(plateau, now)
        wrong += emptied(begin, await _quiet(house, begin))
    finally:
        code = await house.stop()
    if code:
        wrong.append(f"the house ended with {code}")
    log = house.log.read_text(errors="replace")
    if "error" in log.lower():
        wrong.append(f"the log says {log[:2000]}")
    return company.counts, wrong


async def _warm_up(company: Churn) -> None:
    tasks = [asyncio.create_task(company.pair(number)) for number in range(2)]
    tasks += [asyncio.create_task(company.caller(number)) for number in range(2)]
    tasks += [asyncio.create_task(company.calls(number)) for number in range(CALLS)]
    end = time.monotonic() + CALLS_S
    while not all(company.counts[what] for what in FIRST) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    await _end(tasks)


async def _end(tasks: "list[asyncio.Task[None]]") -> None:
    left = {task for task in tasks if not task.done()}
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1.0)


async def _quiet(house: Soaked, begin: dict[str, Any] | None = None) -> dict[str, Any]:
    """What there is once nobody is there any more and it is as it was at the beginning, or after a while: an
    alarm of somebody who has gone is left out when its time comes."""
    end = time.monotonic() + QUIET_S
    while True:
        found = await house.census()
        is_quiet = not any(found[what] for what in EMPTY) and not (begin and emptied(begin, found))
        if is_quiet or time.monotonic() > end:
            return found
        await asyncio.sleep(0.3)
