"""What a client gets does not depend on how its bytes were cut: a match is recorded, then said
again in other packets.

The same people play by the same chance in every protocol. What one of them said in a row, each line after the
answer to the one before, is sent again in one packet, in a packet for each line, and byte by byte; everybody
must hear the very same.
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Protocol

import pytest
from tests import rig
from tests.disk import Disk

from ludoteca import games
from ludoteca.server.serve import Server
from ludoteca.server.world import World

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow

# A protocol that has said nothing for so long has nothing more to say.
QUIET_S = 0.02
# Nearly every line brings an answer; the few that do not cost the recording this much.
ANSWER_S = 0.5
LINES = 40
NAMES = ("Anna", "Bert")
# No pings: those come by the clock.
SETTINGS = {
    "eriantys.heartbeat_interval_s": 0,
    "eriantys.silence_s_max": 0,
    "multisweeper.pause_s": 0,
    "renaissance.ping_interval_s": 3600,
    "santorini.ping_s": 3600,
    "shelfie.ping_first_s": 3600,
}


class Player(Protocol):
    """Bytes in, bytes out."""

    def open(self) -> bytes: ...

    def hear(self, data: bytes) -> bytes: ...


class SeedPlayer:
    """Our own client of a seed's protocol, answering by chance."""

    def __init__(self, game: str, name: str, chance: random.Random) -> None:
        self._caller = games.load_client(game)(name)
        self._chance = chance
        self._waits_for_its_name = game == "multisweeper"

    def open(self) -> bytes:
        return self._caller.open(0.0)

    def hear(self, data: bytes) -> bytes:
        said = self._caller.receive(data, 1.0)
        if self._waits_for_its_name and self._caller.alarm is not None and data:
            # A moment after the greeting.
            said += self._caller.tick(2.0)
        if not said and self._caller.answers:
            wanted = [
                answer
                for answer in self._caller.answers
                if answer.startswith(("2 players", "open basic for 2", "join"))
            ]
            said = self._caller.answer(wanted[0] if wanted else self._chance.choice(self._caller.answers))
        return said


class HousePlayer:
    """Ludoteca's own protocol, by hand."""

    def __init__(self, _game: str, name: str, chance: random.Random) -> None:
        self._name = name
        self._chance = chance

    def open(self) -> bytes:
        options = {"type": "open", "game": "santorini", "seats": 2, "options": {"gods": "none"}}
        first = options if self._name == NAMES[0] else {"type": "seek", "game": "santorini"}
        return lines({"type": "hello", "name": self._name}, first)

    def hear(self, data: bytes) -> bytes:
        for line in data.splitlines():
            message = json.loads(line)
            if message["type"] == "question":
                action = self._chance.choice(message["options"])
                return lines({"type": "act", "action": action, "at": message["number"]}, {"type": "ping"})
        return b""


def lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


class Line:
    """One connection: what has come so far, and what of it was looked at."""

    def __init__(self, client: rig.Client) -> None:
        self.client = client
        self.heard = b""
        self.seen = 0
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        while data := await self.client.reader.read(1 << 16):
            self.heard += data

    def count(self) -> int:
        return self.heard.count(b"\n")

    def fresh(self) -> bytes:
        end = self.heard.rfind(b"\n") + 1
        data, self.seen = self.heard[self.seen : end], end
        return data

    async def close(self) -> None:
        self._reading.cancel()
        await self.client.close()


class Burst:
    """What one client said in a row, and how many lines each had heard before it."""

    def __init__(self, who: int, counts: list[int], data: bytes) -> None:
        self.who = who
        self.counts = counts
        self.data = data


async def quiet(connections: list[Line]) -> None:
    """Wait until nobody has heard anything for a while."""
    before = -1
    while before != (now := heard_by(connections)):
        before = now
        await asyncio.sleep(QUIET_S)


def heard_by(connections: list[Line]) -> int:
    return sum(len(line.heard) for line in connections)


