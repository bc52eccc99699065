"""kill -9 at random moments, with several tables in play: nothing acknowledged is
lost, nothing happens twice.

Players of two protocols play match after match as fast as they can, come back by themselves after
each kill, and keep a history of what they were told. In the end every history must be part of what
the records replay to.
"""

import asyncio
import contextlib
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests import chance, rig

from ludoteca import games
from ludoteca.core import Seat
from ludoteca.games.multisweeper.events import Exploded, Opened
from ludoteca.journal import replay
from ludoteca.server.journal_reader import JournalReader

KILLS = int(os.environ.get("LUDOTECA_KILLS", "20"))
OPTIONS = {"width": 16, "height": 16, "mines": 12, "pause_s": 0}
# So much each kind of player must have been told for a comparison to mean anything.
ENOUGH = 50


class OwnPlayer:
    """A player of Ludoteca's own protocol: two of them share a table, over and over."""

    def __init__(self, name: str, dice: random.Random) -> None:
        self.name = name
        self.dice = dice
        self.token = ""
        self.table = ""
        self.number = 0
        # Table to record number to events, as told.
        self.history: dict[str, dict[int, list[dict[str, Any]]]] = {}
        self.ended = 0

    async def play(self, house: rig.Process, tables: "asyncio.Queue[str]", opens: bool) -> None:
        """For ever: come (back), play, and begin again."""
        while True:
            with contextlib.suppress(OSError, AssertionError, asyncio.IncompleteReadError):
                client = await rig.connect(house, "house")
                try:
                    await self._come(client, tables, opens)
                    while True:
                        await self._hear(client, tables, opens)
                finally:
                    client.cut()
            await asyncio.sleep(0.05)

    async def _come(self, client: rig.Client, tables: "asyncio.Queue[str]", opens: bool) -> None:
        if self.token:
            await client.send(
                {"type": "return", "token": self.token, "since": self.number, "options_max": 1000}
            )
            answer = await client.until(lambda m: m["type"] in ("seated", "declined"))
            if answer["type"] == "seated":
                if opens and answer["table"]["phase"] == "open":
                    # Our partner may have been killed on the way to us.
                    tables.put_nowait(self.table)
                return
            # The match ended while we were away.
            self.token = ""
        await client.send({"type": "hello", "name": self.name, "options_max": 1000})
        answer = await client.until(lambda m: m["type"] in ("welcome", "declined"))
        assert answer["type"] == "welcome", (
            "killed between sitting down and hearing of it: wait for the grace time"
        )
        await self._sit(client, tables, opens)

    async def _sit(self, client: rig.Client, tables: "asyncio.Queue[str]", opens: bool) -> None:
        self.number = 0
        if opens:
            # Who was killed between sitting down and hearing of it has no token: the chair is free
            # after this time.
            terms = {"private": True, "grace_s": 5}
            await client.send(
                {"type": "open", "game": "multisweeper", "seats": 2, "options": OPTIONS, "terms": terms}
            )
        else:
            async with asyncio.timeout(5):
                table = await tables.get()
            await client.send({"type": "sit", "table": table})

    async def _hear(self, client: rig.Client, tables: "asyncio.Queue[str]", opens: bool) -> None:
        message = await client.message()
        assert message is not None
        match message["type"]:
            case "seated":
                self.token = message["token"] or self.token
                self.table = message["table"]["id"]
                if opens:
                    tables.put_nowait(self.table)
            case "events":
                assert message["number"] > self.number, "told twice"
                self.number = message["number"]
                self.history.setdefault(self.table, {})[self.number] = message["events"]
            case "view":
                self.number = max(self.number, message["number"])
            case "question":
                action = self.dice.choice(message["options"])
                await client.send({"type": "act", "action": action, "at": message["number"]})
            case "over":
                self.token, self.ended = "", self.ended + 1
                await self._sit(client, tables, opens)
            case "declined":
                if message["code"] in ("gone", "playing", "full"):
                    # Our partner is at another table by now: start afresh.
                    self.token = ""
                    await client.send({"type": "leave"})
                    await self._sit(client, tables, opens)


class RawPlayer:
    """A raw Multisweeper client, matched by the house with whoever comes; it takes a new
    name for each match."""

    def __init__(self, name: str, dice: random.Random) -> None:
        self.base = name
        self.dice = dice
        self.matches = 0
        # What was told from each start on, at whichever table that was; and under which name.
        self.boards: list[tuple[str, list[str]]] = []

    @property
    def name(self) -> str:
        return f"{self.base}{self.matches}"

    async def play(self, house: rig.Process) -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                client = await rig.connect(house, "multisweeper")
                try:
                    await self._match(client)
                finally:
                    client.cut()
            await asyncio.sleep(0.01)

    async def _match(self, client: rig.Client) -> None:
        await client.send("multisweeper client v1", f"name {self.name}")
        width, board = 16, ["9"] * 256
        while (line := await client.line()) is not None:
            word, *rest = line.split(" ")
            if word == "start":
                width, board = int(rest[0]), ["9"] * (int(rest[0]) * int(rest[1]))
                self.boards.append((self.name, []))
            elif word == "board_update":
                board = rest
                self.boards[-1][1].append(line)
            elif word == "turn_start":
                cell = self.dice.choice([place for place, value in enumerate(board) if value == "9"])
                await client.send(f"click {cell % width} {cell // width}")
            elif word == "end_condition":
                self.matches += 1
                return


