"""A house as people run it: a process of its own, on uvloop."""

from pathlib import Path

from tests import rig


async def test_a_house_in_its_own_process_serves_lines(tmp_path: Path):
    async with rig.process(tmp_path, "house") as server:
        ada = await rig.enter(server, "Ada")
        await ada.send({"type": "ping"})
        assert (await ada.until("pong"))["type"] == "pong"
        await ada.close()


async def test_a_killed_house_leaves_no_lock_behind_with_the_processes_of_its_bots(tmp_path: Path):
    async with rig.process(tmp_path, "house", bot_s="5") as server:
        ada = await rig.enter(server, "Ada", options_max=1000)
        await ada.send(
            {"type": "open", "game": "multisweeper", "seats": 2}, {"type": "bot", "level": "master"}
        )
        question = await ada.until("question")
        # The bot thinks now, in a process that outlives the house for a moment.
        await ada.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await ada.until("events")
        await server.kill()
        await server.start()
        await rig.enter(server, "Bruno")
