"""A disk that cannot be written: nothing is acknowledged, everybody is told, and all goes on afterwards."""

import asyncio
import resource
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests import rig

from ludoteca import games
from ludoteca.server.schema import journal_in


async def begin(server: rig.Process) -> tuple[rig.Client, rig.Client, dict[str, object]]:
    """Two players whose match has begun; the first one's question."""
    anna, bruno = await rig.enter(server, "Anna", options_max=1000), await rig.enter(server, "Bruno")
    await anna.send({"type": "open", "game": "multisweeper", "seats": 2})
    await bruno.send({"type": "sit", "table": (await anna.until("seated"))["table"]["id"]})
    await bruno.until("view")
    return anna, bruno, await anna.until("question")


@pytest.mark.slow
async def test_a_locked_journal_holds_acknowledgements_back_until_it_is_free(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        anna, bruno, question = await begin(server)  # type: ignore[arg-type]
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})  # type: ignore[index]
        assert (await bruno.until("trouble"))["over"] is False
        assert not [message for message in bruno.heard if message["type"] == "events"]
        blocker.execute("ROLLBACK")
        blocker.close()
        told = await bruno.until("events")
        assert [m["over"] for m in bruno.heard if m["type"] == "trouble"] == [False, True]
        assert (await anna.until("events")) == told


@pytest.mark.slow
async def test_a_full_disk_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """The process may not make its files any longer: what a full disk is to SQLite."""
    async with rig.process(tmp_path, "house", "http") as server:
        anna, bruno, question = await begin(server)
        largest = max(file.stat().st_size for file in tmp_path.iterdir())
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (largest, hard))
        await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})  # type: ignore[index]
        await bruno.until("trouble")
        await asyncio.sleep(0.7)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))
        told = await bruno.until("events")
        await anna.until("events")
        await server.kill()
        await server.start()
        back = await rig.connect(server, "house")
        seated = next(m for m in bruno.heard if m["type"] == "seated")
        await back.send({"type": "return", "token": seated["token"], "since": told["number"] - 1})
        assert (await back.until("events")) == told


@pytest.mark.slow
async def test_nobody_is_out_of_time_because_nothing_could_be_stored(tmp_path: Path) -> None:
    """Who has four seconds for a decision decides after a disk that was away for longer."""
    async with rig.house(tmp_path, "house") as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        bruno = await rig.enter(server, "Bruno", options_max=1000)
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2, "terms": {"move_s": 4}})
        await bruno.send({"type": "sit", "table": (await anna.until("seated"))["table"]["id"]})
        question = await anna.until("question")
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await bruno.until("trouble")
        await asyncio.sleep(4.5)
        blocker.execute("ROLLBACK")
        blocker.close()
        question = await bruno.until("question")
        await bruno.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        told = await bruno.until(lambda message: message.get("number", 0) > question["number"])
        assert "BrokenOff" not in [event["type"] for event in told["events"]]


@pytest.mark.slow
async def test_bots_wait_as_well_and_go_on(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house", bot_s=0.01, bot_workers=0) as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        await anna.send(
            {"type": "open", "game": "multisweeper", "seats": 2}, {"type": "bot", "level": "random"}
        )
        question = await anna.until("question")
        await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await anna.until("events")
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        await anna.send({"type": "say", "text": "hello"})
        await anna.until("trouble")
        blocker.execute("ROLLBACK")
        blocker.close()
        await anna.until("said")
        heard = [message["type"] for message in anna.heard]
        if heard.count("question") < 2 and "over" not in heard:
            await anna.until(lambda message: message["type"] in ("question", "over"))


@pytest.mark.parametrize("name", rig.spoken())
def test_who_is_not_listened_to_is_not_taken_for_silent(name: str) -> None:
    """Protocols that drop who does not answer pings do so only where somebody would have heard the answer."""

    def is_dropped(*, listening: bool) -> bool:
        wire = games.load(name).protocol()
        conversation: Any = wire.converse(wire.settings())
        conversation.greet(0.0)
        if name == "santorini":
            # Who has never answered a ping is not asked to.
            conversation.receive(b'{"type":"pong"}\n', 0.0)
        for _ in range(200):
            if conversation.closing or conversation.alarm is None:
                break
            now = conversation.alarm
            if not listening and hasattr(conversation, "excuse"):
                conversation.excuse(now)
            conversation.tick(now)
        return bool(conversation.closing)

    assert is_dropped(listening=True) == (name != "multisweeper")
    assert not is_dropped(listening=False)


@pytest.mark.slow
async def test_a_house_in_trouble_hangs_up_on_nobody_whom_it_does_not_hear(tmp_path: Path) -> None:
    """Eriantys takes two seconds of silence for a lost connection; here one."""
    times = {"eriantys.heartbeat_interval_s": 0.05, "eriantys.silence_s_max": 1.0}
    async with rig.house(tmp_path, "eriantys", "house", default=times) as server:
        quiet = await rig.connect(server, "eriantys")
        await quiet.until("Heartbeat")
        blocker = sqlite3.connect(journal_in(tmp_path), isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "open", "game": "santorini", "seats": 2})
        beats = 0
        async with asyncio.timeout(rig.PATIENCE_S):
            while not server.house.trouble:
                await quiet.send({"type": "Heartbeat"})
                await asyncio.sleep(0.05)
        while beats < 30:
            await quiet.until("Heartbeat")
            beats += 1
        blocker.execute("ROLLBACK")
        blocker.close()
        assert await quiet.rest(), "now it is heard, and silent"