def replayed_boards(archive: JournalReader, table: str) -> list[str]:
    """Every board line of a match, as its record replays."""
    played = replay(archive.lines(table), games.load)
    boards = []
    for step in played.steps:
        if any(isinstance(event, Opened | Exploded) for event in step.events):
            view = played.game.view(step.state, None)
            boards.append("board_update " + " ".join(map(str, view.cells)))
    return boards


def is_part_of(told: list[str], truth: list[str]) -> bool:
    """Whether what was told is the truth with gaps, in order; a board told again after
    a return counts once."""
    rest = iter(truth)
    current = None
    return all(line == current or any((current := found) == line for found in rest) for line in told)


async def end(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel tasks, again if they overhear it: in Python 3.11 parts of asyncio may swallow a cancellation."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=1.0)


@pytest.mark.slow
@pytest.mark.timeout(max(900, 10 * KILLS))
async def test_kills_at_any_moment_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    dice = chance.dice()
    own = [
        OwnPlayer(name, random.Random(name)) for name in ("Anna", "Bruno", "Carla", "Dario", "Elsa", "Fabio")
    ]
    raw = [RawPlayer(name, random.Random(name)) for name in ("ada-", "bob-", "cyd-", "dan-")]
    defaults = tuple(f"multisweeper.{key}={value}" for key, value in OPTIONS.items())
    house = await rig.Process(
        tmp_path, "house", "multisweeper", defaults=defaults, rate_per_s="100000"
    ).start()
    tasks = [asyncio.create_task(player.play(house)) for player in raw]
    for opener, partner in zip(own[::2], own[1::2], strict=True):
        tables: asyncio.Queue[str] = asyncio.Queue()
        tasks += [
            asyncio.create_task(opener.play(house, tables, True)),
            asyncio.create_task(partner.play(house, tables, False)),
        ]
    try:
        for _ in range(KILLS):
            await asyncio.sleep(dice.uniform(0.02, 0.5))
            for task in tasks:
                assert not task.done(), task.exception()
            await house.kill()
            await house.start()
        # After the last restart everybody comes back and plays on.
        await played(own, 3)
        await heard(own, raw)
    finally:
        await end(tasks)
    assert await house.stop() == 0
    check_histories(tmp_path, own, raw)


async def played(own: list[OwnPlayer], more: int) -> None:
    """Wait until so many more have ended a match."""
    before = sum(player.ended for player in own)
    async with asyncio.timeout(120):
        while sum(player.ended for player in own) < before + more:
            await asyncio.sleep(0.05)


async def heard(own: list[OwnPlayer], raw: list[RawPlayer]) -> None:
    """Wait until either kind has been told enough: one may play while the other waits for its grace time."""
    async with asyncio.timeout(120):
        while (
            sum(len(numbers) for player in own for numbers in player.history.values()) < ENOUGH
            or sum(len(lines) for player in raw for _, lines in player.boards) < ENOUGH
        ):
            await asyncio.sleep(0.05)


def check_histories(folder: Path, own: list[OwnPlayer], raw: list[RawPlayer]) -> None:
    """Compare what everybody was told with what the records say; they have `heard` enough."""
    archive = JournalReader(folder)
    game = games.load("multisweeper")
    told = 0
    for player in own:
        for table, numbers in player.history.items():
            match = replay(archive.lines(table), games.load)
            seat = Seat(match.names.index(player.name))
            truth = {
                step.record.number: [game.seen(event, seat) for event in step.events]
                for step in match.steps
                if step.events
            }
            for number, events in numbers.items():
                assert _json(truth[number]) == events
                told += 1
    boards = 0
    by_name: dict[str, list[list[str]]] = {}
    for table in archive.ids():
        for name in replay(archive.lines(table), games.load).names:
            # Whoever came back before anybody knew that they were gone is a second one of that name.
            by_name.setdefault(name.split(" ")[0], []).append(replayed_boards(archive, table))
    for raw_player in raw:
        for name, lines in raw_player.boards:
            told_so = lines and not any(is_part_of(lines, truth) for truth in by_name[name])
            assert not told_so, f"{name} was told what did not happen"
            boards += len(lines)
    assert told >= ENOUGH
    assert boards >= ENOUGH


def _json(events: list[Any]) -> Any:
    import msgspec

    return msgspec.json.decode(msgspec.json.encode(events))
