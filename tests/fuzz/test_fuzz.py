"""The fuzzer itself, and a short run of it; `make fuzz` is the long one."""

import asyncio
import contextlib
import random
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from tests import people, rig
from tests.fuzz import mutate
from tests.fuzz.watch import Person, Watch
from tests.games.shelfie.caller import Client

from ludoteca import games
from ludoteca.core.requests import Act
from ludoteca.games.multisweeper.actions import Click
from ludoteca.journal.records import Acted

JSON = ["house", "eriantys", "renaissance", "santorini", "shelfie"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_nothing_that_anybody_says_harms_the_house_or_its_honest_guests() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "--seed", "20261115", "--seconds", "8"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
    assert "Traceback" not in done.stderr
    ways = set(re.findall(r"odd: (.+)", done.stdout))
    lines = {f"{way} {game}" for way in ("house", "ws", "seed", "seed-ws") for game in games.names()}
    objects = {f"java {game}" for game in ("eriantys", "renaissance", "shelfie")}
    assert ways == lines | objects | {"calls", "frames", "http", "rmi"}


@pytest.mark.parametrize("name", JSON)
def test_most_mutants_get_past_the_first_check(name: str) -> None:
    """Bytes that are no JSON try the parser and nothing else."""
    game = "santorini" if name == "house" else name
    protocol, mutator = mutate.Protocol(name, game), mutate.Mutator(random.Random(1))
    reader = mutate.decoder(name)
    assert reader is not None
    valid = sum(_fits(reader, protocol.invent(mutator)) for _ in range(500))
    changed = sum(_fits(reader, protocol.mutate(mutator, protocol.invent(mutator)[:-1])) for _ in range(500))
    assert valid > 400
    assert 50 < changed < 400


def _fits(reader: "msgspec.json.Decoder[Any]", line: bytes) -> bool:
    try:
        reader.decode(line)
    except (ValueError, RecursionError):
        return False
    return True


@pytest.mark.parametrize("name", [*JSON, "multisweeper"])
def test_a_seed_says_the_same_again(name: str) -> None:
    def said() -> list[bytes]:
        mutator = mutate.Mutator(random.Random(7))
        protocol = mutate.Protocol(name, "santorini" if name == "house" else name)
        return [protocol.mutate(mutator, protocol.invent(mutator)[:-1]) for _ in range(200)]

    assert said() == said()


async def test_the_watch_hears_what_goes_wrong() -> None:
    before = structlog.get_config()
    try:
        watch = Watch(ignore=("known",))
        watch.listen()
        structlog.get_logger().info("all is well")
        structlog.get_logger().error("something known")
        assert not watch.failures
        structlog.get_logger().error("it broke", exc_info=ValueError("x"))
        assert "it broke" in watch.failures[0]
        assert watch.failed.is_set()
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)
        await asyncio.sleep(0.01)
        assert "ZeroDivisionError" in watch.failures[1]
    finally:
        structlog.configure(**before)


# Of one that it has taken in and not yet begun with, the loop itself makes an end some time.
@pytest.mark.parametrize("turns", [0, 1, 3, 4, 5])
async def test_a_caller_who_has_left_takes_no_call_that_was_under_way(turns: int) -> None:
    """However far the loop has come with it: else the house takes somebody for present who is not."""
    client = await Client().listen()
    # The kernel takes it in at once, and the loop only when its turn has come.
    with socket.create_connection(("127.0.0.1", client.port)) as line:
        for _ in range(turns):
            await asyncio.sleep(0)
        client.leave()
        line.setblocking(False)
        async with asyncio.timeout(5):
            with contextlib.suppress(ConnectionResetError):
                assert await asyncio.get_running_loop().sock_recv(line, 1) == b""


async def test_a_web_socket_that_does_not_come_about_is_hung_up() -> None:
    asked, gone = asyncio.Event(), asyncio.Event()

    async def house(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionResetError):
            while await reader.read(100):
                asked.set()
        gone.set()

    async with await asyncio.start_server(house, "127.0.0.1", 0) as server:
        coming = asyncio.create_task(people.line(server.sockets[0].getsockname(), "", "/ws"))
        async with asyncio.timeout(5):
            await asked.wait()
            coming.cancel()
            await gone.wait()


async def test_the_watch_sees_who_moves_whose_seat(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        watch = Watch()
        watch.look_at(server)
        came = {}
        for name in ("Anna", "Bruno"):
            client = came[name] = await rig.enter(server, name, options_max=1000)
            watch.register(Person(name, "house", honest=True), client.writer.get_extra_info("sockname")[:2])
        await came["Anna"].send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await came["Anna"].until("seated"))["table"]["id"]
        await came["Bruno"].send({"type": "sit", "table": table})
        question = await came["Anna"].until("question")
        await came["Anna"].send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await came["Bruno"].until("question")
        assert watch.counts["decisions"] == 1
        assert not watch.failures
        watch._judge(Person("Mallory", "house"), "Bruno", Acted(1, (Act((Click(0, 0),)),)))
        assert "Mallory (house) has moved seat 1 of Bruno" in watch.failures[0]
