"""A raw client, a client of Ludoteca's own protocol and a bot play one Multisweeper tournament together."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests import rig

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

OPTIONS = {"width": 6, "height": 5, "mines": 6, "pause_s": 0}


class Raw:
    """A Multisweeper client written from the seed alone: it knows its last board and clicks closed cells."""

    def __init__(self, client: rig.Client, dice: random.Random) -> None:
        self.client = client
        self.dice = dice
        self.lines: list[str] = []
        self.width = self.height = 0
        self.board: list[str] = []

    async def play(self) -> list[str]:
        """Until the connection ends; all lines heard."""
        await self.client.send("multisweeper client v1", "name Bob Stone")
        while (line := await self.client.line()) is not None:
            self.lines.append(line)
            word, *rest = line.split(" ")
            if word == "start":
                self.width, self.height = int(rest[0]), int(rest[1])
                self.board = ["9"] * (self.width * self.height)
            elif word == "board_update":
                assert len(rest) == self.width * self.height
                self.board = rest
            elif word == "turn_start":
                cell = self.dice.choice([place for place, value in enumerate(self.board) if value == "9"])
                await self.client.send(f"click {cell % self.width} {cell // self.width}")
        return self.lines


async def play_own_protocol(
    client: rig.Client, dice: random.Random
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Answer every question with an offered option; all events, and the outcome."""
    events: list[dict[str, Any]] = []
    number = 0
    while True:
        message = await client.message()
        assert message is not None
        if message["type"] == "question":
            assert len(message["options"]) == message["count"]
            await client.send(
                {"type": "act", "action": dice.choice(message["options"]), "at": message["number"]}
            )
        elif message["type"] == "events":
            assert message["number"] > number
            number = message["number"]
            events += message["events"]
        elif message["type"] == "over":
            return events, message


async def test_three_kinds_of_players_at_one_table(tmp_path: Path) -> None:
    import asyncio

    for seed in range(4):
        folder = tmp_path / str(seed)
        async with rig.house(folder, "house", "multisweeper", bot_s=0.05, bot_workers=0) as server:
            anna = await rig.enter(server, "Anna", options_max=1000)
            await anna.send({"type": "open", "game": "multisweeper", "seats": 3, "options": OPTIONS})
            await anna.until("seated")
            await anna.send({"type": "bot", "level": "safe"})
            bob = Raw(await rig.connect(server, "multisweeper"), random.Random(seed))
            heard, (events, over) = await asyncio.gather(
                bob.play(), play_own_protocol(anna, random.Random(seed + 100))
            )
        assert heard[:5] == [
            "multisweeper v1",
            "num_players 3",
            "player Anna",
            "player Bot-Ada",
            "player Bob Stone",
        ]
        assert sorted(over["ranks"]) == [1, 2, 3]
        assert len(over["winners"]) == 1
        assert sum(line.startswith("start ") for line in heard) == 2
        last = (
            "sudden_exit" if over["ranks"][2] == 3 else f"end_condition {2 if over['ranks'][2] == 1 else 0}"
        )
        assert heard[-1] == last
        assert {event["type"] for event in events} >= {"Opened", "Exploded"}
