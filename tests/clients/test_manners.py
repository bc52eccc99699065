"""What a person expects of any program in a terminal: exact errors, exit codes, keys that do what they do."""

import asyncio
import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from tests import rig
from tests.clients import stage
from tests.clients.terminal import PLAY, Terminal

from ludoteca.clients import linear, private
from ludoteca.clients.address import parse
from ludoteca.clients.desks.desk import describe
from ludoteca.clients.link import Lost, SocketPipe
from ludoteca.clients.visit import check_options
from ludoteca.core import LudotecaError, Refused
from ludoteca.core.notices import TableInfo
from ludoteca.games import load
from ludoteca.server.lock import held
from ludoteca.server.schema import StoreError, journal_in

LUDOTECA = PLAY[:-1]
PATIENCE_S = 60.0


def ludoteca(*arguments: str, **more: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*LUDOTECA, *arguments],
        input="",
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **more},
    )


# Errors.


@pytest.mark.slow
@pytest.mark.parametrize("place", ["127.0.0.1:9", "nowhere.invalid:9"])
def test_connecting_to_nobody_is_an_error_for_scripts_too(place: str) -> None:
    done = ludoteca("connect", "multisweeper", place)
    assert done.returncode == 1
    assert f"There is nobody at {place}" in done.stderr


@pytest.mark.slow
def test_connecting_to_nobody_is_an_error_in_the_full_screen_too(tmp_path: Path) -> None:
    terminal = Terminal([*LUDOTECA, "connect", "multisweeper", "127.0.0.1:9"], tmp_path)
    try:
        terminal.until("There is nobody at")
        terminal.keys("/quit", "Enter")
        terminal.until("(?m)^END$")
        assert terminal.text().count("There is nobody at 127.0.0.1:9") == 1, "it is said after the screen too"
    finally:
        terminal.close()


def test_options_that_make_no_sense_are_told_what_would() -> None:
    options = load("multisweeper").options
    with pytest.raises(Refused, match="width cannot be 'wide': it is a whole number from 0 to"):
        check_options(options, {"width": "wide"})
    with pytest.raises(Refused, match="spread cannot be 'all': it is one of"):
        check_options(options, {"spread": "all"})


@pytest.mark.slow
async def test_the_reason_for_a_lost_connection_fits_behind_what_matters() -> None:
    desk = stage.staged("multisweeper")
    with pytest.raises(OSError, match="refused") as caught:
        await SocketPipe.open(parse("127.0.0.1:9"))
    assert "Cannot connect to host" not in str(caught.value)
    async with stage.desk_screen(desk) as (app, pilot):
        desk.hear(Lost(str(caught.value)))
        await stage.shows(app, pilot, "Connection lost; your seat is kept, and it is tried again.")
        assert "refused" in stage.text_of(app)


@pytest.mark.slow
async def test_a_house_with_tls_is_explained_to_who_speaks_plainly(tmp_path: Path) -> None:
    pem = rig.certificate(tmp_path)
    async with rig.house(tmp_path / "house", "http", tls_cert=str(pem)) as server:
        port = server.addresses["http"][1]
        with pytest.raises(OSError, match="it speaks TLS: try https://"):
            await SocketPipe.open(parse(f"http://localhost:{port}"))
        with pytest.raises(OSError, match=r"certificate is not trusted .*; --ca FILE"):
            await SocketPipe.open(parse(f"https://localhost:{port}"))
        pipe = await SocketPipe.open(parse(f"https://localhost:{port}", ca=str(pem)))
        await pipe.close()
    with pytest.raises(LudotecaError, match="holds no certificate"):
        parse("https://localhost", ca=__file__).tls()


# A house of one's own.


@pytest.mark.slow
async def test_a_second_private_house_says_that_it_keeps_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    with held(folder, journal_in(folder)):
        async with private.private_house(data=folder) as (_, note):
            assert note == private.NOT_KEPT
    async with private.private_house(data=folder) as (_, note):
        assert note == ""


async def test_a_private_house_that_cannot_keep_anything_does_not_open(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="cannot keep a journal"):
        async with private.private_house(data=file):
            pass


@pytest.mark.slow
def test_the_second_of_two_evenings_is_told_at_the_table(tmp_path: Path) -> None:
    folder = Path(os.environ["XDG_DATA_HOME"]) / "ludoteca" / "private"
    folder.mkdir(parents=True)
    with held(folder, journal_in(folder)):
        terminal = Terminal([*PLAY, "multisweeper", "--as", "Ann"], tmp_path)
        try:
            terminal.until("(?s)is +│?.*not +│?.*kept")
        finally:
            terminal.close()


# Pipes.


@pytest.mark.slow
async def test_a_pipe_without_end_is_read_no_further_than_needed() -> None:
    read, write = os.pipe()
    source = os.fdopen(read)
    typed = linear.Typed(source)
    written = 0
    os.set_blocking(write, False)
    end = time.monotonic() + 2
    while time.monotonic() < end:
        try:
            written += os.write(write, b"/any\n" * 1000)
        except BlockingIOError:
            await asyncio.sleep(0.01)
    # What the pipe itself holds, what Python reads at once, and so many lines.
    assert written < 200_000
    assert await typed.line() == "/any"
    os.close(write)


# Keys and colours.


