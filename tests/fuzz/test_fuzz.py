"""The fuzzer itself, and a short run of it; `make fuzz` is the long one."""

import asyncio
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog
from tests import rig
from tests.fuzz import mutate
from tests.fuzz.watch import Person, Watch

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


async def test_the_watch_sees_who_moves_whose_seat(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "house") as server:
        watch = Watch()
        watch.look_at(server)
        people = {}
        for name in ("Anna", "Bruno"):
            client = people[name] = await rig.enter(server, name, options_max=1000)
            watch.register(Person(name, "house", honest=True), client.writer.get_extra_info("sockname")[:2])
        await people["Anna"].send({"type": "open", "game": "multisweeper", "seats": 2})
        table = (await people["Anna"].until("seated"))["table"]["id"]
        await people["Bruno"].send({"type": "sit", "table": table})
        question = await people["Anna"].until("question")
        await people["Anna"].send({"type": "act", "action": question["options"][0], "at": question["number"]})
        await people["Bruno"].until("question")
        assert watch.counts["decisions"] == 1
        assert not watch.failures
        watch._judge(Person("Mallory", "house"), "Bruno", Acted(1, (Act((Click(0, 0),)),)))
        assert "Mallory (house) has moved seat 1 of Bruno" in watch.failures[0]
