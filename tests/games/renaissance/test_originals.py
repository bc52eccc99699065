"""Programs in Java that speak as the original does, at the tables of a real house with everybody else."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.java.players import player

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow

# On a busy machine a virtual machine may stand still for longer than a ping usually waits.
CALM = {"renaissance.ping_interval_s": 30}


async def play(client: rig.Client, dice: random.Random) -> list[dict[str, Any]]:
    """Answer every question of our own protocol while all are there, to the end; everything heard."""
    heard: list[dict[str, Any]] = []
    question: dict[str, Any] | None = None
    is_missing = False
    while not heard or heard[-1]["type"] != "over":
        message = await client.message()
        assert message is not None
        heard.append(message)
        if message["type"] in ("left", "returned"):
            is_missing = message["type"] == "left"
        elif message["type"] == "question":
            question = message
        if question is not None and not is_missing:
            choice = dice.choice(question["options"])
            await client.send({"type": "act", "action": choice, "at": question["number"]})
            question = None
    return heard


async def test_an_original_leaves_returns_and_plays_to_the_end_with_our_own_protocol_and_a_bot(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "house", "renaissance", bot_s=0.02, bot_workers=0, default=CALM) as server:
        address = server.addresses["renaissance"]
        ada = await rig.enter(server, "ada", options_max=1000)
        await ada.send({"type": "open", "game": "renaissance", "seats": 3, "terms": {"absence": "end"}})
        await ada.until("seated")
        await ada.send({"type": "bot", "level": "random"})
        playing = asyncio.create_task(play(ada, random.Random(3)))
        # It is gone in the middle of its third turn, without a word.
        async with player("renaissance", "Player", address, "gianni", "3", "3") as gone:
            assert await gone.end() == 4, gone.heard[-12:]
        async with player("renaissance", "Player", address, "gianni", "3", "0") as back:
            own = await playing
            assert await back.end() == 0, back.heard[-12:]
    assert "ReConnectionUpdate" in back.heard
    assert not [line for line in back.heard + gone.heard if line.startswith("ErrorMessage")]
    kinds = {line.split()[0] for line in back.heard + gone.heard}
    assert {"DiscardLeaderCardUpdate", "UseProductionUpdate", "MarketActionUpdate"} <= kinds
    # Everybody has seen the same end, from high to low.
    said = back.heard[-1].removeprefix("FinalScoreMessage {").removesuffix("}")
    points = dict(pair.split("=") for pair in said.split(", "))
    assert set(points) == {"ada", "gianni", "Bot-Ada"}
    assert [int(each) for each in points.values()] == sorted(own[-1]["scores"]["total"], reverse=True)
