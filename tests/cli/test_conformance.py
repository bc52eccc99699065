"""The conformance kit: our own server does all of it, and a server that does not is told exactly what."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.server.test_stopping import ludoteca

from ludoteca.cli.conformance import find
from ludoteca.cli.conformance.kit import Kit, Result

# Real sockets and clocks: left out of make check.
pytestmark = pytest.mark.slow

PROTOCOLS = ("house", *rig.spoken())
# As the pages say, but sooner.
TIMES = {
    "eriantys.heartbeat_interval_s": 0.25,
    "eriantys.silence_s_max": 2.0,
    "multisweeper.pause_s": 0,
    "renaissance.ping_interval_s": 0.5,
    "santorini.breath_s": 0,
    "santorini.ping_s": 0.2,
    "shelfie.ping_first_s": 0.2,
}


@asynccontextmanager
async def house(folder: Path, protocol: str, **more: Any) -> AsyncIterator[tuple[str, int]]:
    times = {key: value for key, value in TIMES.items() if key.startswith(f"{protocol}.")}
    default = {**times, **more}
    async with rig.house(folder, protocol, default=default, bot_s=0.01, bot_workers=0) as server:
        yield server.addresses[protocol]


async def tried(protocol: str, address: tuple[str, int], *sections: str, **more: Any) -> list[Result]:
    kit = Kit(find(protocol), *address, **more)
    return [result async for result in kit.run(sections)]


def failed(results: list[Result]) -> list[str]:
    """What was not done, be it the seed's or the page's."""
    told = (one for one in results if one.outcome in ("failed", "lacks"))
    return [f"{one.text}: {one.expected}; {one.instead}" for one in told]


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_our_own_server_does_all_of_it(tmp_path: Path, protocol: str) -> None:
    async with house(tmp_path, protocol) as address:
        results = await tried(protocol, address)
    assert failed(results) == []
    sections = {result.section for result in results}
    assert {"packets", "refusals", "leaving", "whole match", "messages"} <= sections
    untried = [result.text for result in results if result.outcome == "untried"]
    assert len(untried) <= 4, untried


async def test_a_tournament_of_three_has_spectators(tmp_path: Path) -> None:
    async with house(tmp_path, "multisweeper", **{"multisweeper.players": 3}) as address:
        results = await tried("multisweeper", address, "the round", "whole match", "leaving", players=3)
    assert failed(results) == []
    assert len(results) == 4


# Servers that do not do all of it: ours, with something between that drops or changes what it says.

Change = Callable[[bytes], bytes | None]


@asynccontextmanager
async def between(address: tuple[str, int], change: Change) -> AsyncIterator[tuple[str, int]]:
    """A stand-in that passes lines on; what the server says goes through `change`, None drops it."""
    tasks: set[asyncio.Task[None]] = set()

    async def carry(reader: Any, writer: Any, through: Change) -> None:
        try:
            while line := await reader.readline():
                if (changed := through(line)) is not None:
                    writer.write(changed)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def meet(reader: Any, writer: Any) -> None:
        there, back = await asyncio.open_connection(*address, limit=1 << 20)
        for one, other, through in ((reader, back, bytes), (there, writer, change)):
            task = asyncio.create_task(carry(one, other, through))
            tasks.add(task)

    server = await asyncio.start_server(meet, "127.0.0.1", 0, limit=1 << 20)
    try:
        yield server.sockets[0].getsockname()[:2]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def without(word: str) -> Change:
    """A server that never says this."""
    return lambda line: None if word.encode() in line else line


def instead(old: str, new: str) -> Change:
    """A server that says something else."""
    return lambda line: re.sub(old.encode(), new.encode(), line)


BROKEN = {
    # Protocol, what is broken, the sections to try, and what must be said.
    "multisweeper has no pong": (
        "multisweeper",
        without("pong"),
        ["connection"],
        {'`multisweeper` with line "multisweeper pong"; the server hung up'},
    ),
    "multisweeper hides mines": (
        "multisweeper",
        # Not in `turn_id_update 10`: that is no mine.
        lambda line: re.sub(rb"\b10\b", b"9", line) if line.startswith(b"board_update") else line,
        ["whole match"],
        {"the clicked cell to be open; it is still 9"},
    ),
    "santorini never refuses": (
        "santorini",
        instead('"result":false', '"result":true'),
        ["naming"],
        {"`playerAdded` with result false after the name "},
    ),
    "santorini tells only who moved": (
        "santorini",
        without('"type":"builder'),
        ["setup"],
        {"`buildersPlacement` with result false after "},
    ),
    "santorini writes a list for four lists": (
        "santorini",
        instead(r'"possibleDst":\[\[', '"possibleDst":[["x",'),
        ["the turn", "messages"],
        {"`possibleMoveDestinations` in the form of the page; Expected `object`, got `str`"},
    ),
    "shelfie forgets the board": (
        "shelfie",
        instead(r'"board":\{"cells":\[.*?\]\},"bookshelf"', '"bookshelf"'),
        ["the turn", "messages"],
        {"`EndTurnNotify` in the form of the page; Object missing required field `board`"},
    ),
    "shelfie takes any name": (
        "shelfie",
        instead('"nickname":null', '"nickname":"you"'),
        ["naming"],
        {"`LoginResponse` with nickname null after ''; nothing of that kind within"},
    ),
    "eriantys does not beat": (
        "eriantys",
        without("Heartbeat"),
        ["heartbeat"],
        # Either our patience ends first or the server's, which hears none from us either.
        {"`Heartbeat` every half second; "},
    ),
    "eriantys never asks again": (
        "eriantys",
        instead('"isFirstRequest":false', '"isFirstRequest":true'),
        ["refusals"],
        {"`AskAction` with isFirstRequest false after {'actionType': 'CHOOSE_CLOUD', 'cloud': 1}"},
    ),
    "renaissance does not tell a loss": (
        "renaissance",
        without('"type":"disconnection"'),
        ["leaving"],
        {"`disconnection` with username "},
    ),
    "renaissance has another word": (
        "renaissance",
        instead("MANAGE_RESOURCES", "RESOURCES"),
        ["refusals", "messages"],
        {
            '`error` with error "MANAGE_RESOURCES" after ',
            "`error` in the form of the page; Invalid enum value 'RESOURCES'",
        },
    ),
    "the house sends no options": (
        "house",
        instead(r',"options":\[.*?\]', ""),
        ["the match"],
        {"messages as the page has them; KeyError('options')"},
    ),
    "the house says no pong": ("house", without('"pong"'), ["connection"], {"`pong`; nothing of that kind"}),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_what_a_server_does_not_do_is_said(tmp_path: Path, name: str) -> None:
    protocol, change, sections, said = BROKEN[name]
    async with house(tmp_path, protocol) as address, between(address, change) as stand_in:
        results = await tried(protocol, stand_in, *sections, patience_s=1.5)
    told = failed(results)
    for words in said:
        assert any(words in line for line in told), told
    # Whoever has to mend it sees the lines.
    assert all(one.talk for one in results if one.outcome == "failed" and one.section != "messages")


async def test_what_only_the_page_has_is_lacking_and_no_failure(tmp_path: Path) -> None:
    async with (
        house(tmp_path, "santorini") as address,
        between(address, without("errorNumber")) as stand_in,
    ):
        results = await tried("santorini", stand_in, "lobby", "messages", patience_s=3.0)
        host, port = stand_in
        command = ["conformance", "santorini", f"{host}:{port}", "--section", "lobby", "--patience", "3"]
        done = await asyncio.to_thread(ludoteca, *command)
    wrong = [one for one in results if one.section == "lobby" and one.outcome != "ok"]
    assert [(one.outcome, one.expected) for one in wrong] == [("lacks", "`errorNumber` after 1")]
    assert {one.outcome for one in results if "errorNumber" in one.text} == {"lacks"}
    assert (done.returncode, "  lacks    It answers a number" in done.stdout) == (0, True)


async def test_a_server_that_says_nothing_is_told_so_and_one_that_is_not_there_too(tmp_path: Path) -> None:
    async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(silence, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    command = ["conformance", "multisweeper", f"{host}:{port}", "--patience", "0.1"]
    done = await asyncio.to_thread(ludoteca, *command, "--section", "connection")
    assert done.returncode == 1
    assert "FAILED   It greets whoever connects" in done.stdout
    told = await asyncio.to_thread(ludoteca, *command, "--section", "lobby", "--json")
    assert told.returncode == 1
    shown = json.loads(told.stdout)
    assert shown["counts"] == {"failed": 2}
    assert {one["section"] for one in shown["results"]} == {"lobby"}
    server.close()
    await server.wait_closed()
    gone = await asyncio.to_thread(ludoteca, *command)
    assert (gone.returncode, "there is nobody at" in gone.stderr) == (2, True)


async def test_a_server_that_talks_without_end_does_not_keep_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoteca.cli.conformance.peers.MATCH_LINES_MAX", 500)

    async def babble(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(b'{"type":"turnUpdate","name":"ada"}\n' * 100)
                await writer.drain()
        except ConnectionError:
            writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()[:2]
    async with asyncio.timeout(30):
        results = await tried("santorini", address, "connection", "heartbeat", "whole match", patience_s=1)
    server.close()
    assert {one.outcome for one in results} == {"failed", "lacks"}
    assert any("to come to an end; 500 lines came" in line for line in failed(results)), failed(results)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "127.0.0.1:1"], "there is no game 'chess'"),
        (["kit", "127.0.0.1:1"], "there is no game 'kit'"),
        (["house", "127.0.0.1:1", "--section", "dance"], "there is no section dance"),
    ],
)
def test_what_cannot_be_tried_is_one_clear_line(arguments: list[str], words: str) -> None:
    done = ludoteca("conformance", *arguments)
    assert (done.returncode, words in done.stderr) == (1, True)


async def test_all_is_well_is_exit_code_zero(tmp_path: Path) -> None:
    async with house(tmp_path, "multisweeper") as (host, port):
        done = await asyncio.to_thread(
            ludoteca, "conformance", "multisweeper", f"{host}:{port}", "--section", "connection"
        )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "3 ok, 0 failed, 0 lacks, 0 untried")
