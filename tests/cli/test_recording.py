"""`ludoteca protocol NAME --record`: transcripts in the form of those of the tests, with the time."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests import rig
from tests.server.test_stopping import ludoteca

from ludoteca.cli.conformance import find
from ludoteca.cli.conformance.kit import Kit
from ludoteca.cli.recording import Recorder

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


async def test_a_conversation_is_written_down_with_its_time_and_passed_on_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "transcript.jsonl"
    async with rig.house(tmp_path / "house", "multisweeper") as server:
        host, port = server.addresses["multisweeper"]
        command = [sys.executable, "-m", "ludoteca.cli", "protocol", "multisweeper", f"{host}:{port}"]
        process = await asyncio.create_subprocess_exec(
            *command,
            "--record",
            str(file),
            stdout=asyncio.subprocess.PIPE,
            # Tests that run in the background ignore Ctrl-C, and what they start would inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        assert process.stdout is not None
        word, address = (await asyncio.wait_for(process.stdout.readline(), 20)).decode().split()
        assert word == "listening"
        reader, writer = await asyncio.open_connection(*address.split(":"))
        assert await reader.readline() == b"multisweeper v1\n"
        await asyncio.sleep(0.2)
        writer.write(b"multisweeper client v1 ping\n")
        assert await reader.read() == b"multisweeper pong\n"
        process.send_signal(signal.SIGINT)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    told = lines_of(file)
    assert [(one["from"], one["to"], one["line"]) for one in told[:4]] == [
        ("server", "client1", "multisweeper v1"),
        ("client1", "server", "multisweeper client v1 ping"),
        ("server", "client1", "multisweeper pong"),
        ("server", "client1", None),
    ]
    times = [one["at"] for one in told]
    assert times[0] == 0
    assert times == sorted(times)
    assert 0.2 <= times[1] < 5


async def test_a_whole_evening_is_recorded_and_its_clients_notice_nothing(tmp_path: Path) -> None:
    file = tmp_path / "transcript.jsonl"
    async with rig.house(tmp_path / "house", "shelfie") as server:
        with file.open("w") as target:
            recorder = Recorder(*server.addresses["shelfie"], target)
            listener = await recorder.listen("127.0.0.1", 0)
            kit = Kit(find("shelfie"), *listener.sockets[0].getsockname()[:2])
            results = [one async for one in kit.run(["whole match", "packets", "refusals"])]
            listener.close()
            await recorder.close()
    assert [one.text for one in results if one.outcome != "ok"] == []
    told = lines_of(file)
    kinds = {json.loads(one["line"])["type"] for one in told if one["line"] and one["from"] == "server"}
    assert {"GameStartNotify", "EndTurnNotify", "GameResultNotify"} <= kinds
    # Bytes that are no text went through as they were: the server hung up on them.
    assert any("�" in (one["line"] or "") for one in told)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["house", "--record", "x"], "say which server"),
        (["house", "127.0.0.1:1"], "only of use with --record"),
        (["chess", "127.0.0.1:1", "--record", "x"], "there is no game 'chess'"),
        (["house", "127.0.0.1:1", "--record", "/nowhere/x"], "cannot record"),
    ],
)
def test_what_cannot_be_recorded_is_one_clear_line(arguments: list[str], words: str) -> None:
    done = ludoteca("protocol", *arguments)
    assert (done.returncode, words in done.stderr) == (1, True)


async def test_a_server_that_is_not_there_is_noted_and_the_client_hung_up_on(tmp_path: Path) -> None:
    file = tmp_path / "transcript.jsonl"
    with file.open("w") as target:
        recorder = Recorder("127.0.0.1", 1, target)
        listener = await recorder.listen("127.0.0.1", 0)
        reader, _ = await asyncio.open_connection(*listener.sockets[0].getsockname()[:2])
        assert await asyncio.wait_for(reader.read(), 10) == b""
        listener.close()
    assert [(one["from"], one["line"]) for one in lines_of(file)] == [("server", None)]
