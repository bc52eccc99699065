"""The sixth game in a real house that nobody told about it: REST, sockets, bots, the
terminal, the journal."""

import asyncio
import re
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests import rig
from tests.clients.terminal import PATIENCE_S, PLAY
from tests.server.test_stopping import ludoteca
from tests.sixth import install

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "packages"
    folder.mkdir()
    state = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_DATA_HOME": str(tmp_path / "home")}
    return install.connect_four(folder) | state


@pytest.fixture
async def house(tmp_path: Path, environment: dict[str, str]) -> AsyncIterator[rig.Process]:
    server = await rig.Process(tmp_path / "data", "http", "house", bot_s="0.05").start(env=environment)
    yield server
    await server.kill()


async def get(server: rig.Process, path: str) -> tuple[int, Any]:
    host, port = server.addresses["http"]
    async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}{path}") as answer:
        return answer.status, await answer.json()


async def play_out(client: rig.Client, server: rig.Process) -> dict[str, Any]:
    """Let a client take the first choice of every question, up to the end."""
    while True:
        message = await client.until(lambda one: one["type"] in ("question", "over"))
        if message["type"] == "over":
            return message
        await client.send({"type": "act", "action": message["options"][0], "at": message["number"]})


async def test_it_is_listed_with_its_bots_and_without_a_port(house: rig.Process) -> None:
    status, listed = await get(house, "/api/games")
    (game,) = [one for one in listed if one["name"] == "connectfour"]
    assert status == 200
    assert len(listed) == 6
    assert (game["title"], game["port"], game["seats"]) == ("Connect Four", None, {"min": 2, "max": 2})
    assert game["bots"] == ["random", "search", "lefty", "easy", "strong"]
    assert (await get(house, "/api/games/connectfour/cards"))[1] == {}


async def test_nobody_gets_in_by_a_protocol_that_it_does_not_have(house: rig.Process) -> None:
    host, port = house.addresses["http"]
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"http://{host}:{port}/ws/connectfour")
    assert refused.value.status == 404
    status, answer = await get(house, "/ws/connectfour")
    assert (status, answer["error"]) == (404, "protocol")
    assert "played over Ludoteca's" in answer["reason"]


@pytest.mark.parametrize("level", ["strong", "lefty", "search"])
async def test_a_match_against_a_bot_is_played_kept_and_replayed(
    house: rig.Process, environment: dict[str, str], tmp_path: Path, level: str
) -> None:
    ann = await rig.enter(house, "Ann", options_max=100)
    await ann.send({"type": "open", "game": "connectfour"}, {"type": "bot", "level": level})
    table = (await ann.until("seated"))["table"]["id"]
    over = await play_out(ann, house)
    assert over["reason"] in ("four in a line", "the grid is full")
    status, replayed = await get(house, f"/api/matches/{table}/replay")
    assert (status, replayed["steps"][-1]["events"][-1]["type"]) in ((200, "Won"), (200, "Filled"))
    await ann.close()
    assert await house.stop() == 0
    data = ["--data", str(tmp_path / "data")]
    assert "1 of 1 tables verified" in ludoteca("verify", *data, env=environment).stdout
    assert "| . . . . . . . |" in ludoteca("replay", table, *data, "--step", "1", env=environment).stdout


async def test_a_match_outlives_its_house(house: rig.Process, environment: dict[str, str]) -> None:
    ann = await rig.enter(house, "Ann", options_max=100)
    await ann.send({"type": "open", "game": "connectfour", "terms": {"absence": "wait"}})
    seated = await ann.until("seated")
    bob = await rig.enter(house, "Bob", options_max=100)
    await bob.send({"type": "sit", "table": seated["table"]["id"]})
    token = (await bob.until("seated"))["token"]
    asked, other = (ann, bob) if await first(ann, bob) else (bob, ann)
    await asked.send({"type": "act", "action": {"type": "Drop", "column": 3}})
    await other.until("question")
    await house.kill()
    await house.start(env=environment)
    back = await rig.connect(house, "house")
    await back.send({"type": "hello", "name": "Bob"}, {"type": "return", "token": token})
    view = await back.until("view")
    assert [len(column) for column in view["view"]["columns"]] == [0, 0, 0, 1, 0, 0, 0]


async def first(ann: rig.Client, bob: rig.Client) -> bool:
    """Whether Ann is asked first; Bob is, if not."""
    asking = {asyncio.create_task(one.until("question")): one for one in (ann, bob)}
    done, waiting = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED, timeout=PATIENCE_S)
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    (told,) = done
    return asking[told] is ann


async def test_it_is_played_in_the_terminal_at_that_house(
    house: rig.Process, environment: dict[str, str]
) -> None:
    host, port = house.addresses["http"]
    wanted = ["--server", f"{host}:{port}", "--bots", "1", "--level", "random"]
    command = [*PLAY, "connectfour", "--linear", *wanted]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    out, _ = await asyncio.wait_for(process.communicate(b"fly\n/why\n" + b"/any\n" * 60), PATIENCE_S)
    shown = out.decode()
    assert process.returncode == 0
    assert "! Not understood; for example: drop 1" in shown
    assert re.search(r"\? Drop a disc into a column: 1, 2", shown)
    assert "| . . . . . . . |" in shown
    assert re.search("has four in a line|The grid is full", shown)