@pytest.mark.slow
def test_control_c_asks_and_the_second_quits(tmp_path: Path) -> None:
    terminal = Terminal([*PLAY, "multisweeper", "--as", "Ann"], tmp_path)
    try:
        terminal.until("Click one of")
        terminal.keys("C-c")
        terminal.until(r"Ctrl\+C again quits")
        assert "END" not in terminal.text()
        terminal.keys("C-c")
        terminal.until("(?m)^END$")
    finally:
        terminal.close()


@pytest.mark.slow
def test_control_z_suspends_and_the_shell_brings_it_back(tmp_path: Path) -> None:
    terminal = Terminal(["bash", "--norc", "-i"], tmp_path, PS1="shell$ ")
    try:
        terminal.until(r"shell\$")
        terminal.type(" ".join([*PLAY, "multisweeper", "--as", "Ann"]))
        terminal.until("Click one of")
        terminal.keys("C-z")
        terminal.until("Stopped")
        terminal.type("echo in the shell $((40 + 2)); fg")
        terminal.until("Click one of")
        terminal.keys("/who", "Enter")
        terminal.until("At the table")
    finally:
        terminal.close()


@pytest.mark.slow
def test_no_colour_means_none(tmp_path: Path) -> None:
    terminal = Terminal([*PLAY, "multisweeper", "--as", "Ann"], tmp_path, NO_COLOR="1")
    try:
        terminal.until("Click one of")
        shown = terminal.screen(colours=True)
        codes = {code for codes in re.findall(r"\x1b\[([\d;]*)m", shown) for code in codes.split(";")}
        assert codes <= {"", "0", "1", "2", "3", "4", "7", "22", "23", "24", "27", "39", "49"}
        assert "7" in codes, "the marked choice can be told from the others"
    finally:
        terminal.close()


# What is said.


def test_a_free_chair_is_not_away() -> None:
    desk = stage.staged("santorini")
    desk.phase, desk.chairs[1] = "open", None
    desk._refresh()
    assert describe(desk.players) == ["Ann (you)", "a free chair"]


@pytest.mark.slow
async def test_the_points_are_told_where_they_stay_in_columns_and_the_end_is_told_once_in_the_log() -> None:
    desk = stage.staged("shelfie", steps=10_000)
    assert desk.phase == "over"
    assert not [line.text for line in desk.lines if "total" in line.text]
    assert len([line.text for line in desk.lines if "wins" in line.text or "You win" in line.text]) == 1
    said: list[str] = []
    source = open(os.devnull)  # noqa: SIM115
    shown = linear.Linear(desk, linear.Typed(source), said.append, ascii_only=False)
    shown._ask()
    assert [line for line in said if "total" in line]
    async with stage.desk_screen(desk) as (app, pilot):
        await stage.shows(app, pilot, "total")


@pytest.mark.slow
async def test_a_row_of_the_lobby_stays_one_row(tmp_path: Path) -> None:
    async with rig.house(tmp_path / "house", "http", "house") as server:
        host, port = server.addresses["http"]
        names = ["Alexandrina-Wilhelmina-of-Orange", "Bartholomew-Montgomery-Fitzgerald"[:32]]
        ben, cleo = [await rig.enter(server, name) for name in names]
        await ben.send({"type": "open", "game": "renaissance", "seats": 3, "label": "long-evening"})
        seated = await ben.until("seated")
        await cleo.send({"type": "sit", "table": seated["table"]["id"]})
        await cleo.until("seated")
        from ludoteca.clients.visit import Look

        async with stage.application(Look(), server=f"{host}:{port}") as (app, pilot):
            await stage.shows(app, pilot, "long-evening")
            (row,) = [row for row in stage.text_of(app).splitlines() if "long-evening" in row]
            below = stage.text_of(app).splitlines()[stage.text_of(app).splitlines().index(row) + 1]
            assert not below.split("│")[0].strip()


@pytest.mark.slow
def test_replay_says_that_there_is_nothing_and_knows_its_steps(tmp_path: Path) -> None:
    done = ludoteca("replay", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    assert "No match has been finished here yet." in done.stderr
    done = ludoteca("replay", "--data", str(tmp_path), "--json")
    assert done.stdout.strip() == "[]"


def test_lists_have_one_form_wherever_they_come_from() -> None:
    from ludoteca.clients.replays import Finished
    from ludoteca.core.notices import Sitter
    from ludoteca.core.requests import Terms

    chairs = (Sitter("Ann", "Ann", "house"), Sitter("Ben", "Ben", "house"))
    table = TableInfo("0123", "santorini", "table-1", "over", chairs, {}, Terms(), 0)
    assert Finished(table, {"ranks": (2, 1)}, 0).result == " (Ben won)"
    assert Finished(table, {"ranks": ()}, 0).result == ""


@pytest.mark.slow
def test_serving_names_the_page_and_every_listener_once(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*LUDOTECA, "serve", "--data", str(tmp_path), "--only", "http,house", "--port", "http=0", "--port",
         "house=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "LUDOTECA_RATEPERS": "5", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if line == "ready\n":
            break
    process.terminate()
    said += process.stdout.readlines()
    text = "".join(said)
    process.wait(PATIENCE_S)
    assert len(re.findall(r"listening.*house", text)) == 1
    page = re.search(r"Open http://127.0.0.1:(\d+)\n", text)
    listening = re.search(r"listening http 127.0.0.1:(\d+)", text)
    assert page is not None
    assert listening is not None
    assert page[1] == listening[1]
    assert "LUDOTECA_RATEPERS is no setting" in text
    assert "'rate_per_s'" in text
