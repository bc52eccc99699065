"""One run: a house, everybody who abuses it, honest people beside them, and the watch."""

import asyncio
import contextlib
import itertools
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import grpc.aio
from tests import people, rig
from tests.fuzz.calls import CallVisitor, FrameVisitor
from tests.fuzz.guests import Filler, Town, Visitor
from tests.fuzz.objects import GAMES, ObjectVisitor, RmiVisitor
from tests.fuzz.watch import Person, Played, Watch, check_journal
from tests.fuzz.web import WebVisitor
from tests.games.shelfie.remote import Remote, play_briefly

from ludoteca import games
from ludoteca.bench.processes import rss_kib
from ludoteca.games.shelfie.rpc import pb
from ludoteca.server import rmi, rpc

# Honest people expect an answer within this time, on a machine that has other things to do as well.
ANSWER_S = 10.0
PING_S = 0.1
# What is begun is played to its end, however busy the machine is; a table that stands still for so long never
# gets there.
STILL_S = 100.0
FAILED = (
    people.Stalled,
    ConnectionError,
    TimeoutError,
    ValueError,
    AssertionError,
    grpc.aio.AioRpcError,
)
# The house, everybody else and the watch are in this one process.
GROWTH_KIB_MAX = 120_000

SETTINGS: dict[str, Any] = {
    "default": {
        "multisweeper.width": 8,
        "multisweeper.height": 8,
        "multisweeper.mines": 8,
        "multisweeper.pause_s": 0,
    },
    # Nobody is left behind for longer than the end of a run takes; honest people on a busy machine need some
    # seconds between two words.
    "handshake_s": 10.0,
    "deserted_s": 2.0,
    "bot_s": 0.02,
    # Nor does a bot break down for that the machine is busy.
    "bot_wall_s": 60.0,
}


