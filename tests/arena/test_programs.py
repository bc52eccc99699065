"""Programs of others in the arena: they sit, play and are rated; who misbehaves loses, and nobody waits."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludoteca import games
from ludoteca.arena import programs
from ludoteca.arena.matches import Pairing, play
from ludoteca.cli import main
from ludoteca.core import LocalError
from ludoteca.hall import parcel
from ludoteca.journal.records import Acted, Started, decode

# Real processes and houses: left out of make check.
pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
CLIMBER = f"{sys.executable} {EXAMPLES / 'climber.py'}"
CHANCE = f"{sys.executable} {EXAMPLES / 'house.py'}"
PLAIN = {"gods": "none"}
# Says hello and seeks a table, then does this with each message it hears.
SCRIPT = """
import json, socket, sys, time
host, port = sys.argv[1].rsplit(":", 1)
server = socket.create_connection((host, int(port)))
say = lambda **one: server.sendall((json.dumps(one) + chr(10)).encode())
say(type="hello", name=sys.argv[2], options_max=1000)
say(type="seek", game=sys.argv[3])
for line in server.makefile():
    message = json.loads(line)
    if message["type"] == "question":
        {deed}
"""
ILLEGAL = 'say(type="act", action=dict(type="Finish"), at=message["number"])'


def pairing(game: str = "santorini", levels: tuple[str, str] = ("mine", "random"), **more) -> Pairing:
    options = PLAIN if game == "santorini" else None
    return Pairing(game, levels, 5, options=options, **{"patience_s": 20.0, **more})


def script(tmp_path: Path, deed: str) -> str:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT.replace("{deed}", deed))
    return f"{sys.executable} {file}"


def test_two_programs_and_a_bot_play_all_games_from_the_deal_that_was_asked_for() -> None:
    commands = {"mine": CHANCE, "other": f"{CHANCE} {{address}} {{name}} {{game}} 2"}
    for game in games.names():
        levels = ("mine", "other") if game == "shelfie" else ("mine", "random")
        if game == "eriantys":
            levels = ("random", "mine")
        played = play(pairing(game, levels, programs=commands))
        lines, _ = parcel.unpack(played.record, games.load, 1 << 50)
        inputs = [decode(line)[0].input for line in lines]
        (started,) = [one for one in inputs if isinstance(one, Started)]
        assert started.seed == 5
        assert sum(played.decisions) == sum(isinstance(one, Acted) for one in inputs) > 0
        assert sum(played.shares) == 1.0 or game == "multisweeper", (game, played.reason)


def test_a_program_is_rated_and_its_matches_can_be_replayed(tmp_path: Path) -> None:
    arguments = ["santorini", "random", "--program", f"climber={CLIMBER}", "--option", "gods=none"]
    arguments += ["--matches", "4", "--processes", "1", "--records", str(tmp_path / "records")]
    shown = CliRunner().invoke(main, ["arena", *arguments, "--json", str(tmp_path / "a.json")])
    assert shown.exit_code == 0, shown.output
    told = json.loads((tmp_path / "a.json").read_bytes())
    assert [one["level"] for one in told["ratings"]] == ["random", "climber"]
    assert sum(row["decisions"][row["first"] == "random"] for row in told["played"]) > 0
    files = sorted((tmp_path / "records").iterdir())
    assert len(files) == 4
    replayed = CliRunner().invoke(main, ["replay", str(files[0])])
    assert replayed.exit_code == 0, replayed.output
    assert "Santorini: random, climber" in replayed.output


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        ("time.sleep(60)", "mine did not answer within 1 s"),
        ("say(type='say', text='hm'); time.sleep(0.3); say(type='say', text='well'); time.sleep(60)", "1 s"),
        (ILLEGAL, "mine did not answer within 1 s"),
        ("sys.exit('I am lost')", "mine ended with code 1: I am lost"),
        ("say(type='leave')", "mine gave up"),
    ],
)
def test_who_hangs_talks_cheats_dies_or_gives_up_has_lost(tmp_path: Path, deed: str, reason: str) -> None:
    played = play(pairing(patience_s=1.0, programs={"mine": script(tmp_path, deed)}))
    assert played.shares == (0.0, 1.0)
    assert reason in played.reason
    # What there was of the match is kept.
    assert parcel.unpack(played.record, games.load, 1 << 50)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "mine did not sit down"),
        (f"{sys.executable} -c 'import sys; sys.exit(3)'", "mine ended with code 3"),
    ],
)
def test_who_does_not_come_has_lost_from_either_side(
    command: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "ARRIVAL_S", 1.0)
    for levels in (("mine", "random"), ("random", "mine")):
        played = play(pairing(levels=levels, programs={"mine": command}))
        assert played.shares[levels.index("random")] == 1.0
        assert reason in played.reason


def test_a_program_that_is_not_there_is_a_mistake_of_who_asked() -> None:
    with pytest.raises(LocalError, match="cannot be started: /nowhere/bot"):
        play(pairing(programs={"mine": "/nowhere/bot"}))


def test_a_match_without_an_end_is_broken_off() -> None:
    played = play(pairing(programs={"mine": CHANCE}, decisions_max=7))
    assert played.shares == (0.0, 0.0)
    assert played.reason == "no end after 7 decisions"
