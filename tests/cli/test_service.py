"""The house as a service: a unit that systemd accepts, and a container where one can be built."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ludoteca.cli import main, service

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["service", *arguments])


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ludoteca` is a command of this environment."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sys, "argv", ["ludoteca"])


def test_install_writes_unit_and_first_settings_and_keeps_those_that_are_there(tmp_path: Path) -> None:
    first = run("install", "--root", str(tmp_path))
    assert first.exit_code == 0, first.output
    unit = tmp_path / "etc/systemd/system/ludoteca.service"
    config = tmp_path / "etc/ludoteca.toml"
    assert "systemctl enable --now ludoteca" in first.output
    config.write_text('host = "0.0.0.0"\n')
    unit.write_text("old")
    assert run("install", "--root", str(tmp_path)).exit_code == 0
    assert config.read_text() == 'host = "0.0.0.0"\n'
    assert unit.read_text() == run("show").output


def test_the_unit_calls_the_command_that_made_it_with_options_it_has() -> None:
    found = re.search(r"^ExecStart=(\S+) (.*)$", run("show").output, re.MULTILINE)
    assert found is not None
    assert Path(found[1]).samefile(Path(sys.executable).parent / "ludoteca")
    options = re.findall(r"--[\w-]+", found[2])
    assert options == ["--config", "--data", "--log-format"]
    help_text = CliRunner().invoke(main, ["serve", "--help"]).output
    assert all(option in help_text for option in options)


def test_low_ports_are_the_only_right_it_can_be_given() -> None:
    assert re.search(r"^CapabilityBoundingSet=$", run("show").output, re.MULTILINE)
    low = run("show", "--low-ports").output
    assert re.search(r"^AmbientCapabilities=CAP_NET_BIND_SERVICE$", low, re.MULTILINE)


def test_a_house_in_somebodys_home_can_see_itself() -> None:
    assert "ProtectHome=read-only" in service.unit(
        str(Path("/home", "ann/bin/ludoteca")), service.CONFIG, False
    )
    assert "ProtectHome=yes" in service.unit("/opt/ludoteca/bin/ludoteca", service.CONFIG, False)


def test_who_is_not_root_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path, text: str) -> int:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "write_text", refused)
    result = run("install", "--root", str(tmp_path))
    assert result.exit_code == 1
    assert "sudo ludoteca service install" in result.output


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
def test_systemd_accepts_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    run("install", "--root", str(tmp_path))
    unit = str(tmp_path / "etc/systemd/system/ludoteca.service")
    verified = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    assert verified.returncode == 0, verified.stderr
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", unit], capture_output=True, text=True
    )
    exposure = re.search(r"Overall exposure level for ludoteca.service: ([\d.]+)", judged.stdout)
    assert exposure is not None, judged.stdout + judged.stderr
    assert float(exposure[1]) <= 2.0


def _container_tool() -> str | None:
    """Podman or Docker, where it really can run something."""
    for name in ("podman", "docker"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True).returncode == 0:
            return name
    return None


@pytest.mark.slow
def test_the_container_is_built_and_serves_without_root_and_read_only() -> None:
    tool = _container_tool()
    if tool is None:
        pytest.skip("no container tool can run anything here")
    health = ["--format", "docker"] if tool == "podman" else []
    built = subprocess.run(
        [tool, "build", "-q", *health, "-f", "Containerfile", "-t", "ludoteca-test", "."], cwd=ROOT
    )
    assert built.returncode == 0
    command = [tool, "run", "-d", "--rm", "--read-only", "--cap-drop=all", "--tmpfs", "/data:mode=0777",
               "-p", "127.0.0.1::8000", "ludoteca-test"]  # fmt: skip
    identity = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    try:
        bound = subprocess.run([tool, "port", identity, "8000"], check=True, capture_output=True, text=True)
        address = bound.stdout.split()[-1]
        for _ in range(100):
            try:
                with urllib.request.urlopen(f"http://{address}/healthz", timeout=5) as answer:
                    assert answer.status == 200
                    break
            except OSError:
                time.sleep(0.2)
        else:
            pytest.fail("the container does not answer")
        user = subprocess.run(
            [tool, "exec", identity, "id", "-u"], check=True, capture_output=True, text=True
        )
        assert user.stdout.strip() == "10001"
        subprocess.run([tool, "exec", identity, "ludoteca", "status"], check=True)
    finally:
        subprocess.run([tool, "stop", identity], check=False, capture_output=True)