class Company:
    """Honest people of every game and protocol, who play match after match, and
    notice when nobody answers."""

    def __init__(self, town: Town, until: float) -> None:
        self._town = town
        self._until = until
        self.played: list[Played] = []
        self.matches: Counter[str] = Counter()
        self.answers_s: list[float] = []

    def everybody(self) -> list[Coroutine[Any, Any, None]]:
        """All of them, each to be awaited to its end."""
        tables = [self._own(game) for game in games.names()] + [self._seed(game) for game in rig.spoken()]
        return [*tables, self._calls(), self._ping("house", ""), self._ping("http", "/ws"), self._ask()]

    def _open(self) -> bool:
        return time.monotonic() < self._until and not self._town.watch.failures

    def _people(self, way: str) -> tuple[Person, Person]:
        first, second = (Person(self._town.name(), way, honest=True) for _ in range(2))
        return first, second

    async def _line(self, people_of_table: Any, listener: str, path: str) -> people.Line:
        line = await people.line(self._town.addresses[listener], "127.0.0.1", path)
        self._town.watch.register(next(people_of_table), line.key)
        return line

    async def _own(self, game: str) -> None:
        for listener, path in itertools.cycle((("house", ""), ("http", "/ws"))):
            if not self._open():
                return
            both = self._people(f"{path or 'house'} {game}")
            first, second = (people.OwnMind(game, one.name, self._town.dice(one.name)) for one in both)
            turns, pace = iter(both), people.Pace()
            await self._table(
                f"{game} by {path or 'lines'} of our own",
                people.own_table(lambda: self._line(turns, listener, path), first, second, pace),  # noqa: B023
                pace,
            )
            self._town.watch.release(*both)
            acted = {mind.name: mind.acted for mind in (first, second)}
            self.played.append(Played(*acted, acted=acted))

    async def _seed(self, game: str) -> None:
        for listener, path in itertools.cycle(((game, ""), ("http", f"/ws/{game}"))):
            if not self._open():
                return
            both = self._people(f"{path or 'seed'} {game}")
            first, second = (people.SeedMind(game, one.name, self._town.dice(one.name)) for one in both)
            second.host = first.name
            turns, pace = iter(both), people.Pace()
            together = await self._table(
                f"{game} by {path or 'lines'} of its seed",
                people.seed_table(
                    lambda: self._line(turns, listener, path),  # noqa: B023
                    first,
                    second,
                    pace,
                    self._town.doors[game],
                ),
                pace,
            )
            self._town.watch.release(*both)
            if together:
                self.played.append(Played(first.name, second.name))

    async def _table(self, what: str, match: Coroutine[Any, Any, bool | None], pace: people.Pace) -> bool:
        try:
            together = await self._finished(match, pace) is not False
        except FAILED as error:
            self._town.watch.fail(
                f"an honest table of {what}: {type(error).__name__} {error}\n{pace.words()}"
            )
            return False
        self.matches[what if together else f"(among strangers) {what}"] += 1
        await asyncio.sleep(0.05)
        return together

    @staticmethod
    async def _finished(match: Coroutine[Any, Any, bool | None], pace: people.Pace) -> bool | None:
        """Wait for the end of a match as long as anybody says anything. Raises TimeoutError."""
        task, before = asyncio.ensure_future(match), ""
        try:
            while not (await asyncio.wait((task,), timeout=STILL_S))[0]:
                if pace.words(0.0) == before:
                    raise TimeoutError(f"nothing has happened for {STILL_S:.0f} s")
                before = pace.words(0.0)
            return await task
        finally:
            task.cancel()
            await asyncio.wait((task,))

    async def _calls(self) -> None:
        while self._open():
            both, pace = self._people("calls"), people.Pace()
            together = await self._table("shelfie by calls", self._match_by_calls(*both, pace=pace), pace)
            self._town.watch.release(*both)
            if together:
                self.played.append(Played(both[0].name, both[1].name))

    async def _match_by_calls(self, *both: Person, pace: people.Pace) -> bool:
        """Like `people.seed_table`, but through remote calls."""
        remotes: list[Remote] = []
        tasks: list[asyncio.Task[list[tuple[str, Any]]]] = []
        try:
            async with self._town.doors["shelfie"]:
                for one in both:
                    remote = await Remote(self._town).connect()
                    remotes.append(remote)
                    self._town.watch.register(one, remote.metadata[0][1])
                    await remote.call("Login", pb.LoginRequest(nickname=one.name))
                    if one is both[0]:
                        found = await remote.next()
                        if found is None or found[0] != "num_players_request":
                            return False
                        await remote.call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
                    dice = self._town.dice(one.name)
                    remote.heard = partial(pace.note, one.name, "heard")
                    tasks.append(asyncio.create_task(play_briefly(remote, one.name, dice)))
                found_by = time.monotonic() + people.FIND_S
                while not all(map(_players, remotes)) and time.monotonic() < found_by:
                    await asyncio.sleep(0.02)
            if any(_players(remote) != {one.name for one in both} for remote in remotes):
                return False
            for heard in await asyncio.gather(*tasks):
                if not heard or heard[-1][0] != "game_result":
                    raise ConnectionError(f"a stream of honest people ended with {heard[-1:]}")
            return True
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for remote in remotes:
                await remote.close()

    # Answers.

    async def _ping(self, listener: str, path: str) -> None:
        """Somebody who only wants to know whether the line stands."""
        line = await people.line(self._town.addresses[listener], "127.0.0.1", path)
        try:
            while self._open():
                began = time.monotonic()
                await line.send(b'{"type":"ping"}\n')
                try:
                    async with asyncio.timeout(ANSWER_S):
                        data = await line.read()
                except TimeoutError:
                    self._town.watch.fail(
                        f"an honest ping over {path or listener} was not answered in {ANSWER_S} s"
                    )
                    return
                if data != b'{"type":"pong"}\n':
                    self._town.watch.fail(f"an honest ping over {path or listener} was answered by {data!r}")
                    return
                self.answers_s.append(time.monotonic() - began)
                await asyncio.sleep(PING_S)
        finally:
            line.cut()

    async def _ask(self) -> None:
        """Somebody who looks at the page's interface."""
        host, port = self._town.addresses["http"]
        for path in itertools.cycle(("/healthz", "/api/tables", "/api/matches", "/api/games")):
            if not self._open():
                return
            line = await people.line((host, port), "127.0.0.1")
            try:
                await line.raw(
                    f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode()
                )
                async with asyncio.timeout(ANSWER_S):
                    answer = await line.read()
                if not answer.startswith(b"HTTP/1.1 200 "):
                    self._town.watch.fail(f"GET {path} is answered by {answer[:200]!r}")
            except TimeoutError:
                self._town.watch.fail(f"GET {path} was not answered in {ANSWER_S} s")
            finally:
                line.cut()
            await asyncio.sleep(0.3)


