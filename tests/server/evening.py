"""An evening of ten honest tables, two of each game and no two alike in how they came in; and
how long they waited."""

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from tests import people
from tests.games.shelfie.remote import Remote, play_briefly

from ludoteca.games.shelfie.rpc import pb

PING_S = 0.02
ANSWER_S = 20.0
# A match of each game takes about the same time at this pace.
THINK_S = {"eriantys": 0.03, "multisweeper": 0.3, "renaissance": 0.02, "santorini": 0.04, "shelfie": 0.03}
# Game, listener, path: lines and WebSockets of our own protocol and of the seeds'. Remote calls
# are the tenth.
TABLES = (
    ("eriantys", "eriantys", ""),
    ("eriantys", "http", "/ws"),
    ("multisweeper", "multisweeper", ""),
    ("multisweeper", "http", "/ws/multisweeper"),
    ("renaissance", "house", ""),
    ("renaissance", "http", "/ws/renaissance"),
    ("santorini", "santorini", ""),
    ("santorini", "house", ""),
    ("shelfie", "http", "/ws/shelfie"),
)


def part(values: list[float], share: int) -> float:
    """A percentile."""
    return sorted(values)[(len(values) - 1) * share // 100]


class Addressed(Protocol):
    """Whatever knows where a house listens."""

    addresses: dict[str, people.Address]


class Evening:
    """Ten tables that begin together.

    `begun` is set when somebody has moved, or soon will, at each of them.
    """

    def __init__(self, house: Addressed, tag: str, local: str = "127.0.0.1") -> None:
        self._house = house
        self._tag = tag
        self._local = local
        self._left = len(TABLES) + 1
        # Two tables of one game over its seed's protocol must not mix.
        self._doors: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.begun = asyncio.Event()
        self.pings_s: list[float] = []
        self.pace: dict[str, people.Pace] = {}
        self.took_s: dict[str, float] = {}

    @property
    def waits_s(self) -> list[float]:
        """How long everybody waited after each answer, for the house and for each other."""
        return [wait for pace in self.pace.values() for wait in pace.waits_s]

    def figures(self) -> dict[str, float]:
        """In seconds."""
        found = {f"ping p{share}": part(self.pings_s, share) for share in (50, 95, 100)}
        return found | {f"wait p{share}": part(self.waits_s, share) for share in (50, 95, 100)}

    async def play(self) -> None:
        """Play all tables to their end. Raises Stalled, ConnectionError."""
        pinging = asyncio.create_task(self._ping())
        try:
            async with asyncio.TaskGroup() as group:
                for number, (game, listener, path) in enumerate(TABLES):
                    group.create_task(
                        self._timed(f"{game} at {listener}{path}", self._table(number, game, listener, path))
                    )
                group.create_task(self._timed("shelfie by calls", self._calls()))
            assert not pinging.done(), pinging.exception()
        finally:
            pinging.cancel()

    async def _timed(self, what: str, match: Callable[[people.Pace], Awaitable[bool]]) -> None:
        pace = self.pace[what] = people.Pace(begun=self._count)
        began = time.monotonic()
        assert await match(pace), f"{what}: honest people have not found each other"
        self.took_s[what] = time.monotonic() - began

    def _count(self) -> None:
        self._left -= 1
        if not self._left:
            self.begun.set()

    def _table(
        self, number: int, game: str, listener: str, path: str
    ) -> Callable[[people.Pace], Awaitable[bool]]:
        names = [f"{self._tag}{word}{'abcdefghijk'[number]}" for word in ("anna", "bruno")]
        dice = [random.Random(name) for name in names]

        async def where() -> people.Line:
            return await people.line(self._house.addresses[listener], self._local, path)

        async def match(pace: people.Pace) -> bool:
            pace.think_s = THINK_S[game]
            if listener == "house" or path == "/ws":
                own = [people.OwnMind(game, name, chance) for name, chance in zip(names, dice, strict=True)]
                await people.own_table(where, own[0], own[1], pace)
                return True
            first, second = (
                people.SeedMind(game, name, chance) for name, chance in zip(names, dice, strict=True)
            )
            second.host = first.name
            return await people.seed_table(where, first, second, pace, self._doors[game])

        return match

    def _calls(self) -> Callable[[people.Pace], Awaitable[bool]]:
        names = [f"{self._tag}{word}call" for word in ("anna", "bruno")]

        async def match(pace: people.Pace) -> bool:
            remotes: list[Remote] = []
            try:
                async with self._doors["shelfie"]:
                    for name in names:
                        remotes.append(await Remote(self._house).connect())
                        await remotes[-1].call("Login", pb.LoginRequest(nickname=name))
                        if len(remotes) == 1:
                            await remotes[0].until("num_players_request")
                            await remotes[0].call("NumPlayers", pb.NumPlayersResponse(numPlayers=2))
                pace.begun()
                players = [
                    play_briefly(remote, name, random.Random(name))
                    for remote, name in zip(remotes, names, strict=True)
                ]
                heard = await asyncio.gather(*players)
                assert [stream[-1][0] for stream in heard] == ["game_result", "game_result"]
                return True
            finally:
                for remote in remotes:
                    await remote.close()

        return match

    async def _ping(self) -> None:
        """How long the house takes for somebody who asks for next to nothing."""
        line = await people.line(self._house.addresses["house"], self._local)
        try:
            while True:
                began = time.monotonic()
                await line.send(b'{"type":"ping"}\n')
                async with asyncio.timeout(ANSWER_S):
                    assert await line.read() == b'{"type":"pong"}\n'
                self.pings_s.append(time.monotonic() - began)
                await asyncio.sleep(PING_S)
        finally:
            line.cut()


class Newcomer:
    """Somebody who comes while it is worst: opens a table, plays a bot, and is gone from by a partner."""

    def __init__(self, house: Addressed, name: str, local: str = "127.0.0.1") -> None:
        self._house = house
        self._name = name
        self._local = local
        self._line: people.Line | None = None

    async def __aenter__(self) -> "Newcomer":
        self._line = await people.line(self._house.addresses["house"], self._local)
        await self.say(type="hello", name=self._name, options_max=1000)
        await self.until("welcome")
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._line is not None
        self._line.cut()

    async def say(self, **message: Any) -> None:
        """Send a message."""
        assert self._line is not None
        await self._line.send(people.encode(message))

    async def until(self, *kinds: str) -> dict[str, Any]:
        """The next message of these types. A table that is declined is a house that has given way."""
        assert self._line is not None
        async with asyncio.timeout(ANSWER_S):
            while text := await self._line.reader.readline():
                message: dict[str, Any] = json.loads(text)
                assert message["type"] != "declined", message
                if message["type"] in kinds:
                    return message
        raise ConnectionError(f"the house hung up on {self._name}, who is honest")

    async def play_a_bot(self, answers: int) -> list[float]:
        """Play against the strongest bot for a while; how long it took for each answer."""
        await self.say(type="open", game="santorini", seats=2, terms={"private": True})
        await self.until("seated")
        await self.say(type="bot")
        took: list[float] = []
        dice = random.Random(self._name)
        question = await self.until("question")
        while question["type"] == "question" and len(took) < answers:
            began = time.monotonic()
            await self.say(type="act", action=dice.choice(question["options"]), at=question["number"])
            question = await self.until("question", "over")
            took.append(time.monotonic() - began)
        return took

    async def sees_the_clock_run(self) -> None:
        """Somebody goes away in the middle of a match, and when the time is over that is the end of it."""
        await self.say(type="open", game="santorini", seats=2, terms={"private": True, "grace_s": 0.5})
        table = (await self.until("seated"))["table"]["id"]
        async with Newcomer(self._house, f"{self._name} too", self._local) as partner:
            await partner.say(type="sit", table=table)
            await partner.until("view")
        await self.until("over")


async def comes_in_by_the_seed(house: Addressed) -> str:
    """Somebody new at Santorini's own door: what they are told first, whoever else
    keeps its people waiting."""
    line = await people.line(house.addresses["santorini"], "127.0.0.1")
    try:
        async with asyncio.timeout(ANSWER_S):
            while text := await line.reader.readline():
                kind = str(json.loads(text)["type"])
                if kind != "ping":
                    return kind
        return "nothing"
    finally:
        line.cut()
