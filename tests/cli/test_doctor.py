"""`ludoteca doctor`: a set-up that works has nothing bad, and each that does not is told what to do."""

import json
import os
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests import rig

from ludoteca.cli import main
from ludoteca.cli.doctor import Finding, examine
from ludoteca.server import schema

FREE = "port=" + ",".join(f"{name}=0" for name in ("http", "house"))


def look(tmp_path: Path, *more: str, only: str = "http,house") -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for one in examine(None, (f"data={tmp_path / 'data'}", FREE, f"only={only}", *more)):
        found.setdefault(one.about, []).append(one)
    return found


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", *arguments])


def test_a_good_set_up_is_well_and_says_so_to_programs_too(tmp_path: Path) -> None:
    arguments = ["--set", f"data={tmp_path / 'data'}", "--set", FREE, "--set", "only=http,house",
                 "--set", "connections_max=100"]  # fmt: skip
    plain = run(*arguments)
    assert plain.exit_code == 0, plain.output
    assert "will be made" in plain.output
    listed = json.loads(run(*arguments, "--json").output)
    assert {one["verdict"] for one in listed} == {"well"}
    assert not (tmp_path / "data").exists(), "looking makes nothing"


def test_a_port_that_is_taken_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("--set", f"data={tmp_path}", "--set", "only=http", "--set", f"port=http={port}")
    assert result.exit_code == 1
    assert f"http cannot have 127.0.0.1:{port}" in result.output
    assert "--port http=PORT" in result.output


def test_settings_that_make_no_sense_are_the_first_thing_said(tmp_path: Path) -> None:
    result = run("--set", "rate_pers=5")
    assert result.exit_code == 1
    assert "'rate_per_s'" in result.output


@pytest.mark.slow
def test_certificates_are_looked_at_before_browsers_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = rig.certificate(tmp_path)
    (soon,) = look(tmp_path, f"tls_cert={shown}")["certificate"]
    assert (soon.verdict, "localhost" in soon.text) == ("look", True)  # It is for one day.
    shown.write_text("nonsense")
    (broken,) = look(tmp_path, f"tls_cert={shown}")["certificate"]
    assert broken.verdict == "bad"


def test_a_folder_that_cannot_hold_a_journal_is_bad(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    assert look(tmp_path)["data folder"][0].verdict == "bad"
    (tmp_path / "data").unlink()
    (tmp_path / "data").mkdir(0o755)
    assert look(tmp_path)["data folder"][0].verdict == "look"
    (tmp_path / "data").chmod(0o700)
    assert look(tmp_path)["data folder"][0].verdict == "well"
    schema.journal_in(tmp_path / "data").write_bytes(b"no journal at all" * 100)
    assert look(tmp_path)["journal"][0].verdict == "bad"


@pytest.mark.slow
def test_slow_disks_small_limits_and_open_doors_are_pointed_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(descriptor: int) -> None:
        time.sleep(0.03)

    monkeypatch.setattr(os, "fsync", slow)
    found = look(tmp_path, "host=0.0.0.0", "connections_max=100000000", "durability=full")
    assert any("people will feel that" in one.text for one in found["disk"])
    assert "LimitNOFILE" in found["limits"][0].text
    assert any("without TLS" in one.text for one in found["settings"])


def test_a_clock_that_was_never_set_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datetime

    class Early(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> "Early":
            return cls(1970, 1, 2, tzinfo=tz)

    monkeypatch.setattr("ludoteca.cli.doctor.datetime.datetime", Early)
    assert look(tmp_path)["clock"][0].verdict == "bad"
