"""What a terminal remembers, when one person has two of them open."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludoteca.clients import saved

REMEMBER = """
import sys, time
from ludoteca.clients import saved
memory = saved.load()
for number in range(10):
    memory.keep(saved.Seat("", "santorini", "t", f"{sys.argv[1]}-{number}", "Ada", time.time()))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "ludoteca"


def seat(token: str) -> saved.Seat:
    return saved.Seat("", "santorini", "t", token, "Ada", time.time())


def test_a_seat_taken_in_one_terminal_is_not_forgotten_by_the_other():
    one, other = saved.load(), saved.load()
    one.keep(seat("a"))
    other.keep(seat("b"))
    other.call("Ada")
    assert [kept.token for kept in saved.load().seats] == ["a", "b"]
    one.drop("b")
    assert [kept.token for kept in saved.load().seats] == ["a"]
    assert saved.load().name == "Ada"


@pytest.mark.slow
def test_terminals_that_write_at_the_same_moment_lose_nothing(home: Path):
    terminals = [subprocess.Popen([sys.executable, "-c", REMEMBER, name]) for name in "abc"]
    assert [terminal.wait(60) for terminal in terminals] == [0, 0, 0]
    tokens = {kept.token for kept in saved.load().seats}
    assert tokens == {f"{name}-{number}" for name in "abc" for number in range(10)}
    assert not list(home.glob("*.new"))


def test_the_file_is_for_its_owner_only(home: Path):
    saved.load().keep(seat("secret"))
    assert (home / "terminal.json").stat().st_mode & 0o077 == 0


def test_a_disk_that_refuses_costs_only_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    memory = saved.load()
    memory.keep(seat("a"))
    assert [kept.token for kept in memory.seats_at("")] == ["a"]


def test_a_file_that_cannot_be_read_is_begun_anew(home: Path):
    home.mkdir()
    (home / "terminal.json").write_text("{")
    assert saved.load().seats == []
    saved.load().keep(seat("a"))
    assert [kept.token for kept in saved.load().seats] == ["a"]
