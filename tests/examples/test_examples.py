"""The example clients, each in a process of its own, at one table in a real house, to the end of a match."""

import asyncio
import contextlib
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests import rig
from tests.needs import perl

from ludoteca.server.serve import Server

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
PROTOCOLS = ("house", *rig.spoken())
ENDINGS = ("py", "mjs", "pl")
LINES_MAX = 150


def command(ending: str) -> list[str]:
    """What runs a program of this kind: this Python without its packages, the Node that builds the page."""
    if ending == "py":
        return [sys.executable, "-I", "-S"]
    if ending == "pl":
        return [perl()]
    sys.path.insert(0, str(ROOT))
    from hatch_build import find_node

    found = find_node()
    if found is None:
        pytest.skip("no Node: it comes with requirements/build.txt")
    return [found[0]]


@contextlib.asynccontextmanager
async def program(
    protocol: str, ending: str, address: tuple[str, int], *arguments: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program that has come in."""
    file = str(EXAMPLES / f"{protocol}.{ending}")
    where = f"{address[0]}:{address[1]}"
    process = await asyncio.create_subprocess_exec(
        *command(ending),
        file,
        where,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(rig.PATIENCE_S):
            first = (await process.stdout.readline()).decode()
        assert re.search(r"is in|waits for the others", first), first
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def won_at(server: Server) -> set[str]:
    """Who won the only match that was finished, as the house has it."""
    while not (found := server.house.archive.matches("", 1 << 62, 2)):
        await asyncio.sleep(0.02)
    (match,) = map(json.loads, found)
    chairs = match["table"]["chairs"]
    return {chairs[seat]["name"] for seat, rank in enumerate(match["outcome"]["ranks"]) if rank == 1}


@pytest.mark.slow
@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_three_languages_play_one_match_to_its_end(tmp_path: Path, protocol: str) -> None:
    default = {"multisweeper.players": 3, "multisweeper.pause_s": 0} if protocol == "multisweeper" else {}
    # My Shelfie for those of Ludoteca's own protocol: of its questions some have more than 64 answers.
    of_game = ["shelfie"] if protocol == "house" else []
    names = {ending: f"ada{ending}" for ending in ENDINGS}
    async with (
        rig.house(tmp_path, protocol, default=default) as server,
        contextlib.AsyncExitStack() as stack,
        asyncio.timeout(80),
    ):
        address = server.addresses[protocol]
        playing = [
            await stack.enter_async_context(program(protocol, ending, address, name, *of_game, "3"))
            for ending, name in names.items()
        ]
        told = await asyncio.gather(*(process.communicate() for process in playing))
        winners = await won_at(server)
    results = [out.decode().splitlines()[-1] for out, _ in told]
    assert [error.decode() for _, error in told] == [""] * 3
    assert [process.returncode for process in playing] == [0] * 3
    assert all(result.startswith("over: ") for result in results)
    if protocol == "multisweeper":
        won = {result.split()[1] for result in results if result.endswith("won")}
    else:
        (verdict,) = {result.partition(" wins")[0].removeprefix("over: ") for result in results}
        won = set(verdict.split(" and "))
    # A draw of Eriantys has no winner in its own protocol.
    assert won == winners or (won == {"nobody"} and len(winners) != 1)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ENDINGS)
async def test_a_match_that_does_not_come_to_its_end_is_said_so(tmp_path: Path, ending: str) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with rig.house(tmp_path, "santorini") as server:
            one = await stack.enter_async_context(
                program("santorini", ending, server.addresses["santorini"], "ada")
            )
        async with asyncio.timeout(rig.PATIENCE_S):
            _, errors = await one.communicate()
    assert (one.returncode != 0, errors.decode()) == (True, "ada: the match was broken off\n")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_has_a_short_program_that_needs_nothing_but_its_language(
    protocol: str, ending: str
) -> None:
    text = (EXAMPLES / f"{protocol}.{ending}").read_text()
    assert len(text.splitlines()) < LINES_MAX
    assert max(map(len, text.splitlines())) <= 110
    if ending == "py":
        used = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
        assert used <= set(sys.stdlib_module_names)
    elif ending == "mjs":
        used = set(re.findall(r'from "(.*?)"', text))
        assert used == {"node:net", "node:readline"}
    else:
        used = set(re.findall(r"^use ([A-Z][\w:]+)", text, re.MULTILINE))
        assert used <= {"IO::Select", "IO::Socket::INET", "JSON::PP", "List::Util", "Time::HiRes"}
    assert f"({protocol}.{ending})" in (EXAMPLES / "README.md").read_text()


def test_there_is_nothing_else_in_the_folder() -> None:
    wanted = {f"{protocol}.{ending}" for protocol in PROTOCOLS for ending in ENDINGS} | {"README.md"}
    # A bot for the arena and a lesson in learning, which have tests of their own.
    wanted |= {"climber.py", "learning.py"}
    assert {path.name for path in EXAMPLES.iterdir() if not path.name.startswith("__")} == wanted