def _players(remote: Remote) -> set[str]:
    """Who is at the table, once the match has begun."""
    return {name for message in remote.seen for name in message.get("gameStart", {}).get("players", ())}


class Report:
    """What came of a run."""

    def __init__(self, seed: int, watch: Watch, company: Company, grown_kib: int) -> None:
        self.seed = seed
        self.watch = watch
        self.company = company
        self.grown_kib = grown_kib

    @property
    def ok(self) -> bool:
        """Whether everything held."""
        return not self.watch.failures

    def text(self) -> str:
        """For people."""
        answers = sorted(self.company.answers_s) or [0.0]
        counts = [f"  {number:6} {what}" for what, number in sorted(self.watch.counts.items())]
        matches = [f"  {number:6} {what}" for what, number in sorted(self.company.matches.items())]
        figures = (
            f"honest pings: {len(answers)}, median {answers[len(answers) // 2] * 1000:.0f} ms, "
            f"longest {answers[-1] * 1000:.0f} ms; memory grew by {self.grown_kib // 1024} MiB"
        )
        end = (
            "everything held"
            if self.ok
            else f"{self.watch.report()}\nagain: make fuzz ARGS='--seed {self.seed}'"
        )
        return "\n".join(("said:", *counts, "honest matches:", *matches, figures, f"seed {self.seed}: {end}"))


@contextlib.asynccontextmanager
async def _abuse(town: Town) -> AsyncIterator[None]:
    """Everybody who is not honest, while the block runs."""
    guests: list[Any] = [Filler(town), FrameVisitor(town), WebVisitor(town, 1), WebVisitor(town, 2)]
    guests += [CallVisitor(town, number) for number in range(2)]
    guests += [RmiVisitor(town, number) for number in range(2)]
    guests += [ObjectVisitor(town, game, number) for game in GAMES for number in range(2)]
    for game in games.names():
        own = game in rig.spoken()
        guests += [Visitor(town, way, game, n) for way in ("house", "seed")[: 1 + own] for n in range(3)]
        guests += [Visitor(town, way, game, n) for way in ("ws", "seed-ws")[: 1 + own] for n in range(2)]
    tasks = [asyncio.create_task(guest.live()) for guest in guests]

    def done(task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            town.watch.fail(f"a guest gave up: {task.exception()!r}")

    for task in tasks:
        task.add_done_callback(done)
    try:
        yield
    finally:
        left = set(tasks)
        while left:
            # In Python 3.11 parts of asyncio may swallow a cancellation.
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=1.0)


async def run(folder: Path, seed: int, seconds: float, ignore: Sequence[str] = ()) -> Report:
    """Abuse a house for some seconds; everything that must hold is in the report."""
    watch = Watch(ignore)
    watch.listen()
    listeners = ("http", "house", *rig.spoken(), *rpc.listeners(), *rmi.listeners())
    async with rig.house(folder, *listeners, **SETTINGS) as server:
        watch.look_at(server)
        town = Town(seed, server.addresses, watch)
        company = Company(town, time.monotonic() + seconds)
        honest = [asyncio.create_task(one) for one in company.everybody()]
        async with _abuse(town):
            await asyncio.wait((asyncio.create_task(watch.failed.wait()),), timeout=min(5.0, seconds / 2))
            before_kib = rss_kib(os.getpid())
            everybody = asyncio.gather(*honest)
            await asyncio.wait(
                (everybody, failed := asyncio.create_task(watch.failed.wait())),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if watch.failures:
                # What follows from it may say more than what came first.
                await asyncio.sleep(0.5)
                everybody.cancel()
            failed.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await everybody
        grown_kib = rss_kib(os.getpid()) - before_kib
        if grown_kib > GROWTH_KIB_MAX:
            watch.fail(f"memory has grown by {grown_kib // 1024} MiB")
        if not watch.failures:
            await watch.all_gone(server, patience_s=20.0)
            watch.healthy(server)
    if not watch.failures:
        for text in check_journal(folder, company.played):
            watch.fail(text)
    return Report(seed, watch, company, grown_kib)