async def record(server: Server, listener: str, game: str) -> tuple[list[Burst], list[bytes]]:
    """Let two play, line by line, each line after the answer to the one before."""
    chance = random.Random(7)
    make: Callable[[str, str, random.Random], Player] = HousePlayer if listener == "house" else SeedPlayer
    players: list[Player] = []
    connections: list[Line] = []
    bursts: list[Burst] = []

    async def more_than(before: int) -> None:
        """Wait for an answer, if there is one, and for what comes with it."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_S):
                while heard_by(connections) == before:
                    await asyncio.sleep(0.001)
        await quiet(connections)

    async def say(who: int, data: bytes) -> None:
        for line in data.splitlines(keepends=True):
            if bursts and bursts[-1].who == who and len(bursts[-1].counts) == len(connections):
                bursts[-1].data += line
            else:
                bursts.append(Burst(who, [one.count() for one in connections], line))
            before = heard_by(connections)
            await connections[who].client.send(line)
            await more_than(before)

    for who, name in enumerate(NAMES):
        players.append(make(game, name, chance))
        before = heard_by(connections)
        connections.append(Line(await rig.connect(server, listener)))
        # A greeting may wait for a moment: perhaps the other side speaks another tongue.
        await more_than(before)
        await say(who, players[who].open())
        if who == 0:
            # The first has opened a table when the second comes.
            for _ in range(4):
                await say(0, players[0].hear(connections[0].fresh()))
    patience = 20
    while patience and sum(burst.data.count(b"\n") for burst in bursts) < LINES:
        said = [player.hear(connections[who].fresh()) for who, player in enumerate(players)]
        for who, data in enumerate(said):
            await say(who, data)
        patience = 20 if any(said) else patience - 1
        await quiet(connections)
    heard = [line.heard for line in connections]
    for line in connections:
        await line.close()
    return bursts, heard


async def say_again(
    server: Server,
    listener: str,
    bursts: list[Burst],
    heard: list[bytes],
    cut: Callable[[bytes], list[bytes]],
) -> None:
    """The same in other packets; whoever should hear something has twenty seconds to do so."""
    connections: list[Line] = []
    async with asyncio.timeout(20):
        for burst in bursts:
            while len(connections) < len(burst.counts):
                connections.append(Line(await rig.connect(server, listener)))
            while any(one.count() < wanted for one, wanted in zip(connections, burst.counts, strict=True)):
                await asyncio.sleep(0.001)
            for packet in cut(burst.data):
                connections[burst.who].client.writer.write(packet)
                await asyncio.sleep(0)
        while any(one.count() < want.count(b"\n") for one, want in zip(connections, heard, strict=True)):
            await asyncio.sleep(0.001)
    for one, wanted in zip(connections, heard, strict=True):
        assert plain(one.heard) == plain(wanted)
        await one.close()


def plain(heard: bytes) -> list[str]:
    """Without what the clock says."""
    return re.sub(r'"opened_ms":\d+', '"opened_ms":0', heard.decode()).splitlines()


CUTS: dict[str, Callable[[bytes], list[bytes]]] = {
    "in one packet": lambda data: [data],
    "line by line": lambda data: data.splitlines(keepends=True),
    "byte by byte": lambda data: [bytes([byte]) for byte in data],
    "in the midst of lines": lambda data: [data[place : place + 37] for place in range(0, len(data), 37)],
}


@contextlib.asynccontextmanager
async def house(folder: Path, listener: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Server]:
    """A house that deals the same cards and gives the same ids and tokens every time."""
    numbers = itertools.count(1)
    monkeypatch.setattr("ludoteca.games.eriantys.wire.conversation.uuid4", lambda: next(numbers))
    times = {key: value for key, value in SETTINGS.items() if key.startswith(f"{listener}.")}
    # A disk that is never late: when the loop has nothing more to do, all has been said.
    folder.mkdir()
    disk = Disk(asyncio.get_running_loop().call_later)
    world = World(bits=lambda _: next(numbers), keep=disk.keep)
    server = Server(rig.settings(folder, listener, default=times), world)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@pytest.mark.parametrize("listener", ["house", *rig.spoken()])
async def test_a_match_goes_the_same_way_however_its_bytes_are_cut(
    listener: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(tmp_path / "first", listener, monkeypatch) as server:
        bursts, heard = await record(server, listener, listener)
    assert sum(burst.data.count(b"\n") for burst in bursts) >= (10 if listener == "multisweeper" else LINES)
    if listener != "multisweeper":
        assert max(burst.data.count(b"\n") for burst in bursts) > 2, "somebody says several things in a row"
    for name, cut in CUTS.items():
        async with house(tmp_path / name, listener, monkeypatch) as server:
            await say_again(server, listener, bursts, heard, cut)
