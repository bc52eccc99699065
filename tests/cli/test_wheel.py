"""What people install: the wheel in an empty environment without Node, from the first start to an upgrade."""

import asyncio
import contextlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest
from tests import rig
from tests.journal.corpus.write import corpora, unpacked

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


class Installed(rig.Process):
    """A house whose program is the one that was installed, far from any checkout and any Node."""

    def __init__(self, program: Path, folder: Path, *listeners: str) -> None:
        super().__init__(folder, *listeners)
        self.program = [str(program)]

    async def begin(self) -> None:
        await self.start(cwd=self.folder.parent, env=bare())


def bare() -> dict[str, str]:
    """An environment that knows nothing of this checkout."""
    return {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`ludoteca` from the wheel, with nothing beside it but what the lock for running it names."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-build-isolation",
        "--no-deps",
        "-w",
        str(folder),
    ]
    subprocess.run([*build, str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = str(environment / "bin/python")
    pip = (
        [uv, "pip", "install", "-q", "--python", python]
        if uv
        else [sys.executable, "-m", "pip", "--python", python, "install", "-q"]
    )
    subprocess.run([*pip, "--require-hashes", "-r", str(ROOT / "requirements/run.txt")], check=True)
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True)
    return environment / "bin/ludoteca"


async def command(program: Path, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        str(program), *arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=bare()
    )
    said, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0, said.decode()
    return said.decode()


async def test_the_wheel_starts_serves_its_page_is_copied_killed_and_brought_back(
    program: Path, tmp_path: Path
) -> None:
    assert (await command(program, "--version")).startswith("ludoteca ")
    house = Installed(program, tmp_path / "data", "http", "house")
    await house.begin()
    try:
        host, port = house.addresses["http"]
        async with aiohttp.ClientSession(f"http://{host}:{port}") as web:
            async with web.get("/") as answer:
                page = await answer.text()
            script = page.partition('src="')[2].partition('"')[0]
            async with web.get(script) as answer:
                assert answer.status == 200, "the wheel has no page"
        ann = await rig.enter(house, "Ann")
        await ann.send({"type": "open", "game": "multisweeper", "seats": 2, "bots": 1})
        table = (await ann.until("seated"))["table"]["id"]
        said = await command(program, "backup", str(tmp_path / "copy.tar.gz"), "--data", str(house.folder))
        assert "1 tables" in said
    finally:
        await house.kill()
    await command(program, "restore", str(tmp_path / "copy.tar.gz"), "--data", str(tmp_path / "again"))
    assert "1 of 1 tables verified" in await command(program, "verify", "--data", str(tmp_path / "again"))
    again = Installed(program, tmp_path / "again", "house")
    await again.begin()
    try:
        bob = await rig.enter(again, "Bob")
        await bob.send({"type": "list"})
        assert [one["id"] for one in (await bob.until("tables"))["tables"]] == [table]
    finally:
        await again.kill()


def quiet_port() -> int:
    """A free port that the system gives nobody by itself while the page is read."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def steps(page: str) -> list[str]:
    """The blocks of the part that a bare machine is taken through, in order."""
    part = page.partition("## In ten minutes")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)


async def test_the_page_for_hosts_holds_line_by_line_on_a_bare_machine(program: Path, tmp_path: Path) -> None:
    install, *rest = steps((ROOT / "docs/hosting.md").read_text())
    assert "pip install ludoteca-*.whl" in install
    # What it installs is there: with pip that takes a minute, and `program` is it.
    (tmp_path / "ludoteca").symlink_to(program.parents[1])
    ports = {"http": quiet_port(), "house": quiet_port()}
    script = "set -e\n" + "\n".join(rest).replace("127.0.0.1:8000", f"127.0.0.1:{ports['http']}")
    assert script.count("\nludoteca ") >= 12
    environment = {
        **bare(),
        "HOME": str(tmp_path),
        "LUDOTECA_ONLY": ",".join(ports),
        "LUDOTECA_PORT": ",".join(f"{name}={port}" for name, port in ports.items()),
    }
    process = await asyncio.create_subprocess_exec(
        "bash", "-c", script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path, env=environment
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), 100)
    finally:
        if process.returncode is None:
            process.kill()
    log = (tmp_path / "house.log").read_text() if (tmp_path / "house.log").exists() else ""
    assert process.returncode == 0, said.decode() + log
    assert b"looked through" in said
    assert said.count(b"tables verified") == 2
    assert "Traceback" not in said.decode() + log
    assert (tmp_path / "ludoteca.service").read_text().startswith("[Unit]") or "[Service]" in (
        tmp_path / "ludoteca.service"
    ).read_text()


async def test_the_wheel_plays_on_what_the_first_version_wrote(program: Path, tmp_path: Path) -> None:
    unpacked(next(corpora()), tmp_path / "data")
    house = Installed(program, tmp_path / "data", "house")
    await house.begin()
    try:
        ann = await rig.enter(house, "Ann")
        await ann.send({"type": "list"})
        assert (await ann.until("tables"))["tables"]
    finally:
        assert await house.stop() == 0
