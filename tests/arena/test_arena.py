"""`ludoteca arena`: real matches in real processes, and words for those who ask for nonsense."""

import csv
import json
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

import ludoteca
from ludoteca import games
from ludoteca.arena.drawing import drawn
from ludoteca.arena.matches import Pairing, play
from ludoteca.arena.rating import Rating
from ludoteca.cli import main
from ludoteca.core import Outcome
from ludoteca.hall import parcel


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["arena", *arguments])


@pytest.mark.slow
def test_levels_are_rated_and_written_down(tmp_path: Path):
    files = [tmp_path / name for name in ("a.json", "a.csv", "a.svg")]
    shown = arena(
        *("multisweeper", "random", "safe", "--matches", "8", "--processes", "2", "--option", "width=6"),
        *("--option", "height=6", "--option", "mines=5"),
        *("--json", str(files[0]), "--csv", str(files[1]), "--plot", str(files[2])),
    )
    assert shown.exit_code == 0, shown.output
    told = json.loads(files[0].read_bytes())
    assert [one["level"] for one in told["ratings"]] == ["random", "safe"]
    assert told["ratings"][1]["elo"] > 100
    assert "safe" in shown.output
    # Every deal is played from both sides.
    played = told["played"]
    assert [one["first"] for one in played[:4]] == ["random", "safe", "random", "safe"]
    assert [one["seed"] for one in played[:4]] == [1, 1, 2, 2]
    with files[1].open() as file:
        rows = list(csv.DictReader(file))
    assert [float(row["score"]) for row in rows] == [one["score"] for one in played]
    assert ET.parse(files[2]).getroot().tag.endswith("svg")


@pytest.mark.slow
def test_a_test_stops_as_soon_as_it_is_sure():
    shown = arena(
        "multisweeper", "master", "random", "--matches", "400", "--sprt", "0", "200", "--looks", "10"
    )
    assert shown.exit_code == 0, shown.output
    assert "master is stronger (200 rather than 0 Elo)" in shown.output
    assert "/400" not in shown.output


@pytest.mark.slow
def test_what_was_played_counts_when_somebody_breaks_it_off(tmp_path: Path):
    arguments = ("multisweeper", "random", "easy", "--matches", "100000", "--processes", "1", "--looks", "1")
    files = ("--records", str(tmp_path / "records"), "--json", str(tmp_path / "a.json"))
    command = [sys.executable, "-m", "ludoteca.cli", "arena", *arguments, *files]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        until = time.monotonic() + 60
        while not list((tmp_path / "records").glob("*")) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        told, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, told
    assert "of 100000 matches" in told
    assert len(json.loads((tmp_path / "a.json").read_bytes())["played"]) > 0


def test_the_same_deal_and_looks_play_the_same_match():
    pairing = Pairing("multisweeper", ("easy", "safe"), 7)
    one, other = play(pairing), play(pairing)
    assert (one.shares, one.decisions, one.reason) == (other.shares, other.decisions, other.reason)


def test_who_has_no_hope_left_has_lost_where_matches_are_adjudicated():
    pairing = Pairing("shelfie", ("random", "medium"), 3, looks=1)
    whole = play(pairing)
    cut = play(msgspec.structs.replace(pairing, adjudicated=True))
    assert cut.shares == whole.shares == (0.0, 1.0)
    assert sum(cut.decisions) < sum(whole.decisions)
    assert cut.reason == "random has no hope left"
    lines, _ = parcel.unpack(cut.record, games.load, 1 << 50)
    assert ludoteca.Match.replay(lines).outcome == Outcome((2, 1), "random has no hope left")


def test_processor_seconds_bound_a_decision():
    played = play(Pairing("santorini", ("strong", "random"), 3, seconds=0.01, options={"gods": "none"}))
    assert played.decisions[0] > 5
    assert played.seconds[0] / played.decisions[0] < 0.1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "chess"),
        (["santorini", "strong"], "two bots"),
        (["santorini", "strong", "strong"], "each bot once"),
        (["santorini", "strong", "genius"], "there is no bot 'genius'"),
        (["santorini", "--matches", "0"], "at least 1"),
        (["santorini", "--option", "gods"], "KEY=VALUE"),
        (["santorini", "--option", "gods=many"], "gods cannot be"),
        (["santorini", "--sprt", "0", "10"], "two bots"),
        (["santorini", "easy", "medium", "--sprt", "10", "0"], "less than"),
        (["santorini", "--json", "/nowhere/at/all.json"], "cannot be written"),
        (["santorini", "--plot", "/"], "cannot be written"),
        (["santorini", "--program", "mine"], "NAME=COMMAND"),
        (["santorini", "--program", "../x=python3 bot.py"], "no name for a program"),
        (["santorini", "--program", "mine="], "needs a command"),
        (["santorini", "--moves", "0"], "at least 1"),
    ],
)
def test_nonsense_is_one_clear_line(arguments, words):
    shown = arena(*arguments)
    assert shown.exit_code == 1
    assert words in shown.output
    assert len(shown.output.splitlines()) == 1


def test_names_in_a_picture_are_only_names():
    picture = drawn("<b>", ["<script>", "b"], [Rating(0, 10), Rating(5, 10)])
    assert "<script>" not in picture
    assert ET.fromstring(picture) is not None


def test_a_match_that_takes_too_long_is_nobodys():
    played = play(Pairing("eriantys", ("random", "random"), 1, decisions_max=12))
    assert (played.shares, played.reason) == ((0.0, 0.0), "no end after 12 decisions")
    assert sum(played.decisions) == 12


def test_every_match_is_kept_as_a_file_that_any_house_takes_in():
    for game in games.names():
        played = play(Pairing(game, ("random", "random"), 3))
        lines, retraced = parcel.unpack(played.record, games.load, 1 << 50)
        assert retraced.course.match.outcome is not None
        assert len(lines) == sum(played.decisions) + 4
