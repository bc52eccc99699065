"""The command line, run as a user runs it."""

import json
import re
from pathlib import Path

import pytest
from tests import rig
from tests.server.test_stopping import ludoteca
from tests.spoil import spoil

from ludoteca import games


async def finished_match(folder: Path) -> str:
    """A match between two raw clients, broken off after a few clicks; its id."""
    async with rig.house(folder, "house", bot_s=0.02, bot_workers=0) as server:
        anna = await rig.enter(server, "Anna", options_max=1000)
        await anna.send({"type": "open", "game": "multisweeper", "seats": 2, "options": {"mines": 60}})
        await anna.send({"type": "say", "text": "hello"}, {"type": "bot", "level": "random"})
        table: str = (await anna.until("seated"))["table"]["id"]
        while True:
            message = await anna.until(lambda m: m["type"] in ("question", "over"))
            if message["type"] == "over":
                return table
            await anna.send({"type": "act", "action": message["options"][0], "at": message["number"]})


@pytest.mark.slow
async def test_a_finished_match_is_listed_replayed_and_verified(tmp_path: Path) -> None:
    table = await finished_match(tmp_path)
    data = ["--data", str(tmp_path)]
    listed = ludoteca("replay", *data).stdout
    assert table in listed
    assert "Anna, Bot-Ada" in listed
    whole = ludoteca("replay", table, *data).stdout
    steps = [int(step) for step in re.findall(r"^(\d+)/\d+ ", whole, re.M)]
    assert steps == list(range(1, len(steps) + 1))
    first = ludoteca("replay", table, *data, "--step", "1", "--seat", "0").stdout
    assert first.startswith(f"1/{len(steps)}  Multisweeper: Anna, Bot-Ada")
    verified = ludoteca("verify", *data)
    assert (verified.returncode, "1 of 1 tables verified" in verified.stdout) == (0, True)


@pytest.mark.slow
async def test_a_damaged_record_fails_verification_and_is_named(tmp_path: Path) -> None:
    table = await finished_match(tmp_path)
    assert spoil(
        tmp_path, table, lambda number, line: line.replace(b"Anna", b"Anne") if number == 2 else line
    )
    done = ludoteca("verify", "--data", str(tmp_path))
    assert done.returncode == 1
    assert f"{table}: damaged: a record's checksum does not fit" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["replay", "nothing"], "there is no match 'nothing'"),
        (["protocol", "chess"], "there is no game 'chess'"),
        (["protocol", "multisweeper", "--schema"], "speaks lines of text"),
        (["verify", "--data", "nowhere"], "there is no journal in nowhere"),
    ],
)
async def test_errors_are_one_clear_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    if arguments[0] == "replay":
        await finished_match(tmp_path)
        arguments = [*arguments, "--data", str(tmp_path)]
    done = ludoteca(*arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.slow
def test_the_version_and_help_are_printed() -> None:
    assert re.fullmatch(r"ludoteca \d+\.\d+\.\d+(\.dev\d+)?\n", ludoteca("--version").stdout)
    overview = ludoteca("--help").stdout
    for command in ("serve", "replay", "verify", "protocol"):
        assert command in overview
    assert "--default" in ludoteca("serve", "--help").stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["house", *games.names()])
def test_every_protocol_has_a_page(name: str) -> None:
    page = ludoteca("protocol", name).stdout
    assert page.startswith("# ")


@pytest.mark.slow
def test_the_house_schema_is_json() -> None:
    assert "FromClient" in json.loads(ludoteca("protocol", "house", "--schema").stdout)["$defs"]
    assert json.loads(ludoteca("protocol", "house", "--asyncapi").stdout)["asyncapi"] == "3.0.0"
