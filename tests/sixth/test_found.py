"""Games that other packages bring are found without being loaded, and a bad one is named."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.test_stopping import ludoteca
from tests.sixth import install

from ludoteca import bots, games
from ludoteca.core import LocalError, Refused
from ludoteca.server.doors import ports
from ludoteca.server.settings import GameDefaults, Settings, SettingsError

FIVE = ("eriantys", "multisweeper", "renaissance", "santorini", "shelfie")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, looked at from the first call on."""
    install.notice(monkeypatch, tmp_path)
    yield tmp_path
    monkeypatch.undo()
    install.forget()


def test_an_installed_game_is_one_of_the_house(beside: Path) -> None:
    install.connect_four(beside)
    assert games.names() == tuple(sorted((*FIVE, "connectfour")))
    assert games.brought() == ("connectfour",)
    assert games.home("connectfour") == "connectfour"
    assert games.load("connectfour").title == "Connect Four"
    assert bots.levels(games.load("connectfour")) == ("random", "search", "lefty", "easy", "strong")


@pytest.mark.slow
def test_games_are_found_without_being_loaded(tmp_path: Path) -> None:
    asked = (
        "import sys; from ludoteca import games; print(games.names(), [m for m in sys.modules if "
        "'connectfour' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked],
        env=install.connect_four(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"{tuple(sorted((*FIVE, 'connectfour')))} []"


def test_the_house_s_own_games_cannot_be_replaced(beside: Path) -> None:
    install.offer(beside, "usurper", {games.GROUP: {"santorini": "connectfour"}})
    assert games.brought() == ()
    assert games.load("santorini").title == "Santorini"


@pytest.mark.parametrize("name", ["house", "http", "Chess", "../chess", "chess five", "x", "a" * 33])
def test_a_game_cannot_be_called_anything(beside: Path, name: str) -> None:
    install.offer(beside, "odd", {games.GROUP: {name: "connectfour"}})
    with pytest.raises(LocalError, match="no game can be called"):
        games.names()


@pytest.mark.parametrize(
    ("module", "why"),
    [("no_such_package", "No module named"), ("json", "GAME is not a game"), ("connectfour", "of that name")],
)
def test_a_package_that_brings_no_game_keeps_the_house_closed_and_is_named(
    beside: Path, module: str, why: str
) -> None:
    install.offer(beside, "broken", {games.GROUP: {"chess": module}})
    assert "chess" in games.names()
    with pytest.raises(LocalError, match=why):
        games.load("chess")
    with pytest.raises(LocalError, match="the game 'chess' cannot be loaded"):
        ports(Settings(only=["house"]))


def test_nothing_listens_for_a_protocol_that_a_game_does_not_have(beside: Path) -> None:
    install.connect_four(beside)
    assert "connectfour" not in ports(Settings())
    assert set(FIVE) < set(ports(Settings()))
    for said in (Settings(only=["connectfour"]), Settings(port={"connectfour": 0})):
        with pytest.raises(SettingsError, match="Connect Four has no protocol of its own"):
            ports(said)
    assert GameDefaults(Settings())["connectfour"].seats == 2
    with pytest.raises(SettingsError, match=r"connectfour\.ping_s: Connect Four knows"):
        GameDefaults(Settings(default={"connectfour.ping_s": "3"}))
    with pytest.raises(Refused, match="no client"):
        games.load_client("connectfour")


@pytest.mark.slow
def test_its_protocol_is_told_by_its_types(tmp_path: Path) -> None:
    environment = install.connect_four(tmp_path)
    told = ludoteca("protocol", "connectfour", env=environment).stdout
    assert "Connect Four has no protocol of its own" in told
    assert "`Drop`: Drop a disc into a column" in told
    assert '- `column`: {"type": "integer", "minimum": 0, "exclusiveMaximum": 7}' in told
    refused = ludoteca("protocol", "connectfour", "--schema", env=environment)
    assert (refused.returncode, len(refused.stderr.strip().splitlines())) == (1, 1)
    assert "ludoteca protocol house --schema" in refused.stderr
    assert '"connectfour.Drop"' in ludoteca("protocol", "house", "--schema", env=environment).stdout
    types = ludoteca("protocol", "connectfour", "--typescript", env=environment).stdout
    assert 'export interface Drop {\n  type: "Drop";' in types
    assert "export type Action = Drop;" in types
    refused = ludoteca("connect", "connectfour", "127.0.0.1:1", env=environment)
    assert (refused.returncode, "no client" in refused.stderr) == (1, True)
