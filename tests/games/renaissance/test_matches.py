"""Whole matches over real sockets: raw clients that come and go, a mixed table, and a
house that is killed."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.games.renaissance.raw_player import Message, RawPlayer

NAMES = ["bianca", "dario", "elena", "fabio"]


class Attendant:
    """A raw player at a socket. `absences` are the turns before which it is cut off once and comes back.

    The first absence is in the middle of a market action, with resources that wait to be placed.
    """

    def __init__(self, house: Any, player: RawPlayer, absences: tuple[int, ...] = ()) -> None:
        self.house = house
        self.player = player
        self.absences = list(absences)
        self.returns = 0
        self.heard: list[Message] = []
        self.client: rig.Client | None = None

    async def come(self) -> None:
        """Connect and log in; after an absence that leads back into the match."""
        self.client = await rig.connect(self.house, "renaissance")
        await self.log_in()

    async def log_in(self) -> None:
        assert self.client is not None
        await self.client.send({"type": "loginRequest", "username": self.player.name})

    async def play(self) -> dict[str, int]:
        """To the end; the final scores."""
        while self.player.scores is None:
            await self.step()
        return self.player.scores

    async def step(self) -> Message:
        """Hear one message and answer it, or hang up over it."""
        assert self.client is not None
        message = await self.client.message()
        assert message is not None, "the house hung up"
        if message["type"] != "ping":
            self.heard.append(message)
        if message["type"] == "usernameResponse" and not message["free"]:
            # The house has not noticed yet that the old connection is gone.
            await asyncio.sleep(0.02)
            await self.log_in()
            return message
        if self.absences and self.player.turns >= self.absences[0]:
            wanted = "resourcesManageRequest" if self.returns == 0 else "possibleActions"
            if message["type"] == wanted:
                self.absences.pop(0)
                self.returns += 1
                self.client.cut()
                await self.come()
                return message
        for reply in self.player.answer(message):
            await self.client.send(reply)
        return message

    def count(self, kind: str) -> int:
        return sum(message["type"] == kind for message in self.heard)


@pytest.mark.slow
async def test_the_next_match_may_follow_at_once_under_the_same_name(tmp_path: Path) -> None:
    """Before the house has had the time to free the name, and again after it."""
    async with rig.house(tmp_path, "renaissance") as house:
        for pause_s in (0.0, 0.3):
            attendant = Attendant(house, RawPlayer("bianca", 3, 1))
            await attendant.come()
            async with asyncio.timeout(60):
                await attendant.play()
            assert attendant.client is not None
            await asyncio.sleep(pause_s)
            await attendant.log_in()
            message = await attendant.client.until("usernameResponse")
            assert message == {"type": "usernameResponse", "free": True, "username": "bianca"}
            await attendant.client.until("numberOfPlayersRequest")
            await attendant.client.close()
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
async def test_raw_clients_play_a_match_and_lose_their_connections(tmp_path: Path, seats: int) -> None:
    async with rig.house(tmp_path, "renaissance") as house:
        attendants = [
            Attendant(house, RawPlayer(name, seed, seats), (2, 4) if seed == seats - 1 else ())
            for seed, name in enumerate(NAMES[:seats])
        ]
        for attendant in attendants:
            await attendant.come()
        scores = await asyncio.gather(*(attendant.play() for attendant in attendants))
        assert all(one == scores[0] for one in scores)
        assert set(scores[0]) == set(NAMES[:seats])
        last = attendants[-1]
        assert last.returns == 2
        assert last.count("reconnectionUpdate") == 2
        for attendant in attendants:
            assert attendant.player.errors == []
            assert attendant.heard[-1]["type"] == "finalScore"
            assert attendant.count("endGame") == 1
        for attendant in attendants[:-1]:
            assert attendant.count("disconnection") == attendant.count("reconnection") == 2


class OwnPlayer:
    """A client of Ludoteca's own protocol that takes any option."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.dice = random.Random(seed)
        self.client: rig.Client | None = None
        self.token = ""
        self.over: Message | None = None

    async def come(self, house: Any) -> None:
        self.client = await rig.connect(house, "house")
        if self.token:
            await self.client.send({"type": "return", "token": self.token, "options_max": 1000})
        else:
            await self.client.send({"type": "hello", "name": self.name, "options_max": 1000})
            await self.client.send({"type": "seek", "game": "renaissance"})
        seated = await self.client.until("seated")
        self.token = seated["token"] or self.token

    async def play(self) -> None:
        """Until the match is over or the house is gone."""
        assert self.client is not None
        while self.over is None:
            message = await self.client.message()
            if message is None:
                return
            if message["type"] == "question":
                action = self.dice.choice(message["options"])
                await self.client.send({"type": "act", "action": action, "at": message["number"]})
            elif message["type"] == "over":
                self.over = message


@pytest.mark.slow
async def test_four_kinds_of_seats_survive_a_killed_house_in_the_middle_of_a_market_action(
    tmp_path: Path,
) -> None:
    async with rig.process(tmp_path, "renaissance", "house", bot_s="0.05") as house:
        raw = Attendant(house, RawPlayer("bianca", 5, 4))
        await raw.come()
        while not raw.count("numberOfPlayersRequest"):
            await raw.step()
        owners = [OwnPlayer("Anna", 1), OwnPlayer("Carl", 2)]
        for owner in owners:
            await owner.come(house)
        assert owners[0].client is not None
        await owners[0].client.send({"type": "bot", "level": "medium"})

        playing = [asyncio.create_task(owner.play()) for owner in owners]
        while not (raw.player.turns and raw.heard[-1]["type"] == "resourcesManageRequest"):
            assert raw.client is not None
            message = await raw.client.message()
            assert message is not None
            raw.heard.append(message)
            if message["type"] != "resourcesManageRequest" or not raw.player.turns:
                for reply in raw.player.answer(message):
                    await raw.client.send(reply)
        waiting = raw.heard[-1]
        await house.kill()
        await asyncio.gather(*playing)
        assert all(owner.over is None for owner in owners)

        await house.start()
        for owner in owners:
            await owner.come(house)
        playing = [asyncio.create_task(owner.play()) for owner in owners]
        await raw.come()
        before = len(raw.heard)
        while raw.heard[-1] is waiting or raw.heard[-1]["type"] != "resourcesManageRequest":
            await raw.step()
        assert raw.heard[-1] == waiting
        told = [message["type"] for message in raw.heard[before:]]
        assert told[:4] == ["players", "devCardGrid", "market", "reconnectionUpdate"]
        scores = await raw.play()
        await asyncio.gather(*playing)

    assert raw.player.errors == []
    for owner in owners:
        assert owner.over is not None
        assert sorted(owner.over["scores"]["total"], reverse=True) == list(scores.values())
        assert len(owner.over["ranks"]) == 4
