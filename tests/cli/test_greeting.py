"""What `serve` says to people: the address for this machine, and the one for their friends."""

import socket
from typing import Any

import click
import pytest

from ludoteca.cli import greeting
from ludoteca.server.settings import Settings


@pytest.mark.parametrize(
    ("host", "cert", "said"),
    [
        ("127.0.0.1", "", ["Open http://127.0.0.1:8000"]),
        ("localhost", "", ["Open http://localhost:8000"]),
        ("::1", "", ["Open http://[::1]:8000"]),
        (
            "192.168.1.20",
            "house.pem",
            ["Open https://192.168.1.20:8000", "Others in your network open https://192.168.1.20:8000"],
        ),
    ],
)
def test_the_page_is_named_for_people(
    host: str, cert: str, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    greeting.greet(Settings(tls_cert=cert), host, 8000, browse=False)
    assert capsys.readouterr().out.splitlines() == said


def test_the_link_for_a_host_stands_before_the_address_for_everybody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    greeting.greet(Settings(base_path="/games"), "0.0.0.0", 8000, "f" * 32, browse=False)
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == f"Host's page, good once and for an hour: http://127.0.0.1:8000/games/house#{'f' * 32}"
    assert second == "Open http://127.0.0.1:8000/games"


def test_a_house_that_listens_everywhere_says_where_others_find_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Probe(socket.socket):
        def connect(self, address: Any) -> None:
            assert address[0] == "192.0.2.1"

        def getsockname(self) -> Any:
            return ("192.168.1.20", 40000)

    monkeypatch.setattr(socket, "socket", Probe)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    greeting.greet(Settings(), "0.0.0.0", 8000, browse=False)
    first, second, *code = capsys.readouterr().out.splitlines()
    assert first == "Open http://127.0.0.1:8000"
    assert second == "Others in your network open http://192.168.1.20:8000"
    # In a terminal a telephone reads it from the screen: a square of half blocks.
    assert len(code) > 10
    assert {len(line) for line in code} == {len(code[0])}


@pytest.mark.parametrize(("found", "complaint"), [(0, ""), (1, "open http://127.0.0.1:8000 yourself")])
def test_the_browser_is_opened_when_asked_and_its_absence_is_said(
    found: int, complaint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def launch(url: str) -> int:
        opened.append(url)
        return found

    monkeypatch.setattr(click, "launch", launch)
    greeting.greet(Settings(), "127.0.0.1", 8000, browse=True)
    assert opened == ["http://127.0.0.1:8000"]
    assert complaint in capsys.readouterr().err
