"""A house as people run it: a process of its own, on uvloop."""

from pathlib import Path

from tests import rig


async def test_a_house_in_its_own_process_serves_lines(tmp_path: Path):
    async with rig.process(tmp_path, "house") as server:
        ada = await rig.enter(server, "Ada")
        await ada.send({"type": "ping"})
        assert (await ada.until("pong"))["type"] == "pong"
        await ada.close()
