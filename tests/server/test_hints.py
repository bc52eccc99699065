"""Hints by the house's own bots: they stand in line like all thinking, whoever asks and however often."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests import rig

from ludoteca.server import child
from ludoteca.server.serve import Server

# Real processes and clocks: left out of make check.
pytestmark = pytest.mark.slow

PLAIN = {"gods": "none"}


async def against_a_bot(client: rig.Client, level: str = "random") -> dict[str, Any]:
    """Begin a match of Santorini; the first question."""
    opening = {"type": "open", "game": "santorini", "seats": 2, "options": PLAIN}
    await client.send(opening, {"type": "bot", "level": level})
    return await client.until("question")


async def advice(client: rig.Client) -> dict[str, Any]:
    return await client.until(lambda one: one["type"] == "hint" or one.get("request") == "hint")


def thoughts(server: Server) -> float:
    """How many hints were thought about."""
    value = server.house.metrics.registry.get_sample_value("ludoteca_bot_hints_total", {"game": "santorini"})
    return value or 0.0


async def test_a_whole_match_played_by_hints_beats_a_bot_that_plays_at_random(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.05, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        question = await against_a_bot(ada)
        while question["type"] == "question":
            await ada.send({"type": "hint", "at": question["number"]})
            hint = await advice(ada)
            assert hint["number"] == question["number"]
            assert hint["level"] == "master"
            (action,) = hint["actions"]
            assert action in question["options"]
            given = hint["advice"]
            if len(question["options"]) > 1:
                assert given[0]["action"] == action
                assert given[0]["words"].keys() == {"en", "it"}
                assert len(given) > 1
            else:
                assert given == []
            await ada.send({"type": "act", "action": action, "at": question["number"]})
            question = await ada.until(lambda one: one["type"] in ("question", "over"))
        assert question["winners"] == [0]


async def test_somebody_who_asks_for_hints_all_the_time_gets_one_thought_and_slows_nobody_down(
    tmp_path: Path,
) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.2, bot_workers=1, rate_burst=5000) as server:
        crowd = [await rig.enter(server, f"Mallory-{number}", "127.0.0.2") for number in range(12)]
        for client in crowd:
            await against_a_bot(client)
        for client in crowd:
            await client.send(*[{"type": "hint"}] * 50)
        honest = await rig.enter(server, "Ada", "127.0.0.3")
        await against_a_bot(honest)
        before = thoughts(server)
        await honest.send({"type": "hint"})
        assert (await advice(honest))["type"] == "hint"
        # Behind one thought of the crowd at most, not behind twelve, and one more may have begun since.
        assert thoughts(server) <= before + 3
        for client in crowd:
            heard = [await advice(client) for _ in range(50)]
            assert {one.get("code", "hint") for one in heard} <= {"hint", "rate"}
        # No more is thought than one hint for each question.
        await asyncio.sleep(1)
        assert thoughts(server) <= len(crowd) + 1


async def test_a_hint_that_comes_too_late_is_declined_and_the_match_goes_on(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.4, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        question = await against_a_bot(ada)
        answer = {"type": "act", "action": question["options"][0], "at": question["number"]}
        await ada.send({"type": "hint"}, answer)
        assert (await ada.until("question"))["number"] > question["number"]
        assert (await advice(ada))["code"] == "stale"


async def test_who_hangs_up_while_a_bot_thinks_may_ask_again_when_back(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.3, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        await against_a_bot(ada)
        token = next(one for one in ada.heard if one["type"] == "seated")["token"]
        await ada.send({"type": "hint"})
        await asyncio.sleep(0.1)
        ada.cut()
        again = await rig.connect(server, "house")
        await again.send({"type": "return", "token": token})
        await again.until("question")
        await again.send({"type": "hint"})
        assert (await advice(again))["type"] == "hint"


async def test_a_bot_that_breaks_down_over_a_hint_says_so_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(child, "PROGRAM", "import sys; sys.exit(1)")
    async with rig.house(tmp_path, "house", bot_s=0.1, bot_workers=1) as server:
        ada = await rig.enter(server, "Ada")
        question = await against_a_bot(ada)
        await ada.send({"type": "hint"})
        assert (await advice(ada))["code"] == "bot"
        await ada.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        assert (await ada.until("question"))["number"] > question["number"]
