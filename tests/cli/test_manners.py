"""What shells, scripts and hosts expect of a command: lists as JSON, names that were meant, a manual."""

import asyncio
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from structlog.testing import capture_logs
from tests import rig

from ludoteca import games
from ludoteca.cli import COMMANDS, main
from ludoteca.clients import rulebook
from ludoteca.core import Refused
from ludoteca.server.settings import Settings

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(main, arguments, env=environment, prog_name="ludoteca")


def shown(*arguments: str, **environment: str) -> Any:
    done = run(*arguments, **environment)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["srve"], "there is no command 'srve' (did you mean 'serve'?)"),
        (["xyzzy"], "there is no command 'xyzzy'; ludoteca --help lists them"),
        (["play", "santorin"], "there is no game 'santorin' (did you mean 'santorini'?)"),
        (["rules", "santorini", "apolo"], "no card 'apolo' (did you mean 'Apollo'?)"),
    ],
)
def test_who_mistypes_a_name_is_told_what_may_have_been_meant(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.exit_code != 0
    assert words in done.output


# A house from outside.


@pytest.mark.slow
async def test_the_tables_and_the_state_of_a_house_are_told_in_words_and_as_json(tmp_path: Path) -> None:
    # The house of this test runs in the same process: what it logs would stand among the command's words.
    with capture_logs():
        await _told_in_words_and_as_json(tmp_path)


async def _told_in_words_and_as_json(tmp_path: Path) -> None:
    async with rig.house(tmp_path, "http", "house", bot_workers=0) as server:
        host, port = server.addresses["http"]
        anna = await rig.enter(server, "Anna")
        await anna.send({"type": "open", "game": "shelfie", "seats": 3, "label": "corner"})
        await anna.send({"type": "bot", "level": "random"})
        table = (await anna.until("seated"))["table"]["id"]
        await anna.until("sat")
        house = ("--server", f"{host}:{port}")

        async def aside(*arguments: str) -> Result:
            return await asyncio.to_thread(run, *arguments)

        listed = await aside("tables", *house)
        assert listed.output == f"{table}  corner: shelfie, open: Anna, Bot-Ada, free\n"
        assert [one["id"] for one in json.loads((await aside("tables", *house, "--json")).stdout)] == [table]
        none = await aside("tables", "santorini", *house)
        assert (none.stdout, none.stderr) == ("", "There is no table.\n")
        state = await aside("status", *house)
        assert state.exit_code == 0
        assert "is well" in state.output
        assert "1 open; at them 1 people and 1 bots" in state.output
        found = json.loads((await aside("status", *house, "--json")).stdout)
        assert (found["well"], found["tables"], found["people"], found["bots"]) == (True, {"open": 1}, 1, 1)
    gone = await aside("status", *house)
    assert gone.exit_code == 1
    assert "cannot be reached: connection refused" in gone.output
    lines = await aside("tables", "--server", "tcp://127.0.0.1:1")
    assert "give the address of the web page" in lines.output


def test_the_settings_in_force_are_shown_with_where_they_come_from(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('host = "0.0.0.0"\nmetrics_token = "secret"\n[port]\nhttp = 80\n')
    found = shown("config", "--config", str(file), "--set", "bot_s=2", "--json", LUDOTECA_RATE_PER_S="7")
    assert set(found) == set(Settings.__struct_fields__)
    assert found["host"] == {"value": "0.0.0.0", "from": str(file)}
    assert found["rate_per_s"] == {"value": 7, "from": "LUDOTECA_RATE_PER_S"}
    assert found["bot_s"] == {"value": 2, "from": "the command line"}
    assert found["idle_s"]["from"] == "default"
    assert found["metrics_token"]["value"] == "..."
    # What is printed is what a file would say.
    text = run("config", "--config", str(file), "--changed").output
    again = tomllib.loads(text)
    assert again == {"host": "0.0.0.0", "port": {"http": 80}, "metrics_token": "..."}


def test_a_variable_that_is_no_setting_is_named() -> None:
    assert "LUDOTECA_RATEPERS is no setting" in run("config", LUDOTECA_RATEPERS="5").stderr


# Rules.


@pytest.mark.parametrize("name", ["eriantys", "multisweeper", "renaissance", "santorini", "shelfie"])
def test_every_game_has_its_rules_in_the_terminal_and_in_the_wheel(name: str) -> None:
    page = run("rules", name).output
    assert page.startswith("# The rules of")
    assert "](../" not in page, "what leads elsewhere is of no use here"
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())
    included = packed["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included["docs/rules"] == "ludoteca/rules"
    assert (ROOT / "docs" / "rules" / f"{name}.md").is_file()


def test_the_words_of_the_house_can_be_read_too() -> None:
    assert "| word | meaning |" in run("rules", "--glossary").output


def test_every_card_of_every_game_can_be_called_by_its_name() -> None:
    for game in games.load_all():
        for named in rulebook.cards(game).values():
            for name in named:
                assert rulebook.card(game, name)
    assert rulebook.card(games.load("eriantys"), "monk")[0] == "1 (character)"
    with pytest.raises(Refused, match="has no card 'nothing'"):
        rulebook.card(games.load("santorini"), "nothing")


def test_the_games_are_listed() -> None:
    assert "santorini: Santorini, 2 to 3 players; bots: random, search, playful, easy" in run("rules").output
    assert [one["name"] for one in shown("rules", "--json")] == list(games.names())


# Shells.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_where_the_shell_looks_for_it(shell: str, tmp_path: Path) -> None:
    done = run("completion", shell, "--install", HOME=str(tmp_path))
    assert done.exit_code == 0
    place = Path(re.findall(r"Written to (.*); new", done.output)[0])
    assert place.is_relative_to(tmp_path)
    assert place.read_text() == run("completion", shell).output
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(place)], check=True)


def test_bash_completes_games_and_levels() -> None:
    def completed(line: str) -> list[str]:
        words = line.split(" ")
        done = run(_LUDOTECA_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
        return [one.partition(",")[2] for one in done.output.splitlines()]

    assert completed("ludoteca play san") == ["santorini"]
    assert completed("ludoteca play multisweeper --level pl") == ["playful"]
    assert "serve" in completed("ludoteca se")


def test_a_shell_that_is_not_known_is_asked_about() -> None:
    assert "say which shell" in run("completion", SHELL="/bin/tcsh").output


def test_the_manual_has_every_command_and_option() -> None:
    page = run("man", SOURCE_DATE_EPOCH="1767225600").output
    assert page.startswith('.TH LUDOTECA 1 "2026-01-01"')
    for name in COMMANDS:
        assert f'.SS "ludoteca {name} ' in page
    assert "\\-\\-require\\-tokens" in page
    groff = shutil.which("groff")
    if groff:
        done = subprocess.run(
            [groff, "-man", "-Tascii", "-ww"], input=page, capture_output=True, text=True, check=True
        )
        assert done.stderr == ""
        # Bold letters are written twice, one upon the other.
        assert "ludoteca play" in re.sub(".\x08", "", done.stdout)
