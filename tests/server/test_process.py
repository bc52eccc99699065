"""A house as people run it: a process of its own, on uvloop."""

import asyncio
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from tests import rig


async def test_a_house_in_its_own_process_serves_lines(tmp_path: Path):
    async with rig.process(tmp_path, "house") as server:
        ada = await rig.enter(server, "Ada")
        await ada.send({"type": "ping"})
        assert (await ada.until("pong"))["type"] == "pong"
        await ada.close()


@pytest.mark.slow
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


@pytest.mark.slow
async def test_a_house_takes_as_many_open_files_as_it_may_have_and_says_when_they_are_few(
    tmp_path: Path,
) -> None:
    """The usual soft limit of 1,024 would let in a thousand guests."""
    few = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (256, 512))
    house = rig.Process(tmp_path, "house")
    try:
        await house.start(preexec_fn=few, stderr=subprocess.PIPE)
        assert resource.prlimit(house.pid, resource.RLIMIT_NOFILE) == (512, 512)
        async with asyncio.timeout(rig.PATIENCE_S):
            assert b"fewer files may be open than connections_max" in await house.errors.readline()
    finally:
        await house.kill()


@pytest.mark.slow
def test_a_house_starts_without_what_only_a_terminal_or_a_remote_call_needs() -> None:
    code = "import sys, ludoteca.cli.serve; print({'rich', 'segno', 'textual', 'grpc'} & {*sys.modules})"
    assert subprocess.check_output([sys.executable, "-c", code], timeout=60) == b"set()\n"
