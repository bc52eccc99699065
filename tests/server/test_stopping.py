"""Stopping and starting: clean, announced, and with clear words when something is in the way."""

import asyncio
import json
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop
from tests import rig

# Real processes, disks and clocks: left out of make check.
pytestmark = pytest.mark.slow


def ludoteca(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ludoteca.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)  # type: ignore[call-overload,no-any-return]


async def test_a_stop_is_announced_and_the_match_goes_on_afterwards(tmp_path: Path) -> None:
    async with rig.process(tmp_path, "house", "multisweeper") as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2, "terms": {"move_s": 30}})
        token = (await anna.until("seated"))["token"]
        bob = await rig.connect(server, "multisweeper")
        await bob.send("multisweeper client v1", "name Bob")
        question = await anna.until("question")
        await anna.send({"type": "act", "action": question["options"][0], "at": question["number"]})
        told = await anna.until("events")
        before = [await bob.line() for _ in range(9)]
        assert before[-1] == "turn_start"
        assert await server.stop() == 0
        assert (await anna.until("gone"))["back"] is True
        await server.start()
        back = await rig.connect(server, "house")
        await back.send({"type": "return", "token": token, "since": told["number"], "options_max": 1000})
        assert (await back.until("seated"))["seat"] == 0
        raw = await rig.connect(server, "multisweeper")
        await raw.send("multisweeper client v1", "name Bob")
        assert (await back.until("clock")) == {"type": "clock", "seat": 1, "left_s": 30.0}
        begin, turn, board = before[:5], before[7], before[6]
        assert [await raw.line() for _ in range(8)] == [*begin, turn, board, "turn_start"]
        cell = (board or "").split(" ")[1:].index("9")
        await raw.send(f"click {cell % 9} {cell // 9}")
        assert (await raw.line() or "").startswith("board_update")
        assert (await back.until("events"))["number"] > told["number"]


async def test_ctrl_c_ends_with_code_zero(tmp_path: Path) -> None:
    import signal

    server = await rig.Process(tmp_path, "house").start()
    assert await server._end(signal.SIGINT) == 0


def test_a_taken_port_is_said_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = ludoteca("serve", "--data", str(tmp_path), "--only", "house", "--port", f"house={port}")
    assert done.returncode == 1
    assert f"port {port} of house cannot be used" in done.stderr
    assert "Traceback" not in done.stderr


NONSENSE = [
    (["--only", "chess"], "there is no listener 'chess'"),
    (["--port", "http"], "is not of the form NAME=VALUE"),
    (["--port", "http=99999"], "port http cannot be '99999': it is a whole number from 0 to 65535"),
    (["--port", "http=abc"], "port http cannot be 'abc': it is a whole number from 0 to 65535"),
    (["--host", "192.0.2.1"], "this machine has no address 192.0.2.1"),
    (["--default", "chess.players=2"], "must be one of"),
    (["--default", "multisweeper.colour=red"], "Multisweeper knows"),
    (["--default", "multisweeper.players=99"], "is for 2 to 8"),
    (["--default", "multisweeper.mines=9999"], "--default multisweeper"),
    (["--set", "durability=perhaps"], "durability cannot be 'perhaps': it is one of full, normal, off"),
    (["--set", "log_level=loud"], "it is one of debug, error, info, warning"),
    (["--set", "colour=red"], "there is no 'colour'"),
    (["--set", "rate_pers=5"], "did you mean 'rate_per_s'?"),
    (["--set", "bot_s=0"], "bot_s cannot be '0': it is a number, greater than 0 and at most 60"),
    (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
    (["--tls-cert", "nowhere.pem"], "the certificate cannot be used"),
]
# All in one process: sixteen starts take long, and only what they say is looked at.
_SERVE_EACH = """
import json, sys
from click.testing import CliRunner
from ludoteca.cli import main

folder, *cases = json.loads(sys.argv[1])
done = [CliRunner().invoke(main, ["serve", "--data", folder, *case]) for case in cases]
print(json.dumps([(one.exit_code, one.output) for one in done]))
"""


def test_settings_that_make_no_sense_are_named(tmp_path: Path) -> None:
    cases = json.dumps([str(tmp_path), *(arguments for arguments, _ in NONSENSE)])
    command = [sys.executable, "-c", _SERVE_EACH, cases]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    for (arguments, words), (code, said) in zip(NONSENSE, json.loads(done.stdout), strict=True):
        assert code == 1, (arguments, said)
        assert words in said, arguments
        assert "Traceback" not in said, arguments


def test_a_data_folder_that_is_a_file_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ludoteca("serve", "--data", str(tmp_path / "file"), "--only", "house", "--port", "house=0")
    assert "cannot keep a journal" in done.stderr


async def test_settings_come_from_file_environment_and_command_line(tmp_path: Path) -> None:
    from ludoteca.server import settings

    file = tmp_path / "house.toml"
    file.write_text(
        'host = "127.0.0.2"\nrate_per_s = 5\n[port]\nhttp = 1\nhouse = 2\n'
        "[default.multisweeper]\nplayers = 3\n"
    )
    environment = {"LUDOTECA_PORT": "house=3", "LUDOTECA_RATE_PER_S": "7", "LUDOTECA_REQUIRE": "chromium"}
    chosen = settings.load(file, environment, {"host": "127.0.0.3"})
    assert chosen.port == {"http": 1, "house": 3}
    assert (chosen.host, chosen.rate_per_s) == ("127.0.0.3", 7)
    assert settings.GameDefaults(chosen)["multisweeper"].seats == 3


async def test_newcomers_get_tables_of_the_operators_choice(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "multisweeper", default={"multisweeper.players": "3"}) as server:
        clients = [await rig.connect(server, "multisweeper") for _ in range(3)]
        for client, name in zip(clients, ("Ada", "Bob", "Cyd"), strict=True):
            await client.send("multisweeper client v1", f"name {name}")
        assert [await clients[2].line() for _ in range(2)] == ["multisweeper v1", "num_players 3"]


async def test_all_listeners_speak_tls_with_a_certificate(tmp_path: Path) -> None:
    certificate = rig.certificate(tmp_path)
    more = {"tls_cert": str(certificate)}
    async with rig.house(tmp_path / "data", "house", "multisweeper", "http", **more) as server:
        context = ssl.create_default_context(cafile=str(certificate))
        host, port = server.addresses["multisweeper"]
        reader, writer = await asyncio.open_connection(host, port, ssl=context, server_hostname="localhost")
        assert await reader.readline() == b"multisweeper v1\n"
        writer.write(b"multisweeper client v1 ping\n")
        assert await asyncio.wait_for(reader.readline(), rig.PATIENCE_S) == b"multisweeper pong\n"
        assert await asyncio.wait_for(reader.readline(), rig.PATIENCE_S) == b""
        writer.close()


def test_who_stands_in_the_door_when_it_closes_comes_in(tmp_path: Path) -> None:
    """In the loop that houses run in: it would close such a connection without telling anybody."""

    async def scenario() -> None:
        async with rig.house(tmp_path, "house") as server:
            (door,) = server._doors
            before = len(door._tasks)
            with socket.create_connection(server.addresses["house"]):
                while len(door._tasks) == before:
                    await asyncio.sleep(0)
                await door.close()
                assert len(server.house.hall.guests) == 1
            while server.house.hall.guests:
                await asyncio.sleep(0.01)
            assert not server._doorman._by_address

    uvloop.run(scenario())
