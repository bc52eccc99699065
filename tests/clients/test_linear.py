"""The linear mode: the real process in a terminal and in a pipe."""

import asyncio
import re
import subprocess

import pytest
from tests import rig
from tests.clients.terminal import PATIENCE_S, PLAY, Terminal

# Real sockets, processes or screens: left out of make check.
pytestmark = pytest.mark.slow


def test_santorini_is_played_from_nothing_to_its_end_in_a_terminal(tmp_path):
    terminal = Terminal([*PLAY, "santorini", "--linear", "--level", "random", "--as", "Ann"], tmp_path)
    try:
        terminal.until(r"\? Put 2 more gods on the table\.")
        terminal.type("offer pan")
        terminal.until("Ann puts Pan on the table")
        terminal.type("fly away")
        terminal.until("! Not understood")
        terminal.type("'good luck")
        terminal.until("Ann: good luck")
        terminal.type("/help")
        terminal.until("/rematch")
        seen = 0
        for _ in range(400):
            text = terminal.until(r"(?m)^\? ", seen)
            if re.search(r"(?m)^\? .*\bwins?: |^\? You win", text):
                break
            seen = len(text.rstrip())
            terminal.type("/any")
        assert re.search(r"wins?: ", terminal.text())
        terminal.type("/quit")
        terminal.until("(?m)^END$")
    finally:
        terminal.close()


def test_a_pipe_plays_too_and_waits_for_its_questions():
    command = [*PLAY, "multisweeper", "--level", "random", "--option", "width=4", "--option", "height=4"]
    typed = "/who\n" + "/any\n" * 1000
    done = subprocess.run(
        [*command, "--option", "mines=5"], input=typed, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, done.stderr
    assert "4 columns and 4 rows, from 0; 5 mines" in done.stdout
    assert re.search(r"(?m)^\? .*win", done.stdout)
    assert "\x1b" not in done.stdout, "no cursor movement, no colours"


def test_the_first_opponent_is_an_easy_one(tmp_path):
    terminal = Terminal([*PLAY, "multisweeper", "--linear", "--as", "Ann"], tmp_path)
    try:
        terminal.until(r"Bot-Ada sits down \(easy\)")
    finally:
        terminal.close()


async def test_the_lobby_lists_seats_and_shows_tables_line_by_line(tmp_path):
    async with rig.house(tmp_path, "http", "house") as server:
        host, port = server.addresses["http"]
        ben = await rig.enter(server, "Ben")
        await ben.send({"type": "open", "game": "multisweeper", "seats": 2, "label": "corner"})
        await ben.until("seated")
        typed = "dance\nplay chess\nsit nowhere\ntables\nsit corner\n'hello\n/who\n/leave\n/quit\n"
        process = await asyncio.create_subprocess_exec(
            *[*PLAY, "--server", f"{host}:{port}", "--as", "Ann"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(process.communicate(typed.encode()), PATIENCE_S)
        await ben.close()
    shown = out.decode()
    assert process.returncode == 0
    assert "You are Ann, in the lobby" in shown
    assert "! There is no game 'chess'" in shown
    assert "! Not done: there is no such table." in shown
    assert "corner: multisweeper, open: Ben, free" in shown
    assert "Ben\nAnn (you)" in shown


def test_a_house_that_is_not_there_ends_the_linear_mode_with_one_line():
    done = subprocess.run(
        [*PLAY, "santorini", "--server", "127.0.0.1:9"],
        input="",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 1
    assert "There is no connection" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess"], "there is no game 'chess'"),
        (["santorini", "--bots", "9"], "for 2 to 3 players"),
        (["santorini", "--level", "genius"], "there is no bot 'genius'"),
        (["multisweeper", "--option", "depth=3"], "there is no option 'depth'"),
        (["--bots", "1"], "name the game"),
        (["--server", "ftp://x"], "an address begins with"),
    ],
)
def test_what_makes_no_sense_is_one_clear_line(arguments, complaint):
    done = subprocess.run([*PLAY, *arguments], input="", capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 1
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
