"""Every node serves everybody: people at the doors of several machines play at the same tables, and stay
where they are when the machine that has the hall is lost."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import pytest
from tests import jet, rig
from tests.server.evening import Evening
from tests.server.nodes import House
from tests.server.test_nodes import cluster

from ludoteca.server import rpc

_Result = TypeVar("_Result")

LISTENERS = ("http", "house", *rig.spoken(), *rpc.listeners())
# Real processes, disks and clocks: left out of make check.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


class Calm(Evening):
    """An evening on which nobody counts how long anything takes."""

    async def _ping(self) -> None:
        await asyncio.Event().wait()


async def test_all_games_go_on_through_all_ways_in_while_halls_and_servers_are_lost(tmp_path: Path) -> None:
    """Ten tables by all protocols, their people at the doors of two nodes. Nobody comes back by themselves:
    who is cut off, told something twice or not at all, ends no match."""
    with jet.Servers(tmp_path, 3) as servers:
        async with House(tmp_path, servers, 3, *LISTENERS) as house:
            first = await house.turn()
            house.send_nobody_to(first)
            evening = Calm(house, "gate")  # type: ignore[arg-type]
            playing = asyncio.create_task(evening.play())
            try:
                await _unless_over(playing, evening.begun.wait())
                await first.kill()
                second = await _unless_over(playing, house.turn(first))
                await first.start()
                await cluster(servers, "drain", second.name)
                third = await _unless_over(playing, house.turn(second))
                servers.kill(0)
                async with asyncio.timeout(120):
                    await playing
                assert (await house.turn()) is third
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
            for node in house.nodes:
                assert await node.stop() == 0


async def _unless_over(playing: "asyncio.Task[None]", waiting: Awaitable[_Result]) -> _Result:
    """Wait for something while people play."""
    task = asyncio.ensure_future(waiting)
    await asyncio.wait({task, playing}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        task.cancel()
        playing.result()
        pytest.fail("the evening was over too early")
    return task.result()
